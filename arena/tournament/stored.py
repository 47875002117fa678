"""Reading a results file, without ever changing it: what counts, what else is there, and row by row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.cheat.deal import is_full_seed
from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, GameResult
from arena.tournament.brief import Brief, brief
from arena.tournament.changes import Change, altered_in, conditions
from arena.tournament.database import Database, StoreError
from arena.tournament.header import BotRow, Header
from arena.tournament.rows import COLUMNS, Value, block_of, digest_of, game_of

_COUNTS: Final = "blocks.state = 'played' AND blocks.number < ?"


class Stored:
    """What a results file holds.

    A block counts when no decision has dropped it and every decision point up to it is passed. What is read
    here is what counts, unless it says otherwise. Every method raises StoreError for a fault of the disk
    or the file.
    """

    def __init__(self, database: Database) -> None:
        self._file = database
        self._as_of: int | None = None

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.path

    def as_of(self, number: int) -> "Stored":
        """The file as if no block from this number on counted."""
        before = Stored(self._file)
        before._as_of = number
        return before

    @property
    def header(self) -> Header:
        """The parameters of the tournament."""
        with self._file.reading():
            header = msgspec.json.decode(self._get("header"), type=Header)
            if not is_full_seed(header.seed):
                raise ValueError("its seed is not 32 hexadecimal digits")
            if header.part is not None and not 1 <= header.part.number <= header.part.of:
                raise ValueError(f"it cannot be part {header.part} of a tournament")
            if header.pairing.paired and (header.comparison is None or len(set(header.challengers)) != 2):
                raise ValueError("it is paired, and does not say which two bots are compared for what")
            return header

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

    def kept(self) -> int:
        """Games that are there and not dropped, also of blocks that do not count yet."""
        with self._file.reading():
            query = "SELECT COUNT(*) FROM games JOIN blocks ON blocks.number = block WHERE state != 'dropped'"
            return int(self._file.run(query).fetchone()[0])

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
