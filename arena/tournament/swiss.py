"""A Swiss: bots meet others that have done as well as they have, so far as is known at the last point."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np

from arena.tournament.arranging import Ints
from arena.tournament.brief import Brief
from arena.tournament.choice import shuffled_by

ATTEMPTS: Final = 16
"""Orders of bots with equal scores that are compared: in the best, those meet who have met least."""


class Swiss:
    """The tables of a Swiss, one after another.

    Those that have played least are seated first, so that no bot is ever more than one block ahead. They are
    put in order by the share of their games that they have won, and each table takes the next ones.
    """

    def __init__(self, seed: bytes, bots: int, seats: int) -> None:
        self.seats = seats
        self._seed = seed
        self._bots: tuple[int, ...] = tuple(range(bots))
        self._played: Ints = np.zeros(bots, np.int64)
        """Blocks, by number."""
        self._met: Ints = np.zeros((bots, bots), np.int64)
        self._wins: Ints = np.zeros(bots, np.int64)
        self._games: Ints = np.zeros(bots, np.int64)
        self._planned: list[list[int]] = []

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """All bots in play are one group."""
        return ((self._bots, self.seats),)

    def copy(self) -> "Swiss":
        """The same state, sharing nothing that changes."""
        twin = object.__new__(Swiss)
        twin.__dict__.update(self.__dict__)
        for name in ("_played", "_met", "_wins", "_games", "_planned"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def without(self, leaving: Iterable[int]) -> "Swiss":
        """The same state among those who stay, who must still fill a table."""
        gone = set(leaving)
        rest = self.copy()
        rest._bots = tuple(bot for bot in self._bots if bot not in gone)
        rest._planned = []
        return rest

    def learn(self, briefs: Iterable[Brief]) -> None:
        """What came of the blocks before a decision point; from now on it says who meets whom."""
        for brief in briefs:
            self._games[list(brief.block.table)] += brief.games
            np.add.at(self._wins, list(brief.winners), 1)
        self._planned = []

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""
        if not self._planned:
            self._planned = self._plan(number)
        table = sorted(self._planned.pop(0))
        self._played[table] += 1
        self._met[np.ix_(table, table)] += 1
        return tuple(table)

    def _plan(self, number: int) -> list[list[int]]:
        """Tables of those that have played least; or one table for their rest, with others of like score."""
        plans = [self._attempt(number, attempt) for attempt in range(ATTEMPTS)]
        return min(plans, key=self._repeated)

    def _attempt(self, number: int, attempt: int) -> list[list[int]]:
        order = shuffled_by(self._seed, f"swiss:{number}:{attempt}", self._bots)
        fewest = min(int(self._played[bot]) for bot in order)
        least = [bot for bot in order if self._played[bot] == fewest]
        if len(least) < self.seats:
            mean = sum(map(self._score, least)) / len(least)
            others = [bot for bot in order if self._played[bot] > fewest]
            # The sort keeps the shuffled order among equals.
            others.sort(key=lambda bot: (int(self._played[bot]), abs(self._score(bot) - mean)))
            return [least + others[: self.seats - len(least)]]
        # Whoever is over waits for the next plan, and is seated first in it.
        over = len(least) % self.seats
        seated = sorted(least[over:], key=lambda bot: -self._score(bot))
        return [seated[start : start + self.seats] for start in range(0, len(seated), self.seats)]

    def _score(self, bot: int) -> float:
        return float(self._wins[bot] / self._games[bot]) if self._games[bot] else 0.0

    def _repeated(self, tables: Sequence[Sequence[int]]) -> int:
        """The sum of the squares of how often those at one table have met."""
        return sum(int((self._met[np.ix_(table, table)] ** 2).sum()) for table in tables)
