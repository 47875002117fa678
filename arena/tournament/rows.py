"""Blocks and games as rows of the results file, and the digests that tell when a row was changed."""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec

from arena.cheat.record import RecordError, record_of
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord
from arena.protocol.log import LogError, decode_log, encode_log
from arena.referee.block import Block, BlockResult, Debug, GameResult, TierName, Timing
from arena.tournament.conduct import conduct_of
from arena.tournament.windows import windows_of

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tournament": ("key", "value"),
        "bots": ("number", "name", "content", "command", "author", "version", "said"),
        "blocks": (
            *("number", "seatings", "state", "tier", "contended", "voided", "started", "seconds", "requests"),
            "change",
        ),
        "games": (
            *("id", "block", "game", "seats", "places", "winner", "reason", "turns", "forfeited", "conduct"),
            *("windows", "tier", "seconds", "faults", "log", "debug", "timing"),
        ),
        "decisions": ("point", "kind", "until", "value"),
        "changes": ("number", "made", "arena", "block", "altered"),
    }
)
"""By table: the columns that its rows' digests are made of, in that order."""
MODULUS: Final = 1 << 256
UNREADABLE: Final = (
    *(msgspec.MsgspecError, zlib.error, LogError, RecordError, ValueError, TypeError, RecursionError),
)
"""What reading a damaged row may raise."""
MAX_UNPACKED: Final = 1 << 29
"""Bytes of one column, unpacked: more than the longest game, and no file can fill the memory with it."""
_LEVEL: Final = 6
_T = TypeVar("_T")

Value = str | int | float | bytes | None


def digest_of(values: Sequence[Value]) -> str:
    """SHA-256 of a row's columns in their order, as 64 hexadecimal digits.

    Each column is hashed as its kind, the length of its bytes in decimal, a colon and its bytes. Kinds: n
    (null, no bytes), i (integer, in decimal), f (float: the shortest decimal that reads back the same, as
    Python prints it), s (text, UTF-8) and b (bytes).
    """
    whole = hashlib.sha256()
    for value in values:
        if value is None:
            kind, data = b"n", b""
        elif isinstance(value, bytes):
            kind, data = b"b", value
        elif isinstance(value, str):
            kind, data = b"s", value.encode()
        elif isinstance(value, float):
            kind, data = b"f", repr(value).encode()
        else:
            kind, data = b"i", str(value).encode()
        whole.update(b"%b%d:%b" % (kind, len(data), data))
    return whole.hexdigest()


def block_row(result: BlockResult, voided: Sequence[int], state: str, change: int) -> list[Value]:
    """The columns of a row of blocks.

    `voided`: bots whose lateness made a try void; `change`: the last that was made before it was played.
    """
    return [
        result.block.number,
        as_json(result.block.seatings),
        state,
        result.tier,
        int(result.contended),
        as_json(voided),
        result.started,
        result.seconds,
        result.requests,
        change,
    ]


def joined_row(before: Sequence[Value], after: Sequence[Value]) -> list[Value]:
    """The row of a block some games later. `after`: what `block_row` makes of these games alone."""
    names = COLUMNS["blocks"]
    old: dict[str, Any] = dict(zip(names, before, strict=True))
    new: dict[str, Any] = dict(zip(names, after, strict=True))
    joined = {
        **old,
        "state": new["state"],
        "contended": max(old["contended"], new["contended"]),
        "voided": as_json(msgspec.json.decode(old["voided"]) + msgspec.json.decode(new["voided"])),
        "seconds": old["seconds"] + new["seconds"],
        "requests": old["requests"] + new["requests"],
    }
    return [joined[name] for name in names]


def game_row(block: int, tier: TierName, game: GameResult) -> list[Value]:
    """The columns of a row of games."""
    record = game.record
    return [
        game.id,
        block,
        game.game,
        as_json(game.seating),
        as_json(record.places),
        record.winner,
        record.reason,
        record.turns,
        as_json(game.forfeited),
        as_json(conduct_of(game.events, len(game.seating))),
        windows_of(game.events),
        tier,
        game.seconds,
        as_json(game.faults),
        zlib.compress(encode_log(game.events), _LEVEL),
        zlib.compress(msgspec.json.encode(game.debug), _LEVEL),
        zlib.compress(msgspec.json.encode(game.timings), _LEVEL),
    ]


def block_of(number: int, seatings: str) -> Block:
    """The block a row is of."""
    return Block(number, msgspec.json.decode(seatings, type=tuple[tuple[int, ...], ...]))


def game_of(row: Sequence[Any], rules: Rules) -> GameResult:
    """The game that a row of games holds. Raises one of UNREADABLE for a bad one.

    Whether the log is a game by its rules, and the announced verdict its own, is for a replay to say.
    """
    columns = dict(zip(COLUMNS["games"], row, strict=True))
    events = decode_log(unpacked(columns["log"]))
    announced = {
        "places": msgspec.json.decode(columns["places"], type=tuple[int, ...]),
        "winner": columns["winner"],
        "reason": columns["reason"],
        "turns": columns["turns"],
    }
    return GameResult(
        game=columns["game"],
        id=columns["id"],
        seating=msgspec.json.decode(columns["seats"], type=tuple[int, ...]),
        record=replace(record_of(rules, events), **announced),
        events=tuple(events),
        faults=msgspec.json.decode(columns["faults"], type=tuple[FaultRecord, ...]),
        forfeited=msgspec.json.decode(columns["forfeited"], type=tuple[int, ...]),
        debug=_packed(columns["debug"], tuple[Debug, ...]),
        timings=_packed(columns["timing"], tuple[Timing, ...]),
        seconds=columns["seconds"],
    )


def as_json(value: object) -> str:
    """JSON text as it stands in a column."""
    return msgspec.json.encode(value).decode()


def unpacked(value: bytes) -> bytes:
    """The bytes of a zlib column. Raises one of UNREADABLE if they are not whole, or are too many."""
    packer = zlib.decompressobj()
    data = packer.decompress(value, MAX_UNPACKED)
    if not packer.eof or packer.unused_data:
        raise ValueError("the packed bytes are cut off, or there are too many of them")
    return data


def _packed(value: bytes, type: type[_T]) -> _T:
    return msgspec.json.decode(unpacked(value), type=type)
