"""From a mishap to all that is shown of it."""

from typing import Final

from arena.cheat.rules import Rules
from arena.check.caret import fault_at
from arena.check.diagnosis import diagnose
from arena.check.excerpt import excerpt
from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.report import Explanation
from arena.check.valid import valid_reply
from arena.protocol.escape import escape
from arena.protocol.faults import anchor

_LINES: Final = 12
_LONGEST: Final = 1000
_LONGEST_LINE: Final = 70_000


def explained(mishap: Mishap, origin: Origin, rules: Rules) -> Explanation:
    """The whole explanation; `rules` are those it was asked under."""
    reading = diagnose(mishap, origin)
    at = fault_at(mishap, rules)
    received, column = excerpt(mishap.received, at) if mishap.kind is not None else (None, None)
    valid = None
    if mishap.kind is not None:
        valid = valid_reply(mishap.kind, mishap.id, mishap.sent, rules)
    return Explanation(
        headline=reading.headline,
        mend=reading.mend,
        code=mishap.code,
        rule=mishap.rule,
        anchor=anchor(mishap.code),
        where=mishap.where,
        before=tuple(_line(line) for line in mishap.events),
        sent=None if mishap.kind is None else _line(mishap.sent),
        received=received,
        caret=column,
        valid=valid,
        stderr=last_lines(mishap.stderr),
    )


def last_lines(text: str) -> str:
    """The end of what was written to stderr, each line fit to show; tabs are blanks up to the next stop."""
    lines = [escape(line.expandtabs(), _LONGEST) for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-_LINES:])


def _line(line: bytes) -> str:
    return escape(line.decode().rstrip("\n"), _LONGEST_LINE)
