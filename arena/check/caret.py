"""Where in the bytes that came the trouble is: asked of the very code that judges them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from arena.cheat.rules import Rules
from arena.check.mishap import Mishap
from arena.check.valid import valid_fields
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.messages import PlayReply, PlayRequest
from arena.protocol.strict_json import NotStrict, loads
from arena.referee.ask import Trouble
from arena.referee.ruling import ruled_by_line

_FIELDS: Final = ("id", "pass", "rank", "count", "cards", "challenge", "name", "version", "author", "debug")
_SPACE: Final = " \t\r\n"


@dataclass(frozen=True, slots=True)
class _Member:
    """A field of the object that was sent: its value, and the bytes at which name and value begin."""

    name: str
    value: Any
    at: int
    value_at: int


def fault_at(mishap: Mishap, rules: Rules) -> int | None:
    """The byte of `mishap.received` where the trouble begins; None where no byte is to blame."""
    received, answer = mishap.received, mishap.answer
    if mishap.idle or mishap.early:
        # The answer was right; what came after its line nobody had asked for.
        end = received.find(answer) + len(answer) if answer else 0
        rest = received[end:]
        after = len(rest) - len(rest.lstrip(b" \t\r\n"))
        return end + after if after < len(rest) else None
    if mishap.code in ("timeout", "start-timeout"):
        if answer and (start := received.find(answer)) >= 0:
            return start
        return mishap.in_time if received else None
    if mishap.code == "flood":
        return len(received) if received else None
    if not answer or mishap.kind is None or (start := received.find(answer)) < 0:
        return None
    inside = _in_line(mishap, rules)
    return None if inside is None else start + inside


def _in_line(mishap: Mishap, rules: Rules) -> int | None:
    assert mishap.kind is not None
    line = mishap.answer
    judged = decode_reply(line, mishap.kind, mishap.id, mishap.given)
    if isinstance(judged, Violation) and judged.code == "bad-json":
        return _twice(line) if judged.at is None else judged.at
    try:
        value = loads(line)
    except NotStrict:
        return None
    if not isinstance(value, dict):
        return 0
    members = list(_members(line))
    if isinstance(judged, Violation):
        return _refused(mishap, judged, members, rules) or line.rindex(b"}")
    return _unruly(mishap, judged, members, rules)


def _refused(mishap: Mishap, judged: Violation, members: list[_Member], rules: Rules) -> int | None:
    """The value of the field that is refused in a right answer too; None: a field is missing."""
    assert mishap.kind is not None
    right = valid_fields(mishap.kind, mishap.id, mishap.sent, rules)
    for one in members:
        if one.name not in _FIELDS:
            continue
        trial = json.dumps({**right, one.name: one.value}).encode()
        verdict = decode_reply(trial, mishap.kind, mishap.id, mishap.given)
        if isinstance(verdict, Violation) and verdict.rule == judged.rule:
            return _in_cards(mishap, one, judged) if one.name == "cards" else one.value_at
    return None


def _in_cards(mishap: Mishap, cards: _Member, judged: Violation) -> int:
    """The first card of the list that is none."""
    if not isinstance(cards.value, list):
        return cards.value_at
    for place, at in enumerate(_items(mishap.answer, cards.value_at)):
        right = json.dumps({"id": mishap.id, "cards": cards.value[: place + 1]}).encode()
        if isinstance(decode_reply(right, "play", mishap.id, mishap.given), Violation):
            return at
    return cards.value_at


def _unruly(mishap: Mishap, judged: object, members: list[_Member], rules: Rules) -> int | None:
    """What is well formed and not allowed: cards, rank or count, by what the rules say without the others."""
    by_name = {one.name: one for one in members}
    if not isinstance(judged, PlayReply) or mishap.kind != "play":
        return None
    if judged.passing:
        return by_name["pass"].value_at
    request = msgspec.json.decode(mishap.sent, type=PlayRequest)
    cards_alone = ruled_by_line(PlayReply(judged.cards, request.ranks[0]), rules, mishap.sent)
    if isinstance(cards_alone, Trouble):
        cards = by_name["cards"]
        held = list(request.hand)
        for card, at in zip(judged.cards, _items(mishap.answer, cards.value_at), strict=False):
            if card not in held:
                return at
            held.remove(card)
        return cards.value_at
    for name in ("rank", "count"):
        one = by_name.get(name)
        if one is not None and not (name == "rank" and one.value in request.ranks):
            return one.value_at
    return None


def _twice(line: bytes) -> int | None:
    """Where the second of two keys stands, or the number that is too large: whatever the decoder told not."""
    seen: set[str] = set()
    for one in _members(line):
        if one.name in seen:
            return one.at
        seen.add(one.name)
        try:
            loads(json.dumps({one.name: one.value}).encode())
        except (NotStrict, ValueError, RecursionError):
            return one.value_at
    return None


def _members(line: bytes) -> Iterator[_Member]:
    """The fields of the outermost object, as far as they can be read."""
    text = line.decode(errors="replace")
    place = _after_space(text, text.find("{") + 1)
    decoder = json.JSONDecoder()
    try:
        while place < len(text) and text[place] != "}":
            name, end = decoder.raw_decode(text, place)
            value_place = _after_space(text, _after_space(text, end) + 1)
            value, end = decoder.raw_decode(text, value_place)
            yield _Member(name, value, _byte(text, place), _byte(text, value_place))
            place = _after_space(text, _after_space(text, end) + 1)
    except (ValueError, RecursionError, IndexError):
        return


def _items(line: bytes, at: int) -> Iterator[int]:
    """The bytes at which the items of the list that begins at byte `at` begin."""
    text = line.decode(errors="replace")
    place = _after_space(text, len(line[:at].decode(errors="replace")) + 1)
    decoder = json.JSONDecoder()
    while place < len(text) and text[place] != "]":
        yield _byte(text, place)
        _, end = decoder.raw_decode(text, place)
        place = _after_space(text, _after_space(text, end) + 1)


def _after_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _byte(text: str, place: int) -> int:
    return len(text[:place].encode())
