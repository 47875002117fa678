"""What `arena check` prints: a line a step, all there is to say of a failed one; or an object."""

import json
import textwrap
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from arena.check.report import Explanation, Report, Step
from arena.cli.shown import safe, screen_width
from arena.cli.streams import LONGEST_LINE

_MARK: Final = 8
_NAME: Final = 11
_LABEL: Final = 10
_WIDTH: Final = 100
"""Columns where stdout is no terminal."""
_LEAST: Final = 60


def as_object(report: Report) -> dict[str, Any]:
    """What --json prints."""
    return {
        "ok": report.ok,
        "bot": report.bot,
        "sandbox": report.tier,
        "seconds": report.seconds,
        "steps": msgspec.to_builtins(report.steps),
        "not_tried": list(report.not_tried),
    }


def last_lines(report: Report) -> Iterator[str]:
    """The verdict."""
    name = _safe(report.bot)
    if report.not_tried:
        yield from _sentence(f"not tried after that: {', '.join(report.not_tried)}")
    failed = [step.name for step in report.steps if not step.ok]
    if not failed:
        yield f"{name} is fit to play: checked in {report.seconds:.1f} s"
    else:
        yield from _sentence(f"{name} is not fit to play yet: {', '.join(failed)} failed")


def _sentence(text: str) -> list[str]:
    """A line as wide as the screen, the rest of it indented."""
    return textwrap.wrap(text, _columns(), subsequent_indent="  ")


def step_lines(step: Step) -> Iterator[str]:
    """What came of a step, with the explanation of its failure."""
    indent = " " * (_MARK + _NAME)
    first, *more = _cut(_safe(step.message), _columns() - len(indent), at_words=True)
    yield f"{'ok' if step.ok else 'FAILED':<{_MARK}}{step.name:<{_NAME}}{first}"
    yield from (f"{indent}{line}" for line in more)
    for note in step.notes:
        yield from _field("note", note)
    if step.explanation is not None:
        yield from _explained(step.explanation)


def _explained(told: Explanation) -> Iterator[str]:
    yield from _field("mend", told.mend)
    yield from _field("rule", f"{told.rule} ({told.anchor})")
    if told.where:
        yield from _field("where", told.where)
    if told.before:
        kinds = ", ".join(str(json.loads(line)["type"]) for line in told.before)
        yield from _field("before", f"events in the same write: {kinds}")
    if told.sent is not None:
        yield from _field("sent", told.sent)
    if told.received is not None:
        yield from _field("received", told.received or "(nothing)", told.caret)
    if told.valid is not None:
        yield from _field("valid", told.valid)
    for number, line in enumerate(told.stderr.splitlines()):
        yield from _field("stderr" if number == 0 else "", line)


def _field(label: str, text: str, caret: int | None = None) -> Iterator[str]:
    """A label and a text, in as many lines as the screen needs, with a caret under column `caret`."""
    indent = " " * (_MARK + _NAME)
    room = _columns() - len(indent)
    text = _safe(text)
    words = label in ("mend", "rule", "note", "where")
    first = f"{' ' * _MARK}{label:<{_LABEL}} "
    start = 0
    for line in _cut(text, room, at_words=words):
        yield f"{first}{line}"
        if caret is not None and start <= caret < start + max(room, 1):
            yield f"{indent}{' ' * (caret - start)}^"
        first = indent
        start += room


def _cut(text: str, room: int, *, at_words: bool) -> list[str]:
    if at_words:
        return textwrap.wrap(text, room) or [""]
    return [text[at : at + room] for at in range(0, max(len(text), 1), room)]


def _columns() -> int:
    return max(_LEAST, screen_width() or _WIDTH)


def _safe(text: str) -> str:
    return safe(text, LONGEST_LINE)
