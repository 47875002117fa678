"""Edits of what stands in a results file, for the ways to tamper with it."""

from collections.abc import Callable

from arena.cheat.events import Dealt


def at_first(kind: type, edit: Callable[[object], object | None]) -> Callable[[list[object]], None]:
    """Replace the first event of a kind (of windows, the first that somebody called); None takes it out."""

    def change(events: list[object]) -> None:
        place = next(
            number
            for number, event in enumerate(events)
            if isinstance(event, kind) and getattr(event, "callers", True)
        )
        events[place : place + 1] = [new for new in (edit(events[place]),) if new is not None]

    return change


def flip_card(events: list[object]) -> None:
    hands = [list(hand) for hand in events[0].hands]  # type: ignore[attr-defined]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    events[0] = Dealt(tuple(map(tuple, hands)))


def swap_seats(seats: list[int]) -> list[int]:
    return [seats[1], seats[0], *seats[2:]]


def swap_in_block(seatings: list[list[int]]) -> None:
    seatings[1] = swap_seats(seatings[1])


def set_in(key: str | int, value: object) -> Callable[[object], None]:
    def change(found: object) -> None:
        found[key] = value  # type: ignore[index]

    return change


def set_in_first(key: str | int, value: object) -> Callable[[object], None]:
    def change(found: object) -> None:
        found[0][key] = value  # type: ignore[index]

    return change


def raised(places: list[int]) -> list[int]:
    return [*places[1:], places[0]]
