"""The unit of everything: one table, a balanced set of seatings, and what comes back when it was played."""

from typing import Literal, TypeAlias

import msgspec

from arena.cheat.events import Event
from arena.cheat.record import Record
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord

TierName: TypeAlias = Literal["bare", "ns", "bwrap"]


def first_of_pair(block: int) -> int:
    """The number of the first of the two blocks that are a pair with this one."""
    return block - block % 2


class Contestant(msgspec.Struct, frozen=True):
    """A bot as the referee needs it: ready to be spawned, nothing left to look up."""

    name: str
    argv: tuple[str, ...]
    """The whole command; the first word is an absolute path."""
    folder: str
    """The staged, read-only folder that is the process's working directory."""
    digest: str
    """SHA-256 of the bot's content (hexadecimal)."""
    memory: int | None = None
    """Bytes it may use, if it asked for a limit of its own."""


class Terms(msgspec.Struct, frozen=True):
    """The conditions every block of a tournament is played under."""

    rules: Rules
    seats: int
    seed: bytes
    """16 bytes; never shown to a bot."""
    start_time: float = 10.0
    move_time: float = 1.0
    bank: float = 5.0
    forfeit: int = 3
    """Faults in a block that forfeit the rest of it; 0: never."""
    fresh: bool = False
    """A process a game instead of a process a block."""
    names: bool = False
    """Whether seats are told each other's names."""
    tier: TierName = "bare"
    memory: int | None = None
    """Bytes a bot may use that names no limit of its own."""
    paired: bool = False
    """Whether the blocks 2 n and 2 n + 1 are played on the same deals, with the same dice for the bots."""

    def dealt_as(self, block: int) -> int:
        """The number of the block whose deals this block is played on."""
        return first_of_pair(block) if self.paired else block


class Block(msgspec.Struct, frozen=True):
    """One table and its seatings: `seatings[g][s]` is the roster number of the bot in seat s of game g."""

    number: int
    seatings: tuple[tuple[int, ...], ...]

    @property
    def table(self) -> tuple[int, ...]:
        """The bots at this table, smallest number first."""
        return tuple(sorted(self.seatings[0]))


class Debug(msgspec.Struct, frozen=True):
    """What a bot said of a move for its author's eyes."""

    turn: int
    seat: int
    text: str


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """One request of a game, in the order they were sent; kept beside the record, never compared."""

    turn: int
    seat: int
    bank: float
    """Seconds in the bank as the request said."""
    used: float
    """Seconds from our send to the arrival of the answer."""


class GameResult(msgspec.Struct, frozen=True):
    """One finished game: the record, its faults and what lies beside the record."""

    game: int
    """Its index in the block."""
    id: str
    seating: tuple[int, ...]
    record: Record
    events: tuple[Event, ...]
    """What the game gave, from the deal to the end: the replay of the record, made only once."""
    faults: tuple[FaultRecord, ...]
    forfeited: tuple[int, ...]
    """Seats that were out before the first turn because the bot had forfeited the rest of the block."""
    debug: tuple[Debug, ...]
    timings: tuple[Timing, ...]
    seconds: float


class HelloSaid(msgspec.Struct, frozen=True):
    """What a bot of the table said of itself, with how long that start took."""

    bot: int
    name: str | None
    version: str | None
    author: str | None
    seconds: float


class BlockResult(msgspec.Struct, frozen=True):
    """What came of the games of a block that one set of processes has played, in order."""

    block: Block
    games: tuple[GameResult, ...]
    """All of the block, or under `fresh` one of them."""
    said: tuple[HelloSaid, ...]
    tier: TierName
    started: float
    """Seconds since the epoch, for people; nothing is computed from it."""
    seconds: float
    spawn_seconds: float
    requests: int
    contended: bool = False
    """Its verdicts stand although the host was disturbed (the third try)."""
