"""What is fed to a game: the four things that can happen at the table."""

from typing import TypeAlias

import msgspec

from arena.cheat.cards import Card, Rank


class Play(msgspec.Struct, frozen=True, gc=False):
    """The seat to play lays `cards` face down and claims they are `count` cards of `rank`."""

    seat: int
    cards: tuple[Card, ...]
    rank: Rank
    count: int


class Pass(msgspec.Struct, frozen=True, gc=False):
    """The seat to play lays nothing (only where the rules allow it)."""

    seat: int


class Answers(msgspec.Struct, frozen=True, gc=False):
    """How the challenge window over the last play closed.

    `callers` are the seats that called: in any order under `seat_order`, in the order they were
    heard under `first`. `faulted` are the seats whose answer was a fault; they leave the game
    together once the play is resolved. Every seat asked is in neither, or in exactly one.
    """

    callers: tuple[int, ...] = ()
    faulted: tuple[int, ...] = ()


class Fault(msgspec.Struct, frozen=True, gc=False):
    """Seats that leave by a fault outside a window: the seat to play, or any as the first action of all.

    Seats named in a first action leave together, before the first turn.
    """

    seats: tuple[int, ...]


Action: TypeAlias = Play | Pass | Answers | Fault
