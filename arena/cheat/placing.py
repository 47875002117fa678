"""Who stands where when a game is over."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from arena.cheat.events import Reason


def places(
    finished: Sequence[int], sizes: Mapping[int, int], faults: Sequence[Iterable[int]]
) -> tuple[int, ...]:
    """Places by seat, from 1; equal ones shared and the next ones passed over (1, 2, 2, 4).

    First those who went out, in that order; then those still holding cards (`sizes` by seat), fewest
    cards first; then those who left by a fault, the latest first. `faults` holds groups of seats that
    left together, the earliest first. Every seat of the table is in exactly one of the three.
    """
    holding = sorted(sizes, key=sizes.__getitem__)
    ranking: list[list[int]] = [[seat] for seat in finished]
    ranking += [list(equal) for _, equal in groupby(holding, key=sizes.__getitem__)]
    ranking += [list(together) for together in reversed(faults)]

    by_seat: dict[int, int] = {}
    for equal in ranking:
        by_seat.update(dict.fromkeys(equal, len(by_seat) + 1))
    return tuple(by_seat[seat] for seat in range(len(by_seat)))


def why_over(finished: int, active: int, play_on: bool, at_cap: bool) -> Reason | None:
    """Why a game with so many seats gone out and so many still in it is over; None: it goes on."""
    if finished and not play_on:
        return "won"
    if finished and active <= 2:
        return "placed"
    if active == 0:
        return "nobody"
    if active == 1:
        return "alone"
    return "capped" if at_cap else None
