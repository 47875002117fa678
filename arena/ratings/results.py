"""What ratings are made from: who sat where, who came in which place, and which games belong together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.errors import BadInput

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Games of one number of seats under one set of rules. Bots are numbers from 0 to `bots` - 1.

    The arrays are checked and copied; `BadInput` is raised where they contradict each other.
    """

    bots: int
    seating: Ints
    """(games, seats): the bot in each seat; a bot sits once at a table."""
    places: Ints
    """(games, seats): the place of each seat, from 1, equal places shared (1, 2, 2, 4)."""
    winner: Ints
    """(games,): the seat that has won, or -1 where nobody has."""
    block: Ints
    """(games,): any number that is the same for games that share a deal, a match or a process."""
    full_order: bool = False
    """Whether places say who is stronger (games played on until all are decided), or only the winner does."""

    def __post_init__(self) -> None:
        """Check the arrays against each other and freeze them."""
        seating = _whole("seating", self.seating)
        if seating.ndim != 2:
            raise BadInput(f"seating has {seating.ndim} axes; it needs two, games by seats")
        games, seats = seating.shape
        frozen = {
            "seating": seating,
            "places": _whole("places", self.places),
            "winner": _whole("winner", self.winner),
            "block": _whole("block", self.block),
        }
        for name, shape in (("places", (games, seats)), ("winner", (games,)), ("block", (games,))):
            if frozen[name].shape != shape:
                raise BadInput(
                    f"{name} has shape {frozen[name].shape}; seating of {games} games wants {shape}"
                )
        if self.bots < 0:
            raise BadInput(f"bots is {self.bots}; a number of bots is 0 or more")
        if games:
            _check(self.bots, seating, frozen["places"], frozen["winner"])
        for name, array in frozen.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def games(self) -> int:
        """How many games there are, with and without a winner."""
        return int(self.seating.shape[0])

    @property
    def seats(self) -> int:
        """How many seats a table has."""
        return int(self.seating.shape[1])


def results_of_winners(
    bots: int,
    seating: ArrayLike,
    winner: Sequence[int] | Ints,
    block: Sequence[int] | Ints | None = None,
) -> Results:
    """Results where only the winner of each game is known; without `block` every game is its own block."""
    seats = np.asarray(seating, dtype=np.int64)
    if seats.ndim != 2:
        raise BadInput(f"seating has {seats.ndim} axes; it needs two, games by seats")
    won = np.asarray(winner, dtype=np.int64)
    places = np.where(np.arange(seats.shape[1]) == won[:, None], 1, 2)
    places[won < 0] = 1
    blocks = np.arange(len(won)) if block is None else np.asarray(block, dtype=np.int64)
    return Results(bots, seats, places, won, blocks)


def joined(one: Results, other: Results) -> Results:
    """The games of both, in this order; `BadInput` if they are not of one field, table and way of rating."""
    if (one.bots, one.seats, one.full_order) != (other.bots, other.seats, other.full_order):
        raise BadInput("results of different fields, tables or ways of rating cannot be joined")

    def both(name: str) -> Ints:
        return np.concatenate([getattr(one, name), getattr(other, name)])

    return Results(
        one.bots, both("seating"), both("places"), both("winner"), both("block"), full_order=one.full_order
    )


def _whole(name: str, given: ArrayLike) -> Ints:
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise BadInput(f"{name} holds {array.dtype} values; it needs whole numbers")
    return np.array(array, dtype=np.int64)


def _check(bots: int, seating: Ints, places: Ints, winner: Ints) -> None:
    seats = seating.shape[1]
    if seats < 2:
        raise BadInput(f"a table has {seats} seats; it needs two or more")
    if seating.min() < 0 or seating.max() >= bots:
        odd = int(seating.max()) if seating.max() >= bots else int(seating.min())
        raise BadInput(f"seating names bot {odd}; with {bots} bots the numbers run from 0 to {bots - 1}")
    ordered = np.sort(seating, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(twice):
        raise BadInput(
            f"game {twice[0]} seats one bot twice ({seating[twice[0]].tolist()}); a bot sits once at a table"
        )
    if winner.min() < -1 or winner.max() >= seats:
        odd = int(winner.max()) if winner.max() >= seats else int(winner.min())
        raise BadInput(f"winner names seat {odd}; it is -1 (nobody) or a seat from 0 to {seats - 1}")
    if places.min() < 1 or places.max() > seats:
        odd = int(places.max()) if places.max() > seats else int(places.min())
        raise BadInput(f"places holds {odd}; places run from 1 to {seats}")
    won = np.flatnonzero(winner >= 0)
    behind = won[places[won, winner[won]] != 1]
    if len(behind):
        raise BadInput(f"game {behind[0]} names a winner whose place is not 1 ({places[behind[0]].tolist()})")
