"""The games of a results file, as far as they are needed to be played again: tables, rules and logs."""

import json
import sqlite3
import zlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.cheat.record import Record, record_of
from arena.cheat.rules import Rules
from arena.protocol.log import decode_log


@dataclass(frozen=True)
class RecordedBlock:
    """One table: its bots in order of number, who sat where in each game, and the games."""

    number: int
    table: tuple[str, ...]
    """Names of bots."""
    seatings: tuple[tuple[int, ...], ...]
    """By game and seat, an index into `table`."""
    games: tuple[Record, ...]


@dataclass(frozen=True)
class Recorded:
    """A finished tournament without faults."""

    seed: bytes
    rules: Rules
    seats: int
    blocks: tuple[RecordedBlock, ...]


def read_results(path: Path) -> Recorded:
    """What a results file holds. Raises ValueError if a bot faulted: such games cannot be sent again."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        about = {key: json.loads(value) for key, value in store.execute("SELECT key, value FROM tournament")}
        names = dict(store.execute("SELECT number, name FROM bots"))
        rules = msgspec.convert(about["rules"], Rules)
        blocks = []
        for number, seatings_text in store.execute("SELECT number, seatings FROM blocks ORDER BY number"):
            seatings = json.loads(seatings_text)
            bots = sorted(seatings[0])
            games = []
            rows = store.execute("SELECT faults, log FROM games WHERE block = ? ORDER BY game", (number,))
            for faults, log in rows:
                if json.loads(faults):
                    raise ValueError(f"a bot faulted in block {number}: {faults}")
                games.append(record_of(rules, decode_log(zlib.decompress(log))))
            places = tuple(tuple(bots.index(bot) for bot in seating) for seating in seatings)
            blocks.append(RecordedBlock(number, tuple(names[bot] for bot in bots), places, tuple(games)))
    finally:
        store.close()
    return Recorded(bytes.fromhex(about["seed"]), rules, about["seats"], tuple(blocks))


def requests_in(path: Path) -> int:
    """How many requests the referee counted for the games of a results file."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        (requests,) = store.execute("SELECT sum(requests) FROM blocks").fetchone()
    finally:
        store.close()
    return int(requests)
