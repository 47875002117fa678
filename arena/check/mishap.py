"""What is known of one thing that went wrong, before anybody has thought about why."""

from dataclasses import dataclass

from arena.protocol.faults import FaultCode
from arena.protocol.messages import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishap:
    """A fault as the referee has judged it, with all that was sent and received around it."""

    code: FaultCode
    rule: str
    exit_code: int | None = None
    signal: str | None = None
    idle: bool = False
    """It came while nothing was asked: the request below had been answered."""
    kind: Kind | None = None
    """Of the last request that was sent; None if there was none."""
    id: str = ""
    sent: bytes = b""
    events: tuple[bytes, ...] = ()
    """What went out with it in one write, before it."""
    survived: frozenset[str] = frozenset()
    """The types of the events that it had been told before that, and has lived through."""
    given: frozenset[str] = frozenset()
    received: bytes = b""
    endless: bool = False
    """After a wrong line: however much was read, there was more at once."""
    answer: bytes = b""
    """The line that was judged."""
    offending: bytes = b""
    """What the referee complains of, where that is no answer."""
    answered: int = 0
    """Requests answered before it."""
    answered_such: int = 0
    """Those among them of the same kind."""
    game: int = 0
    """Which game of its process it was, from 1; 0: none had begun."""
    full_bank: float = 0.0
    """Seconds that the bank had when the game began."""
    early: bool = False
    """It came before the first request was sent, or while it was being sent."""
    used: float = 0.0
    """Seconds."""
    allowed: float = 0.0
    stderr: str = ""
    """The end of what it wrote there, whenever it was."""
    fresh: str = ""
    """What it wrote to stderr since its last good answer, as far as that can be told."""
    where: str = ""
    in_time: int = 0
    """After a timeout: bytes of `received` that had come by then."""
    after_end: bytes = b""
    """After a timeout: what came once stdin was closed."""
    late: bool = False
    """After a timeout: something came soon, with stdin open."""
    took: float = 0.0
    """After a timeout: seconds from the request to what came in the end; 0 where nothing did."""
    computing: bool = False
    """After a timeout: it was still using the processor."""
    unread: int = 0
    """After a timeout: bytes that it had not even read."""
    strange: bool = False
    """The lines had fields and events that bots do not know."""
