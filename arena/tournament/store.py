"""The results file: written a block at a time, each in one transaction, and read without ever changing it."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import BadInput
from arena.referee.block import Block, BlockResult, GameResult
from arena.tournament.header import FORMAT, BotRow, Header
from arena.tournament.lock import WriterLock
from arena.tournament.rows import (
    BLOCK_COLUMNS,
    GAME_COLUMNS,
    MODULUS,
    UNREADABLE,
    Value,
    block_of,
    block_row,
    digest_of,
    game_of,
    game_row,
)

APPLICATION_ID: Final = 0x41_52_4E_41
"""The bytes of "ARNA", in the header of every results file."""
_STATE: Final = BLOCK_COLUMNS.index("state")


class StoreError(Exception):
    """The results file could not be written or read: the disk is full, the file is damaged or gone.

    Every block that was acknowledged before is still there.
    """


class Store:
    """A results file. `create` and `open` make one; `close` it, or use it in a `with`.

    Every method raises StoreError for a fault of the disk or the file.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def create(cls, path: Path, header: Header, bots: Sequence[BotRow]) -> "Store":
        """A new results file with no game in it. Raises BadInput if something is there already."""
        lock = WriterLock(path)
        try:
            # Made here, and only here: not even an empty file of anybody else's is written to.
            with path.open("xb"):
                pass
        except FileExistsError:
            lock.release()
            raise BadInput(f"{path} exists already; give another name with --out, or move it away") from None
        except OSError as error:
            lock.release()
            raise BadInput(f"{path} cannot be written: {error.strerror}") from error
        store = cls(path, _connect(path, "rw"), lock)
        with store._faults():
            store._run("PRAGMA journal_mode = WAL")
            store._run("PRAGMA synchronous = FULL")
            with store._transaction():
                for statement in files("arena.tournament").joinpath("schema.sql").read_text().split(";\n"):
                    store._run(statement)
                store._run(f"PRAGMA application_id = {APPLICATION_ID}")
                store._run(f"PRAGMA user_version = {FORMAT}")
                store._set("header", header)
                store._set("digest", f"{0:064x}")
                store._set("complete", False)
                for number, bot in enumerate(bots):
                    row = (number, bot.name, bot.digest, bot.command, bot.author, bot.version, bot.said)
                    store._run("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return store

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> "Store":
        """An existing results file. Raises BadInput if it is none, or if another run writes to it."""
        if not path.exists():
            raise BadInput(f"{path} does not exist")
        if not path.is_file():
            raise BadInput(f"{path} is not a file")
        lock = WriterLock(path) if write else None
        connection = _connect(path, "rw" if write else "ro")
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            connection.close()
            if lock is not None:
                lock.release()
            if isinstance(error, sqlite3.OperationalError):
                raise StoreError(f"{path} cannot be read: {error}") from error
            raise BadInput(f"{path} is not a results file of arena") from error
        if application != APPLICATION_ID or version != FORMAT:
            connection.close()
            if lock is not None:
                lock.release()
            if application != APPLICATION_ID:
                raise BadInput(f"{path} is a database, but not a results file of arena")
            raise BadInput(
                f"{path} has layout {version} and this arena reads {FORMAT}; use the version that wrote it"
            )
        store = cls(path, connection, lock)
        if write:
            with store._faults():
                store._run("PRAGMA synchronous = FULL")
        return store

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave one whole file; the lock goes last."""
        try:
            self._connection.close()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    # Writing.

    def add_block(self, result: BlockResult, tries: int = 1) -> None:
        """Store a played block with all its games, in one transaction; once this returns it is on disk."""
        rows = [game_row(result.block.number, result.tier, game) for game in result.games]
        number = result.block.number
        with self._faults(), self._transaction():
            query = "SELECT COUNT(*) FROM decisions WHERE point <= ? AND ? < until"
            (excluded,) = self._run(query, (number, number)).fetchone()
            state = "dropped" if excluded else "played"
            added = self._insert("blocks", block_row(result, tries, state))
            for row in rows:
                added += self._insert("games", row)
            self._add_to_digest(added)
            for said in result.said:
                if said.name is not None:
                    self._run(
                        "UPDATE bots SET said = ? WHERE number = ? AND said IS NOT ?",
                        (said.name, said.bot, said.name),
                    )

    def decide(self, point: int, until: int, kind: str, value: object) -> None:
        """Store a decision and mark the blocks from `point` to before `until`, which it excludes, as dropped.

        In one transaction; such a block that is stored later is dropped from the first.
        """
        with self._faults(), self._transaction():
            text = msgspec.json.encode(value).decode()
            self._run("INSERT INTO decisions VALUES (?, ?, ?, ?)", (point, until, kind, text))
            change = 0
            query = f"SELECT {', '.join(BLOCK_COLUMNS)}, digest FROM blocks WHERE number >= ? AND number < ?"
            for *values, before in self._run(query, (point, until)).fetchall():
                number = values[0]
                values[_STATE] = "dropped"
                after = digest_of(values)
                self._run("UPDATE blocks SET state = 'dropped', digest = ? WHERE number = ?", (after, number))
                change += int(after, 16) - int(before, 16)
            self._add_to_digest(change)

    def finish(self) -> None:
        """Mark the tournament as complete."""
        with self._faults(), self._transaction():
            self._set("complete", True)

    # Reading.

    @property
    def header(self) -> Header:
        """The parameters of the tournament."""
        with self._faults():
            return msgspec.json.decode(self._get("header"), type=Header)

    @property
    def bots(self) -> tuple[BotRow, ...]:
        """The bots, by number."""
        with self._faults():
            rows = self._run("SELECT name, digest, command, author, version, said FROM bots ORDER BY number")
            keys = ("name", "digest", "command", "author", "version", "said")
            return tuple(BotRow(**dict(zip(keys, row, strict=True))) for row in rows)

    @property
    def complete(self) -> bool:
        """Whether the whole budget has been played."""
        with self._faults():
            return bool(msgspec.json.decode(self._get("complete")))

    @property
    def digest(self) -> str:
        """The running digest of all rows of blocks and games."""
        with self._faults():
            return str(msgspec.json.decode(self._get("digest")))

    def decisions(self) -> dict[int, Mapping[str, Any]]:
        """Decisions by the number of the point they were made at, each as kind to value."""
        found: dict[int, dict[str, Any]] = {}
        with self._faults():
            query = "SELECT point, kind, value FROM decisions ORDER BY point, kind"
            for point, kind, value in self._run(query):
                found.setdefault(point, {})[kind] = msgspec.json.decode(value)
        return dict(found)

    def blocks(self) -> Iterator[tuple[Block, str]]:
        """Every stored block with its state (played or dropped), in the order of their numbers."""
        with self._faults():
            for number, seatings, state in self._run(
                "SELECT number, seatings, state FROM blocks ORDER BY number"
            ):
                yield block_of(number, seatings), state

    def games(self, *, dropped: bool = False) -> Iterator[tuple[int, GameResult]]:
        """(block number, game) of every game that counts, in schedule order; with `dropped`, of all."""
        rules = self.header.rules
        with self._faults():
            for block, row in self._game_rows("", (), dropped):
                yield block, game_of(row, rules)

    def game(self, id: str) -> tuple[int, GameResult] | None:
        """(block number, game) by its id."""
        rules = self.header.rules
        with self._faults():
            for block, row in self._game_rows("AND id = ?", (id,), True):
                return block, game_of(row, rules)
        return None

    def requests(self) -> int:
        """Requests sent in the blocks that count."""
        with self._faults():
            row = self._run("SELECT TOTAL(requests) FROM blocks WHERE state = 'played'").fetchone()
            return int(row[0])

    def select(self, columns: str, *, where: str = "") -> Iterator[tuple[Any, ...]]:
        """Columns of the games that count, in schedule order, as they are stored: no log is unpacked."""
        with self._faults():
            yield from self._run(
                f"SELECT {columns} FROM games JOIN blocks ON blocks.number = games.block "
                f"WHERE blocks.state = 'played' {where} ORDER BY block, game"
            )

    # Inside.

    def _game_rows(
        self, where: str, values: Sequence[Value], dropped: bool
    ) -> Iterator[tuple[int, Sequence[Value]]]:
        names = ", ".join(f"games.{name}" for name in GAME_COLUMNS)
        state = "1" if dropped else "blocks.state = 'played'"
        query = f"SELECT {names} FROM games JOIN blocks ON blocks.number = block WHERE {state} {where}"
        for row in self._run(f"{query} ORDER BY block, game", values):
            yield row[GAME_COLUMNS.index("block")], row

    def _insert(self, table: str, values: Sequence[Value]) -> int:
        digest = digest_of(values)
        marks = ", ".join("?" * (len(values) + 1))
        self._run(f"INSERT INTO {table} VALUES ({marks})", [*values, digest])
        return int(digest, 16)

    def _add_to_digest(self, change: int) -> None:
        before = int(msgspec.json.decode(self._get("digest")), 16)
        self._set("digest", f"{(before + change) % MODULUS:064x}")

    def _get(self, key: str) -> str:
        row = self._run("SELECT value FROM tournament WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise StoreError(f"{self.path} has no {key}; the file is damaged")
        return str(row[0])

    def _set(self, key: str, value: object) -> None:
        text = msgspec.json.encode(value).decode()
        self._run("INSERT OR REPLACE INTO tournament VALUES (?, ?)", (key, text))

    def _run(self, statement: str, values: Sequence[Value] = ()) -> sqlite3.Cursor:
        return self._connection.execute(statement, values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._run("ROLLBACK")
            raise
        self._run("COMMIT")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error
        except UNREADABLE as error:
            raise StoreError(f"{self.path} is damaged: {error}") from error


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Autocommit: transactions are opened and closed by hand, where they are seen. The connection is used
    # by one thread at a time, which need not be the one that made it.
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error


Opener = Callable[[Path], Store]
