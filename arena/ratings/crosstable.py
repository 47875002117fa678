"""Every bot against every other: how often they met, who came out ahead, what the ratings say of the two."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from arena.errors import BadInput
from arena.ratings.rate import Ratings
from arena.ratings.results import Floats, Ints, Results
from arena.ratings.tables import Cell, Column, Row, Table, Value, percent


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Counts by pair of bots."""

    met: Ints
    """(bots, bots): games in which both sat, with or without a winner; symmetric, 0 on the diagonal."""
    ahead: Floats
    """(bots, bots): games in which the row came out ahead of the column: it won or, in full order, had the
    better place, a shared place counting half for each."""

    @property
    def decided(self) -> Floats:
        """(bots, bots): meetings in which one of the two came out ahead."""
        return self.ahead + self.ahead.T


def meetings_of(results: Results) -> Meetings:
    """Count who met whom and who was ahead."""
    bots, seating = results.bots, results.seating
    met = np.zeros(bots * bots, dtype=np.int64)
    ahead = np.zeros(bots * bots)
    won = np.flatnonzero(results.winner >= 0)
    for one in range(results.seats):
        for other in range(results.seats):
            if one == other or not results.games:
                continue
            pair = seating[:, one] * bots + seating[:, other]
            met += np.bincount(pair, minlength=bots * bots)
            if results.full_order:
                lead = results.places[:, other] - results.places[:, one]
                ahead += np.bincount(
                    pair, np.where(lead > 0, 1.0, np.where(lead == 0, 0.5, 0.0)), bots * bots
                )
            else:
                ahead += np.bincount(pair[won[results.winner[won] == one]], minlength=bots * bots)
    return Meetings(met.reshape(bots, bots), ahead.reshape(bots, bots))


def crosstable_table(
    ratings: Ratings, meetings: Meetings, names: Sequence[str], shown: Collection[int] | None = None
) -> Table:
    """Rows and columns in the order of the standings; the heads of the columns are the rows' numbers.

    `shown`: the bots that have a row and a column, by number; without it all.
    """
    _fits(ratings, meetings, names)
    ranked = _ranked(ratings, shown)
    order = [bot for _, bot in ranked]
    columns = (
        Column("number", "#", "int"),
        Column("bot", "Bot", "text"),
        *(Column(str(number), str(number), "cell") for number, _ in ranked),
    )
    pairs = _Pairs(ratings, meetings)
    rows = []
    for number, bot in ranked:
        cells: list[Value] = [None if bot == other else pairs.cell(bot, other) for other in order]
        rows.append(Row((number, names[bot], *cells)))
    if ratings.full_order:
        decided = "in which one of the two had the better place (a shared place counts half for each)"
    else:
        decided = "that one of the two won (one that a third bot won decides nothing between them)"
    notes = (
        "Each cell is row against column, five numbers:",
        f"1. of the games {decided}, the share that went to the row;",
        "2. the difference of the ratings, Elo; 3. half of its 95 % interval;",
        "4. the chance that the row is the stronger, percent;",
        "5. how many games were decided between the two, of those in which both sat.",
    )
    return Table("Crosstable", columns, tuple(rows), notes, ranked=False)


def pairs_table(
    ratings: Ratings, meetings: Meetings, names: Sequence[str], shown: Collection[int] | None = None
) -> Table:
    """The numbers of the crosstable with a row for every ordered pair that met, of those `shown`."""
    _fits(ratings, meetings, names)
    columns = (
        Column("bot", "Bot", "text"),
        Column("against", "Against", "text"),
        Column("meetings", "Meetings", "int"),
        Column("decided", "Decided", "int"),
        Column("ahead", "Ahead", "number", 1),
        Column("ahead_percent", "Ahead %", "percent", 1),
        Column("elo", "Elo diff", "elo", 1),
        Column("error", "+/-", "number", 1, 1),
        Column("los_percent", "LOS %", "percent", 1),
        Column("separated", "Separated", "bool", about="whether the interval of the difference leaves out 0"),
    )
    pairs = _Pairs(ratings, meetings)
    rows = []
    order = [bot for _, bot in _ranked(ratings, shown)]
    for bot in order:
        for other in order:
            if bot != other and meetings.met[bot, other]:
                cell = pairs.cell(bot, other)
                values = (
                    names[bot],
                    names[other],
                    cell.meetings,
                    cell.decided,
                    cell.led,
                    cell.ahead,
                    cell.elo,
                    cell.error,
                    cell.los,
                    pairs.separated(bot, other),
                )
                rows.append(Row(values, int(ratings.group[bot]) + 1))
    return Table("Pairs", columns, tuple(rows), ranked=False)


def _ranked(ratings: Ratings, shown: Collection[int] | None) -> list[tuple[int, int]]:
    """(place in the standings, bot) of those shown, in that order."""
    ranked = enumerate(ratings.order.tolist(), 1)
    return [(place, bot) for place, bot in ranked if shown is None or bot in shown]


class _Pairs:
    """The cells, with each scale's matrices computed once."""

    def __init__(self, ratings: Ratings, meetings: Meetings) -> None:
        self.ratings, self.meetings = ratings, meetings
        self.los = [scale.los for scale in ratings.scales]
        self.reach = [scale.reach for scale in ratings.scales]
        self.apart = [scale.separated for scale in ratings.scales]
        self.place = np.zeros(ratings.bots, dtype=np.int64)
        for scale in ratings.scales:
            self.place[scale.bots] = np.arange(len(scale.bots))

    def cell(self, bot: int, other: int) -> Cell:
        met, decided = int(self.meetings.met[bot, other]), round(float(self.meetings.decided[bot, other]))
        led = float(self.meetings.ahead[bot, other])
        ahead = percent(led / decided) if decided else None
        group = int(self.ratings.group[bot])
        if group != self.ratings.group[other]:
            return Cell(met, ahead, None, None, None, decided, led)
        where = self.place[bot], self.place[other]
        los, error = float(self.los[group][where]), float(self.reach[group][where])
        elo = float(self.ratings.elo[bot] - self.ratings.elo[other])
        return Cell(met, ahead, elo, error, percent(los), decided, led)

    def separated(self, bot: int, other: int) -> bool:
        """Whether the ratings tell the two apart."""
        group = int(self.ratings.group[bot])
        if group != self.ratings.group[other]:
            return False
        return bool(self.apart[group][self.place[bot], self.place[other]])


def _fits(ratings: Ratings, meetings: Meetings, names: Sequence[str]) -> None:
    if len(names) != ratings.bots or len(meetings.met) != ratings.bots:
        raise BadInput(
            f"{len(names)} names and meetings of {len(meetings.met)} bots given for {ratings.bots} bots"
        )
