"""Where the meetings are at their bound: only a plan after which others can follow within it is taken."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

OPTIONS: Final = 8
"""At most so many of the best plans are tried at each of them."""
TRIES: Final = 8
"""For each plan that is to follow, so many are tried in all; then the search is given up."""


class Plan(NamedTuple):
    """Tables to be played in this order, and what speaks against them; the less the better, from the left."""

    over: int
    """How far the spread of meetings goes past its bound while they are played."""
    at_end: int
    """How far the spread of meetings has come to its bound at their end."""
    cost: int
    used: int
    tables: Sequence[list[int]]


class Position(Protocol):
    """What a schedule has come to."""

    def plans(self, number: int, most: int) -> list[Plan]:
        """Plans for block `number` and those after it, best first, from at most so many attempts."""

    def after(self, plan: Plan) -> "Position":
        """What the schedule will have come to when these tables are played; this one stays as it is."""


def lasting(position: Position, number: int, plans: list[Plan], ahead: int, attempts: int) -> list[Plan]:
    """So many plans, one after another, that stay within the bound, or as many as are found.

    The first is one of `plans`, and the best of them where others can follow it. There is always a first.
    """
    longest: list[Plan] = []
    for plan in _options(plans):
        found = _Search(ahead * TRIES, attempts).line(position, number, plan, ahead)
        longest = max(longest, found, key=len)
        if len(longest) == ahead:
            break
    return longest or plans[:1]


class _Search:
    """Depth first and best first, so that a rule that would have kept the bound by itself is left alone."""

    def __init__(self, tries: int, attempts: int) -> None:
        self._left = tries
        self._attempts = attempts

    def line(self, position: Position, number: int, plan: Plan, ahead: int) -> list[Plan]:
        """The longest line of plans found within the bound, up to `ahead` of them, that begins with this."""
        if plan.over or ahead == 1:
            return [] if plan.over else [plan]
        self._left -= 1
        there, number = position.after(plan), number + len(plan.tables)
        longest: list[Plan] = []
        for following in _options(there.plans(number, self._attempts)):
            longest = max(longest, self.line(there, number, following, ahead - 1), key=len)
            if len(longest) == ahead - 1 or self._left <= 0:
                break
        return [plan, *longest]


def _options(plans: list[Plan]) -> Iterator[Plan]:
    """The best few that differ in more than the order of their tables."""
    seen: set[frozenset[frozenset[int]]] = set()
    for plan in plans:
        tables = frozenset(map(frozenset, plan.tables))
        if tables in seen:
            continue
        if len(seen) == OPTIONS:
            return
        seen.add(tables)
        yield plan
