"""A results file as JSON lines: everything it holds, or all but the seed while deals are still to come."""

import hashlib
from collections.abc import Generator
from typing import Any, Final

import msgspec

from arena.protocol.escape import escape_json
from arena.tournament.changes import altered_in
from arena.tournament.exported import (
    EXPORT,
    BlockLine,
    BotLine,
    ChangeLine,
    DecisionLine,
    EndLine,
    GameLine,
    content_digest,
)
from arena.tournament.header import Header
from arena.tournament.rows import COLUMNS, MODULUS, UNREADABLE, Value, digest_of, unpacked
from arena.tournament.store import Store, StoreError

_encoder: Final = msgspec.json.Encoder()
_decode: Final = msgspec.json.decode


def exported_lines(store: Store) -> Generator[bytes]:
    """Every line of the export, each with its line end. What a run adds meanwhile is not in it.

    Raises StoreError for a file that cannot be read or that was changed behind arena's back.
    """
    with store.unchanging():
        hidden = not store.header.shows_seed(complete=store.complete)
        total = 0
        counts = {"bots": 0, "decisions": 0, "changes": 0, "blocks": 0, "games": 0}
        state: dict[str, Any] = {}
        for values, _ in store.sound_rows("tournament"):
            state[str(values[0])] = _decode(str(values[1]))
            total += int(digest_of(values), 16)
        yield _header_line(store.header, state, hidden=hidden)
        for table in ("bots", "decisions", "changes"):
            for values, digest in store.sound_rows(table):
                total += int(digest, 16)
                counts[table] += 1
                yield _encode(_small_line(table, values)) + b"\n"
        games = store.sound_rows("games")
        game = next(games, None)
        for values, digest in store.sound_rows("blocks"):
            total += int(digest, 16)
            counts["blocks"] += 1
            yield _encode(_block_line(values, digest)) + b"\n"
            while game is not None and game[0][_BLOCK] == values[0]:
                line = _game_line(store, game[0])
                total += int(line.digest, 16)
                counts["games"] += 1
                yield _encode(line) + b"\n"
                game = next(games, None)
        if game is not None:
            raise StoreError(f"{store.path} is damaged: game {game[0][0]!r} is of a block that is not there")
        content = None if hidden else f"{total % MODULUS:064x}"
        yield _encode(EndLine(**counts, content=content, digest=None if hidden else store.digest)) + b"\n"


_BLOCK: Final = COLUMNS["games"].index("block")


def _encode(value: object) -> bytes:
    """JSON that may be looked at on a terminal: a bot's words are in it."""
    line = _encoder.encode(value)
    return line if line.isascii() and b"\x7f" not in line else escape_json(line.decode()).encode()


def _header_line(header: Header, state: dict[str, Any], *, hidden: bool) -> bytes:
    known: dict[str, Any] = {
        "type": "header",
        "export": EXPORT,
        "seed_sha256": hashlib.sha256(bytes.fromhex(header.seed)).hexdigest(),
        "state": {key: value for key, value in state.items() if key != "header"},
        **msgspec.to_builtins(header),
    }
    if hidden:
        known |= {"seed": None, "seed_given": None}
    return _encode(known) + b"\n"


def _small_line(table: str, values: list[Value]) -> BotLine | DecisionLine | ChangeLine:
    columns: dict[str, Any] = dict(zip(COLUMNS[table], values, strict=True))
    if table == "changes":
        return ChangeLine(altered=altered_in(columns.pop("altered")), **columns)
    if table == "bots":
        return BotLine(digest=columns.pop("content"), **columns)
    return DecisionLine(value=_decode(columns.pop("value")), **columns)


def _block_line(values: list[Value], digest: str) -> BlockLine:
    columns: dict[str, Any] = dict(zip(COLUMNS["blocks"], values, strict=True))
    columns["contended"] = bool(columns["contended"])
    for name in ("seatings", "voided"):
        columns[name] = _decode(columns[name])
    return BlockLine(**columns, digest=digest)


def _game_line(store: Store, values: list[Value]) -> GameLine:
    columns: dict[str, Any] = dict(zip(COLUMNS["games"], values, strict=True))
    # Counted from the events, and counted again from them when they are imported.
    del columns["conduct"], columns["windows"]
    try:
        for name in ("debug", "timing"):
            columns[name] = _decode(unpacked(columns[name]))
        for name in ("seats", "places", "forfeited", "faults"):
            columns[name] = _decode(columns[name])
        # Each line of a log is an event already, and the row's digest has said that it is the one written.
        events = tuple(map(msgspec.Raw, unpacked(columns.pop("log")).split(b"\n")[:-1]))
        return msgspec.convert(
            columns | {"type": "game", "events": events, "digest": content_digest(values)}, GameLine
        )
    except UNREADABLE as error:
        raise StoreError(f"{store.path} is damaged: game {values[0]!r}: {error}") from error
