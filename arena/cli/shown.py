"""Tables as they reach the screen: names made safe, and columns left out where a terminal is narrow."""

import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from arena.cli.folding import columns_of, folded
from arena.protocol.escape import escape, escape_json

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


def as_text(table: "Table", table_format: str = "simple", *, legend: bool = False, notes: bool = True) -> str:
    """The table for people, as wide as the screen, with its notes; `legend` explains its heads.

    Raises BadInput for a format that tabulate does not have.
    """
    rows = tuple(
        dataclasses.replace(
            row, values=tuple(safe(value) if isinstance(value, str) else value for value in row.values)
        )
        for row in table.rows
    )
    shown = dataclasses.replace(table, rows=rows, notes=tuple(safe(note, 1000) for note in table.notes))
    return shown.to_text(table_format, screen_width(), notes, legend)


def wrapped(line: str) -> str:
    """A long line as wide as the screen, the rest of it indented."""
    return "\n".join(folded(line, columns_of(sys.stdout)))


def counted(number: int, what: str) -> str:
    """A number of things: "1 block", "1,200 blocks", "2 processes"."""
    return f"{number:,} {what}{'' if number == 1 else 'es' if what.endswith('s') else 's'}"


def path_as_typed(path: str | os.PathLike[str]) -> str:
    """A path for a message or a command, on one line."""
    return safe(os.fspath(path), 4096)


def json_line(value: Any, indent: int | None = None) -> str:
    """A value as JSON for stdout, on a line of its own unless it is indented; all of it is fit to show."""
    # In ASCII, so that it is still JSON where stdout can encode nothing else.
    return escape_json(json.dumps(value, indent=indent)) + "\n"


def csv_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines of CSV as they are; only on a terminal, where they are looked at, made fit to show."""
    if not sys.stdout.isatty():
        yield from lines
        return
    for line in lines:
        yield "\r\n".join(escape(part, len(part) * 10) for part in line.split("\r\n"))
