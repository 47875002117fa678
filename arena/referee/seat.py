"""What a table asks of whoever sits in a seat: a process is one kind, a person at a terminal another."""

from typing import Protocol

from arena.referee.ask import Ask, Trouble
from arena.referee.ids import Ids


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
