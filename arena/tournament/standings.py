"""From the results file to the ratings: arrays of who sat where and won, and the standings made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from arena.protocol.faults import FaultRecord
from arena.ratings import Extra, Ratings, Results, Table, rate, standings_table
from arena.ratings.tables import Column
from arena.tournament.store import Store

_NONE = "[]"


@dataclass(frozen=True)
class Tally:
    """What a results file says of its counted games, by bot number where it is by bot."""

    results: Results
    faults: Sequence[int]
    """Faults with effect."""
    forfeits: Sequence[int]
    """Games forfeited without having been begun."""
    requests: int


def tally_of(store: Store) -> Tally:
    """Read every counted game of the file; no event log is unpacked."""
    header, bots = store.header, len(store.bots)
    seating: list[list[int]] = []
    places: list[list[int]] = []
    winner: list[int] = []
    block: list[int] = []
    faults, forfeits = [0] * bots, [0] * bots
    read_ints = msgspec.json.Decoder(list[int]).decode
    read_faults = msgspec.json.Decoder(list[FaultRecord]).decode
    for number, seats, order, won, wrong, forfeited in store.select(
        "block, seats, places, winner, faults, forfeited"
    ):
        sitting = read_ints(seats)
        seating.append(sitting)
        places.append(read_ints(order))
        winner.append(-1 if won is None else won)
        block.append(number)
        if wrong != _NONE:
            for fault in read_faults(wrong):
                faults[sitting[fault.seat]] += fault.effective
        if forfeited != _NONE:
            for seat in read_ints(forfeited):
                forfeits[sitting[seat]] += 1
    shape = (len(block), header.seats)
    return Tally(
        Results(
            bots,
            np.array(seating, dtype=np.int64).reshape(shape),
            np.array(places, dtype=np.int64).reshape(shape),
            np.array(winner, dtype=np.int64),
            np.array(block, dtype=np.int64),
            full_order=header.rules.play_on,
        ),
        faults,
        forfeits,
        store.requests(),
    )


def standings_of(store: Store, notes: Sequence[str] = ()) -> tuple[Ratings, Table]:
    """The ratings of a results file and the table of them."""
    tally = tally_of(store)
    ratings = rate(tally.results)
    names = [bot.name for bot in store.bots]
    extras = [
        Extra(Column("faults", "Faults", "int", 0, about="faults that ended a game"), tally.faults),
        Extra(Column("forfeits", "Forf", "int", 0, 10, "games lost unplayed after too many"), tally.forfeits),
    ]
    flags = dict.fromkeys(benched(store), ("benched",))
    return ratings, standings_table(ratings, names, extras=extras, flags=flags, notes=notes)


def benched(store: Store) -> dict[int, int]:
    """The benched bots, each with the decision point at which it was."""
    return {bot: point for point, decided in store.decisions().items() for bot in decided.get("bench", ())}
