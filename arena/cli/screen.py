"""Where a game is shown as it is played: written by a thread, so that no bot waits for a slow terminal."""

import os
import shutil
from typing import Final, TextIO

import trio

from arena.cli.cardwords import Look, folded

_USUAL: Final = 80
_LEAST: Final = 40


class Screen:
    """Lines for a person, as wide as the terminal, or as a usual one where it is none."""

    def __init__(self, stream: TextIO) -> None:
        self.look = Look.of(stream)
        self._descriptor = stream.fileno()
        self._encoding = stream.encoding or "ascii"
        self.terminal = stream.isatty()
        stream.flush()

    async def show(self, *lines: str) -> None:
        """Show lines, each folded where it is too long. Raises OSError where nothing can be shown."""
        width = _USUAL
        if self.terminal:
            width = max(_LEAST, shutil.get_terminal_size((_USUAL, 24)).columns)
        await self._write("".join(f"{part}\n" for line in lines for part in (*folded(line, width, "    "),)))

    async def prompt(self, text: str) -> None:
        """Show a text and stay behind it."""
        await self._write(text)

    async def _write(self, text: str) -> None:
        # Not through the stream: a thread that is stuck in it, because somebody has stopped the terminal,
        # would hold its lock when the program ends.
        data = text.encode(self._encoding, errors="backslashreplace")
        await trio.to_thread.run_sync(_written, self._descriptor, data, abandon_on_cancel=True)


def _written(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
