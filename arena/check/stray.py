"""A line on stdout that is no JSON object: the answer with something around it, a prompt, or none at all."""

import json
import re
from typing import Any, Final

from arena.check.origin import Origin
from arena.check.words import Reading
from arena.protocol.escape import escape, quoted

_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_QUOTES: Final = frozenset(("'", "b'", '"', "`"))
_SHOWN: Final = 40
"""Characters of what stands around an answer."""


def stray(line: bytes, id: str, origin: Origin, *, unended: bool = False) -> Reading:
    """What such a line is. `id`: of the request; `unended`: no newline has come after it."""
    if (reading := _around(line.decode(errors="replace"), id, origin)) is not None:
        return reading
    if unended:
        return Reading(
            f"It prints a prompt on stdout: {quoted(escape(line, 60), 60)}, and no newline after it.",
            _no_prompt(origin),
        )
    return Reading(
        f"It prints on stdout what is no answer: {quoted(escape(line, 60), 60)}.",
        f"print it on stderr: {origin.idioms.to_stderr}; only answers may go to stdout",
    )


def is_encoded_twice(said: Any, id: str) -> bool:
    """Whether a value is a text that is the answer."""
    return isinstance(said, str) and _answer_at(said, id) == (0, len(said))


def encoded_twice(origin: Origin) -> Reading:
    """Of an answer that is one JSON text."""
    return Reading(
        "Its answer stands in quotes: it is a JSON string that holds the object, and not the object.",
        f"write it as JSON once, not twice: {origin.idioms.json}",
    )


def _around(text: str, id: str, origin: Origin) -> Reading | None:
    plain = _COLOUR.sub("", text).strip()
    place = _answer_at(plain, id)
    if place is None:
        return None
    before, after = plain[: place[0]].strip(), plain[place[1] :].strip()
    if not before and not after:
        return Reading(
            "It prints its answer in colours: codes for a terminal stand around it.",
            "print the object alone, without codes for colours",
        )
    if before in _QUOTES and after == before[-1]:
        how = " (in Python no repr(), and no bytes)" if origin.language == "Python" else ""
        return Reading(
            f"It prints its answer in quotes: {before} stands before it, and {after} behind.",
            f"print the object itself, without quotes around it{how}",
        )
    sides = [
        f"{quoted(escape(part, _SHOWN), _SHOWN)} {where}"
        for part, where in ((before, "before it"), (after, "behind it"))
        if part
    ]
    return Reading(
        f"It prints its answer with something around it on the same line: {' and '.join(sides)}.",
        _no_prompt(origin) if before and not after else "print the object alone on its line",
    )


def _no_prompt(origin: Origin) -> str:
    how = ": input() without words in it" if origin.language in ("Python", None) else ""
    return f"print the object alone on its line, and no prompt before it{how}"


def _answer_at(text: str, id: str) -> tuple[int, int] | None:
    """Where the JSON object with this id begins and ends."""
    at = text.find("{")
    if at < 0 or not id:
        return None
    try:
        said, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (at, end) if isinstance(said, dict) and said.get("id") == id else None
