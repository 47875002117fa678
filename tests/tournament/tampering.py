"""Changing a results file behind arena's back, as careless or as careful as one likes."""

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.cheat.events import Event
from arena.protocol.log import decode_log, encode_log
from arena.tournament.rows import COLUMNS, MODULUS, digest_of

NAIVE, ROWS, WHOLE = ("digests as they were", "row digests made anew", "all digests made anew")
KEY = {
    "tournament": "key",
    "bots": "number",
    "blocks": "number",
    "games": "id",
    "decisions": "point",
    "changes": "number",
}


@contextmanager
def opened(path: Path, care: str) -> Iterator[sqlite3.Connection]:
    """The file's database; afterwards as many digests are right again as the care taken goes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        yield database
        if care != NAIVE:
            reseal(database, whole=care == WHOLE)


def reseal(database: sqlite3.Connection, *, whole: bool) -> None:
    total = 0
    for table, columns in COLUMNS.items():
        rows = database.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        for row in rows:
            digest = digest_of(row)
            total += int(digest, 16)
            where = " AND ".join(f"{name} IS ?" for name in columns)
            database.execute(f"UPDATE {table} SET digest = ? WHERE {where}", (digest, *row))
    if whole:
        database.execute("UPDATE whole SET digest = ?", (f"{total % MODULUS:064x}",))


def content(path: Path) -> list[list[tuple[object, ...]]]:
    """All that a file says."""
    with closing(sqlite3.connect(path)) as database:
        return [database.execute(f"SELECT * FROM {table}").fetchall() for table in (*COLUMNS, "whole")]


def put(table: str, column: str, value: object, where: str = "1") -> Callable[[sqlite3.Connection], None]:
    def change(database: sqlite3.Connection) -> None:
        done = database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))
        assert done.rowcount == 1, where

    return change


def run(
    statement: str, rows: int | None = None, *, then: str | None = None
) -> Callable[[sqlite3.Connection], None]:
    def change(database: sqlite3.Connection) -> None:
        done = database.execute(statement)
        assert done.rowcount > 0
        assert rows is None or done.rowcount == rows
        if then is not None:
            assert database.execute(then).rowcount > 0

    return change


def in_json(
    table: str, column: str, where: str, edit: Callable[[object], object]
) -> Callable[[sqlite3.Connection], None]:
    """Edit the JSON of one cell, packed or not."""

    def change(database: sqlite3.Connection) -> None:
        ((value,),) = database.execute(f"SELECT {column} FROM {table} WHERE {where}").fetchall()
        packed = isinstance(value, bytes)
        found = msgspec.json.decode(zlib.decompress(value) if packed else value)
        edited = edit(found)
        text = msgspec.json.encode(found if edited is None else edited)
        new = zlib.compress(text) if packed else text.decode()
        database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new,))

    return change


def in_log(where: str, edit: Callable[[list[Event]], object]) -> Callable[[sqlite3.Connection], None]:
    """Edit the events of the first such game that has what `edit` looks for (else it raises StopIteration).

    `edit` changes the list, or gives another.
    """

    def change(database: sqlite3.Connection) -> None:
        query = f"SELECT id, log FROM games WHERE {where} ORDER BY block, game"
        for id, log in database.execute(query).fetchall():
            events = decode_log(zlib.decompress(log))
            try:
                edited = edit(events)
            except StopIteration:
                continue
            new = zlib.compress(encode_log(edited if isinstance(edited, list) else events))
            assert new != log
            database.execute("UPDATE games SET log = ? WHERE id = ?", (new, id))
            return
        raise AssertionError("there is no such game")

    return change
