"""What a person types, a line at a time, from a terminal, a pipe or a file, while a loop goes on.

The terminal stays as it is, in lines with an echo: so there is nothing that would have to be restored.
"""

import os
from typing import Final

import trio

_PIECE: Final = 4096
_LONGEST: Final = 1 << 16
"""Bytes of a line; what is longer comes in several."""


class Keyboard:
    """The lines of a descriptor, stdin by default."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._buffer = b""
        self._ended = False
        self.terminal = os.isatty(descriptor)

    async def line(self) -> str | None:
        """The next line without its end; None where the input has ended. Can be cancelled at any moment."""
        while b"\n" not in self._buffer and len(self._buffer) < _LONGEST and not self._ended:
            piece = await self._piece()
            self._ended = not piece
            self._buffer += piece
        if self._ended and b"\n" not in self._buffer:
            # On a terminal it was Ctrl-D, and what stands before it was not sent with Enter.
            left, self._buffer = b"" if self.terminal else self._buffer, b""
            return left.decode(errors="replace") if left else None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

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
