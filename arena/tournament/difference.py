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


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is wrong. All texts are safe to print, on one line."""

    where: str
    """The row: `game 3.1 ID`, `block 3`, `bot 2`, `decision 16`, `header`, `file`."""
    field: str
    recorded: str
    judged: str

    def __str__(self) -> str:
        return f"{self.where}: {self.field}: recorded {self.recorded}, re-judged {self.judged}"


def difference(where: str, field: str, recorded: object, judged: object) -> Difference:
    """The difference between two values, which are shown as JSON."""
    return Difference(where, field, shown(recorded), shown(judged))


def unreadable(where: str, field: str, recorded: object, why: object) -> Difference:
    """A value that cannot be what it should be, whatever that is."""
    return Difference(where, field, shown(recorded), escape(f"not readable ({why})", LONGEST))


def shown(value: object) -> str:
    """A value on one line: bytes by their number, text and all else as JSON."""
    if value is None:
        return NOTHING
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
