"""Tables as they reach the screen: names made safe, and columns left out where a terminal is narrow."""

import dataclasses
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final

from arena.protocol.escape import escape

if TYPE_CHECKING:
    from arena.ratings.tables import Table

LONGEST_NAME: Final = 48


def safe(text: str, limit: int = LONGEST_NAME) -> str:
    """A name or a text of somebody else's, fit for a terminal."""
    return escape(text, limit)


def screen_width() -> int | None:
    """Columns of the terminal that stdout is; None where it is a file or a pipe, which take any width."""
    if not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size((80, 24)).columns


def as_text(table: "Table", table_format: str = "simple", top: int | None = None) -> str:
    """The table for people, as wide as the screen, of its first `top` rows.

    Raises BadInput for a format that tabulate does not have.
    """
    rows = tuple(
        dataclasses.replace(
            row, values=tuple(safe(value) if isinstance(value, str) else value for value in row.values)
        )
        for row in table.rows[:top]
    )
    notes = tuple(safe(note, 1000) for note in table.notes)
    shown = dataclasses.replace(table, rows=rows, notes=notes)
    return shown.to_text(table_format, screen_width())


def counted(number: int, what: str) -> str:
    """A number of things: "1 block", "1,200 blocks"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def path_as_typed(path: str | os.PathLike[str]) -> str:
    """A path for a message or a command, on one line."""
    return safe(os.fspath(path), 4096)
