"""The results file: written a block or a game at a time, in one transaction; read without changing it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, BlockResult, GameResult
from arena.tournament.brief import Brief, brief
from arena.tournament.changes import Change, altered_in, conditions
from arena.tournament.database import Database, StoreError
from arena.tournament.header import BotRow, Header, in_own_words
from arena.tournament.rows import (
    COLUMNS,
    Value,
    as_json,
    block_of,
    block_row,
    digest_of,
    game_of,
    game_row,
    joined_row,
)

__all__ = ["Store", "StoreError"]

_COUNTS: Final = "blocks.state = 'played' AND blocks.number < ?"


class Store:
    """A results file. `create` and `open` make one; `close` it, or use it in a `with`.

    A block counts when no decision has dropped it and every decision point up to it is passed. What is read
    here is what counts, unless it says otherwise. Every method raises StoreError for a fault of the disk
    or the file.
    """

    def __init__(self, database: Database) -> None:
        self.path = database.path
        self._file = database
        self._over = False
        self._as_of: int | None = None
        self._change = 0
        """The last change, which blocks are played after; known to who writes."""

    @classmethod
    def create(cls, path: Path, header: Header, bots: Sequence[BotRow]) -> "Store":
        """A new results file with no game in it. Raises BadInput if something is there already."""

        def fill(database: Database) -> None:
            database.put("header", header)
            database.put("counted_to", next(header.pairing.points(len(bots), header.seats)))
            database.put("complete", False)
            for number, bot in enumerate(bots):
                row = (number, bot.name, bot.digest, bot.command, bot.author, bot.version, bot.said)
                database.insert("bots", row)

        return cls(Database.create(path, fill))

    @classmethod
    def of_rows(cls, path: Path, rows: Iterable[tuple[str, Sequence[Value]]]) -> "Store":
        """A new results file of (table, columns) of rows, as `rows` gives them: whole or not at all.

        Raises BadInput if something is there already.
        """

        def fill(database: Database) -> None:
            for table, values in rows:
                database.insert(table, values)

        store = cls(Database.create(path, fill))
        store._over = store.complete
        return store

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> "Store":
        """An existing results file. Raises BadInput if it is none, or if another run writes to it."""
        store = cls(Database.open(path, write=write))
        try:
            if write:
                store._change, store._over = len(store.changes), store.complete
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave one whole file; once the tournament is over, one that others may read."""
        self._file.close(for_all=self._over)

    # Writing.

    def add(self, result: BlockResult, voided: Sequence[int] = ()) -> None:
        """Store games that were played, in one transaction; once this returns they are on disk.

        They are all games of their block, or those that follow the ones of it that are there. `voided`: the
        bots whose lateness made a try of them void.
        """
        number = result.block.number
        rows = [game_row(number, result.tier, game) for game in result.games]
        with self._file.writing():
            query = "SELECT COUNT(*) FROM decisions WHERE point <= ? AND ? < until"
            (excluded,) = self._file.run(query, (number, number)).fetchone()
            whole = result.games[-1].game + 1 == len(result.block.seatings)
            state = "dropped" if excluded else "played" if whole else "begun"
            row = block_row(result, voided, state, self._change)
            for before in self._file.remove("blocks", "number = ?", (number,)):
                row = joined_row(before, row)
            self._file.insert("blocks", row)
            for game in rows:
                self._file.insert("games", game)
            for said in result.said:
                if (words := in_own_words(said)) is not None:
                    where = "number = ? AND said IS NULL"
                    self._file.update("bots", "said", words, where, (said.bot,))

    def pass_point(self, counted_to: int) -> None:
        """Nothing was decided at a point: blocks up to the next point, `counted_to`, count from now on."""
        with self._file.writing():
            self._file.put("counted_to", counted_to)

    def decide(self, point: int, until: int, kind: str, value: object, counted_to: int) -> None:
        """Store a decision and mark the blocks from `point` to before `until`, which it excludes, as dropped.

        All in one transaction; such a block that is stored later is dropped from the first. Blocks up to
        `counted_to` count from now on.
        """
        with self._file.writing():
            self._file.insert("decisions", (point, kind, until, as_json(value)))
            self._file.update("blocks", "state", "dropped", "number >= ? AND number < ?", (point, until))
            self._file.put("counted_to", counted_to)

    def go_on(self, header: Header, change: Change | None = None) -> None:
        """The tournament is resumed: with the budget that this header has, and with something changed.

        A change takes blocks back that are only begun, for all games of a block are played under the same
        conditions.
        """
        before = self.header
        with self._file.writing():
            if header != before:
                self._file.put("header", header)
            self._file.put("complete", False)
            if change is not None:
                begun = "block IN (SELECT number FROM blocks WHERE state = 'begun')"
                self._file.remove("games", begun, ())
                self._file.remove("blocks", "state = 'begun'", ())
                altered = as_json(change.altered)
                row = (change.number, change.made, change.arena, change.block, altered)
                self._file.insert("changes", row)
        if change is not None:
            self._change = change.number
        self._over = False
        self._file.keep_private()

    def finish(self, blocks: int | None = None) -> None:
        """Nothing more is to be played; `blocks`: so many have been, where that was not settled before."""
        header = self.header
        with self._file.writing():
            if blocks is not None and blocks != header.blocks:
                self._file.put("header", msgspec.structs.replace(header, blocks=blocks))
            self._file.put("complete", True)
        self._over = True

    # Reading.

    def as_of(self, number: int) -> "Store":
        """The file as if no block from this number on counted."""
        before = Store(self._file)
        before._as_of = number
        return before

    @property
    def header(self) -> Header:
        """The parameters of the tournament."""
        with self._file.reading():
            return msgspec.json.decode(self._get("header"), type=Header)

    @property
    def bots(self) -> tuple[BotRow, ...]:
        """The bots, by number."""
        keys = ("name", "digest", "command", "author", "version", "said")
        with self._file.reading():
            rows = self._file.run(
                "SELECT name, content, command, author, version, said FROM bots ORDER BY number"
            )
            return tuple(msgspec.convert(dict(zip(keys, row, strict=True)), BotRow) for row in rows)

    @property
    def complete(self) -> bool:
        """Whether nothing more is to be played."""
        with self._file.reading():
            return msgspec.json.decode(self._get("complete"), type=bool)

    @property
    def counted_to(self) -> int:
        """The first block number that does not count yet: the next decision point."""
        if self._as_of is not None:
            return self._as_of
        with self._file.reading():
            return msgspec.json.decode(self._get("counted_to"), type=int)

    @property
    def last_block(self) -> int | None:
        """The highest number of a stored block, whether it counts or not; None if there is no block."""
        with self._file.reading():
            (number,) = self._file.run("SELECT MAX(number) FROM blocks").fetchone()
            return None if number is None else int(number)

    @property
    def digest(self) -> str:
        """The running digest of all rows of all tables: it changes with whatever changes."""
        with self._file.reading():
            return self._file.whole()

    def given_up(self) -> list[tuple[int, int]]:
        """The numbers that decisions have excluded: from each first to before the second."""
        with self._file.reading():
            return list(self._file.run("SELECT point, until FROM decisions ORDER BY point"))

    def decisions(self) -> dict[int, Mapping[str, Any]]:
        """Decisions by the number of the point they were made at, each as kind to value."""
        found: dict[int, dict[str, Any]] = {}
        with self._file.reading():
            query = "SELECT point, kind, value FROM decisions ORDER BY point, kind"
            for point, kind, value in self._file.run(query):
                found.setdefault(point, {})[kind] = msgspec.json.decode(value)
        return dict(found)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was changed on the way, in order."""
        with self._file.reading():
            query = "SELECT number, made, arena, block, altered FROM changes ORDER BY number"
            return tuple(
                Change(number=number, made=made, arena=arena, block=block, altered=altered_in(altered))
                for number, made, arena, block, altered in self._file.run(query)
            )

    def conditions_of(self, number: int) -> tuple[Header, tuple[BotRow, ...]]:
        """The header and the bots as they were when a stored block was played."""
        with self._file.reading():
            row = self._file.run("SELECT change FROM blocks WHERE number = ?", (number,)).fetchone()
        return self.conditions_after(0 if row is None else row[0])

    def conditions_after(self, change: int) -> tuple[Header, tuple[BotRow, ...]]:
        """The header and the bots as they were after a change; 0: as the tournament was begun."""
        try:
            return conditions(self.header, self.bots, self.changes, change)
        except (BadInput, TypeError) as error:
            raise StoreError(f"{self.path} is damaged: {escape(str(error), 300)}") from error

    def blocks(self) -> Iterator[tuple[Block, str]]:
        """Every stored block with its state, in the order of their numbers.

        played: it counts. ahead: a point before it is not passed. begun: some of its games are to come.
        dropped: a decision has excluded it.
        """
        with self._file.reading():
            query = (
                "SELECT number, seatings, "
                "CASE WHEN state = 'played' AND number >= ? THEN 'ahead' ELSE state END "
                "FROM blocks ORDER BY number"
            )
            for number, seatings, state in self._file.run(query, (self.counted_to,)):
                yield block_of(number, seatings), state

    def brief(self, number: int) -> Brief | None:
        """A stored block in brief, as far as it was played; None if it is not there."""
        with self._file.reading():
            query = "SELECT seatings, requests, contended, state, voided FROM blocks WHERE number = ?"
            row = self._file.run(query, (number,)).fetchone()
            if row is None:
                return None
            block = block_of(number, row[0])
            query = "SELECT winner, faults FROM games WHERE block = ? ORDER BY game"
            games = [
                (seating, winner, msgspec.json.decode(faults, type=tuple[FaultRecord, ...]))
                for seating, (winner, faults) in zip(
                    block.seatings, self._file.run(query, (number,)), strict=row[3] == "played"
                )
            ]
            voided = msgspec.json.decode(row[4], type=tuple[int, ...])
            return brief(block, games, row[1], bool(row[2]), voided)

    def games(self, *, dropped: bool = False) -> Iterator[tuple[int, GameResult]]:
        """(block number, game) of every game that counts, in schedule order; with `dropped`, of all."""
        rules = self.header.rules
        with self._file.reading():
            for block, row in self._game_rows("1", (), counted=not dropped):
                yield block, game_of(row, rules)

    def game(self, id: str) -> tuple[int, GameResult] | None:
        """(block number, game) by its id, whether it counts or not."""
        rules = self.header.rules
        with self._file.reading():
            for block, row in self._game_rows("id = ?", (id,), counted=False):
                return block, game_of(row, rules)
        return None

    def block(self, number: int) -> tuple[Block, tuple[GameResult, ...]] | None:
        """A stored block with its games so far, whether it counts or not; None if it is not there."""
        rules = self.header.rules
        with self._file.reading():
            row = self._file.run("SELECT seatings FROM blocks WHERE number = ?", (number,)).fetchone()
            if row is None:
                return None
            games = self._game_rows("block = ?", (number,), counted=False)
            return block_of(number, row[0]), tuple(game_of(game, rules) for _, game in games)

    def named(self, prefix: str) -> list[tuple[str, int, int]]:
        """(id, block, index) of all games whose ids begin so, counted or not, in schedule order."""
        with self._file.reading():
            query = "SELECT id, block, game FROM games WHERE substr(id, 1, ?) = ? ORDER BY block, game"
            return [(id, block, game) for id, block, game in self._file.run(query, (len(prefix), prefix))]

    def requests(self) -> int:
        """Requests sent in the blocks that count."""
        with self._file.reading():
            query = f"SELECT TOTAL(requests) FROM blocks WHERE {_COUNTS}"
            return int(self._file.run(query, (self.counted_to,)).fetchone()[0])

    def voided(self) -> Counter[int]:
        """Void tries of the blocks that count, by the bot whose answer was late."""
        with self._file.reading():
            rows = self._file.run(f"SELECT voided FROM blocks WHERE {_COUNTS}", (self.counted_to,))
            late = [bot for (text,) in rows for bot in msgspec.json.decode(text, type=tuple[int, ...])]
            if not set(late) <= set(range(len(self.bots))):
                raise StoreError(
                    f"{self.path} is damaged: somebody was late in its void tries who is no bot of it"
                )
            return Counter(late)

    def select(self, columns: str, *, where: str = "") -> Iterator[tuple[Any, ...]]:
        """Columns of the games that count, in schedule order, as they are stored: no log is unpacked."""
        with self._file.reading():
            yield from self._file.run(
                f"SELECT {columns} FROM games JOIN blocks ON blocks.number = games.block "
                f"WHERE {_COUNTS} {where} ORDER BY block, game",
                (self.counted_to,),
            )

    def rows(self, table: str) -> Iterator[tuple[list[Value], str]]:
        """Every row of one table as it is stored, with the digest it carries; games in schedule order."""
        order = "block, game" if table == "games" else COLUMNS[table][0]
        with self._file.reading():
            query = f"SELECT {', '.join(COLUMNS[table])}, digest FROM {table} ORDER BY {order}"
            for *values, digest in self._file.run(query):
                yield values, digest

    def sound_rows(self, table: str) -> Iterator[tuple[list[Value], str]]:
        """The same. Raises StoreError at a row that is not what its digest was made of."""
        for values, digest in self.rows(table):
            if digest_of(values) != digest:
                what = f"{table}: the row with {COLUMNS[table][0]} {values[0]!r} is not what was written"
                raise StoreError(f"{self.path} is damaged: {escape(what, 300)}; arena verify tells more")
            yield values, digest

    def unsound(self) -> str | None:
        """What is wrong with the file below its rows: its pages, its indexes, its layout; None: nothing."""
        with self._file.reading():
            return self._file.unsound()

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """What is read meanwhile is the file as it was at the first look, whatever a run adds to it."""
        with self._file.reading():
            self._file.run("BEGIN")
            try:
                yield
            finally:
                self._file.run("ROLLBACK")

    # Inside.

    def _game_rows(
        self, where: str, values: Sequence[Value], *, counted: bool
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        names = ", ".join(f"games.{name}" for name in COLUMNS["games"])
        query = f"SELECT {names} FROM games JOIN blocks ON blocks.number = games.block WHERE {where}"
        if counted:
            query, values = f"{query} AND {_COUNTS}", (*values, self.counted_to)
        place = COLUMNS["games"].index("block")
        for row in self._file.run(f"{query} ORDER BY block, game", values):
            yield row[place], row

    def _get(self, key: str) -> str:
        row = self._file.run("SELECT value FROM tournament WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise StoreError(f"{self.path} has no {key}; the file is damaged")
        return str(row[0])
