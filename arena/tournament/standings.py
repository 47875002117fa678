"""From the results file to the ratings: arrays of who sat where and won, and the standings made of them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress
from typing import Final

import msgspec
import numpy as np

from arena.errors import BadInput
from arena.protocol.faults import FaultRecord
from arena.ratings import (
    Column,
    Extra,
    Finding,
    NotConverged,
    Ratings,
    Results,
    Table,
    find,
    rate,
    standings_table,
)
from arena.ratings.tables import percent
from arena.referee.block import first_of_pair
from arena.tournament.conduct import Conduct
from arena.tournament.database import StoreError
from arena.tournament.rows import UNREADABLE
from arena.tournament.stored import Stored
from arena.tournament.windows import challenges_of

_NONE: Final = "[]"


@dataclass(frozen=True)
class Tally:
    """What a results file says of its counted games, by bot number where it is by bot."""

    results: Results
    faults: Sequence[int]
    """Faults with effect."""
    forfeits: Sequence[int]
    """Games forfeited without having been begun."""
    conduct: Sequence[Conduct]
    requests: int
    windows: Sequence[str]
    """By game, who was asked about which claims and challenged them."""


def tally_of(store: Stored, without: Collection[int] = ()) -> Tally:
    """Read every counted game of the file, but for those in which one of the bots `without` took part.

    No event log is unpacked. Raises StoreError for a damaged file.
    """
    with _told_as_damage(store):
        return _tally(store, set(without))


def results_of(store: Stored, *, since: int = 0) -> Results:
    """Who sat where and won in the counted games of blocks from number `since` on.

    Raises StoreError for a damaged file.
    """
    with _told_as_damage(store):
        columns = zip(
            *store.select("block, seats, places, winner", where=f"AND block >= {since}"), strict=True
        )
        return _results(store, *(list(columns) or [()] * 4))


@contextmanager
def _told_as_damage(store: Stored) -> Iterator[None]:
    try:
        yield
    except (BadInput, IndexError, OverflowError, *UNREADABLE) as error:
        raise StoreError(f"{store.path} is damaged: {error}") from error


def _results(
    store: Stored,
    block: Sequence[int],
    seats: Sequence[str],
    places: Sequence[str],
    winner: Sequence[int | None],
) -> Results:
    header = store.header
    shape = (len(block), header.seats)
    return Results(
        len(store.bots),
        _whole(seats).reshape(shape),
        _whole(places).reshape(shape),
        np.array([-1 if seat is None else seat for seat in winner], dtype=np.int64),
        np.array(block, dtype=np.int64),
        full_order=header.rules.play_on,
    )


def _tally(store: Stored, without: set[int]) -> Tally:
    rows = store.select("block, seats, places, winner, conduct, faults, forfeited, windows")
    if without:
        rows = (row for row in rows if without.isdisjoint(msgspec.json.decode(row[1], type=list[int])))
    columns = list(zip(*rows, strict=True))
    block, seats, places, winner, conduct, faults, forfeited, windows = columns or [()] * 8
    if store.header.pairing.paired:
        # Both blocks of a pair are played on the same deals.
        block = tuple(map(first_of_pair, block))
    results = _results(store, block, seats, places, winner)
    bots, shape = results.bots, (results.games, results.seats)
    seating = results.seating.tolist()
    acts = np.zeros((bots, len(Conduct.__struct_fields__)), np.int64)
    np.add.at(acts, results.seating, _whole(conduct).reshape(*shape, -1) if block else 0)
    fault_counts, forfeits = [0] * bots, [0] * bots
    read_faults = msgspec.json.Decoder(list[FaultRecord]).decode
    for sitting, text in compress(zip(seating, faults, strict=True), (text != _NONE for text in faults)):
        for fault in read_faults(text):
            fault_counts[sitting[fault.seat]] += fault.effective
    for sitting, text in compress(
        zip(seating, forfeited, strict=True), (text != _NONE for text in forfeited)
    ):
        for seat in msgspec.json.decode(text, type=list[int]):
            forfeits[sitting[seat]] += 1
    return Tally(
        results=results,
        faults=fault_counts,
        forfeits=forfeits,
        conduct=[Conduct(*row) for row in acts.tolist()],
        requests=store.requests(),
        windows=windows,
    )


def standings_of(
    store: Stored, notes: Sequence[str] = (), without: Collection[int] = (), tally: Tally | None = None
) -> tuple[Ratings, Table]:
    """The ratings of a results file and the table of them, as if these bots had not been there.

    `tally`, if it has been read before, is of the same games.
    """
    tally = tally_of(store, without) if tally is None else tally
    try:
        ratings = rate(tally.results)
    except NotConverged as error:
        raise BadInput(f"{store.path}: no ratings can be made of its games: {error}") from error
    names = [bot.name for bot in store.bots]
    flags = dict.fromkeys(benched(store), ("benched",))
    if store.header.pairing.paired:
        notes = (
            *notes,
            "Both blocks of a pair of a comparison count as one block here: they share their deals.",
        )
    extras = _extras(tally)
    return ratings, standings_table(ratings, names, extras=extras, flags=flags, notes=notes, without=without)


def findings_of(store: Stored, tally: Tally, ratings: Ratings) -> tuple[Finding, ...]:
    """What the table of these ratings does not show. Raises StoreError for a damaged file."""
    with _told_as_damage(store):
        challenges = challenges_of(tally.results, tally.windows)
    return find(ratings, tally.results, challenges)


def benched(store: Stored) -> dict[int, int]:
    """The benched bots, each with the decision point at which it was."""
    return {bot: point for point, decided in store.decisions().items() for bot in decided.get("bench", ())}


def in_play(store: Stored) -> tuple[int, ...]:
    """The bots that are not benched."""
    left = benched(store)
    return tuple(bot for bot in range(len(store.bots)) if bot not in left)


def _extras(tally: Tally) -> list[Extra]:
    """The columns beside the ratings: faults, and how the bots played."""

    def share(
        key: str, heading: str, drop: int, about: str, of: Callable[[Conduct], tuple[int, int]]
    ) -> Extra:
        column = Column(key, heading, "percent", 1, drop, about)
        parts = [of(conduct) for conduct in tally.conduct]
        return Extra(column, [percent(some / all) if all else None for some, all in parts])

    return [
        Extra(Column("faults", "Faults", "int", 0, about="faults that ended a game"), tally.faults),
        Extra(Column("forfeits", "Forf", "int", 0, 10, "games lost unplayed after too many"), tally.forfeits),
        share("lie_percent", "Lie %", 11, "plays that were lies", lambda bot: (bot.lies, bot.plays)),
        share("caught_percent", "Caught %", 12, "lies that were called", lambda bot: (bot.caught, bot.lies)),
        share("call_percent", "Call %", 13, "claims it called", lambda bot: (bot.calls, bot.asked)),
        share("right_percent", "Right %", 14, "calls that met a lie", lambda bot: (bot.right, bot.calls)),
    ]


def _whole(texts: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The numbers of JSON arrays, all in one flat array."""
    flat = ",".join(texts).translate(_BRACKETS)
    return np.array(msgspec.json.decode(f"[{flat}]", type=list[int]), dtype=np.int64)


_BRACKETS: Final = {ord("["): None, ord("]"): None}
