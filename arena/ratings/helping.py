"""Bots that spare each other: pairs that challenge each other's claims less than half as often as expected.

What is expected of two bots comes from what the one challenges of others and what others challenge of the
other: from habits fitted to all counts but those of the two with each other (see habits.py).

Honest bots of different styles are not quite so simple, whatever the kinds of claims are. So a pair must fall
short of half of what is expected, and that is what is tested: with Y the challenges in block c and E those
expected there, S is the sum over blocks of Y - E / 2, and z = S / sqrt(V). V is the sum over blocks of
(Y - E / 2) squared, as games of one block may hang together in any way; it is never less than if claims were
independent; and it is made larger by 1 + w / 2, with w the variance that is left in the sum of E over that of
as many independent claims.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from arena.ratings.challenges import Challenges
from arena.ratings.correction import ENOUGH_MEETINGS
from arena.ratings.habits import Cells, Habits, habits_of, numbered
from arena.ratings.results import Bools, Floats

SHARE = 0.5
"""Pairs are looked for that challenge each other less often than this part of what is expected."""
LEAST_EXPECTED = 10.0
"""Challenges that must be expected of each of the two; of fewer, half may fail to come by chance alone, and
a bot that challenges nobody spares nobody."""
MOST_TOGETHER = 0.6
"""Claims of a kind are compared only if they are no larger a part than this of all of that kind that the
habits of the two are known from (the part of the challenger's and that of the claimant's, added up). Of
four bots, two that spare each other look like the other two doing so (2/3); of five, it is a half."""
LOOKED_AT = 0.75
"""Only pairs with no more than this part of the challenges that a fit to all counts, their own too, expects
are fitted again without these: all others are sure to be above half of what they should be."""
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Spared:
    """Two bots of which each challenges the other less than half as often as expected."""

    bots: tuple[int, int]
    """The lower number first."""
    blocks: int
    """Blocks in which one of them was asked about the other."""
    asked: tuple[int, int]
    """Claims of the second that the first was asked about, and the other way round, that can be compared."""
    called: tuple[int, int]
    """How often they challenged these."""
    expected: tuple[float, float]
    """How often they were expected to, from their games with others."""
    chance: float
    """Of so few challenges, if they challenged each other half as often as expected; uncorrected."""


def sparing(challenges: Challenges) -> tuple[int, list[Spared]]:
    """How many pairs have enough in common to be tested, and those of them that might pass."""
    bots, cells = challenges.bots, Cells.of(challenges)
    habits, alike = habits_of(cells), _alike(cells)
    first = cells.challenger < cells.claimant
    low, high = np.minimum(cells.challenger, cells.claimant), np.maximum(cells.challenger, cells.claimant)
    keys, pair = numbered(low * bots + high)
    way = 2 * pair + ~first

    def by_way(values: Floats) -> Floats:
        """(pairs, 2): sums, of the lower number's challenges and of the higher's."""
        return np.bincount(way, values * alike, 2 * len(keys)).astype(np.float64).reshape(-1, 2)

    _, block = numbered(challenges.block)
    rows = np.flatnonzero(alike[cells.of_row])
    meetings = np.unique(block[rows] * len(keys) + pair[cells.of_row[rows]])
    blocks = np.bincount(meetings % max(len(keys), 1), minlength=len(keys))
    asked, called, fit = by_way(cells.asked), by_way(cells.called), by_way(cells.asked * habits.chance)
    tested = (blocks >= ENOUGH_MEETINGS) & (fit.min(axis=1) >= LEAST_EXPECTED)
    near = np.flatnonzero(tested & (called.sum(axis=1) <= LOOKED_AT * fit.sum(axis=1)))
    found = []
    for at in near.tolist():
        expected, chance = _without_own(challenges, cells, habits, pair == at, alike)
        if (called[at] < SHARE * expected).all():
            found.append(
                Spared(
                    bots=(int(keys[at]) // bots, int(keys[at]) % bots),
                    blocks=int(blocks[at]),
                    asked=(int(asked[at, 0]), int(asked[at, 1])),
                    called=(int(called[at, 0]), int(called[at, 1])),
                    expected=(float(expected[0]), float(expected[1])),
                    chance=chance,
                )
            )
    return int(tested.sum()), found


def _alike(cells: Cells) -> Bools:
    """(cells,): whether enough is known of claims like these from elsewhere."""
    part = np.zeros(len(cells.asked))
    for bot in (cells.challenger, cells.claimant):
        habit = cells.kind * cells.bots + bot
        part += cells.asked / np.maximum(np.bincount(habit, cells.asked)[habit], 1.0)
    return part <= MOST_TOGETHER


def _without_own(
    challenges: Challenges, cells: Cells, habits: Habits, mine: Bools, alike: Bools
) -> tuple[Floats, float]:
    """What is expected of a pair whose cells are `mine`, each way, and the chance of what it did."""
    others = habits_of(cells, (~mine).astype(np.float64), habits)
    own = mine & alike
    rows = np.flatnonzero(own[cells.of_row])
    cell = cells.of_row[rows]
    usual, asked, called = others.chance[cell], challenges.asked[rows], challenges.called[rows]
    half = SHARE * asked * usual
    _, block = numbered(challenges.block[rows])
    short = np.bincount(block, called - half)
    spread = max(float((short**2).sum()), float((half * (1.0 - SHARE * usual)).sum()))
    expected = cells.asked * others.chance * own
    variance = expected * (1.0 - others.chance)
    left = float((variance**2 * others.unsure).sum()) / max(float(variance.sum()), TINY)
    z = float(short.sum()) / np.sqrt(max(spread * (1.0 + 0.5 * left), TINY))
    first = cells.challenger < cells.claimant
    return np.array([expected[first].sum(), expected[~first].sum()]), float(ndtr(z))
