"""What a person types, a line at a time, from a terminal, a pipe or a file, while a loop goes on.

The terminal stays as it is, in lines with an echo: so there is nothing that would have to be restored.
"""

import os
from typing import Final

import trio

_PIECE: Final = 4096
_LONGEST: Final = 1 << 16
"""Bytes of a line."""


class TooLong(Exception):
    """A line came that is longer than any may be; nothing of it is kept."""

    def __init__(self, size: int) -> None:
        """`size`: its bytes."""
        super().__init__(f"a line has at most {_LONGEST:,} bytes, and this one has {size:,}")
        self.size = size


class Keyboard:
    """The lines of a descriptor, stdin by default."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._buffer = b""
        self._dropped = 0
        """Bytes that have come of a line that is too long."""
        self._ended = False
        self.terminal = os.isatty(descriptor)

    async def line(self) -> str | None:
        """The next line without its end; None where the input has ended. Can be cancelled at any moment.

        Raises TooLong once a line has come to its end that is.
        """
        while b"\n" not in self._buffer and not self._ended:
            if len(self._buffer) > _LONGEST:
                self._dropped += len(self._buffer)
                self._buffer = b""
            piece = await self._piece()
            self._ended = not piece
            self._buffer += piece
        line, end, self._buffer = self._buffer.partition(b"\n")
        if not end and self.terminal:
            # It was Ctrl-D, and what stands before it was not sent with Enter.
            return None
        size, self._dropped = self._dropped + len(line), 0
        if size > _LONGEST:
            raise TooLong(size)
        return line.decode(errors="replace").rstrip("\r") if line or end else None

    async def _piece(self) -> bytes:
        try:
            await trio.lowlevel.wait_readable(self._descriptor)
        except PermissionError:
            # A file on disk cannot be waited for: it is always ready.
            await trio.lowlevel.checkpoint()
        try:
            return os.read(self._descriptor, _PIECE)
        except BlockingIOError:
            return await self._piece()
        except OSError:
            # A terminal that is gone.
            return b""
