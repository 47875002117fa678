"""The SQLite file under a results file: made and opened with care, every row written with its digest."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Final

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.tournament.header import FORMAT
from arena.tournament.lock import WriterLock
from arena.tournament.place import PRIVATE, Place, logs_of, make
from arena.tournament.rows import COLUMNS, MODULUS, UNREADABLE, Value, as_json, digest_of

APPLICATION_ID: Final = 0x41_52_4E_41
"""The bytes of "ARNA", in the header of every results file."""
PATIENCE: Final = 2.0
"""Seconds that closing waits for a transaction of another thread."""


class StoreError(Exception):
    """The results file could not be written or read: the disk is full, the file is damaged or gone.

    Every block that was acknowledged before is still there.
    """


class Database:
    """An open file. With a lock it is written to, by nobody else; without one it is read only."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._place = Place(path)
        self._lost: str | None = None
        """What is said of a file that is not in its place any more."""
        self._durable = False
        self._writing = threading.Lock()
        """Held during a transaction: who closes the file from another thread waits for its end."""

    @classmethod
    def create(cls, path: Path, fill: Callable[["Database"], None]) -> "Database":
        """A new file with what `fill` puts into it, whole or not at all.

        Raises BadInput if something is there already.
        """
        lock = WriterLock(path)
        try:
            for beside in logs_of(path):
                if os.path.lexists(beside):
                    raise BadInput(
                        f"{beside} is in the way: it may be the log of a results file that was here, and "
                        "hold games; move it to where that file is now, or give another name with --out"
                    )
        except BadInput:
            lock.release()
            raise
        try:
            make(path)
        except FileExistsError:
            lock.release()
            raise BadInput(
                f"{path} exists already; give another name with --out, or move it away, with the "
                f"{path.name}-wal beside it if there is one"
            ) from None
        except OSError as error:
            lock.release()
            raise BadInput(f"{path} cannot be written: {error.strerror}") from error
        connection = None
        try:
            connection = _connect(path, "rw")
            database = cls(path, connection, lock)
            with database.writing():
                for statement in _layout():
                    database.run(statement)
                database.run(f"PRAGMA application_id = {APPLICATION_ID}")
                database.run(f"PRAGMA user_version = {FORMAT}")
                database.run("INSERT INTO whole VALUES (?)", (f"{0:064x}",))
                fill(database)
        except BaseException:
            if connection is not None:
                connection.close()
            for made in (*logs_of(path), path):
                made.unlink(missing_ok=True)
            lock.release()
            raise
        return database

    @classmethod
    def open(cls, path: Path, *, write: bool) -> "Database":
        """An existing file. Raises BadInput if it is no results file, or if another run writes to it."""
        if not path.exists():
            raise BadInput(f"{path} does not exist")
        if not path.is_file():
            raise BadInput(f"{path} is not a file")
        if write and path.stat().st_nlink > 1:
            raise BadInput(
                f"{path} has a second name (a hard link), and a results file that is written to has one: its "
                "log would lie beside that alone; copy it to a file of its own"
            )
        lock = WriterLock(path) if write else None
        try:
            database = cls(path, _connect(path, "rw" if write else "ro"), lock)
            try:
                database._must_be_ours()
            except BaseException:
                database._connection.close()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return database

    def close(self, *, for_all: bool = False) -> None:
        """Leave one whole file, `for_all` with the permissions a file usually has; the lock goes last.

        A transaction that another thread has begun comes first. Where the disk makes it wait too long nothing
        is touched: the log beside the file is taken in by whoever opens it next.
        """
        if not self._writing.acquire(timeout=PATIENCE):
            return
        lock, self._lock = self._lock, None
        try:
            if lock is not None:
                # Without its log beside it the file can be read where nothing may be written. A reader that
                # is just looking keeps the log from being taken in: then it stays, and does no harm.
                if self.in_place:
                    with suppress(sqlite3.Error):
                        self.run("PRAGMA busy_timeout = 0")
                        self.run("PRAGMA journal_mode = DELETE")
                if for_all:
                    with suppress(OSError):
                        self.path.chmod(lock.usual_mode)
            self._connection.close()
        finally:
            if lock is not None:
                lock.release()
            self._writing.release()

    @property
    def in_place(self) -> bool:
        """Whether its name still leads to the file that is written to."""
        return self._lost is None and self._place.kept

    def must_be_in_place(self) -> None:
        """Raises StoreError where somebody has removed, moved or replaced it; then a copy is saved beside it.

        What is written to a file without a name is gone with the last who has it open.
        """
        if self._lost is None:
            if self.in_place:
                return
            what = f"{self.path} was removed, moved or replaced while it was written to"
            try:
                self._lost = f"{what}; all that it held is saved in {self._saved()}"
                # What is in the log goes into the file first, wherever that is now.
                with suppress(sqlite3.Error):
                    self.run("PRAGMA wal_checkpoint(TRUNCATE)")
                self._place.take_logs_away()
            except (OSError, sqlite3.Error) as error:
                self._lost = f"{what}, and what it held could not be saved beside it: {error}"
        raise StoreError(self._lost)

    def _saved(self) -> Path:
        """A copy of what the open file holds, under a new name beside its own."""
        copy = self._place.new_beside()
        try:
            with closing(_connect(copy, "rw")) as target:
                self._connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            # A part of a file is no copy of it.
            for made in (*logs_of(copy), copy):
                made.unlink(missing_ok=True)
            raise
        self.path = copy
        return copy

    def keep_private(self) -> None:
        """Nobody else reads it from now on: deals are to come from its seed again."""
        with suppress(OSError):
            self.path.chmod(PRIVATE)

    def run(self, statement: str, values: Sequence[Value] = ()) -> sqlite3.Cursor:
        """One statement, inside `reading` or `writing`."""
        return self._connection.execute(statement, values)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Every fault of the disk or the file is a StoreError, and so is a row that cannot be understood."""
        try:
            yield
        except sqlite3.Error as error:
            # SQLite may quote what it found in the file.
            raise StoreError(f"{self.path}: {escape(str(error), 300)}") from error
        except UNREADABLE as error:
            raise StoreError(f"{self.path} is damaged: {escape(str(error), 300)}") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: on the disk when this ends, or not there at all and a StoreError."""
        with self._writing:
            self.must_be_in_place()
            try:
                # Here, and not when it is opened: a file that nothing is written to is not touched.
                if not self._durable:
                    self._make_durable()
                self.run("BEGIN IMMEDIATE")
                try:
                    yield
                    self.run("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self.run("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise StoreError(f"{self.path}: {error}") from error
            self._place.note_logs()

    # Rows and their digests. Inside `writing`.

    def insert(self, table: str, values: Sequence[Value]) -> None:
        """A new row; one with its key must not be there."""
        digest = digest_of(values)
        names = ", ".join((*COLUMNS[table], "digest"))
        marks = ", ".join("?" * (len(values) + 1))
        self.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*values, digest])
        self._change_whole(int(digest, 16))

    def update(self, table: str, column: str, value: Value, where: str, values: Sequence[Value]) -> None:
        """Give one column of some rows another value."""
        keys = COLUMNS[table]
        query = f"SELECT {', '.join(keys)}, digest FROM {table} WHERE {where}"
        for *row, before in self.run(query, values).fetchall():
            row[keys.index(column)] = value
            after = digest_of(row)
            self.run(
                f"UPDATE {table} SET {column} = ?, digest = ? WHERE {where} AND digest = ?",
                (value, after, *values, before),
            )
            self._change_whole(int(after, 16) - int(before, 16))

    def remove(self, table: str, where: str, values: Sequence[Value]) -> list[list[Value]]:
        """Take rows out of a table; their columns."""
        query = f"SELECT {', '.join(COLUMNS[table])}, digest FROM {table} WHERE {where}"
        found = self.run(query, values).fetchall()
        self.run(f"DELETE FROM {table} WHERE {where}", values)
        for *_, digest in found:
            self._change_whole(-int(digest, 16))
        return [row for *row, _ in found]

    def put(self, key: str, value: object) -> None:
        """A value of the tournament as a whole."""
        if self.run("SELECT 1 FROM tournament WHERE key = ?", (key,)).fetchone() is None:
            self.insert("tournament", (key, as_json(value)))
        else:
            self.update("tournament", "value", as_json(value), "key = ?", (key,))

    def whole(self) -> str:
        """The running digest: the sum of the digests of all rows."""
        rows = self.run("SELECT digest FROM whole").fetchall()
        if len(rows) != 1:
            raise StoreError(f"{self.path} has {len(rows)} running digests and not one; the file is damaged")
        return str(rows[0][0])

    def unsound(self) -> str | None:
        """What SQLite's own check finds in pages and indexes; whether the tables are those of a new file."""
        (verdict,) = self.run("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            return escape(" ".join(str(verdict).split()), 300)
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        with closing(sqlite3.connect(":memory:")) as new:
            for statement in _layout():
                new.execute(statement)
            wanted = new.execute(query).fetchall()
        if self.run(query).fetchall() != wanted:
            return "its tables are not those of a results file"
        return None

    def _change_whole(self, change: int) -> None:
        self.run("UPDATE whole SET digest = ?", (f"{(int(self.whole(), 16) + change) % MODULUS:064x}",))

    # Opening.

    def _make_durable(self) -> None:
        # A commit returns when it is on the disk (FULL); readers and the writer never wait for each other.
        self.run("PRAGMA journal_mode = WAL")
        self.run("PRAGMA synchronous = FULL")
        self._durable = True

    def _must_be_ours(self) -> None:
        try:
            (application,) = self.run("PRAGMA application_id").fetchone()
            (version,) = self.run("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise BadInput(f"{self.path} is not a results file of arena") from error
            raise StoreError(f"{self.path} cannot be read: {escape(str(error), 300)}") from error
        if not application and not self.path.stat().st_size:
            raise BadInput(f"{self.path} is empty, and no results file: its tournament never began")
        if application != APPLICATION_ID:
            raise BadInput(f"{self.path} is a database, but not a results file of arena")
        if version != FORMAT:
            raise BadInput(
                f"{self.path} has layout {version} and this arena reads {FORMAT}; "
                "use the version that wrote it"
            )


def _layout() -> list[str]:
    """The statements that make the tables of a new file."""
    return files("arena.tournament").joinpath("schema.sql").read_text().split(";\n")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Autocommit: transactions are opened and closed by hand, where they are seen. The connection is used
    # by one thread at a time, which need not be the one that made it.
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error
