"""Lines for a screen as data: pieces of text, each with what it means, measured in columns."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from rich.cells import cell_len, chop_cells, set_cell_size

Meaning: TypeAlias = Literal["", "head", "faint", "here", "lie", "true", "call", "fault", "note"]
Span: TypeAlias = tuple[str, Meaning]
_ROOM: Final = 10
"""Columns at the end of a line that a part of a long word is put into."""
Line: TypeAlias = tuple[Span, ...]
"""All its text is fit to show."""


def columns(line: Line) -> int:
    """How many columns the line takes."""
    return sum(cell_len(text) for text, _ in line)


def plain(line: Line) -> str:
    """Its text alone."""
    return "".join(text for text, _ in line)


def cut(line: Line, width: int) -> Line:
    """The line, without what is beyond the width."""
    kept: list[Span] = []
    for text, meaning in line:
        room = width - columns(tuple(kept))
        if cell_len(text) > room:
            kept.append((set_cell_size(text, room), meaning))
            break
        kept.append((text, meaning))
    return tuple(kept)


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """The text in just so many columns; one that is too long ends in two dots."""
    have = cell_len(text)
    if have > width:
        return set_cell_size(text, width - 2) + ".." if width > 2 else ".."[:width]
    return " " * (width - have) + text if right else text + " " * (width - have)


def wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    """The text in lines of at most this width, cut at spaces where it has some; the later ones indented."""
    words = text.lstrip(" ")
    lead = " " * (len(text) - len(words))
    if lead:
        yield from (lead + line for line in wrapped(words, max(2, width - len(lead)), indent))
        return
    line = ""
    for word in words.split(" "):
        pieces: Sequence[str] = [word]
        if cell_len(word) > width - len(indent):
            # Too long for any line: it begins on this one, if there is room worth the name.
            room = width - cell_len(line) - 1
            head = chop_cells(word, room)[0] if room >= _ROOM else ""
            pieces = [*([head] if head else []), *chop_cells(word[len(head) :], max(2, width - len(indent)))]
        for number, piece in enumerate(pieces):
            gap = " " if line and number == 0 else ""
            if line and cell_len(line) + len(gap) + cell_len(piece) > width:
                yield line
                line, gap = indent, ""
            line += gap + piece
    yield line
