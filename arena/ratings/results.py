"""What ratings are made from: who sat where, who came in which place, and which games belong together."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
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
        seating = whole("seating", self.seating, 2)
        games, seats = seating.shape
        if seats < 2:
            raise BadInput(f"a table has {seats} seats; it needs two or more")
        frozen = {
            "seating": seating,
            "places": whole("places", self.places, 2),
            "winner": whole("winner", self.winner, 1),
            "block": whole("block", self.block, 1),
        }
        for name, shape in (("places", (games, seats)), ("winner", (games,)), ("block", (games,))):
            if frozen[name].shape != shape:
                raise BadInput(
                    f"{name} has shape {frozen[name].shape}; seating of {games} games wants {shape}"
                )
        if not isinstance(self.bots, Integral) or self.bots < 0:
            raise BadInput(f"bots is {self.bots!r}; a number of bots is 0 or more")
        if games:
            _check(self.bots, seating, frozen["places"], frozen["winner"])
            if self.full_order:
                _check_order(frozen["places"])
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
    seats, won = whole("seating", seating, 2), whole("winner", winner, 1)
    places = np.where(np.arange(seats.shape[1]) == won[:, None], 1, 2)
    places[won < 0] = 1
    return Results(
        bots, seats, places, won, np.arange(len(won)) if block is None else whole("block", block, 1)
    )


def joined(one: Results, other: Results) -> Results:
    """The games of both, in this order; `BadInput` if they are not of one field, table and way of rating."""
    if (one.bots, one.seats, one.full_order) != (other.bots, other.seats, other.full_order):
        raise BadInput("results of different fields, tables or ways of rating cannot be joined")

    def both(name: str) -> Ints:
        return np.concatenate([getattr(one, name), getattr(other, name)])

    return Results(
        one.bots, both("seating"), both("places"), both("winner"), both("block"), full_order=one.full_order
    )


def whole(name: str, given: ArrayLike, axes: int) -> Ints:
    """A copy as an array of whole numbers with so many axes. Raises BadInput where it is none."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise BadInput(f"{name} is no array; all its rows need one length") from error
    if array.ndim != axes:
        wanted = "one" if axes == 1 else "two, games by seats"
        raise BadInput(f"{name} has {array.ndim} axes; it needs {wanted}")
    if array.size and array.dtype.kind not in "iu":
        raise BadInput(f"{name} holds {array.dtype} values; it needs whole numbers")
    if array.size and array.max() > np.iinfo(np.int64).max:
        raise BadInput(f"{name} holds {array.max()}; whole numbers here have 64 bits with their sign")
    return np.array(array, dtype=np.int64)


def _check_order(places: Ints) -> None:
    """Each place is 1 and how many came before, whoever shares it."""
    ordered = np.sort(places, axis=1)
    step = np.arange(1, places.shape[1] + 1)
    right = ordered == step
    right[:, 1:] |= ordered[:, 1:] == ordered[:, :-1]
    odd = np.flatnonzero(~right.all(axis=1))
    if len(odd):
        raise BadInput(
            f"game {odd[0]} has the places {places[odd[0]].tolist()}; they count from 1, and behind two that "
            "share one the next is left out (1, 2, 2, 4)"
        )


def _check(bots: int, seating: Ints, places: Ints, winner: Ints) -> None:
    seats = seating.shape[1]
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
