"""The formats of a tournament: which rule says who meets whom, and where in its course one decides."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from arena.tournament.points import comparison_points, decision_points

if TYPE_CHECKING:
    from arena.tournament.brief import Brief

ROUND_ROBIN: Final = "round-robin"
GAUNTLET: Final = "gauntlet"
SWISS: Final = "swiss"
PAIRED: Final = "paired"
SERIES: Final = "series"
FORMATS: Final = (ROUND_ROBIN, GAUNTLET, SWISS)
"""Those of a tournament. A comparison of two bots is paired; `arena play` plays a series."""
NEVER: Final = 10**9
"""A decision point beyond all blocks."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A format with what it needs to know."""

    format: str = ROUND_ROBIN
    challengers: tuple[int, ...] = ()
    """In a gauntlet, by number and ascending, those of whom one is at every table. Paired: new, then old."""

    @property
    def paired(self) -> bool:
        """Whether two blocks running are one table, once with the new bot and once with the old."""
        return self.format == PAIRED

    @property
    def looks_at_results(self) -> bool:
        """Whether who meets whom hangs on the games so far: then no block may run ahead of a point."""
        return self.format == SWISS

    def points(self, bots: int, seats: int) -> Iterator[int]:
        """The block numbers of the decision points, ascending, without end.

        In a Swiss one follows every round, as long as a round is with all bots in play. A comparison has its
        own. In a series nothing is decided: all blocks count.
        """
        if self.format == SERIES:
            return count(NEVER, NEVER)
        if self.format == SWISS:
            size = max(1, bots // seats)
            return count(size, size)
        if self.paired:
            return comparison_points()
        return decision_points(bots)


EVERYBODY: Final = Pairing()
"""All meet all, as evenly as can be."""


class Choice(Protocol):
    """A rule that says which bots sit down together next. It holds counts, never the past."""

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """The bots in play, in groups, with how many of each group a table needs."""

    def copy(self) -> "Choice":
        """The same state, which goes its own way."""

    def without(self, leaving: Iterable[int]) -> "Choice":
        """The same state among those who stay; they still fill a table."""

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""

    def learn(self, briefs: Iterable["Brief"]) -> None:
        """What came of the blocks before a decision point."""
