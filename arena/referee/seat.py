"""What a table asks of whoever sits in a seat, and a block of whoever takes part: a process, or a person."""

from typing import Protocol

import trio

from arena.protocol.faults import FaultRecord
from arena.referee.ask import Ask, Trouble
from arena.referee.block import GameResult, HelloSaid
from arena.referee.ids import Ids
from arena.referee.ladder import Ladder


class Seat(Protocol):
    """Something that can be told lines and asked for one."""

    pace: float
    """Seconds its answers have lately taken."""

    trouble: Trouble | None
    """What it did wrong while nothing was asked; takes effect when its next request falls due."""
    ids: Ids

    def tell(self, line: bytes) -> None:
        """An event for it. It is written together with the next request, so that a bot wakes once a turn."""

    def begin(self, ask: Ask) -> None:
        """Send the request now: stamps the send, never waits. Ends in `ask.finish`."""

    def new_game(self, purpose: str) -> None:
        """Ids and limits of another game begin."""

    def last_words(self) -> bytes:
        """The end of what it wrote to stderr, for a fault record."""

    def expire(self, ask: Ask, now: float) -> None:
        """The deadline has passed: finish the request, with what has arrived by now or as a timeout."""


class Sitter(Protocol):
    """One who plays a block and has a seat in each of its games: a bot (player.py) or a guest (guest.py)."""

    number: int
    """In the seatings of the block."""
    ladder: Ladder
    said: HelloSaid | None
    spawn_seconds: float
    hellos: int
    """How often it was asked hello."""

    @property
    def name(self) -> str:
        """As the roster has it."""

    @property
    def seat(self) -> Seat | None:
        """Where it is asked; None while it cannot be."""

    async def ready(self, tasks: trio.Nursery, seat: int) -> FaultRecord | None:
        """Be there for the next game, on seat number `seat`; the record of the failure if it cannot be.

        What has to run meanwhile runs in `tasks`.
        """

    def unnoticed(self, seat: int, game: GameResult) -> FaultRecord | None:
        """A trouble that came after its last request: kept on record, without effect."""

    async def leave(self, *, politely: bool) -> None:
        """It plays no more games here, or none before it is made ready again."""
