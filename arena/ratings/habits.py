"""How often bots challenge, and are challenged: a habit of each challenger and of each claimant, fitted to
counts.

Of claims of kind t, bot i is taken to challenge those of bot j with chance 1 / (1 + exp(-c_t - a_it -
b_jt)): c is usual for the kind, a the habit of the challenger and b that of the claimant. They are fitted
by maximum likelihood, where each habit has one claim more, challenged as often as is usual, so that it
stays finite.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from arena.ratings.challenges import Challenges
from arena.ratings.results import Floats, Ints

STEPS, SETTLED, LONGEST_STEP = 200, 1e-4, 2.0
"""At most so many rounds, until no habit (log odds) moves by more than that, and by how much it may at
once."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Counts by kind, challenger and claimant, (cells,) where nothing else is said."""

    bots: int
    challenger: Ints
    claimant: Ints
    kind: Ints
    asked: Floats
    called: Floats
    of_row: Ints
    """(rows of the challenges,): the cell of each."""

    @staticmethod
    def of(given: Challenges) -> "Cells":
        """Count them."""
        bots = given.bots
        # Kinds may be any numbers, and what is fitted counts from the first to the last.
        _, kind = numbered(given.kind)
        names, place = numbered((kind * bots + given.challenger) * bots + given.claimant)
        return Cells(
            bots=bots,
            challenger=names // bots % bots,
            claimant=names % bots,
            kind=names // bots**2,
            asked=np.bincount(place, given.asked, len(names)).astype(np.float64),
            called=np.bincount(place, given.called, len(names)).astype(np.float64),
            of_row=place,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """A fit, as log odds beyond what is usual, and as what it says of each cell."""

    of_challengers: Floats
    """(kinds * bots,)."""
    of_claimants: Floats
    chance: Floats
    """(cells,): of a challenge."""
    unsure: Floats
    """(cells,): variance of the log odds of that chance, from the claims behind the two habits."""


def habits_of(cells: Cells, weight: Floats | None = None, start: Habits | None = None) -> Habits:
    """The fit to the cells, each counted so many times; from `start`, if there is one near.

    The habits of all challengers take one Newton step each while those of the claimants are held, and the
    other way round, until they settle.
    """
    bots, kinds = cells.bots, int(cells.kind.max(initial=-1)) + 1
    asked = cells.asked if weight is None else weight * cells.asked
    called = cells.called if weight is None else weight * cells.called
    sides = (cells.kind * bots + cells.challenger, cells.kind * bots + cells.claimant)
    total = np.bincount(cells.kind, asked, kinds)
    middle = logit((np.bincount(cells.kind, called, kinds) + 0.5) / (total + 1.0))
    if start is None:
        habits = [np.zeros(kinds * bots), np.zeros(kinds * bots)]
    else:
        habits = [start.of_challengers.copy(), start.of_claimants.copy()]
    base = np.repeat(middle, bots)
    usual = expit(base)

    def chances() -> Floats:
        return np.asarray(expit(middle[cells.kind] + habits[0][sides[0]] + habits[1][sides[1]]))

    def known(side: int, chance: Floats) -> Floats:
        """What the claims behind each habit say of it: its curvature."""
        own = expit(base + habits[side])
        claims = np.bincount(sides[side], asked * chance * (1.0 - chance), kinds * bots)
        return np.asarray(claims + own * (1.0 - own))

    for _ in range(STEPS):
        longest = 0.0
        for side in (0, 1):
            chance = chances()
            claims = np.bincount(sides[side], called - asked * chance, kinds * bots)
            slope = claims + usual - expit(base + habits[side])
            step = np.clip(slope / known(side, chance), -LONGEST_STEP, LONGEST_STEP)
            habits[side] += step
            longest = max(longest, float(np.abs(step).max(initial=0.0)))
        if longest < SETTLED:
            break
    chance = chances()
    unsure = sum(1.0 / known(side, chance)[sides[side]] for side in (0, 1))
    return Habits(habits[0], habits[1], chance, np.asarray(unsure))


def numbered(values: Ints) -> tuple[Ints, Ints]:
    """What there is, ascending, and the position of each value in it; fast where they lie close together."""
    low = int(values.min(initial=0))
    span = int(values.max(initial=0)) - low + 1
    if span > 4 * len(values) + 1024:
        names, place = np.unique(values, return_inverse=True)
        return names, place
    there = np.zeros(span, dtype=bool)
    there[values - low] = True
    return np.flatnonzero(there) + low, (np.cumsum(there) - 1)[values - low]
