"""Every line of the protocol as a typed value: the requests and events to a bot, and a bot's replies."""

from typing import Any, Final, Literal, TypeAlias

import msgspec

from arena.cheat.cards import Card, Rank

PROTOCOL: Final = 1
MAX_LINE: Final = 65_536
"""Bytes of the longest line a bot may send, newline included."""
MAX_DEBUG: Final = 1024
"""Bytes of `debug` that are kept; more is cut, and no fault."""
MAX_NAME: Final = 64
"""Characters of `name`, `version` and `author` that are kept; more is cut, and no fault."""
MAX_INTEGER: Final = 2**53
"""Largest integer of a line, either side of 0: beyond it, languages whose numbers are doubles read others."""
MAX_NESTING: Final = 16
"""Arrays and objects inside each other, the outermost counted."""

Kind: TypeAlias = Literal["hello", "play", "challenge"]


class Limits(msgspec.Struct, frozen=True):
    """Seconds: to answer hello, for each move, and in the bank of each game."""

    start: float
    move: float
    bank: float


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """Request: the first line a process gets."""

    id: str
    protocol: int
    seats: int
    rules: dict[str, Any]
    """Every knob of the rules, `decks` and `turn_cap` as they are at this table."""
    limits: Limits


class Start(msgspec.Struct, frozen=True, tag="start", tag_field="type", omit_defaults=True):
    """Event: a game begins."""

    game: str
    seat: int
    seats: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int | None, ...]
    first: int
    seed: int
    """For the bot's own random numbers; 0 to 2**53 - 1."""
    names: tuple[str, ...] | None = None
    """By seat; only where the organiser shows names."""


class PlayRequest(msgspec.Struct, frozen=True, tag="play", tag_field="type"):
    """Request: it is this seat's turn."""

    id: str
    turn: int
    seat: int
    active: tuple[int, ...]
    ranks: tuple[Rank, ...]
    hand: tuple[Card, ...]
    hand_sizes: tuple[int | None, ...]
    pile: int
    seconds: float
    bank: float


class ChallengeRequest(msgspec.Struct, frozen=True, tag="challenge", tag_field="type"):
    """Request: another seat has claimed; is it a lie? Sizes stand as they were before that play."""

    id: str
    turn: int
    seat: int
    active: tuple[int, ...]
    claimant: int
    rank: Rank
    count: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int | None, ...]
    pile: int
    seconds: float
    bank: float


class Outcome(msgspec.Struct, frozen=True, tag="outcome", tag_field="type", omit_defaults=False):
    """Event: the window over a play has closed.

    Where nobody called, challenger, true and taker are null, shown is empty and taken is 0.
    """

    turn: int
    claimant: int
    rank: Rank
    count: int
    callers: tuple[int, ...]
    challenger: int | None
    shown: tuple[Card, ...]
    true: bool | None
    taker: int | None
    taken: int
    picked_up: tuple[Card, ...] | msgspec.UnsetType = msgspec.UNSET
    """The pile's cards; present for the taker alone."""


class PassedEvent(msgspec.Struct, frozen=True, tag="passed", tag_field="type"):
    """Event: a seat passed."""

    turn: int
    seat: int


class OutEvent(msgspec.Struct, frozen=True, tag="out", tag_field="type"):
    """Event: a seat left the game, with a place or by a fault (never which fault)."""

    turn: int
    seat: int
    place: int | None
    fault: bool
    removed: int
    """Cards that left play with it."""


class End(msgspec.Struct, frozen=True, tag="end", tag_field="type"):
    """Event: the game is over."""

    turn: int
    places: tuple[int, ...]
    winner: int | None
    reason: str


class Goodbye(msgspec.Struct, frozen=True, tag="goodbye", tag_field="type"):
    """Event: no more games for this process; it may leave."""


Request: TypeAlias = Hello | PlayRequest | ChallengeRequest
Notice: TypeAlias = Start | Outcome | PassedEvent | OutEvent | End | Goodbye


class HelloReply(msgspec.Struct, frozen=True):
    """What a bot says of itself; shown beside its name, never instead of it."""

    name: str | None = None
    version: str | None = None
    author: str | None = None
    debug: str | None = None


class PlayReply(msgspec.Struct, frozen=True):
    """A play or a pass, not yet held against the rules of the game."""

    cards: tuple[Card, ...] = ()
    rank: Rank | None = None
    count: int | None = None
    passing: bool = False
    debug: str | None = None


class ChallengeReply(msgspec.Struct, frozen=True):
    """Called or not."""

    challenge: bool
    debug: str | None = None


Reply: TypeAlias = HelloReply | PlayReply | ChallengeReply
