"""Balanced seatings of one table: the Williams squares, as positions, before any bot is put on them."""

from typing import Final

from arena.errors import BadInput

MIN_SEATS: Final = 2
MAX_SEATS: Final = 10


def square_size(seats: int) -> int:
    """Games in one whole square: `seats` where that is even, twice as many where it is odd.

    Raises BadInput for a table of fewer than 2 or more than 10 seats.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise BadInput(f"a table of {seats} seats: tables have {MIN_SEATS} to {MAX_SEATS} seats")
    return seats if seats % 2 == 0 else 2 * seats


def williams_square(seats: int) -> tuple[tuple[int, ...], ...]:
    """Positions by game and seat: each takes every seat, and sits left of every other, as often.

    The first row is 0, 1, k-1, 2, k-2, ...; the others add 1, 2, ... modulo k. For odd k the mirrored row
    is developed the same way, or neighbours would not be even. (E. J. Williams, Experimental designs
    balanced for the estimation of residual effects of treatments, Austr. J. Sci. Res. A 2, 1949.)

    The balance is along the row: the last seat is the left neighbour of the first as well, and that pair
    meets there once more. Relabelling every block evens it out.
    """
    games = square_size(seats)
    first = [(step + 1) // 2 if step % 2 else -(step // 2) % seats for step in range(seats)]
    rows = [first] if games == seats else [first, first[::-1]]
    return tuple(
        tuple((position + added) % seats for position in row) for row in rows for added in range(seats)
    )
