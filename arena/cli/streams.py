"""The standard streams: always three, never failing on a character, and quiet once nobody reads them."""

import errno
import fcntl
import os
import select
import sys
from typing import Final, TextIO

from arena.protocol.escape import escape

LONGEST_LINE: Final = 10_000
BELOW: Final = "\n    "
"""Before a line that a message quotes: no name with a line end in it can look like a message of its own."""

_PATIENCE: Final = 0.5
"""Seconds in which a terminal takes something, unless it is stopped."""
_STDOUT: Final = 1
_STDERR: Final = 2


def settle_streams() -> None:
    """Make sure of three open streams that show what they cannot encode as escapes."""
    # Were one closed, the next file opened would take its number, and be written to by mistake. In place of
    # stdout, whose loss must not go unseen, stands what cannot be written to.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        if descriptor == _STDOUT:
            _close_for_writing()
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = os.fdopen(_STDOUT, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_STDERR, "w", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _close_for_writing() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDOUT)
    os.close(nothing)


def stdout_is_closed() -> bool:
    """Whether stdout was not there when this process began."""
    return fcntl.fcntl(_STDOUT, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def why_unwritten(error: OSError) -> str:
    """Why stdout took nothing, in words."""
    closed = error.errno == errno.EBADF and stdout_is_closed()
    return "stdout is closed" if closed else str(error.strerror)


def give_up(stream: TextIO) -> None:
    """Nobody reads this stream: let nothing that is still buffered fail again when Python ends."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def give_up_stopped_terminals() -> None:
    """What is at its end waits for no terminal that somebody has stopped (Ctrl-S), and shows it nothing."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream.isatty() and not select.select((), (stream,), (), _PATIENCE)[1]:
                give_up(stream)
        except (OSError, ValueError):
            # No descriptor that can be waited for.
            continue


def fit_to_show(message: str) -> str:
    """The message as it may reach a terminal: names of files and words of bots cannot move its cursor.

    It is one line, and below it, each behind BELOW, the lines that it quotes.
    """
    return BELOW.join(escape(line, LONGEST_LINE) for line in message.split(BELOW))


def as_said(message: str) -> str:
    """The message as it is said on stderr, `arena: ...`; on a terminal as wide as that."""
    from arena.cli.folding import columns_of, folded_text

    return folded_text(f"arena: {fit_to_show(message)}", columns_of(sys.stderr))


def say(message: str) -> None:
    """One line on stderr, `arena: ...`, safe to show. A terminal or reader that is gone is no error."""
    try:
        sys.stdout.flush()
    except OSError:
        give_up(sys.stdout)
    try:
        print(as_said(message), file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)
