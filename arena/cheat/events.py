"""What a game gives back: full information, for records. What a seat may see is the protocol's affair.

Events, like actions, hold nothing that could hold them: so the collector of cycles need not walk the tens of
thousands that the games in play have, which would stop the referee (`gc=False`).
"""

from typing import Literal, TypeAlias

import msgspec

from arena.cheat.cards import Card, Rank

Hand: TypeAlias = tuple[Card, ...]
Reason: TypeAlias = Literal["won", "placed", "capped", "alone", "nobody"]
"""won: a seat went out. placed: played on until at most two were left. capped: the turn cap.
alone: faults left one seat. nobody: faults left none."""


class Dealt(msgspec.Struct, frozen=True, gc=False):
    """The opening: each seat's hand, seat 0 first, in the order of a fresh pack."""

    hands: tuple[Hand, ...]


class Played(msgspec.Struct, frozen=True, gc=False):
    """A play is on the pile, face down, and its challenge window is open."""

    turn: int
    seat: int
    cards: Hand
    rank: Rank
    count: int


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A seat laid nothing; nobody can challenge that."""

    turn: int
    seat: int


class Resolved(msgspec.Struct, frozen=True, gc=False):
    """The window over a play has closed.

    Without a caller challenger, true and taker are None, shown and taken empty.
    """

    turn: int
    claimant: int
    rank: Rank
    count: int
    callers: tuple[int, ...]
    """Clockwise from the claimant under `seat_order`, in the order heard under `first`."""
    challenger: int | None
    shown: Hand
    """The cards of this play, turned up for all, if somebody called."""
    true: bool | None
    taker: int | None
    taken: Hand
    """The whole pile, which only the taker sees."""


class Out(msgspec.Struct, frozen=True, gc=False):
    """A seat has left: with a place when it went out, else by a fault (and its hand is removed unseen)."""

    turn: int
    """0 for a fault before the first turn."""
    seat: int
    place: int | None
    fault: bool
    removed: Hand


class Ended(msgspec.Struct, frozen=True, gc=False):
    """The game is over.

    `places` by seat from 1, equal places shared (1, 2, 2, 4); `winner` None if nobody has won.
    """

    turn: int
    places: tuple[int, ...]
    winner: int | None
    reason: Reason


Event: TypeAlias = Dealt | Played | Passed | Resolved | Out | Ended
