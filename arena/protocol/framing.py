"""Bytes into lines, without I/O and within bounded memory: the splitting half of reading a bot."""

import re
from typing import Final

from arena.protocol.faults import Violation
from arena.protocol.messages import MAX_LINE

MAX_BLANK: Final = 65_536
"""Bytes of blank lines that are put up with before the next request."""

_BLANKS: Final = re.compile(rb"[ \t\r\n]*+")
_RETURN: Final = 0x0D
_SPACE: Final = 0x20


class LineReader:
    """Feed it what was read; take out whole lines.

    A line ends at ``\\n`` alone; one ``\\r`` before it is not part of it. A line of nothing but spaces, tabs
    and carriage returns is blank: it is passed over and counted. After a flood the stream is dead: every
    later `next_line` gives the same violation and what is fed is dropped. Lines that were whole before the
    flood come first. At most MAX_LINE bytes and one read are ever held.
    """

    __slots__ = ("_blank", "_buffer", "_dead", "_flood", "bytes_read")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._blank = 0
        self._flood: Violation | None = None
        self._dead = False
        self.bytes_read = 0
        """Bytes fed since the last `fresh`, those dropped after a flood included."""

    def fresh(self) -> None:
        """A new request is about to be sent: the blank bytes and `bytes_read` are counted from 0 again."""
        self._blank = 0
        self.bytes_read = 0

    def feed(self, data: bytes) -> None:
        """Take what one read gave; when more than MAX_LINE bytes wait here already, that is a flood."""
        self.bytes_read += len(data)
        if self._flood is not None:
            return
        if len(self._buffer) > MAX_LINE:
            self._flood = _flood(f"more than {MAX_LINE} bytes came that no request had asked for")
            return
        self._buffer += data

    def next_line(self) -> bytes | Violation | None:
        """The next line without its line end, None when more is needed, or a violation (of code `flood`)."""
        if self._dead:
            return self._flood
        buffer = self._buffer
        end = buffer.find(b"\n")
        if end >= 0 and buffer[0] <= _SPACE:
            self._swallow_blank_lines()
            if self._blank > MAX_BLANK:
                return self._end(f"more than {MAX_BLANK} bytes of blank lines came before the next request")
            end = buffer.find(b"\n")
        if end < 0 and len(buffer) < MAX_LINE:
            return self._flood
        if not 0 <= end < MAX_LINE:
            return self._end(f"a line is at most {MAX_LINE} bytes with its newline; this one is longer")
        # One \r only: what stands before it belongs to the line.
        line = bytes(buffer[: end - 1 if end and buffer[end - 1] == _RETURN else end])
        del buffer[: end + 1]
        return line

    @property
    def pending(self) -> bool:
        """Whether bytes that are not blank wait here, a whole line or not."""
        return bool(self._buffer.strip(b" \t\r\n"))

    @property
    def buffered(self) -> bytes:
        """What waits here, for the record of a fault: the first MAX_LINE bytes at most."""
        return bytes(self._buffer[:MAX_LINE])

    def _swallow_blank_lines(self) -> None:
        blanks = _BLANKS.match(self._buffer)
        lines_end = self._buffer.rfind(b"\n", 0, blanks.end() if blanks else 0) + 1
        self._blank += lines_end
        del self._buffer[:lines_end]

    def _end(self, rule: str) -> Violation:
        self._dead = True
        self._flood = self._flood or _flood(rule)
        del self._buffer[MAX_LINE:]
        return self._flood


def _flood(rule: str) -> Violation:
    return Violation("flood", f"{rule[0].upper()}{rule[1:]}.")
