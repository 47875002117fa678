"""Where in the schedule something may be decided: block numbers that depend on the number of bots alone."""

from collections.abc import Iterator
from typing import Final

FIRST_POINT: Final = 16
DOUBLINGS: Final = 3
FIRST_LOOK: Final = 60
LOOK_EVERY: Final = 16
"""Blocks; two make a pair."""


def decision_points(bots: int) -> Iterator[int]:
    """The block numbers of the decision points, ascending, without end.

    The first is p = max(16, 2 x bots), by when every bot has sat down at least four times; then 2p, 4p,
    8p, 16p, and from there on every 8p. At a point something is decided from the blocks before it,
    once all of these are played; meanwhile blocks up to the next point may run ahead. The distance
    grows because a broken bot shows at once, and so that hundreds of tables can run later without
    waiting at a point.
    """
    first = point = max(FIRST_POINT, 2 * bots)
    while True:
        yield point
        point += min(point, first << DOUBLINGS)


def comparison_points() -> Iterator[int]:
    """The same of a comparison: how far it is at the looks that its test takes.

    The first look is at 30 pairs of blocks, by when a variance is known well enough. Then comes one every 8
    pairs, and later whenever an eighth more was played: what is played beyond an answer is never more.
    """
    point = FIRST_LOOK
    while True:
        yield point
        point += max(LOOK_EVERY, point // (8 * LOOK_EVERY) * LOOK_EVERY)
