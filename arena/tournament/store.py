"""The results file: made, and written a block or a game at a time, each in one transaction."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from arena.referee.block import BlockResult
from arena.tournament.changes import Change
from arena.tournament.database import Database, StoreError
from arena.tournament.header import ENDLESS, BotRow, Ended, EndedBy, Header, in_own_words
from arena.tournament.rows import Value, as_json, block_row, game_row, joined_row
from arena.tournament.stored import Stored

__all__ = ["Store", "StoreError"]


class Store(Stored):
    """A results file. `create` and `open` make one; `close` it, or use it in a `with`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._over = False
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
        store._over = store.complete and store.header.part is None
        return store

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> "Store":
        """An existing results file. Raises BadInput if it is none, or if another run writes to it."""
        store = cls(Database.open(path, write=write))
        try:
            if write:
                store._change = len(store.changes)
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

    @property
    def in_place(self) -> bool:
        """Whether its name still leads to the file that is written to."""
        return self._file.in_place

    def must_be_in_place(self) -> None:
        """Raises StoreError where it was removed, moved or replaced; what it held is then saved beside it."""
        self._file.must_be_in_place()

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
        before, header = self.header, msgspec.structs.replace(header, ended=None)
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

    def keep_time(self, seconds: float) -> None:
        """A run was broken off that had so much of its time left."""
        header = self.header
        with self._file.writing():
            self._file.put("header", msgspec.structs.replace(header, time=seconds))

    def finish(self, by: EndedBy = "games", blocks: int | None = None) -> None:
        """Nothing more is to be played; `blocks`: so many have been, where its budget has not ended it.

        That is then how long the tournament was.
        """
        header = self.header
        if blocks is None or blocks == header.blocks:
            header = msgspec.structs.replace(header, ended=Ended(by=by))
        else:
            planned = header.blocks if header.blocks < ENDLESS else None
            header = msgspec.structs.replace(header, blocks=blocks, ended=Ended(by=by, planned=planned))
        with self._file.writing():
            self._file.put("header", header)
            self._file.put("complete", True)
        # Other parts may still deal from the seed of one.
        self._over = header.part is None
