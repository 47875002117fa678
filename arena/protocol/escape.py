"""What a bot printed, made safe to show: it cannot move a cursor, hide, or turn the text around it."""

import re
import unicodedata
from typing import Final

# Letters, marks and symbols that Unicode calls printable although nothing, or nothing but space, is seen.
_UNSEEN: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
_CUT: Final = "..."
_MARKS_IN_A_ROW: Final = 2


def escape(text: str | bytes, limit: int) -> str:
    r"""Show `text` on one line of at most `limit` characters, ending in ``...`` where it had to be cut.

    Control characters (so every ANSI sequence and every line end), bidirectional and zero-width characters,
    other characters that are not seen, private and unassigned ones and surrogates become ``\x1b``, ``\u202e``
    or ``\U000e0001``; of text, all other Unicode is kept; of bytes, only printable ASCII is. A third
    combining mark in a row and all after it are escaped too, so that no pile of marks grows into the lines
    above. A backslash stays as it is: to escape what is already escaped changes nothing.
    """
    if isinstance(text, bytes):
        # Every byte gives at least one character, so no more than `limit` + 1 of them can matter.
        text, ascii_only = text[: limit + 1].decode("latin-1"), True
    else:
        text, ascii_only = text[: limit + 1], False
    if len(text) <= limit and text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    length = keep = marks = 0
    for character in text:
        marks = marks + 1 if not ascii_only and unicodedata.category(character)[0] == "M" else 0
        if ascii_only:
            seen = " " <= character <= "~"
        else:
            seen = character.isprintable() and character not in _UNSEEN and marks <= _MARKS_IN_A_ROW
        piece = character if seen else _escaped(character)
        length += len(piece)
        if length > limit:
            return ("".join(shown[:keep]) + _CUT)[:limit]
        shown.append(piece)
        if length <= limit - len(_CUT):
            keep = len(shown)
    return "".join(shown)


def quoted(text: str, limit: int = 40) -> str:
    """A bot's words in double quotes, escaped and shortened, to stand in a sentence."""
    return f'"{escape(text, limit)}"'


_NOT_PLAIN: Final = re.compile(r"[^\x00-\x7e]")


def escape_json(text: str) -> str:
    r"""JSON text that says the same with every character that is not seen written as ``\u202e``.

    JSON has such characters in its strings alone, and below U+0020 it escapes them itself: only DEL and what
    lies beyond ASCII is left to do.
    """
    return text if text.isascii() and "\x7f" not in text else _NOT_PLAIN.sub(_in_json, text)


def _in_json(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable() and character not in _UNSEEN:
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _escaped(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
