"""A beats B, B beats C, C beats A: three results that no one number a bot can put in order."""

import numpy as np

from arena.ratings.results import Bools, Floats


def cycles_among(beats: Bools, strength: Floats) -> tuple[tuple[int, int, int], ...]:
    """Every three (a, b, c) of which a beats b, b beats c and c beats a; a is the lowest number.

    `beats` (bots, bots) is true where the row is ahead of the column by their own meetings, and `strength`
    (bots,) any order of the bots: each cycle has a step that goes against it, so it is enough to begin with
    these steps, which are few where the order is a good one.
    """
    against = beats & (strength[:, None] <= strength[None, :])
    found: set[tuple[int, int, int]] = set()
    for first, second in zip(*(side.tolist() for side in np.nonzero(against)), strict=True):
        for third in np.flatnonzero(beats[second] & beats[:, first]).tolist():
            turns = ((first, second, third), (second, third, first), (third, first, second))
            found.add(min(turns))
    return tuple(sorted(found))
