"""What is fed to a game: the four things that can happen at the table."""

from dataclasses import dataclass
from typing import TypeAlias

from arena.cheat.cards import Card, Rank


@dataclass(frozen=True, slots=True)
class Play:
    """The seat to play lays `cards` face down and claims they are `count` cards of `rank`."""

    seat: int
    cards: tuple[Card, ...]
    rank: Rank
    count: int


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat to play lays nothing (only where the rules allow it)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Answers:
    """How the challenge window over the last play closed.

    `callers` are the seats that called: in any order under `seat_order`, in the order they were
    heard under `first`. `faulted` are the seats whose answer was a fault; they leave the game
    together once the play is resolved. Every seat asked is in neither, or in exactly one.
    """

    callers: tuple[int, ...] = ()
    faulted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Seats that leave by a fault outside a window: the seat to play, or any as the first action of all.

    Seats named in a first action leave together, before the first turn.
    """

    seats: tuple[int, ...]


Action: TypeAlias = Play | Pass | Answers | Fault
