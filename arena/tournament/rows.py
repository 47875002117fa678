"""Blocks and games as rows of the results file, and the digests that tell when a row was changed."""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

from arena.cheat.record import Record, actions_of
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord
from arena.protocol.log import LogError, decode_log, encode_log
from arena.referee.block import Block, BlockResult, Debug, GameResult, TierName, Timing

BLOCK_COLUMNS: Final = (
    "number",
    "seatings",
    "state",
    "tier",
    "contended",
    "tries",
    "started",
    "seconds",
    "requests",
)
GAME_COLUMNS: Final = (
    "id",
    "block",
    "game",
    "seats",
    "places",
    "winner",
    "reason",
    "turns",
    "faults",
    "forfeited",
    "tier",
    "seconds",
    "log",
    "debug",
    "timing",
)
MODULUS: Final = 1 << 256
UNREADABLE: Final = (msgspec.MsgspecError, zlib.error, LogError, ValueError, AssertionError)
"""What reading a damaged row may raise."""
_LEVEL: Final = 6
_T = TypeVar("_T")

Value = str | int | float | bytes | None


def digest_of(values: Sequence[Value]) -> str:
    """SHA-256 of a row's columns in their order, as 64 hexadecimal digits.

    Each column is hashed as its kind, its length and its bytes: n (null), i (integer, decimal), f (float,
    shortest decimal that reads back the same), s (text, UTF-8) or b (bytes).
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
        whole.update(kind + str(len(data)).encode() + b":" + data)
    return whole.hexdigest()


def block_row(result: BlockResult, tries: int, state: str = "played") -> list[Value]:
    """The columns of BLOCK_COLUMNS."""
    return [
        result.block.number,
        _json(result.block.seatings),
        state,
        result.tier,
        int(result.contended),
        tries,
        result.started,
        result.seconds,
        result.requests,
    ]


def game_row(block: int, tier: TierName, game: GameResult) -> list[Value]:
    """The columns of GAME_COLUMNS."""
    record = game.record
    return [
        game.id,
        block,
        game.game,
        _json(game.seating),
        _json(record.places),
        record.winner,
        record.reason,
        record.turns,
        _json(game.faults),
        _json(game.forfeited),
        tier,
        game.seconds,
        zlib.compress(encode_log(game.events), _LEVEL),
        zlib.compress(msgspec.json.encode(game.debug), _LEVEL),
        zlib.compress(msgspec.json.encode(game.timings), _LEVEL),
    ]


def block_of(number: int, seatings: str) -> Block:
    """The block a row is of."""
    return Block(number, msgspec.json.decode(seatings, type=tuple[tuple[int, ...], ...]))


def game_of(row: Sequence[Value], rules: Rules) -> GameResult:
    """The game a row of GAME_COLUMNS holds. Raises one of UNREADABLE for a bad one."""
    columns = dict(zip(GAME_COLUMNS, row, strict=True))
    events = decode_log(zlib.decompress(_bytes(columns["log"])))
    record = Record(
        rules=rules,
        hands=events[0].hands,  # type: ignore[union-attr]
        actions=actions_of(events),
        places=msgspec.json.decode(_text(columns["places"]), type=tuple[int, ...]),
        winner=columns["winner"],  # type: ignore[arg-type]
        reason=columns["reason"],  # type: ignore[arg-type]
        turns=columns["turns"],  # type: ignore[arg-type]
    )
    return GameResult(
        game=columns["game"],  # type: ignore[arg-type]
        id=_text(columns["id"]),
        seating=msgspec.json.decode(_text(columns["seats"]), type=tuple[int, ...]),
        record=record,
        events=tuple(events),
        faults=msgspec.json.decode(_text(columns["faults"]), type=tuple[FaultRecord, ...]),
        forfeited=msgspec.json.decode(_text(columns["forfeited"]), type=tuple[int, ...]),
        debug=_packed(columns["debug"], tuple[Debug, ...]),
        timings=_packed(columns["timing"], tuple[Timing, ...]),
        seconds=columns["seconds"],  # type: ignore[arg-type]
    )


def _packed(value: Value, type: type[_T]) -> _T:
    return msgspec.json.decode(zlib.decompress(_bytes(value)), type=type)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _text(value: Value) -> str:
    assert isinstance(value, str)
    return value


def _bytes(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value
