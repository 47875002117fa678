"""A gauntlet: one challenger at every table, against a field that meets as evenly as in a round robin."""

from collections.abc import Collection, Iterable, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from arena.tournament.arranging import Ints
from arena.tournament.brief import Brief
from arena.tournament.choice import Tables, shuffled_by

MOST_SHARED: Final = 6
"""Up to so many challengers all ways to share out their tables are looked at."""


class Gauntlet:
    """The tables of a gauntlet, one after another.

    The others at a table are those of a round robin of the field at tables with a seat less. As many of
    these as there are challengers are shared out among them, so that each plays as often as the others.
    """

    def __init__(self, seed: bytes, bots: int, seats: int, challengers: Sequence[int]) -> None:
        """`challengers`: at least one; the field fills the other seats of a table."""
        self.seats = seats
        self._seed = seed
        self._field = tuple(bot for bot in range(bots) if bot not in challengers)
        """All of it, by its number among the tables of the field."""
        self._tables = Tables(seed, len(self._field), seats - 1)
        self._challengers = tuple(sorted(challengers))
        self._planned: list[int] = []
        """The challengers of the next tables."""
        self._met: Ints = np.zeros((bots, bots), np.int64)
        """By challenger and bot of the field."""

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """The challengers, and the field."""
        return ((self._challengers, 1), (self._field_in_play, self.seats - 1))

    @property
    def _field_in_play(self) -> list[int]:
        return [self._field[number] for number in self._tables.bots.tolist()]

    def copy(self) -> "Gauntlet":
        """The same state, sharing nothing that changes."""
        twin = object.__new__(Gauntlet)
        twin.__dict__.update(self.__dict__)
        twin._tables = self._tables.copy()
        twin._met, twin._planned = self._met.copy(), list(self._planned)
        return twin

    def without(self, leaving: Iterable[int]) -> "Gauntlet":
        """The same state among those who stay: at least one challenger, and enough of the field."""
        gone = set(leaving)
        rest = self.copy()
        rest._planned = []
        rest._challengers = tuple(bot for bot in self._challengers if bot not in gone)
        rest._tables = self._tables.without(number for number, bot in enumerate(self._field) if bot in gone)
        return rest

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""
        if not self._planned:
            self._planned = self._plan(number)
        challenger = self._planned.pop(0)
        others = [self._field[member] for member in self._tables.next_table(number)]
        self._met[challenger, others] += 1
        return tuple(sorted((challenger, *others)))

    def _plan(self, number: int) -> list[int]:
        """Who plays at the next tables of the field: each challenger at one, so that meetings stay even."""
        order = shuffled_by(self._seed, f"challenger:{number}", self._challengers)
        ahead = self._tables.copy()
        tables = [
            [self._field[member] for member in ahead.next_table(number + place)]
            for place in range(len(order))
        ]
        fewest = int(self._met[np.ix_(self._challengers, self._field_in_play)].min())
        costs = [[self._cost(bot, table, fewest) for table in tables] for bot in order]
        share = min(_shares(len(order)), key=lambda share: sum(map(list.__getitem__, costs, share)))
        return [order[share.index(place)] for place in range(len(order))]

    def _cost(self, challenger: int, table: Sequence[int], fewest: int) -> int:
        """What one more meeting with these adds to the sum over pairs of (meetings above the fewest) ** 4."""
        above = self._met[challenger, table] - fewest
        return int(((above + 1) ** 4 - above**4).sum())

    def learn(self, briefs: Iterable[Brief]) -> None:
        """Nothing: results bear on no table."""


def _shares(count: int) -> Iterable[tuple[int, ...]]:
    """Ways to share out so many tables: all of them, or where they are too many every one turned by some."""
    if count <= MOST_SHARED:
        return permutations(range(count))
    return (tuple((place + turn) % count for place in range(count)) for turn in range(count))
