"""Keys by name from the bytes that a terminal sends for them."""

import re
from types import MappingProxyType
from typing import Final

_FINAL: Final = MappingProxyType(
    {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "M": "enter"}
)
_NUMBERED: Final = MappingProxyType(
    {"1": "home", "7": "home", "4": "end", "8": "end", "5": "pageup", "6": "pagedown"}
)
_CONTROL: Final = MappingProxyType(
    {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x0c": "redraw"}
)
_ESCAPE: Final = "\x1b"
_SHIFTED: Final = ("2", "6")
_SEQUENCE: Final = re.compile(r"\x1b(?:\[([0-9;<=>?]*)[ -/]*([@-~])|O([0-9;]*)([@-~])|([^\[O]))", re.DOTALL)
_BEGUN: Final = re.compile(r"\x1b(?:(?:\[[0-9;<=>?]*[ -/]*|O[0-9;]*)?)\Z")
_LONGEST: Final = 40
"""Characters after which what began as a sequence is none."""


class Keys:
    """Takes bytes as they arrive, in any pieces, and gives the keys that were pressed.

    A key is the character that it types, or a name: right, shift-right, enter, escape ... What is no key
    known here (another control character, a sequence of another key) is passed over.
    """

    def __init__(self) -> None:
        self._bytes = b""
        self._text = ""

    @property
    def unsure(self) -> bool:
        """Whether the last byte may be the key Escape, or the beginning of another key."""
        return bool(self._text)

    def feed(self, data: bytes) -> list[str]:
        """The keys that are whole now."""
        self._bytes += data
        text, self._bytes = _decoded(self._bytes)
        self._text += text
        keys: list[str] = []
        while self._text:
            if self._text[0] != _ESCAPE:
                keys += _plain(self._text[0])
                self._text = self._text[1:]
            elif match := _SEQUENCE.match(self._text):
                keys += _named(match)
                # An Escape before a sequence was a key of its own.
                again = match[5] == _ESCAPE
                keys += ["escape"] if again else []
                self._text = self._text[1 if again else match.end() :]
            elif _BEGUN.match(self._text) and len(self._text) <= _LONGEST:
                break
            else:
                self._text = self._text[1:]
        return keys

    def settle(self) -> list[str]:
        """Nothing more has come for a while: what looked like a beginning was Escape, or nothing."""
        alone = self._text == _ESCAPE
        self._text = ""
        return ["escape"] if alone else []


def _decoded(data: bytes) -> tuple[str, bytes]:
    """The text of these bytes, and the beginning of a character that is not whole yet."""
    for kept in range(min(3, len(data)) + 1):
        try:
            return data[: len(data) - kept].decode(), data[len(data) - kept :]
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data" and kept == 0:
                break
    return data.decode(errors="ignore"), b""


def _plain(character: str) -> list[str]:
    if character in _CONTROL:
        return [_CONTROL[character]]
    return [character] if character.isprintable() else []


def _named(match: re.Match[str]) -> list[str]:
    """The key of a sequence, with `shift-` before it where that was held."""
    parameters, final = (match[1] or match[3] or ""), (match[2] or match[4] or "")
    number, _, modifier = parameters.partition(";")
    name = _NUMBERED.get(number) if final == "~" else _FINAL.get(final)
    if name is None:
        return []
    return [f"shift-{name}" if modifier in _SHIFTED else name]
