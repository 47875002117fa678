"""Re-judging one stored game: its deal from the seed, everything else from its actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, TypeVar

import msgspec

from arena.cheat.deal import deal, deal_key, game_id
from arena.cheat.events import Dealt, Event
from arena.cheat.record import RecordError, record_of
from arena.protocol.faults import FaultRecord
from arena.protocol.log import LogError, decode_log
from arena.referee.attendance import Attendance
from arena.referee.block import Debug, GameResult, Terms, Timing
from arena.referee.retrace import Step, retrace
from arena.tournament.conduct import Conduct, conduct_of
from arena.tournament.difference import Difference, difference, digest_difference, row_name, unreadable
from arena.tournament.rows import COLUMNS, UNREADABLE, Value, unpacked
from arena.tournament.verify_conditions import judge_debug, judge_faults, judge_timings
from arena.tournament.windows import windows_of

_T = TypeVar("_T")
_INTS: Final = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A row of games, as far as it could be read."""

    where: str
    columns: Mapping[str, Any]
    result: GameResult
    """Places, winner, reason and turns are the log's; the columns' own are in `columns`."""
    conduct: tuple[Conduct, ...]


def read_game(
    terms: Terms, row: Sequence[Value], digest: Value
) -> tuple[StoredGame | None, list[Difference]]:
    """The game of a row, and what is wrong with the row by itself; None if it cannot be judged further."""
    columns: dict[str, Any] = dict(zip(COLUMNS["games"], row, strict=True))
    where = row_name("game", columns["block"], f"{columns['game']} ({columns['id']})")
    wrong = [found for found in (digest_difference(where, row, digest),) if found is not None]

    def read(field: str, type: type[_T], *, packed: bool = False) -> _T | None:
        value: Any = columns[field]
        try:
            return msgspec.json.decode(unpacked(value) if packed else value, type=type)
        except UNREADABLE as error:
            wrong.append(unreadable(where, field, value, error))
            return None

    # The types of SQLite's columns are wishes.
    for field, kind in (("block", int), ("game", int), ("turns", int), ("id", str), ("tier", str)):
        if not isinstance(columns[field], kind):
            wrong.append(unreadable(where, field, columns[field], f"no {kind.__name__}"))
    if not isinstance(columns["seconds"], float):
        wrong.append(unreadable(where, "seconds", columns["seconds"], "no float"))
    seating = read("seats", _INTS)
    places = read("places", _INTS)
    faults = read("faults", tuple[FaultRecord, ...])
    forfeited = read("forfeited", _INTS)
    conduct = read("conduct", tuple[Conduct, ...])
    debug = read("debug", tuple[Debug, ...], packed=True)
    timings = read("timing", tuple[Timing, ...], packed=True)
    events = _events(where, columns["log"], wrong)
    record = None
    if events is not None:
        try:
            record = record_of(terms.rules, events)
        except RecordError as error:
            wrong.append(unreadable(where, "log", columns["log"], error))
    columns["places"] = places
    if (
        record is None
        or seating is None
        or faults is None
        or forfeited is None
        or conduct is None
        or debug is None
        or timings is None
        or any(not isinstance(columns[field], int) for field in ("block", "game"))
        or not isinstance(columns["id"], str)
        or not isinstance(columns["seconds"], float)
    ):
        return None, wrong
    result = GameResult(
        game=columns["game"],
        id=columns["id"],
        seating=seating,
        record=record,
        events=tuple(events or ()),
        faults=faults,
        forfeited=forfeited,
        debug=debug,
        timings=timings,
        seconds=columns["seconds"],
    )
    return StoredGame(where, columns, result, conduct), wrong


def _events(where: str, log: Any, wrong: list[Difference]) -> list[Event] | None:
    try:
        return decode_log(unpacked(log))
    except LogError as error:
        wrong.append(unreadable(where, "log", log, error))
    except UNREADABLE as error:
        wrong.append(unreadable(where, "log", log, error))
    return None


def judge_game(
    terms: Terms,
    names: Sequence[str],
    block: int,
    stored: StoredGame,
    came: Mapping[int, Attendance] | None,
) -> Iterator[Difference]:
    """What is wrong with a game that was read. `names`: of the bots, by number.

    `came`: how each seat's bot came to the game, None where games before it in its block could not be read.
    """
    where, game = stored.where, stored.result
    name = game_id(terms.seed, block, game.game)
    if game.id != name:
        yield difference(where, "id", game.id, name)
    hands = deal(terms.rules, terms.seats, deal_key(terms.seed, terms.dealt_as(block), game.game))
    dealt = game.record.hands
    if len(dealt) != terms.seats:
        yield difference(where, "hands", f"{len(dealt)} hands", f"{terms.seats} hands")
        return
    for seat, (said, found) in enumerate(zip(dealt, hands, strict=True)):
        if said != found:
            yield difference(where, f"hand of seat {seat}", " ".join(said), " ".join(found))
    steps: list[Step] = []
    wanted = {fault.seat for fault in game.faults}
    try:
        steps.extend(retrace(terms, block, game, wanted))
    except RecordError as error:
        # What led up to it may differ already, and that says more.
        wrong = list(_wrong_events(where, game, steps, whole=False))
        yield from wrong or [unreadable(where, "log", f"{len(game.events)} events", error)]
        return
    wrong = list(_wrong_events(where, game, steps, whole=True))
    yield from wrong
    yield from _wrong_columns(stored, steps)
    if wrong:
        return
    wrong = list(judge_faults(where, terms, names, block, game, steps, came))
    yield from wrong
    if not wrong:
        # Who was asked hangs on who had faulted.
        yield from judge_timings(where, terms, game, steps)
        yield from judge_debug(where, game, steps)


def _wrong_events(
    where: str, game: GameResult, steps: Sequence[Step], *, whole: bool
) -> Iterator[Difference]:
    """The first event that is not what the actions lead to."""
    found: list[Event] = [Dealt(game.record.hands)]
    for step in steps:
        found += step.events
    said = game.events if whole else game.events[: len(found)]
    for number, (recorded, judged) in enumerate(zip_longest(said, found), 1):
        if recorded != judged:
            yield difference(where, f"event {number}", recorded, judged)
            return


def _wrong_columns(stored: StoredGame, steps: Sequence[Step]) -> Iterator[Difference]:
    events = [Dealt(stored.result.record.hands), *(event for step in steps for event in step.events)]
    end = record_of(stored.result.record.rules, events)
    for field in ("places", "winner", "reason", "turns"):
        said, found = stored.columns[field], getattr(end, field)
        if said != found or isinstance(said, float):
            yield difference(stored.where, field, said, found)
    conduct = conduct_of(events, len(end.hands))
    if stored.conduct != conduct:
        yield difference(stored.where, "conduct", stored.conduct, conduct)
    said, found = stored.columns["windows"], windows_of(events)
    if said != found:
        yield difference(stored.where, "windows", said, found)
