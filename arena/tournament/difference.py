"""A difference between what a results file says and what follows from the rest of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from arena.protocol.escape import escape
from arena.tournament.rows import Value, digest_of

LONGEST: Final = 160
"""Characters of a value that are shown."""
NOTHING: Final = "nothing"
_LARGEST: Final = 65_536
"""Bytes of JSON up to which a value is kept whole."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is wrong. As text it is safe to print, on one line."""

    where: str
    """The row: `game 3.1 ID`, `block 3`, `bot 2`, `decision 16`, `header`, `file`."""
    field: str
    recorded: object
    judged: object
    """Both as plain JSON; None is nothing."""
    why: str = ""
    """Said instead of the judged value where there can be none."""

    def __str__(self) -> str:
        # What cannot be read is what is recorded: there is nothing judged beside it.
        beside = self.why or f"re-judged {shown(self.judged)}"
        return f"{self.where}: {self.field}: recorded {shown(self.recorded)}, {beside}"


def difference(where: str, field: str, recorded: object, judged: object) -> Difference:
    """The difference between two values, which are shown as JSON."""
    return Difference(where, field, _plain(recorded), _plain(judged))


def unreadable(where: str, field: str, recorded: object, why: object) -> Difference:
    """A value that cannot be what it should be, whatever that is."""
    words = escape(f"not readable ({why})", LONGEST)
    return Difference(where, field, _plain(recorded), None, words)


def _plain(value: object) -> object:
    """The value as JSON has it; in words where JSON cannot hold it, or where it is large."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, bytes):
        return _Words(shown(value))
    try:
        text = msgspec.json.encode(value)
    except (TypeError, ValueError):
        return _Words(shown(value))
    return msgspec.json.decode(text) if len(text) <= _LARGEST else _Words(shown(value))


class _Words(str):
    """What stands for a value: shown as it is, without the quotes of a text."""

    __slots__ = ()


def shown(value: object) -> str:
    """A value on one line: bytes by their number, text and all else as JSON."""
    if value is None:
        return NOTHING
    if isinstance(value, _Words):
        return str(value)
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    try:
        text = msgspec.json.encode(value).decode(errors="backslashreplace")
    except (TypeError, ValueError):
        text = repr(value)
    return escape(text, LONGEST)


def row_name(kind: str, *keys: Any) -> str:
    """What a row is called, whatever stands in its keys."""
    return escape(f"{kind} {'.'.join(map(str, keys))}", LONGEST)


def digest_difference(where: str, values: Sequence[Value], digest: object) -> Difference | None:
    """What is wrong with the digest that a row carries."""
    found = digest_of(values)
    return None if digest == found else difference(where, "digest", digest, found)
