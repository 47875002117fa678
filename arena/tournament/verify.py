"""Verifying a results file: everything in it that follows from something else in it is worked out again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import msgspec

from arena.cheat.deal import is_full_seed, seed_bytes
from arena.errors import BadInput
from arena.referee.block import Terms
from arena.tournament.changes import Change, altered_in, conditions, judge_changes
from arena.tournament.comparison import Comparison
from arena.tournament.difference import (
    Difference,
    difference,
    digest_difference,
    row_name,
    unreadable,
)
from arena.tournament.header import ENDLESS, FORMAT, BotRow, Header
from arena.tournament.pairing import FORMATS, GAUNTLET, PAIRED, ROUND_ROBIN, SERIES, SWISS
from arena.tournament.rows import COLUMNS, MODULUS, UNREADABLE, Value
from arena.tournament.schedule import games_in_block
from arena.tournament.store import Store, StoreError
from arena.tournament.verify_block import Judged, Row, judge_block
from arena.tournament.verify_course import Recorded, judge_course
from arena.tournament.verify_series import judge_series, why_no_series

_KEYS: Final = ("complete", "counted_to", "header")
_NUMBER: Final = COLUMNS["blocks"].index("number")
_CHANGE: Final = COLUMNS["blocks"].index("change")
_STATE: Final = COLUMNS["blocks"].index("state")
_BLOCK: Final = COLUMNS["games"].index("block")


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of it."""

    games: int
    """Rows of games, those of dropped blocks too."""
    dropped: int
    """Of these, games of blocks that count nowhere."""
    blocks: int
    complete: bool
    digest: str
    """The running digest that the file carries: whoever has it from elsewhere knows if its rows are those."""
    differences: tuple[Difference, ...]


def verify(store: Store) -> Verified:
    """Re-judge the whole file. It may be written to meanwhile: what is judged is one state of it.

    Raises StoreError for a file that is damaged below its rows.
    """
    with store.unchanging():
        if (reason := store.unsound()) is not None:
            raise StoreError(f"{store.path} is damaged: {reason}")
        return _File(store).verified()


class _File:
    """One pass over all rows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._differences: list[Difference] = []
        self._total = 0
        self._games = 0
        self._dropped = 0

    def verified(self) -> Verified:
        values = self._tournament()
        bots = self._bots()
        names = [bot.name for bot in bots]
        header = self._header(values.get("header"), bots)
        changes = self._changes()
        decisions = self._decisions()
        blocks = self._blocks(header, bots, changes)
        complete = values.get("complete") is True
        counted_to = values.get("counted_to")
        if header is not None and header.ended is not None and not complete:
            self._differences.append(difference("header", "ended", header.ended, None))
        if header is not None and header.ended is None and complete and header.schedule == SERIES:
            self._differences.append(difference("header", "ended", None, "what has ended it"))
        if header is not None and isinstance(counted_to, int):
            played_after = {number: one.change for number, one in blocks.items()}
            self._differences += judge_changes(header, bots, changes, played_after)
            stored = Recorded(blocks, decisions, counted_to, complete)
            judge = judge_series if header.schedule == SERIES else judge_course
            self._differences += judge(header, len(names), stored)
        digest = self._store.digest
        total = f"{self._total % MODULUS:064x}"
        if digest != total:
            self._differences.append(difference("file", "digest", digest, total))
        counts = (self._games, self._dropped, len(blocks))
        return Verified(*counts, complete, digest, tuple(self._differences))

    def _add(self, where: str, values: Sequence[Value], digest: Value) -> None:
        """A row that is judged here: its digest, and its share of the file's."""
        if (wrong := digest_difference(where, values, digest)) is not None:
            self._differences.append(wrong)
        self._count(digest)

    def _count(self, digest: Value) -> None:
        try:
            self._total += int(str(digest), 16)
        except ValueError:
            # Its row has been found out already.
            return

    def _tournament(self) -> Mapping[str, Any]:
        """The values of the file as a whole, by key; the header as bytes yet."""
        found: dict[str, Any] = {}
        for row, digest in self._store.rows("tournament"):
            key, value = row
            where = row_name("tournament", key)
            self._add(where, row, digest)
            try:
                found[str(key)] = value if key == "header" else msgspec.json.decode(value)  # type: ignore[arg-type]
            except UNREADABLE as error:
                self._differences.append(unreadable(where, "value", value, error))
        if tuple(sorted(found)) != _KEYS:
            self._differences.append(difference("file", "keys of tournament", sorted(found), _KEYS))
        for key, kind in (("complete", bool), ("counted_to", int)):
            if not isinstance(found.get(key, kind()), kind):
                self._differences.append(
                    unreadable(f"tournament {key}", "value", found[key], f"no {kind.__name__}")
                )
        return found

    def _bots(self) -> list[BotRow]:
        """By number."""
        bots: list[BotRow] = []
        for row, digest in self._store.rows("bots"):
            columns = dict(zip(COLUMNS["bots"], row, strict=True))
            where = row_name("bot", columns["number"])
            self._add(where, row, digest)
            if columns["number"] != len(bots):
                self._differences.append(difference(where, "number", columns["number"], len(bots)))
            for field in ("name", "content", "command"):
                if not isinstance(columns[field], str):
                    self._differences.append(unreadable(where, field, columns[field], "no text"))
            name, content, command = (str(columns[field]) for field in ("name", "content", "command"))
            more = {
                field: None if columns[field] is None else str(columns[field])
                for field in ("author", "version", "said")
            }
            bots.append(BotRow(name=name, digest=content, command=command, **more))
        return bots

    def _header(self, text: Any, bots: Sequence[BotRow]) -> Header | None:
        """The header, if games can be re-judged by it."""
        if text is None:
            return None
        try:
            header = msgspec.json.decode(text, type=Header)
        except UNREADABLE as error:
            # Not a word of it is shown: the seed of games to come may be in it.
            self._differences.append(unreadable("header", "value", f"{len(str(text))} characters", error))
            return None
        wrong = list(_why_not(header, bots))
        self._differences += wrong
        return None if wrong else header

    def _changes(self) -> list[Change]:
        """The changes that were made on the way, as far as they can be read."""
        found: list[Change] = []
        for row, digest in self._store.rows("changes"):
            columns = dict(zip(COLUMNS["changes"], row, strict=True))
            where = row_name("change", columns["number"])
            self._add(where, row, digest)
            try:
                columns["altered"] = altered_in(columns["altered"])  # type: ignore[arg-type, assignment]
                found.append(msgspec.convert(columns, Change))
            except UNREADABLE as error:
                self._differences.append(unreadable(where, "row", row[-1], error))
        return found

    def _decisions(self) -> dict[tuple[int, str], tuple[int, object]]:
        found: dict[tuple[int, str], tuple[int, object]] = {}
        for row, digest in self._store.rows("decisions"):
            columns = dict(zip(COLUMNS["decisions"], row, strict=True))
            where = row_name("decision", columns["point"])
            self._add(where, row, digest)
            point, kind, until, value = (columns[name] for name in ("point", "kind", "until", "value"))
            try:
                decided = msgspec.json.decode(value)  # type: ignore[arg-type]
            except UNREADABLE as error:
                self._differences.append(unreadable(where, "value", value, error))
                continue
            if isinstance(point, int) and isinstance(kind, str) and isinstance(until, int):
                found[point, kind] = (until, decided)
            else:
                self._differences.append(
                    unreadable(where, "point, kind, until", [point, kind, until], "types")
                )
        return found

    def _blocks(self, header: Header | None, bots: list[BotRow], changes: list[Change]) -> dict[int, Judged]:
        names = [bot.name for bot in bots]
        rows: dict[Value, Row] = {}
        for values, digest in self._store.rows("blocks"):
            self._count(digest)
            rows[values[_NUMBER]] = (values, digest)
        judged: dict[int, Judged] = {}

        def judge(number: Value, games: list[Row]) -> None:
            row = rows.pop(number)
            if header is not None and isinstance(number, int):
                terms = self._terms_of(row, header, bots, changes)
                one = judge_block(terms, names, header.games_per_block, row, games)
                judged[number] = one
                self._differences += one.differences

        for block, group in groupby(self._store.rows("games"), _block_of):
            games: list[Row] = list(group)
            self._games += len(games)
            if block in rows and rows[block][0][_STATE] == "dropped":
                self._dropped += len(games)
            for _, own in games:
                self._count(own)
            if block in rows:
                judge(block, games)
            else:
                name = row_name("block", block)
                checks = [digest_difference(f"{name}, a game", *game) for game in games]
                self._differences += [wrong for wrong in checks if wrong is not None]
                self._differences.append(difference(name, "row", None, f"the block of {len(games)} games"))
        for left in list(rows):
            judge(left, [])
        return judged

    def _terms_of(self, row: Row, header: Header, bots: list[BotRow], changes: list[Change]) -> Terms:
        """What a block was played under, so far as the changes that it names can have been made."""
        number = row[0][_CHANGE]
        try:
            return conditions(header, bots, changes, number if isinstance(number, int) else 0)[0].terms
        except BadInput:
            # Which of them cannot, or which there is not, is said of the changes.
            return header.terms


def _block_of(game: Row) -> Value:
    return game[0][_BLOCK]


def _why_not(header: Header, rows: Sequence[BotRow]) -> Iterator[Difference]:
    """Why no tournament can have had this header."""
    bots = len(rows)
    try:
        header.rules.check_seats(header.seats)
    except ValueError as error:
        yield unreadable("header", "seats", header.seats, error)
    try:
        if header.schedule != SERIES:
            games_in_block(header.seats, header.games_per_block)
    except BadInput as error:
        yield unreadable("header", "games_per_block", header.games_per_block, error)
    if header.seats > bots:
        yield difference(
            "header",
            "seats",
            header.seats,
            f"at most {bots}, for there are no more bots",
        )
    if header.format != FORMAT:
        yield difference("header", "format", header.format, FORMAT)
    yield from _why_no_pairing(header, bots)
    yield from why_no_series(header, rows)
    for field in ("blocks", "bench", "forfeit"):
        if getattr(header, field) < 0:
            yield difference("header", field, getattr(header, field), "0 or more")
    for field in ("precision", "time"):
        if (given := getattr(header, field)) is not None and not given > 0:
            yield difference("header", field, given, "above 0, or none")
    yield from _why_not_ended(header)
    for field in ("start_time", "move_time", "bank"):
        if not 0 <= getattr(header, field) < float("inf"):
            yield difference("header", field, getattr(header, field), "0 or more seconds")
    if not is_full_seed(header.seed):
        yield difference("header", "seed", "another text", "32 hexadecimal digits")
    elif header.seed_given is not None and _stretched(header.seed_given) != header.seed:
        yield difference("header", "seed", "another seed", "the one that seed_given gives")


def _why_not_ended(header: Header) -> Iterator[Difference]:
    """What cannot have ended it: a limit that it does not have, a budget that it is not short of."""
    ended = header.ended
    if ended is None:
        return
    has = {
        "games": header.blocks < ENDLESS,
        "precision": header.precision is not None,
        "time": header.time is not None,
        "answer": header.comparison is not None,
        "left": header.schedule == SERIES,
    }
    if not has[ended.by]:
        yield difference("header", "ended: by", ended.by, " or ".join(name for name in has if has[name]))
    short = ended.by != "games" and ended.planned is not None
    if ended.planned is not None and not (short and header.blocks < ended.planned < ENDLESS):
        yield difference("header", "ended: planned", ended.planned, None)


def _why_no_pairing(header: Header, bots: int) -> Iterator[Difference]:
    """What cannot be of its format, and of its challengers."""
    challengers = header.challengers
    distinct = len(set(challengers)) == len(challengers) and set(challengers) <= set(range(bots))
    if header.schedule in (ROUND_ROBIN, SWISS, SERIES):
        right, wanted = not challengers, "none"
    elif header.schedule == GAUNTLET:
        right = distinct and sorted(challengers) == list(challengers)
        right = right and 1 <= len(challengers) <= bots - header.seats + 1
        wanted = "some bots, and a field that fills a table"
    elif header.schedule == PAIRED:
        right, wanted = distinct and len(challengers) == 2, "the new bot and the old"
    else:
        yield difference("header", "schedule", header.schedule, " or ".join((*FORMATS, PAIRED, SERIES)))
        return
    if not right:
        yield difference("header", "challengers", challengers, wanted)
    if header.pairing.paired != (header.comparison is not None):
        yield difference("header", "comparison", header.comparison, "one if, and only if, it is paired")
    elif header.comparison is not None:
        yield from _why_no_comparison(header, header.comparison, bots)


def _why_no_comparison(header: Header, comparison: Comparison, bots: int) -> Iterator[Difference]:
    if header.seats > bots - 1:
        yield difference(
            "header", "seats", header.seats, f"at most {bots - 1}: one of the two, and the field"
        )
    try:
        _ = comparison.test
    except BadInput as error:
        yield unreadable("header", "comparison", comparison, error)


def _stretched(text: str) -> str | None:
    try:
        return seed_bytes(text).hex()
    except UnicodeEncodeError:
        return None
