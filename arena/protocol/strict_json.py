"""One line of strict JSON into a Python value: what the standard decoder lets through is refused here."""

import json
import re
from collections import Counter
from typing import Any, Final, NoReturn

from arena.protocol.escape import escape, quoted
from arena.protocol.messages import MAX_INTEGER, MAX_NESTING

# Possessive throughout: an open string runs to the end of the line, so no text is looked at twice.
_NOT_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[^"\[\]{}]++', re.DOTALL)
_BEFORE_LONE_SURROGATE: Final = re.compile(
    r"(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F])....|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)*+", re.DOTALL
)
_SHOWN: Final = 40


class NotStrict(Exception):
    """The line is not strict JSON: the rule it breaks, and the byte where the trouble starts, if known."""

    def __init__(self, rule: str, at: int | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.at = at


def loads(line: bytes) -> Any:
    """The value of the line.

    Raises NotStrict, and nothing else, for any bytes that are not one JSON text in UTF-8 without a byte order
    mark, and for what many decoders take although the standard does not, or take in different ways: NaN and
    infinities, numbers too large for a double, integers beyond 2**53, a key twice in one object, half of a
    surrogate pair, deep nesting.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise NotStrict(
            f"A line must be UTF-8; byte {error.start} is {escape(line[error.start : error.start + 1], 8)}.",
            error.start,
        ) from None
    if text.count("[") + text.count("{") > MAX_NESTING:
        _refuse_deep(text)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _syntax(text, error) from None
    except RecursionError:
        raise NotStrict(f"Arrays and objects may be nested {MAX_NESTING} deep; these are deeper.") from None
    if "\\u" in text:
        _refuse_lone_surrogate(text)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise NotStrict(f"A key may be in an object once; {quoted(twice)} is there twice.")
    return value


def _integer(digits: str) -> int:
    # Text first: Python itself refuses to read thousands of digits, with an error of its own.
    if len(digits) > 17 or abs(int(digits)) > MAX_INTEGER:
        raise NotStrict(
            f"An integer may be at most 2**53 either side of 0; {escape(digits, _SHOWN)} is beyond."
        )
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise NotStrict(f"A number must fit into a double; {escape(digits, _SHOWN)} does not.")
    return value


def _constant(word: str) -> NoReturn:
    raise NotStrict(f"JSON has no {word}.")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)


def _refuse_deep(text: str) -> None:
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_NESTING:
            raise NotStrict(f"Arrays and objects may be nested {MAX_NESTING} deep; these are deeper.")


def _refuse_lone_surrogate(text: str) -> None:
    good = _BEFORE_LONE_SURROGATE.match(text)
    end = good.end() if good else 0
    if end != len(text):
        raise NotStrict(
            f"A surrogate must be one half of a pair; {text[end : end + 6]} stands alone.", _byte(text, end)
        )


def _syntax(text: str, error: json.JSONDecodeError) -> NotStrict:
    at = _byte(text, error.pos)
    rest = text[error.pos :]
    if not text.strip():
        return NotStrict("A reply is one JSON object; this line is empty.", 0)
    if text.startswith("\ufeff"):
        return NotStrict(
            "A line must not start with a byte order mark (BOM); this one starts with EF BB BF.", 0
        )
    if error.msg.startswith("Extra data"):
        return NotStrict(
            f"A line holds one JSON object; this one goes on with {_near(rest)} at byte {at}.", at
        )
    if not rest.strip() or error.msg.startswith("Unterminated string"):
        return NotStrict(
            f"A reply is one whole JSON object on one line; this line ends inside it: {_near(text)}.", at
        )
    if rest.startswith(("'", "True", "False", "None")):
        return NotStrict(
            "JSON has double quotes, true, false and null (json.dumps writes them); "
            f"byte {at} reads {_near(rest)}.",
            at,
        )
    if text.lstrip()[0] not in "[{":
        return NotStrict(
            f"A reply is one JSON object (all else belongs on stderr); this line reads {_near(text)}.", at
        )
    return NotStrict(
        f"The line must be JSON: {error.msg.lower()} at byte {at}, where it reads {_near(rest)}.", at
    )


def _near(text: str) -> str:
    return f"`{escape(text, _SHOWN)}`"


def _byte(text: str, place: int) -> int:
    return len(text[:place].encode())
