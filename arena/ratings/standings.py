"""The standings table, its footnotes and its one-sentence verdict, and the table of seat effects."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.errors import BadInput
from arena.ratings.rate import PROVISIONAL_BLOCKS, Ratings
from arena.ratings.scale import ENOUGH_BLOCKS, Scale
from arena.ratings.tables import Column, Rank, Row, Table, Value, percent, signed

STANDINGS = (
    Column("rank", "Rank", "rank", about="ranks the results leave possible"),
    Column("bot", "Bot", "text"),
    Column("elo", "Elo", "elo", 1, about="strength (400 more is odds of 10 to 1)"),
    Column("error", "+/-", "number", 1, about="half of the 95 % interval"),
    Column("los_percent", "LOS %", "percent", 1, 5, "chance of being stronger than the next bot"),
    Column("best_percent", "Best %", "percent", 1, 7, "chance of being the strongest"),
    Column("games", "Games", "int", 0, 3),
    Column("blocks", "Blocks", "int", 0, 6, "blocks with a rated game, what +/- is made from"),
    Column("wins", "Wins", "int", 0, 9),
    Column("win_percent", "Win %", "percent", 1, about="games won of games played"),
    Column(
        "expected_percent", "Exp %", "percent", 1, 8, "share of the won games at random tables of this field"
    ),
    Column("no_result_percent", "NR %", "percent", 1, 4, "games nobody has won"),
)
FLAGS = Column("flags", "", "flags", 0, 2)
MEANINGS = (
    ("unrated", "unrated: no rated game; it stands at 0 with the bar of the prior."),
    ("provisional", f"provisional: fewer than {PROVISIONAL_BLOCKS} blocks, so the bar itself is uncertain."),
    (
        "prior-bounded",
        "prior-bounded: only the prior keeps the rating finite (above: unbeaten; below: never ahead).",
    ),
)


@dataclass(frozen=True, slots=True)
class Extra:
    """A column of the caller's own."""

    column: Column
    values: Sequence[Value]
    """By bot number."""


def standings_table(
    ratings: Ratings,
    names: Sequence[str],
    *,
    extras: Sequence[Extra] = (),
    flags: Mapping[int, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
    without: Collection[int] = (),
    title: str = "Standings",
) -> Table:
    """The bots from the strongest to the weakest, group by group.

    `names`, and the values of each of `extras`, go by bot number; `flags` are words of the caller's shown
    behind a bot's row ("benched"); `notes` are put below the table's own footnotes. Bots `without` a place
    in the table have no rated game, or BadInput is raised.
    """
    if any(ratings.rated[bot] for bot in without):
        raise BadInput("a bot with rated games cannot be left out of their table; leave its games out first")
    _fits(ratings, "names", names)
    for extra in extras:
        _fits(ratings, f"column {extra.column.key}", extra.values)
    columns = (*STANDINGS, *(extra.column for extra in extras), FLAGS)
    linked = [scale for scale in ratings.scales if len(scale.bots) > 1]
    rows: list[Row] = []
    for number, scale in enumerate(linked, 1):
        best, los, order = scale.best(), scale.los, scale.order
        low, high, separated = scale.rank_low, scale.rank_high, scale.separated
        for place, at in enumerate(order):
            below = order[place + 1] if place + 1 < len(order) else None
            front: list[Value] = [
                Rank(place + 1, int(low[at]), int(high[at])),
                None if below is None else percent(float(los[at, below])),
                percent(float(best[at])),
            ]
            bot = int(scale.bots[at])
            words = _flags(ratings, bot, flags or {})
            line = below is not None and bool(separated[at, below])
            rows.append(Row(_values(ratings, names, extras, bot, front, words), number, line))
    alone = [int(bot) for scale in ratings.scales if len(scale.bots) == 1 for bot in scale.bots]
    alone = [bot for bot in alone if bot not in without]
    for place, bot in enumerate(alone, 1):
        words = _flags(ratings, bot, flags or {})
        front = [Rank(place, 1, len(alone)), None, None]
        rows.append(Row(_values(ratings, names, extras, bot, front, words), 0))
    below_table = [*_assumptions(ratings, linked, names), *notes]
    return Table(title, columns, tuple(rows), tuple(below_table), MEANINGS)


def verdict(ratings: Ratings, names: Sequence[str]) -> str:
    """The standings in one sentence, from the same numbers; "cannot separate" is one of the answers."""
    _fits(ratings, "names", names)
    linked = [scale for scale in ratings.scales if len(scale.bots) > 1]
    if not linked:
        return "No game has said anything about strength yet."
    parts = [_leaders(scale, names) for scale in linked]
    if len(parts) == 1:
        return parts[0]
    told = " ".join(f"Group {number}: {part}" for number, part in enumerate(parts, 1))
    return f"No game links the {len(parts)} groups. {told}"


def seat_effects_table(ratings: Ratings) -> Table:
    """Wins and effect of every seat, group by group; seats count from 0 in the order of play."""
    columns = (
        Column("seat", "Seat", "int"),
        Column("wins", "Wins", "int", 0, 1),
        Column("win_percent", "Win %", "percent", 1, about="of the games that had a winner"),
        Column("elo", "Elo", "elo", 1, about="effect of the seat; all seats sum to 0"),
        Column("error", "+/-", "number", 1, about="half of the 95 % interval"),
    )
    rows: list[Row] = []
    notes: list[str] = []
    for number, scale in enumerate((scale for scale in ratings.scales if len(scale.bots) > 1), 1):
        total = max(int(scale.seat_wins.sum()), 1)
        for seat, wins in enumerate(scale.seat_wins.tolist()):
            effect: tuple[Value, Value] = (None, None)
            if scale.seats_fitted:
                effect = (float(scale.seats[seat]), float(scale.seat_errors[seat]))
            rows.append(Row((seat, wins, percent(wins / total), *effect), number))
        if not scale.seats_fitted:
            notes = ["Without an Elo: these seatings do not tell seats from bots, or seats were left out."]
    return Table("Seat effects", columns, tuple(rows), tuple(notes), ranked=False)


def _fits(ratings: Ratings, what: str, given: Sequence[object]) -> None:
    if len(given) != ratings.bots:
        raise BadInput(f"{what}: {len(given)} given for {ratings.bots} bots; it needs one a bot")


def _values(
    ratings: Ratings,
    names: Sequence[str],
    extras: Sequence[Extra],
    bot: int,
    front: Sequence[Value],
    words: tuple[str, ...],
) -> tuple[Value, ...]:
    rank, los, best = front
    return (
        rank,
        names[bot],
        float(ratings.elo[bot]),
        float(ratings.error[bot]),
        los,
        best,
        int(ratings.games[bot]),
        int(ratings.blocks[bot]),
        int(ratings.wins[bot]),
        percent(float(ratings.win_share[bot])),
        percent(float(ratings.expected[bot])) if ratings.rated[bot] else None,
        percent(float(ratings.no_result_share[bot])),
        *(extra.values[bot] for extra in extras),
        words,
    )


def _flags(ratings: Ratings, bot: int, given: Mapping[int, Sequence[str]]) -> tuple[str, ...]:
    words = []
    if not ratings.rated[bot]:
        words.append("unrated")
    elif ratings.provisional[bot]:
        words.append("provisional")
    if ratings.prior_bounded[bot]:
        side = "-above" if ratings.no_upper[bot] else "-below" if ratings.no_lower[bot] else ""
        words.append(f"prior-bounded{side}")
    return (*words, *given.get(bot, ()))


def _assumptions(ratings: Ratings, linked: Sequence[Scale], names: Sequence[str]) -> list[str]:
    lines = []
    anchors = [names[int(scale.bots[scale.anchor])] for scale in linked if scale.anchor is not None]
    level = f"{anchors[0]} at 0" if anchors else f"mean 0{_but(linked, names)}"
    lines.append(f"Scale: Elo, 400 log10 of the odds, {level}.")
    what = "all places" if ratings.full_order else "the winner only"
    model = f"Model: Plackett-Luce, {what}, tables of {ratings.seats}"
    ghost = f"a ghost at 0, {ratings.prior:g} won and {ratings.prior:g} lost by each bot and seat"
    lines.append(f"{model}; prior: {ghost if ratings.prior else 'none'}.")
    blocks = sum(scale.all_blocks for scale in linked)
    those = "1 block" if blocks == 1 else f"{blocks} blocks"
    rated = sum(scale.games for scale in linked)
    lines.append(
        f"Games: {ratings.total_games}, {rated} of them rated, in {those}; "
        f"{ratings.total_no_result} without a winner."
    )
    for number, scale in enumerate(linked, 1):
        where = f" (group {number})" if len(linked) > 1 else ""
        if scale.seats_fitted:
            pairs = zip(scale.seats, scale.seat_errors, strict=True)
            effects = ", ".join(f"{signed(elo, 1)} +/- {error:.1f}" for elo, error in pairs)
            lines.append(f"Seat effects from seat 0, Elo{where}: {effects}.")
        else:
            lines.append(
                f"Seat effects{where}: not fitted (the seatings do not tell seats from bots, or left out)."
            )
    kinds = {scale.bars for scale in linked}
    bars = {
        "sandwich": "sandwich clustered by block",
        "jackknife": f"jackknife over blocks, Student's t under {ENOUGH_BLOCKS} of them",
        "hessian": "curvature alone, as there is one block",
    }
    if kinds:
        lines.append(f"+/-: half of the 95 % interval; {'; '.join(bars[kind] for kind in sorted(kinds))}.")
    return lines


def _but(linked: Sequence[Scale], names: Sequence[str]) -> str:
    """Who has no part in the mean that is put at 0."""
    loose = [names[bot] for scale in linked for bot in scale.bots[~scale.at_zero].tolist()]
    if not loose:
        return ""
    return f" without {loose[0] if len(loose) == 1 else f'{len(loose)} bots'}, bounded by the prior alone"


def _leaders(scale: Scale, names: Sequence[str]) -> str:
    order = scale.order
    first = [names[int(scale.bots[at])] for at in order if scale.rank_low[at] == 1]
    if not np.triu(scale.separated).any():
        fewest = int(scale.blocks.min())
        if fewest >= ENOUGH_BLOCKS:
            return "No two bots can be told apart: they are close, and more games may part them."
        played = "1 block" if fewest == 1 else f"{fewest} blocks"
        return (
            f"No two bots can be told apart yet: one has played {played} only, and it takes about "
            f"{ENOUGH_BLOCKS} of each bot until error bars are good. More games help."
        )
    if len(first) == 1:
        return f"{first[0]} leads."
    if len(first) == 2:
        return f"{first[0]} and {first[1]} lead, too close to separate."
    return f"{first[0]} and {len(first) - 1} others lead, too close to separate."
