"""Re-judging one stored block: its row, that all its games are there, and each game of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec

from arena.cheat.events import Out
from arena.cheat.series import hands_left
from arena.referee.attendance import Attendance, attendances
from arena.referee.block import GameResult, Terms, TierName
from arena.tournament.difference import Difference, difference, digest_difference, row_name, unreadable
from arena.tournament.rows import COLUMNS, UNREADABLE, Value
from arena.tournament.tries import TRIES
from arena.tournament.verify_conditions import SLACK
from arena.tournament.verify_game import StoredGame, judge_game, read_game

Row = tuple[Sequence[Value], Value]
"""The columns of a row and the digest it carries."""
Seatings = tuple[tuple[int, ...], ...]
_COUNTS: Final = ("contended", "requests")


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a block by itself. Whether the schedule has it is judged elsewhere."""

    seatings: Seatings
    """Empty if they cannot be read."""
    state: Value
    change: int
    """The last change before it; -1 if that cannot be read."""
    faulted: frozenset[int]
    """The bots that left a game by a fault."""
    winners: tuple[int, ...]
    """The bot that has won each game that has a winner."""
    left: tuple[tuple[int | None, ...], ...]
    """Cards in each hand by seat at the end of each game that can be read; None for a seat that was out."""
    voided: tuple[int, ...]
    """The bots for which it began again; empty if that cannot be read."""
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """A row of blocks that can be read."""

    seatings: Seatings
    contended: int
    voided: tuple[int, ...]
    seconds: float
    requests: int


def judge_block(
    terms: Terms, names: Sequence[str], games_per_block: int, row: Row, games: Sequence[Row]
) -> Judged:
    """Judge a block by its row and the rows of its games, in their order. `names`: of the bots, by number."""
    values, digest = row
    columns = dict(zip(COLUMNS["blocks"], values, strict=True))
    where = row_name("block", columns["number"])
    wrong = [found for found in (digest_difference(where, values, digest),) if found is not None]
    read = _read(where, columns, terms.tier, wrong)
    stored: list[StoredGame] = []
    for game in games:
        one, bad = read_game(terms, *game)
        wrong += bad
        if one is not None:
            stored.append(one)
    may_be_begun = terms.fresh and columns["state"] in ("begun", "dropped")
    wrong += _missing(where, games_per_block, games, may_be_begun=may_be_begun)
    if columns["state"] == "begun" and len(games) >= games_per_block:
        wrong.append(difference(where, "state", "begun", "played"))
    seatings = read.seatings if read is not None else ()
    if seatings and (improper := _improper(where, seatings, terms.seats, len(names), games_per_block)):
        wrong.append(improper)
        seatings = ()
    number = columns["number"]
    if isinstance(number, int):
        came = _came(terms, seatings, stored)
        for one in stored:
            wrong += _judged(terms, names, number, columns["tier"], seatings, one, came)
        if read is not None and came is not None:
            wrong += _totals(where, terms, read, [one.result for one in stored])
    faulted = frozenset(
        one.result.seating[event.seat]
        for one in stored
        for event in one.result.events
        if isinstance(event, Out) and event.fault and event.seat not in one.result.forfeited
        if 0 <= event.seat < len(one.result.seating)
    )
    change = columns["change"]
    last = change if isinstance(change, int) else -1
    winners = tuple(
        one.result.seating[winner]
        for one in stored
        if (winner := one.result.record.winner) is not None and 0 <= winner < len(one.result.seating)
    )
    left = tuple(hands_left(one.result.events) for one in stored)
    voided = read.voided if read is not None else ()
    return Judged(seatings, columns["state"], last, faulted, winners, left, voided, tuple(wrong))


def _read(where: str, columns: Mapping[str, Any], tier: TierName, wrong: list[Difference]) -> _Columns | None:
    before = len(wrong)
    if columns["tier"] not in get_args(TierName):
        wrong.append(difference(where, "tier", columns["tier"], " or ".join(get_args(TierName))))
    elif columns["tier"] != tier:
        wrong.append(difference(where, "tier", columns["tier"], tier))
    for field in _COUNTS:
        if not isinstance(columns[field], int):
            wrong.append(unreadable(where, field, columns[field], "no whole number"))
    for field in ("started", "seconds"):
        if not isinstance(columns[field], float):
            wrong.append(unreadable(where, field, columns[field], "no float"))
    found: dict[str, Any] = {}
    for field, kind in (("seatings", Seatings), ("voided", tuple[int, ...])):
        try:
            found[field] = msgspec.json.decode(columns[field], type=kind)
        except UNREADABLE as error:
            wrong.append(unreadable(where, field, columns[field], error))
    if len(wrong) > before:
        return None
    return _Columns(**found, **{name: columns[name] for name in ("contended", "seconds", "requests")})


def _missing(
    where: str, games_per_block: int, games: Sequence[Row], *, may_be_begun: bool
) -> Iterator[Difference]:
    place = COLUMNS["games"].index("game")
    there = [values[place] for values, _ in games]
    due = list(range(games_per_block))
    if there != due and not (may_be_begun and there and there == due[: len(there)]):
        yield difference(where, "games", there, due)


def _improper(
    where: str, seatings: Seatings, seats: int, bots: int, games_per_block: int
) -> Difference | None:
    """Whatever the schedule says: every game of a block is played by the same bots, all of them known."""
    table = sorted(seatings[0])
    known = len(set(table)) == seats and all(0 <= bot < bots for bot in table)
    if known and len(seatings) == games_per_block and all(sorted(seating) == table for seating in seatings):
        return None
    return difference(where, "seatings", seatings, f"{games_per_block} of the same {seats} bots")


def _came(
    terms: Terms, seatings: Seatings, stored: Sequence[StoredGame]
) -> dict[int, dict[int, Attendance]] | None:
    """By game and seat, how the bots came to their games; None if one before the last cannot be read."""
    games = [one.result for one in stored]
    if not seatings or not games or [game.game for game in games] != list(range(len(games))):
        return None
    if any(sorted(game.seating) != sorted(seatings[0]) for game in games):
        return None
    came: dict[int, dict[int, Attendance]] = {}
    for bot in seatings[0]:
        for entry in attendances(terms, games, bot):
            came.setdefault(entry.game, {})[entry.seat] = entry
    return came


def _judged(
    terms: Terms,
    names: Sequence[str],
    number: int,
    tier: Value,
    seatings: Seatings,
    stored: StoredGame,
    came: Mapping[int, Mapping[int, Attendance]] | None,
) -> Iterator[Difference]:
    where, game = stored.where, stored.result
    if stored.columns["tier"] != tier:
        yield difference(where, "tier", stored.columns["tier"], tier)
    if 0 <= game.game < len(seatings) and game.seating != seatings[game.game]:
        yield difference(where, "seats", game.seating, seatings[game.game])
    bots = set(game.seating)
    if len(bots) != terms.seats or len(game.seating) != terms.seats or not bots <= set(range(len(names))):
        yield difference(where, "seats", game.seating, f"{terms.seats} different bots of {len(names)}")
        return
    yield from judge_game(terms, names, number, stored, None if came is None else came[game.game])


def _totals(where: str, terms: Terms, read: _Columns, games: Sequence[GameResult]) -> Iterator[Difference]:
    if read.contended not in (0, 1):
        yield difference(where, "contended", read.contended, "0 or 1")
    most = (TRIES - 1) * (len(games) if terms.fresh else 1)
    if len(read.voided) > most or not set(read.voided) <= set(games[0].seating):
        yield difference(where, "voided", read.voided, f"at most {most} of the table")
    hellos = sum(
        entry.start is not None and (entry.failed is None or entry.failed.phase != "start")
        for bot in games[0].seating
        for entry in attendances(terms, games, bot)
    )
    requests = hellos + sum(len(game.timings) for game in games)
    if read.requests != requests:
        yield difference(where, "requests", read.requests, requests)
    least = sum(game.seconds for game in games)
    if read.seconds < least - SLACK:
        yield difference(where, "seconds", read.seconds, f"at least {least}")
