"""How even meetings are, and what one more of each pair would cost: pure, in whole numbers."""

import numpy as np

from arena.tournament.arranging import Ints


def meetings_bound(seats: int) -> int:
    """The most that the meetings of any two pairs differ by, at any time, among up to 40 bots.

    Among those who stay it holds as well when bots leave, whoever they are. There is no proof of that: it is
    what trials show, those with leavers picked to break it among them.
    """
    return 3 if seats <= 4 else 5


def excess(met: Ints, played: Ints, seats: int) -> Ints:
    """How far each pair's meetings are above the mean, in quarters of one.

    What a bot met those who have left is shared out among its meetings with the rest. Bots play as often
    as one another, so those who had met the leavers more stay short of meetings whatever the tables are.
    Counted as it stands, that would rule who sits out: always the same bots together, who then meet one
    another more than others do, without end.
    """
    bots = len(played)
    pairs = bots * (bots - 1) // 2
    if not pairs:
        return np.zeros_like(met)
    lost = (seats - 1) * played - met.sum(axis=1)
    # Where pairs (i, j) stand at a[i] + a[j], a bot with bots - 2 meetings less has an a that is one less.
    share = max(1, bots - 2)
    shared = share * met + lost[:, None] + lost[None, :]
    total = share * (int(met.sum()) // 2) + (bots - 1) * int(lost.sum())
    above: Ints = (4 * (pairs * shared - total)) // (pairs * share)
    return above


def cost_of_meeting(above: Ints, power: int) -> Ints:
    """What one more meeting of each pair adds to the sum over pairs of (meetings - mean) ** power.

    In quarters of a meeting, so that whole numbers do and every machine finds the same tables. The
    square leaves the best state for later tables; the fourth power minds the one pair far off.
    """
    cost: Ints = (above + 4) ** power - above**power
    np.fill_diagonal(cost, 0)
    return cost
