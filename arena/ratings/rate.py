"""From results to ratings: groups, fit, bars and counts, put together."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from arena.errors import BadInput
from arena.ratings.bars import hessian, jackknife, sandwich
from arena.ratings.choices import Choices, choices_of
from arena.ratings.fit import Fit, Problem, fit, seats_are_told_apart
from arena.ratings.groups import Links, link
from arena.ratings.results import Bools, Floats, Ints, Results
from arena.ratings.scale import (
    ELO,
    ENOUGH_BLOCKS,
    Bars,
    Difference,
    Scale,
    critical_points,
    degrees_of_freedom,
)
from arena.ratings.shares import expected_shares

PRIOR = 0.5
"""Wins, and as many losses, of every bot and every seat against a ghost of strength 0."""
FEW_RESULTS = 20
"""Under so many wins or losses a clustered bar sees too little, and is never shorter than the Hessian's."""
PROVISIONAL_BLOCKS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Every bot's rating and counts; arrays are (bots,) and without nan or inf whatever was played."""

    seats: int
    full_order: bool
    prior: float
    total_games: int
    total_no_result: int
    """Games that nobody has won."""
    group: Ints
    """Which of `scales` each bot is on."""
    scales: tuple[Scale, ...]
    """Largest group first; a bot without a rated game is a group of its own, at 0 with the prior's bar."""
    elo: Floats
    error: Floats
    """Elo: half of the 95 % interval."""
    expected: Floats
    """Share of games the bot would win at random tables of its group, all seats equal."""
    games: Ints
    """Games played, with or without a winner."""
    rated: Ints
    """Games that say something about strength."""
    blocks: Ints
    """Blocks with a rated game."""
    wins: Ints
    no_result: Ints
    """Games that nobody has won."""
    provisional: Bools
    """Under 20 blocks."""
    prior_bounded: Bools
    """The games alone would leave the rating unbounded: it, or its like, beat or lost to all others."""
    no_upper: Bools
    no_lower: Bools

    @property
    def bots(self) -> int:
        """How many bots there are."""
        return len(self.elo)

    @property
    def win_share(self) -> Floats:
        """Games won of games played, 0 without games."""
        return self.wins / np.maximum(self.games, 1)

    @property
    def no_result_share(self) -> Floats:
        """Games that nobody has won of games played, 0 without games."""
        return self.no_result / np.maximum(self.games, 1)

    @property
    def order(self) -> Ints:
        """Bot numbers in table order: group by group, the strongest first."""
        ranked = [scale.bots[scale.order] for scale in self.scales]
        return np.concatenate(ranked) if ranked else np.zeros(0, dtype=np.int64)

    def difference(self, one: int, other: int) -> Difference | None:
        """Between two bots by number; None where no chain of games links them."""
        if self.group[one] != self.group[other]:
            return None
        scale = self.scales[int(self.group[one])]
        first, second = np.searchsorted(scale.bots, [one, other]).tolist()
        return scale.difference(first, second)


def rate(
    results: Results,
    *,
    prior: float = PRIOR,
    seat_effects: bool = True,
    anchor: int | None = None,
) -> Ratings:
    """Rate every bot of `results`.

    `prior` is the number of wins, and of losses, of each bot and each seat against the ghost; 0 leaves it
    out, and then `BadInput` is raised unless a chain of results leads from each bot to each other both ways.
    Seat effects are fitted where the seatings tell them apart from the bots. `anchor` is the bot that stands
    at 0 in its group (a group without it has mean 0). Raises `NotConverged` if no maximum is found.
    """
    if anchor is not None and not 0 <= anchor < results.bots:
        raise BadInput(
            f"the anchor is bot {anchor}; with {results.bots} bots numbers run from 0 to {results.bots - 1}"
        )
    if not 0.0 <= prior < np.inf:
        raise BadInput(f"prior is {prior}; it is 0 (none) or more, usually {PRIOR}")
    choices = choices_of(results)
    links = link(results.bots, choices)
    if not prior:
        _insist_on_bounds(links)
    counts = _Counts.of(results)
    scales = tuple(
        _scale(results, choices, counts, np.flatnonzero(links.group == number), prior, seat_effects, anchor)
        for number in range(int(links.group.max(initial=-1)) + 1)
    )
    elo, error, expected = np.zeros(results.bots), np.zeros(results.bots), np.zeros(results.bots)
    for scale in scales:
        elo[scale.bots], error[scale.bots] = scale.elo, scale.errors
        expected[scale.bots] = expected_shares(scale.elo / ELO, max(results.seats, 1))
    return Ratings(
        seats=results.seats,
        full_order=results.full_order,
        prior=prior,
        total_games=results.games,
        total_no_result=int((results.winner < 0).sum()),
        group=links.group,
        scales=scales,
        elo=elo,
        error=error,
        expected=expected,
        games=counts.games,
        rated=counts.rated,
        blocks=counts.blocks,
        wins=counts.wins,
        no_result=counts.no_result,
        provisional=counts.blocks < PROVISIONAL_BLOCKS,
        prior_bounded=links.prior_bounded,
        no_upper=links.no_upper,
        no_lower=links.no_lower,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """What can be counted without a fit, (bots,) each."""

    games: Ints
    rated: Ints
    blocks: Ints
    wins: Ints
    no_result: Ints
    ahead: Ints
    """Rated games in which the bot came before somebody."""
    behind: Ints
    rated_game: Bools
    """(games,)."""

    @staticmethod
    def of(results: Results) -> "_Counts":
        won = results.winner >= 0
        spread = results.places.max(axis=1) > results.places.min(axis=1) if results.games else won
        rated = spread if results.full_order else won
        sat, places = results.seating[rated], results.places[rated]
        if results.full_order:
            ahead = places < places.max(axis=1, keepdims=True) if len(places) else places
            behind = places > places.min(axis=1, keepdims=True) if len(places) else places
        else:
            ahead = np.arange(results.seats) == results.winner[rated, None]
            behind = ~ahead
        winners = results.seating[won, results.winner[won]]

        def by_bot(bots: Ints) -> Ints:
            return np.bincount(bots.ravel(), minlength=results.bots)

        return _Counts(
            games=by_bot(results.seating),
            rated=by_bot(sat),
            blocks=_blocks_by_bot(results.bots, sat, results.block[rated]),
            wins=by_bot(winners),
            no_result=by_bot(results.seating[~won]),
            ahead=by_bot(sat[ahead.astype(bool)]),
            behind=by_bot(sat[behind.astype(bool)]),
            rated_game=rated,
        )


def _blocks_by_bot(bots: int, sat: Ints, block: Ints) -> Ints:
    names, index = np.unique(block, return_inverse=True)
    where = (np.broadcast_to(index[:, None], sat.shape).ravel(), sat.ravel())
    met = csr_array(coo_array((np.ones(sat.size), where), shape=(len(names), bots)))
    met.sum_duplicates()
    return np.bincount(met.indices, minlength=bots).astype(np.int64)


def _insist_on_bounds(links: Links) -> None:
    alone = np.bincount(links.group)[links.group] == 1 if len(links.group) else links.prior_bounded
    loose = np.flatnonzero(links.prior_bounded | alone)
    if len(loose):
        raise BadInput(
            f"without a prior bot {loose[0]} has no finite rating: no chain of results leads both ways "
            "between it and the others; rate with a prior, or leave it out"
        )


def _scale(
    results: Results,
    choices: tuple[Choices, ...],
    counts: _Counts,
    bots: Ints,
    prior: float,
    seat_effects: bool,
    anchor: int | None,
) -> Scale:
    known, blocks = _within(choices, bots, results.bots)
    fitted = bool(known) and seat_effects and seats_are_told_apart(len(bots), results.seats, known)
    problem = Problem(len(bots), results.seats if fitted else 0, known, prior)
    found = fit(problem)
    few_blocks = bool((counts.blocks[bots] < ENOUGH_BLOCKS).any())
    plain = hessian(found)
    bars: Bars = "hessian"
    clustered = plain
    if blocks > 1:
        # Without a prior the fit without a block may not exist, so there is nothing to leave out.
        bars = "jackknife" if few_blocks and prior else "sandwich"
        clustered = (jackknife if bars == "jackknife" else sandwich)(problem, found, blocks)
    few = (counts.ahead[bots] < FEW_RESULTS) | (counts.behind[bots] < FEW_RESULTS)
    covariance, deviation = _floored(len(bots), clustered, plain, few)
    elo = found.at[: len(bots)] - found.at[: len(bots)].mean()
    here = np.flatnonzero(bots == anchor) if anchor is not None else np.zeros(0, dtype=np.int64)
    of_group = (
        np.isin(results.seating[:, 0], bots) & (results.winner >= 0) if known else np.zeros(0, dtype=bool)
    )
    seat_elo, seat_errors = _seats(problem, found, clustered, plain, results.seats)
    return Scale(
        bots=bots,
        elo=ELO * (elo - elo[here[0]] if len(here) else elo),
        covariance=ELO**2 * covariance,
        deviation=ELO * deviation,
        blocks=counts.blocks[bots],
        anchor=int(here[0]) if len(here) else None,
        seats=seat_elo,
        seat_errors=seat_errors,
        seat_wins=np.bincount(results.winner[of_group] if known else [], minlength=results.seats),
        seats_fitted=fitted,
        bars=bars,
        games=int((counts.rated_game & np.isin(results.seating[:, 0], bots)).sum()) if known else 0,
        all_blocks=blocks,
    )


def _within(choices: tuple[Choices, ...], bots: Ints, all_bots: int) -> tuple[tuple[Choices, ...], int]:
    """The choices among `bots`, bots numbered by position and blocks from 0; and the number of blocks."""
    if len(bots) < 2:
        return (), 0
    place = np.full(all_bots, -1)
    place[bots] = np.arange(len(bots))
    mine = [observed.only(place[observed.bots[:, 0]] >= 0) for observed in choices]
    names = np.unique(np.concatenate([observed.block for observed in mine]))
    return tuple(
        Choices(place[observed.bots], observed.seats, observed.tied, np.searchsorted(names, observed.block))
        for observed in mine
        if observed.rows
    ), len(names)


def _floored(size: int, clustered: Floats, plain: Floats, few: Bools) -> tuple[Floats, Floats]:
    """Covariance about the mean, and standard errors of differences; for `few` not below the Hessian's."""
    if size == 1:
        return plain[:1, :1], np.zeros((1, 1))
    covariance, least = _about_mean(clustered[:size, :size]), _about_mean(plain[:size, :size])
    lift = np.where(few, np.maximum(np.diag(least) - np.diag(covariance), 0.0), 0.0)
    covariance = covariance + np.diag(lift)
    between = _of_differences(covariance)
    either = few[:, None] | few[None, :]
    between = np.where(either, np.maximum(between, _of_differences(least)), between)
    return covariance, np.sqrt(between)


def _about_mean(covariance: Floats) -> Floats:
    rows = covariance - covariance.mean(axis=0, keepdims=True)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def _of_differences(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2.0 * covariance, 0.0)


def _seats(
    problem: Problem, found: Fit, clustered: Floats, plain: Floats, seats: int
) -> tuple[Floats, Floats]:
    """Elo of each seat and half of its 95 % interval; noughts where seats are not fitted."""
    if not problem.seats:
        return np.zeros(seats), np.zeros(seats)
    effects = found.at[problem.bots :]
    part = slice(problem.bots, problem.size)
    first, games = np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64)
    blocks = 1 + max(int(observed.block.max()) for observed in problem.choices)
    for observed in problem.choices:
        first += np.bincount(observed.seats[:, : observed.tied].ravel(), minlength=seats)
        games += np.bincount(observed.seats.ravel(), minlength=seats)
    few = (first < FEW_RESULTS) | (games - first < FEW_RESULTS)
    covariance, _ = _floored(seats, clustered[part, part], plain[part, part], few)
    freedom = degrees_of_freedom(np.full(seats, blocks)) if blocks > 1 else np.full(seats, np.inf)
    errors = critical_points(freedom) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return ELO * (effects - effects.mean()), ELO * errors
