"""One request to one seat from its making to its verdict, and the round of requests open together."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from arena.protocol.faults import FaultCode
from arena.protocol.messages import Kind, Reply

if TYPE_CHECKING:
    from arena.referee.seat import Seat
    from arena.referee.thinking import Thinking


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong at a seat, before it is known what it means for the game."""

    code: FaultCode
    rule: str
    offending: bytes = b""
    exit_code: int | None = None
    signal: str | None = None
    disturbed: bool = False
    """A lateness that the referee's own delay explains."""


class Ask:
    """A request. Made by the table, sent by the thinking limit, finished by the seat; then read by the table.

    `sent`, `arrived` and `deadline` are readings of `time.perf_counter` in seconds. There is one
    deadline for the whole request, the send included: a seat that chatters, or that reads slowly,
    gains nothing by it. `patience` is when the table looks again: the deadline, or somewhat later
    where the referee itself was late and an answer may lie on the way.
    """

    __slots__ = (
        "_since",
        "allowed",
        "answer",
        "arrived",
        "bytes_read",
        "deadline",
        "id",
        "kind",
        "line",
        "patience",
        "reply",
        "round",
        "seat",
        "sent",
        "spared",
        "trouble",
    )

    def __init__(
        self, seat: "Seat", kind: Kind, id: str, line: bytes, allowed: float, since: float | None = None
    ) -> None:
        """`allowed`: seconds from the send, or from `since` where the clock has been running already."""
        self.seat = seat
        self.kind: Kind = kind
        self.id = id
        self.line = line
        self.allowed = allowed
        self.round: Round | None = None
        self.sent = math.nan
        self._since = since
        self.deadline = math.inf
        self.patience = math.inf
        self.arrived = math.nan
        self.spared = 0.0
        """Seconds until the answer that do not count."""
        self.bytes_read = 0
        self.answer = b""
        """The line that was judged, without its end."""
        self.reply: Reply | None = None
        self.trouble: Trouble | None = None

    @property
    def open(self) -> bool:
        """Whether the verdict is still to come."""
        return self.reply is None and self.trouble is None

    @property
    def was_sent(self) -> bool:
        """Whether it has gone out: not if the bot did wrong while it waited for its turn to."""
        return not math.isnan(self.sent)

    @property
    def used(self) -> float:
        """Seconds from our send to the answer, or to the verdict, without those spared; 0 if never sent."""
        return self.arrived - self.sent - self.spared if self.was_sent else 0.0

    def stamp_send(self) -> None:
        """The clock starts: called at the send itself, so that no seat pays for its neighbours."""
        self.sent = time.perf_counter() if self._since is None else self._since
        self.deadline = self.patience = self.sent + self.allowed
        if self.round is not None:
            self.round.sent(self)

    def finish(self, arrived: float, outcome: "Reply | Trouble") -> None:
        """The verdict is in; a second one is ignored."""
        if not self.open:
            return
        self.arrived = arrived
        if isinstance(outcome, Trouble):
            self.trouble = outcome
        else:
            self.reply = outcome
        if self.round is not None:
            self.round.finished(self)


class Round:
    """The requests of one window (or the one request of a turn): sent together, awaited together.

    No answer is looked at before the last is in, so arrival order cannot matter; one wake-up of the
    table serves them all.
    """

    __slots__ = ("_asks", "_clock_offset", "_left", "_next_look", "_thinking", "_wake")

    def __init__(self, thinking: "Thinking | None", clock_offset: float) -> None:
        self._thinking = thinking
        self._clock_offset = clock_offset
        self._asks: Sequence[Ask] = ()
        self._left = 0
        self._next_look = math.inf
        self._wake = trio.Event()

    def sent(self, ask: Ask) -> None:
        """A request has gone out, perhaps late: look at the deadlines again if it falls due first."""
        if ask.patience < self._next_look:
            self._wake.set()

    def finished(self, ask: Ask) -> None:
        """A verdict is in: its place among the thinking is free, and the last one wakes the table."""
        self._left -= 1
        if self._thinking is not None:
            self._thinking.release(ask)
        if self._left == 0:
            self._wake.set()

    async def gather(self, asks: Sequence[Ask], *, at_once: bool = False) -> None:
        """Send every request and return when all have verdicts. `at_once` ignores the thinking limit."""
        self._asks = asks
        self._left = len(asks)
        for ask in asks:
            ask.round = self
        try:
            for ask in asks:
                if self._thinking is None:
                    ask.seat.begin(ask)
                else:
                    self._thinking.submit(ask, at_once=at_once)
            while self._left:
                await self._sleep()
        finally:
            # Only when the game was broken off: whatever is still open gives its place back.
            for ask in asks:
                if ask.open and self._thinking is not None:
                    self._thinking.release(ask)

    async def _sleep(self) -> None:
        waiting = [ask for ask in self._asks if ask.open]
        self._next_look = min(ask.patience for ask in waiting)
        self._wake = trio.Event()
        if self._next_look < math.inf:
            with trio.CancelScope(deadline=self._next_look + self._clock_offset):
                await self._wake.wait()
        else:
            await self._wake.wait()
        if self._left:
            now = time.perf_counter()
            for ask in waiting:
                if ask.open and now >= ask.patience:
                    ask.seat.expire(ask, now)
