"""The event log of a game: JSON lines, one event a line, full information. No bot is ever sent it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from arena.cheat.cards import RANKS, Card, is_card
from arena.cheat.events import Dealt, Ended, Event, Out, Passed, Played, Resolved
from arena.protocol.escape import quoted

_TYPES: Final[Mapping[str, type[Event]]] = MappingProxyType(
    {
        "dealt": Dealt,
        "played": Played,
        "passed": Passed,
        "resolved": Resolved,
        "out": Out,
        "ended": Ended,
    }
)
_NAMES: Final[Mapping[type[Event], bytes]] = MappingProxyType(
    {event: b'{"type":"%s",' % name.encode() for name, event in _TYPES.items()}
)


class LogError(Exception):
    """The bytes are not the event log of a game; the text names the line."""


class _Typed(msgspec.Struct):
    type: str


_encode: Final = msgspec.json.Encoder().encode
_decode_type: Final = msgspec.json.Decoder(_Typed).decode
_DECODERS: Final[Mapping[str, msgspec.json.Decoder[Event]]] = MappingProxyType(
    {name: msgspec.json.Decoder(event) for name, event in _TYPES.items()}
)


def encode_log(events: Iterable[Event]) -> bytes:
    """One line an event, in their order; the same events give the same bytes."""
    return b"".join(_NAMES[type(event)] + _encode(event)[1:] + b"\n" for event in events)


def decode_log(log: bytes) -> list[Event]:
    """The events of a log. Whether they are a game is for a replay to say.

    Raises LogError, and nothing else, for bytes that are not whole lines of one event each, with every field
    there and of its type, and only cards and ranks that exist.
    """
    *lines, rest = log.split(b"\n")
    if rest:
        raise LogError(f"line {len(lines) + 1} of the log is cut off")
    return [_decode(line, number) for number, line in enumerate(lines, 1)]


def _decode(line: bytes, number: int) -> Event:
    try:
        name = _decode_type(line).type
        if name not in _DECODERS:
            raise LogError(f"line {number} of the log: there is no event of type {quoted(name)}")
        event = _DECODERS[name].decode(line)
    except (
        ValueError,
        RecursionError,
    ) as error:  # bad JSON, bad UTF-8, a wrong field, or nesting without end
        raise LogError(f"line {number} of the log: {error}") from None
    for card in _cards(event):
        if not is_card(card):
            raise LogError(f"line {number} of the log: there is no card {quoted(card)}")
    if isinstance(event, Played | Resolved) and (len(event.rank) != 1 or event.rank not in RANKS):
        raise LogError(f"line {number} of the log: there is no rank {quoted(event.rank)}")
    return event


def _cards(event: Event) -> Iterable[Card]:
    if isinstance(event, Dealt):
        return [card for hand in event.hands for card in hand]
    if isinstance(event, Played):
        return event.cards
    if isinstance(event, Resolved):
        return event.shown + event.taken
    return event.removed if isinstance(event, Out) else ()
