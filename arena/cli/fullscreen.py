"""The whole terminal for a while: keys one by one, a screen to draw on, and everything put back at the end.

Signals only leave a note here and are obeyed between two screens, so that none of them breaks off a change of
the terminal.
"""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType, MappingProxyType, TracebackType
from typing import Final

from rich.console import Console
from rich.text import Text

from arena.cli.keys import Keys
from arena.cli.spans import Line, Meaning
from arena.cli.streams import give_up

_ENTER: Final = "\x1b[?1049h"
"""Another screen."""
_HOLD: Final = "\x1b[?25l\x1b[?7l"
"""No cursor, and no line that runs on into the next."""
_LEAVE: Final = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_ESCAPE_SECONDS: Final = 0.05
"""How long the rest of a key may take after its first byte."""
_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_NOTED: Final = (*_ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)
_STYLES: Final[Mapping[Meaning, str]] = MappingProxyType(
    {
        "": "",
        "head": "bold",
        "faint": "dim",
        "here": "bold",
        "lie": "bold red",
        "true": "cyan",
        "call": "bold magenta",
        "fault": "bold yellow",
        "note": "italic",
    }
)


def is_screen() -> bool:
    """Whether stdin and stdout are a terminal that can be drawn on."""
    wants = os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    # Where stdin was closed, there is none.
    return wants and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


class Ended(Exception):
    """A signal asks to end, or the terminal is gone."""


class Fullscreen:
    """The terminal while something is drawn on it. Use as a context manager."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._console = Console(file=sys.stdout, force_terminal=True, highlight=False, markup=False)
        self._keys = Keys()
        self._noted: list[int] = []
        self._before: dict[int, object] = {}

    def __enter__(self) -> "Fullscreen":
        self._wake, self._woken = os.pipe()
        for end in (self._wake, self._woken):
            os.set_blocking(end, False)
        self._wakeup_before = signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        for number in _NOTED:
            # What is ignored on purpose (nohup) stays so.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        try:
            self._attributes = termios.tcgetattr(self._input)
            self._take()
        except BaseException:
            self._stop_listening()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._give_back()
        finally:
            self._stop_listening()

    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now; 80 x 24 where the terminal does not say."""
        try:
            columns, rows = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            columns, rows = 0, 0
        return columns or 80, rows or 24

    def show(self, lines: Sequence[Line]) -> None:
        """Draw the lines, the first in the first row. Raises Ended where the terminal is gone."""
        # Cleared before it is written: behind a line as wide as the screen, its last character would go.
        drawn = "\r\n".join(f"\x1b[2K{self._painted(line)}" for line in lines)
        try:
            self._write(f"\x1b[H{drawn}")
        except OSError:
            raise Ended from None

    def wait(self) -> list[str]:
        """The keys pressed next; none when the screen is to be drawn anew.

        Raises Ended when a signal asks to end, or nobody is there any more.
        """
        limit = _ESCAPE_SECONDS if self._keys.unsure else None
        ready, _, _ = select.select([self._input, self._wake], [], [], limit)
        if self._wake in ready:
            os.read(self._wake, 4096)
        if self._noted:
            self._obey()
            return []
        if self._input not in ready:
            return self._keys.settle() if limit is not None else []
        try:
            data = os.read(self._input, 4096)
        except OSError:
            data = b""
        if not data:
            raise Ended
        return self._keys.feed(data)

    def _painted(self, line: Line) -> str:
        text = Text(no_wrap=True)
        for piece, meaning in line:
            text.append(piece, _STYLES[meaning])
        with self._console.capture() as captured:
            self._console.print(text, end="", soft_wrap=True)
        return captured.get()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted.append(number)

    def _obey(self) -> None:
        """Do what the signals ask that have come. Raises Ended."""
        numbers, self._noted = self._noted, []
        if any(number in _ENDING for number in numbers):
            raise Ended
        if signal.SIGTSTP in numbers:
            self._give_back()
            noting = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            # Here it stands still until it goes on.
            signal.signal(signal.SIGTSTP, noting)
            self._take()
        elif signal.SIGCONT in numbers:
            # Whoever stopped it may have changed the terminal meanwhile, but has not left this screen.
            tty.setcbreak(self._input, termios.TCSADRAIN)
            self._write(_HOLD)

    def _take(self) -> None:
        tty.setcbreak(self._input, termios.TCSADRAIN)
        self._write(_ENTER + _HOLD)

    def _give_back(self) -> None:
        try:
            self._write(_LEAVE)
        except OSError:
            # The terminal is gone, and nothing is left to be put back.
            give_up(sys.stdout)
        with suppress(termios.error):
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._attributes)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _stop_listening(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._wake)
        os.close(self._woken)
