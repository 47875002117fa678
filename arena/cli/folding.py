"""Long lines on a terminal: folded at blanks, and never inside a command that somebody may paste."""

import os
import re
from collections.abc import Iterator
from typing import Final, TextIO

_USUAL: Final = 80
_LEAST: Final = 40
_COMMANDS: Final = (
    "check|compare|completion|doctor|export|faults|import|merge|new|play|replay|rerun|rules|run|schema|"
    "standings|verify"
)
_WORD: Final = r"(?:'[^']*'|\"[^\"]*\"|[^\s'\"`;,:)]|[;,:)](?![\s)]|$))+"
_COMMAND: Final = rf"(?:arena (?:{_COMMANDS})|chmod)\b(?: {_WORD})*"
"""What stands behind a command in the same clause is taken for a part of it: it cannot be told apart."""
_PIECE: Final = re.compile(rf"( *)([(`]?{_COMMAND}[^ ]*|[^ ]+)")
_PASTED: Final = re.compile(rf"[(`]?{_COMMAND}")


def columns_of(stream: TextIO) -> int | None:
    """Columns of the terminal that a stream is; None where it is a file or a pipe, which take any width."""
    if not stream.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    try:
        columns = int(said) if said.isdecimal() else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return max(columns or _USUAL, _LEAST)


def folded(line: str, width: int | None, indent: str = "  ") -> Iterator[str]:
    """A line cut at blanks into lines of at most `width` columns, all but the first indented.

    A command is on one line, of its own where there is not the room for it; other words that are longer than
    a line begin where they stand. None: as it is.
    """
    if width is None or len(line) * 2 <= width:
        yield line
        return
    # Not above: most lines never come here.
    from rich.cells import cell_len

    kept, begun = "", False
    for gap, word in _PIECE.findall(line):
        fits = cell_len(kept + gap + word) <= width
        long = cell_len(indent + word) > width and not _PASTED.match(word)
        if begun and not fits and not long:
            yield kept
            kept = indent + word
        else:
            kept += gap + word
        begun = True
    yield kept


def folded_text(text: str, width: int | None, indent: str = "  ") -> str:
    """Several lines, each folded; what each begins with is kept before the rest of it too."""
    found: list[str] = []
    for line in text.split("\n"):
        lead = line[: len(line) - len(line.lstrip(" "))]
        found += folded(line, width, lead + indent)
    return "\n".join(found)
