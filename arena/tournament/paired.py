"""The tables of a comparison: each twice, with the new bot and then with the old one in its seats."""

from collections.abc import Collection, Iterable, Sequence

from arena.tournament.brief import Brief
from arena.tournament.choice import Tables


class Paired:
    """Tables of a field that meets as evenly as in a round robin, with a seat for the bots compared."""

    def __init__(self, seed: bytes, bots: int, seats: int, compared: Sequence[int]) -> None:
        """`compared`: the new bot and the old one; everybody else is the field."""
        self.seats = seats
        self._new, self._old = compared
        self._field = tuple(bot for bot in range(bots) if bot not in compared)
        """All of it, by its number among the tables of the field."""
        self._tables = Tables(seed, len(self._field), seats - 1)
        self._others: tuple[int, ...] = ()
        """Of the table that was played with the new bot last."""

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """The two bots, and the field."""
        field = [self._field[member] for member in self._tables.bots.tolist()]
        return (((self._new,), 1), ((self._old,), 1), (field, self.seats - 1))

    def copy(self) -> "Paired":
        """The same state, sharing nothing that changes."""
        twin = object.__new__(Paired)
        twin.__dict__.update(self.__dict__)
        twin._tables = self._tables.copy()
        return twin

    def without(self, leaving: Iterable[int]) -> "Paired":
        """The same state among those who stay: the two, and enough of the field."""
        gone = set(leaving)
        rest = self.copy()
        rest._tables = self._tables.without(number for number, bot in enumerate(self._field) if bot in gone)
        return rest

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending: with the new bot if it is even, else with the old."""
        if number % 2:
            return tuple(sorted((self._old, *self._others)))
        self._others = tuple(self._field[member] for member in self._tables.next_table(number // 2))
        return tuple(sorted((self._new, *self._others)))

    def learn(self, briefs: Iterable[Brief]) -> None:
        """Nothing: results bear on no table."""
