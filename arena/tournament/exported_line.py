"""One exported line on its own: what kind it is, and its fields, all of them and no others."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

import msgspec

from arena.cheat.events import Event
from arena.protocol.escape import quoted
from arena.protocol.log import LogError, decode_log, encode_log
from arena.tournament.exported import BlockLine, BotLine, ChangeLine, DecisionLine, EndLine, GameLine, Line

LONGEST: Final = 1 << 28
"""Bytes of a line; the longest game there can be is far below."""
KINDS: Final[Mapping[str, type[Line]]] = MappingProxyType(
    {
        "bot": BotLine,
        "decision": DecisionLine,
        "change": ChangeLine,
        "block": BlockLine,
        "game": GameLine,
        "end": EndLine,
    }
)
"""The lines but for the header, whose fields are those of the tournament's header."""
_TYPES: Final = ("header", *KINDS)


class BadLine(Exception):
    """What is wrong with a line, in one sentence."""


class _Typed(msgspec.Struct):
    type: str


_decode_type: Final = msgspec.json.Decoder(_Typed).decode


def object_in(line: bytes) -> dict[str, Any]:
    """The object that a line is. Raises BadLine, as all of these do."""
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadLine("it is not a JSON object")
    return found


def kind_of(line: bytes) -> str:
    """The type a line says it is of."""
    if not line.strip():
        raise BadLine("it is empty")
    if len(line) >= LONGEST:
        raise BadLine(f"it is longer than {LONGEST:,} bytes")
    try:
        kind = _decode_type(line).type
    except (ValueError, RecursionError):
        found = object_in(line).get("type")
        if not isinstance(found, str):
            raise BadLine("it has no type") from None
        kind = found
    if kind not in _TYPES:
        meant = get_close_matches(kind, _TYPES, n=1)
        hint = f"did you mean {meant[0]}?" if meant else f"there are {', '.join(_TYPES)}"
        raise BadLine(f"there is no line of type {quoted(kind)}; {hint}")
    return kind


def parsed_line(line: bytes, kind: type[Line]) -> Line:
    """The line as one of this kind."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError) as error:
        raise BadLine(str(error)) from None


def events_in(raw: tuple[msgspec.Raw, ...]) -> list[Event]:
    """The events that a game line holds. Whether they are a game is for a replay to say."""
    text = b"".join(bytes(event) + b"\n" for event in raw)
    try:
        events = decode_log(text)
    except LogError as error:
        raise BadLine(f"the events: {error}") from None
    again = encode_log(events)
    # The log of a game is written in one way only, but whoever laid the file out anew did no harm.
    if again != text:
        written = again.split(b"\n")
        for number, (event, own) in enumerate(zip(raw, written, strict=False), 1):
            if msgspec.json.decode(event) != msgspec.json.decode(own):
                raise BadLine(f"the events: line {number} of the log has a field too many, or a wrong value")
    return events


def seats_in(events: list[Event]) -> list[int]:
    """Every seat that an event names as the one that acts."""
    found = []
    for event in events:
        for name in ("seat", "claimant", "challenger", "taker"):
            seat = getattr(event, name, None)
            if seat is not None:
                found.append(seat)
        found += getattr(event, "callers", ())
    return found
