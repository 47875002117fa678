"""The referee's connection with a memory: what was sent in each write, and every byte that came back."""

import fcntl
import json
import struct
import termios
from dataclasses import dataclass
from typing import Final

import trio

from arena.protocol.lines import GOODBYE
from arena.protocol.messages import MAX_LINE, Kind
from arena.referee.ask import Ask
from arena.referee.connection import Connection
from arena.referee.ids import Ids
from arena.referee.machine import Machine
from arena.referee.pipes import has_data
from arena.referee.spawn import Process

_KEPT: Final = 2 * MAX_LINE
"""Bytes kept of what came for one request."""
_MORE_READS: Final = 4
_LONG: Final = MAX_LINE // 2
"""Bytes from which on what comes without a pause may come without end."""
_PAUSE: Final = 0.3
"""Seconds."""
_MORE: Final = {"weather": {"sky": ["clear", None], "wind": 3.5}, "hurry": False}
"""Fields that no version of the protocol has."""
_UNHEARD_OF: Final = b'{"type":"applause","seats":[0,1],"how":{"loud":true}}\n'
"""An event that no version has."""


@dataclass(slots=True)
class Exchange:
    """One request as it went out, with the events of the same write, and what came since."""

    ask: Ask
    events: tuple[bytes, ...]
    received: bytearray


class Watched(Connection):
    """A connection that remembers.

    `breath`: seconds before each request in which nothing is asked, so that a line nobody wanted shows as
    one. `strange`: every line has fields that bots do not know, and unknown events come between.
    """

    def __init__(
        self, process: Process, machine: Machine, ids: Ids, *, breath: float = 0.0, strange: bool = False
    ) -> None:
        super().__init__(process, machine, ids)
        self.exchanges: list[Exchange] = []
        self.on_output = self._hear
        self._breath = breath
        self._strange = strange
        self._events: list[bytes] = []
        self._early = bytearray()
        """What came before anything was sent."""
        self._words_then = self._words_by_then = 0
        """Bytes of stderr at the last good answer: those read before it, and those that lay there too."""

    def tell(self, line: bytes) -> None:
        """As a connection does."""
        for one in (_with_more(line), _UNHEARD_OF) if self._strange else (line,):
            self._events.append(one)
            super().tell(one)

    def begin(self, ask: Ask) -> None:
        """As a connection does, after the breath."""
        if self._breath and self._tasks is not None:
            self._tasks.start_soon(self._begin_later, ask)
        else:
            self._begin_now(ask)

    async def _begin_later(self, ask: Ask) -> None:
        await trio.sleep(self._breath)
        if ask.open:
            self._begin_now(ask)

    def _begin_now(self, ask: Ask) -> None:
        if self.trouble is None or ask.kind == "hello":
            if self._strange:
                ask.line = _with_more(ask.line)
            self.exchanges.append(Exchange(ask, tuple(self._events), self._early))
            self._events.clear()
            self._early = bytearray()
        super().begin(ask)

    def _hear(self, data: bytes) -> None:
        received = self.exchanges[-1].received if self.exchanges else self._early
        received += data[: max(0, _KEPT - len(received))]

    def _finish(self, ask: Ask, arrived: float, outcome: object) -> None:
        super()._finish(ask, arrived, outcome)
        if ask.reply is not None:
            self._words_then = self.stderr.total
            self._drain_stderr()
            self._words_by_then = self.stderr.total

    def fresh_words(self, *, idle: bool) -> bytes:
        """What it wrote to stderr since its last good answer; `idle`: no request was open when it ended.

        The two pipes tell no order: what came close to the answer may belong before it or after. It counts
        where nothing else came; of a bot that ended with no request open all that there is counts then.
        """
        self._drain_stderr()
        for since in (self._words_by_then, self._words_then, *((0,) if idle else ())):
            size = self.stderr.total - since
            if size > 0 and (words := self.stderr.last(size)).strip():
                return words
        return b""

    @property
    def answered(self) -> int:
        """Requests that were answered as they should be, as far as a connection can tell."""
        return sum(one.ask.reply is not None for one in self.exchanges)

    def answered_such(self, kind: Kind) -> int:
        """Those of one kind among them."""
        return sum(one.ask.reply is not None and one.ask.kind == kind for one in self.exchanges)

    def survived(self) -> frozenset[str]:
        """The types of all events that went out with requests which it has answered."""
        heard = (line for one in self.exchanges if one.ask.reply is not None for line in one.events)
        return frozenset(str(json.loads(line)["type"]) for line in heard)

    def unread(self) -> int:
        """Bytes that were sent and that the bot has not read; 0 where the system cannot tell."""
        try:
            answer = fcntl.ioctl(self.process.stdin, termios.FIONREAD, b"\0" * 4)
        except (OSError, ValueError):
            return 0
        return len(self._unsent) + int(struct.unpack("i", answer)[0])

    def hear_on(self) -> None:
        """Take what has come since a trouble, after which nothing is read any more, for the record."""
        for _ in range(_MORE_READS):
            if not has_data(self.process.stdout) or not self._take_output():
                break

    async def hears_no_end(self) -> bool:
        """Hear on; whether more comes than is kept, without a pause: no answer is as long, and no chat."""
        self.hear_on()
        while _LONG <= self._heard() < _KEPT:
            if not await self._hears_more():
                return False
        return self._heard() >= _KEPT

    async def _hears_more(self) -> bool:
        before = self._heard()
        with trio.move_on_after(_PAUSE):
            while not has_data(self.process.stdout):
                await trio.sleep(_PAUSE / 100)
        self.hear_on()
        return self._heard() > before

    def _heard(self) -> int:
        return len(self.exchanges[-1].received if self.exchanges else self._early)

    def say_goodbye(self) -> None:
        """The last line, at once, as the referee says it."""
        self.tell(GOODBYE)
        self._write(b"".join(self._untold))
        self._untold.clear()

    def close_stdin(self) -> bool:
        """End the bot's stdin; False where it still has to take what is being written to it."""
        if self._writing:
            return False
        self.close_input()
        return True


def _with_more(line: bytes) -> bytes:
    return json.dumps({**json.loads(line), **_MORE}, separators=(",", ":")).encode() + b"\n"
