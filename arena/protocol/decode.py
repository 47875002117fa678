"""One line of a bot into a typed reply or the fault it is: first JSON, then the id, then the fields."""

from collections.abc import Container, Iterable
from typing import Any, Final, NoReturn

from arena.cheat.cards import ONE_DECK, RANKS, SUITS, Rank
from arena.protocol.escape import quoted
from arena.protocol.faults import FaultCode, Violation
from arena.protocol.messages import MAX_DEBUG, MAX_NAME, ChallengeReply, HelloReply, Kind, PlayReply
from arena.protocol.strict_json import NotStrict, loads

_CARDS: Final = frozenset(ONE_DECK)
_RANKS: Final = frozenset(RANKS)
_NAMED: Final = 5
"""Names of fields that are listed in a sentence."""
_EVENTS: Final = ' Lines from arena without an "id" are events and want no answer.'
"""Said of an answer without a usable id: most often it is one to an event."""


class _Refused(Exception):
    def __init__(self, code: FaultCode, rule: str) -> None:
        super().__init__(rule)
        self.code: FaultCode = code
        self.rule = rule


def decode_reply(
    line: bytes, kind: Kind, request_id: str, given: Container[str]
) -> HelloReply | PlayReply | ChallengeReply | Violation:
    """What this line (without its newline) says in answer to the open request `request_id` of this kind.

    `given` holds the ids this process was given before. Checked in this order, and the first that fails is
    the fault: strict JSON (bad-json); an object with an `id` (bad-shape) that is a string (bad-type); that
    id: one given before is `unsolicited`, one never given `wrong-id`; the fields of this kind (bad-type,
    bad-shape). Unknown fields are ignored. Whether a play is legal is not asked here. Never raises, whatever
    the bytes.
    """
    try:
        reply = loads(line)
        if type(reply) is not dict:
            raise _Refused(
                "bad-shape", f"A reply must be a JSON object; this one is {_seen(reply)}.{_EVENTS}"
            )
        if reply.get("id") != request_id:
            _refuse_id(reply, request_id, given)
        if kind == "play":
            return _play(reply)
        if kind == "challenge":
            return _challenge(reply)
        return _hello(reply)
    except NotStrict as broken:
        return Violation("bad-json", broken.rule, broken.at)
    except _Refused as refused:
        return Violation(refused.code, refused.rule)


def _refuse_id(reply: dict[str, Any], request_id: str, given: Container[str]) -> NoReturn:
    if "id" not in reply:
        raise _Refused(
            "bad-shape",
            f'A reply must have the "id" of the request, {quoted(request_id)}; {_has(reply)}.{_EVENTS}',
        )
    said = reply["id"]
    if type(said) is not str:
        raise _Refused(
            "bad-type",
            f'"id" must be a string, {quoted(request_id)} here; it is {_seen(said)}.{_EVENTS}',
        )
    if said in given:
        raise _Refused(
            "unsolicited",
            f'"id" must be {quoted(request_id)}; {quoted(said)} was an earlier request\'s and is spent.',
        )
    raise _Refused(
        "wrong-id",
        f'"id" must be {quoted(request_id)}; it is {quoted(said)}, which was never given.'
        + ("" if said else _EVENTS),
    )


def _hello(reply: dict[str, Any]) -> HelloReply:
    return HelloReply(
        name=_short_text(reply, "name"),
        version=_short_text(reply, "version"),
        author=_short_text(reply, "author"),
        debug=_debug(reply),
    )


def _play(reply: dict[str, Any]) -> PlayReply:
    passing = "pass" in reply and _true_or_false(reply, "pass")
    rank = _rank(reply["rank"]) if "rank" in reply else None
    count = reply.get("count")
    if type(count) is not int and "count" in reply:
        raise _Refused("bad-type", f'"count" must be an integer; it is {_seen(count)}.')
    cards = reply.get("cards")
    if type(cards) is not list:
        if "cards" in reply:
            raise _Refused("bad-type", f'"cards" must be a list of cards; it is {_seen(cards)}.')
        if not passing:
            raise _Refused(
                "bad-shape",
                f'The answer to "play" must have "cards" (or "pass": true where allowed); {_has(reply)}.',
            )
        return PlayReply(passing=True, debug=_debug(reply))
    try:
        all_exist = _CARDS.issuperset(cards)
    except TypeError:  # a list or an object among them
        all_exist = False
    if not all_exist:
        _refuse_cards(cards)
    if passing and cards:
        raise _Refused("bad-shape", f'"pass": true goes with no "cards"; there are {len(cards)}.')
    return PlayReply(tuple(cards), rank, count, passing, _debug(reply))


def _challenge(reply: dict[str, Any]) -> ChallengeReply:
    if "challenge" not in reply:
        raise _Refused(
            "bad-shape", f'The answer to "challenge" must have "challenge" (true or false); {_has(reply)}.'
        )
    return ChallengeReply(_true_or_false(reply, "challenge"), _debug(reply))


def _true_or_false(reply: dict[str, Any], field: str) -> bool:
    value = reply[field]
    if value is True or value is False:
        return bool(value)
    raise _Refused("bad-type", f'"{field}" must be true or false; it is {_seen(value)}.')


def _rank(value: Any) -> Rank:
    if type(value) is not str:
        raise _Refused("bad-type", f'"rank" must be a string; it is {_seen(value)}.')
    if value not in _RANKS:
        raise _Refused("bad-shape", f'"rank" must be one of {RANKS}; it is {quoted(value)}{_ten(value)}.')
    return value


def _refuse_cards(cards: Iterable[Any]) -> NoReturn:
    place, card = next(
        (place, card) for place, card in enumerate(cards) if type(card) is not str or card not in _CARDS
    )
    if type(card) is not str:
        raise _Refused(
            "bad-type", f'"cards" must be strings; number {place} of them, from 0, is {_seen(card)}.'
        )
    hint = _ten(card)
    if not hint and card.upper() in _CARDS:
        hint = f" (in capitals: {card.upper()})"
    elif not hint and card[::-1].upper() in _CARDS:
        hint = f" (rank first: {card[::-1].upper()})"
    raise _Refused(
        "bad-shape",
        f"A card is a rank of {RANKS} and a suit of {SUITS}; "
        f'number {place} of "cards", from 0, is {quoted(card)}{hint}.',
    )


def _ten(word: str) -> str:
    return " (ten is T)" if word.startswith("10") else ""


def _short_text(reply: dict[str, Any], field: str) -> str | None:
    return _text(reply, field)[:MAX_NAME] if field in reply else None


def _debug(reply: dict[str, Any]) -> str | None:
    if "debug" not in reply:
        return None
    text = _text(reply, "debug")
    if len(text) * 4 <= MAX_DEBUG:
        return text
    return text.encode()[:MAX_DEBUG].decode(errors="ignore")


def _text(reply: dict[str, Any], field: str) -> str:
    value = reply[field]
    if type(value) is not str:
        raise _Refused("bad-type", f'"{field}" must be a string; it is {_seen(value)}.')
    return value


def _seen(value: Any) -> str:
    """The value as a sentence can hold it: in JSON where it is short, else what it is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object"


def _has(reply: dict[str, Any]) -> str:
    """Which fields there are instead of the one that is missing."""
    if not reply:
        return "it is empty"
    names = ", ".join(quoted(name, 20) for name, _ in zip(reply, range(_NAMED), strict=False))
    return f"it has {names}{' and more' if len(reply) > _NAMED else ''}"
