"""The schedule: which block comes next, as a pure function of seed, bots, seats and decisions so far."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from arena.errors import BadInput
from arena.referee.block import Block, first_of_pair
from arena.tournament.brief import Brief
from arena.tournament.choice import Tables, shuffled_by
from arena.tournament.gauntlet import Gauntlet
from arena.tournament.header import Header
from arena.tournament.paired import Paired
from arena.tournament.pairing import EVERYBODY, GAUNTLET, SWISS, Choice, Pairing
from arena.tournament.squares import square_size, williams_square
from arena.tournament.swiss import Swiss

__all__ = ["Course", "blocks_for_deals", "games_in_block", "square_size"]


def blocks_for_deals(bots: int, seats: int, deals: int, challengers: int = 0) -> int:
    """How many blocks let every table there can be sit down `deals` times, if each did so equally often.

    `challengers`: of a gauntlet, of whom one is at every table; 0: it is none.
    """
    if challengers:
        return deals * challengers * math.comb(bots - challengers, seats - 1)
    return deals * math.comb(bots, seats)


def games_in_block(seats: int, asked: int | None) -> int:
    """Games in a block: one square, or as many as asked for. Raises BadInput unless that is whole squares."""
    square = square_size(seats)
    if asked is not None and (asked < square or asked % square):
        raise BadInput(f"a block at {seats} seats has a multiple of {square} games; {asked} is none")
    return asked or square


def _choice(pairing: Pairing, seed: bytes, bots: int, seats: int) -> Choice:
    if pairing.format == GAUNTLET:
        return Gauntlet(seed, bots, seats, pairing.challengers)
    if pairing.format == SWISS:
        return Swiss(seed, bots, seats)
    if pairing.paired:
        return Paired(seed, bots, seats, pairing.challengers)
    return Tables(seed, bots, seats)


class Course:
    """Blocks one after another, numbered from `number` on: a function of its arguments and of `without`."""

    def __init__(
        self, seed: bytes, bots: int, seats: int, games_per_block: int, pairing: Pairing = EVERYBODY
    ) -> None:
        self.number = 0
        """The number of the next block."""
        self._seed = seed
        self._seats = seats
        self._entered = bots
        self._pairing = pairing
        self._squares = games_in_block(seats, games_per_block) // square_size(seats)
        self._choice = _choice(pairing, seed, bots, seats)

    @classmethod
    def of(cls, header: Header, bots: int) -> "Course":
        """The course of a results file with so many bots, from its first block."""
        terms = header.terms
        return cls(terms.seed, bots, terms.seats, header.games_per_block, header.pairing)

    def points(self) -> Iterator[int]:
        """Its decision points from the first, without end, whoever leaves at them."""
        return self._pairing.points(self._entered, self._seats)

    @property
    def looks_at_results(self) -> bool:
        """Whether it hangs on the games so far: then no block may be taken before they are learnt."""
        return self._pairing.looks_at_results

    @property
    def bots(self) -> tuple[int, ...]:
        """The bots still in play, ascending."""
        return tuple(sorted(bot for group, _ in self.groups for bot in group))

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """The same in groups, with how many of each group a table needs."""
        return self._choice.groups

    def learn(self, briefs: Iterable[Brief]) -> None:
        """What came of the blocks before a decision point."""
        self._choice.learn(briefs)

    def next(self) -> Block:
        """The next block; the course has then passed it."""
        number, self.number = self.number, self.number + 1
        table = self._choice.next_table(number)
        seated_as = number
        if self._pairing.paired:
            # Both blocks of a pair are seated alike, whoever of the two compared is in that seat.
            seated_as = first_of_pair(number)
            table = tuple(sorted(table, key=lambda bot: (bot not in self._pairing.challengers, bot)))
        seatings = []
        for square in range(self._squares):
            # A new relabelling for every square: whoever sat beside whom once too often did so by chance.
            bots = shuffled_by(self._seed, f"seating:{seated_as}:{square}", table)
            seatings += [tuple(bots[position] for position in row) for row in williams_square(self._seats)]
        return Block(number, tuple(seatings))

    def copy(self) -> "Course":
        """The same course from here, which goes its own way."""
        twin = object.__new__(Course)
        twin.__dict__.update(self.__dict__)
        twin._choice = self._choice.copy()
        return twin

    def without(self, leaving: frozenset[int], number: int) -> "Course":
        """The course from here without these bots; its next block has this number."""
        twin = self.copy()
        twin._choice = self._choice.without(leaving)
        twin.number = number
        return twin
