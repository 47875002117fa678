"""What is kept of a bot's stderr: its first and its last 8 KiB, and how much there was."""

from collections import deque
from typing import Final

KEPT: Final = 8192
MOST_A_GAME: Final = 16 * 1024 * 1024


class StderrLog:
    """Bounded memory for any amount of text."""

    __slots__ = ("_head", "_tail", "_tail_size", "this_game", "total")

    def __init__(self) -> None:
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.this_game = 0
        self.total = 0
        """Bytes that there were."""

    def feed(self, data: bytes) -> None:
        """More text from the bot."""
        self.this_game += len(data)
        self.total += len(data)
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data[-KEPT:])
            self._tail_size += len(self._tail[-1])
            while self._tail_size - len(self._tail[0]) >= KEPT:
                self._tail_size -= len(self._tail.popleft())

    def last(self, size: int) -> bytes:
        """The last `size` bytes that are still held."""
        return (
            (self._head + b"".join(self._tail))[-size:]
            if self._tail_size < size
            else b"".join(self._tail)[-size:]
        )
