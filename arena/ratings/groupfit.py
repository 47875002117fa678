"""One group of bots from its games to its scale: which seats can be fitted, which bars it gets."""

from dataclasses import dataclass

import numpy as np

from arena.ratings.bars import hessian, jackknife, sandwich
from arena.ratings.choices import Choices, within
from arena.ratings.counts import Counts
from arena.ratings.fit import Fit, Problem, fit, seats_are_told_apart
from arena.ratings.groups import Links
from arena.ratings.results import Bools, Floats, Results
from arena.ratings.scale import ELO, ENOUGH_BLOCKS, Bars, Scale, critical_points, degrees_of_freedom

FEW_RESULTS = 20
"""Under so many wins or losses a clustered bar sees too little, and is never shorter than the Hessian's."""
LEAST_SPREAD = 0.1
"""Nor is it where blocks show less than this part of the variance that independent games would: however many
there are, a result that repeats itself to the last game is no measure of what may come."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to rate."""

    prior: float
    seat_effects: bool
    anchor: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was read out of the results before any fit."""

    choices: tuple[Choices, ...]
    links: Links
    counts: Counts


def scale_of(results: Results, evidence: Evidence, number: int, options: Options) -> Scale:
    """Fit group `number` of the evidence; raises `NotConverged`."""
    counts, links = evidence.counts, evidence.links
    bots = np.flatnonzero(links.group == number)
    known, names = within(evidence.choices, bots, results.bots)
    blocks = len(names)
    fitted = bool(known) and options.seat_effects and seats_are_told_apart(len(bots), results.seats, known)
    problem = Problem(len(bots), results.seats if fitted else 0, known, options.prior)
    found = fit(problem)
    few_blocks = bool((counts.blocks[bots] < ENOUGH_BLOCKS).any())
    plain = hessian(found)
    bars: Bars = "hessian"
    clustered = plain
    if blocks > 1:
        # Without a prior the fit without a block may not exist, so there is nothing to leave out.
        bars = "jackknife" if few_blocks and options.prior else "sandwich"
        clustered = (jackknife if bars == "jackknife" else sandwich)(problem, found, blocks)
    # Where only the prior bounds a rating, blocks do not differ and show no spread either.
    few = (counts.ahead < FEW_RESULTS) | (counts.behind < FEW_RESULTS) | links.prior_bounded
    zero = _zero(links.prior_bounded[bots])
    size = len(bots)
    covariance, deviation = _floored(clustered[:size, :size], plain[:size, :size], few[bots], zero)
    elo = found.at[:size] - zero @ found.at[:size]
    here = np.flatnonzero(bots == (-1 if options.anchor is None else options.anchor))
    games = np.isin(results.seating[:, 0], bots) & counts.rated_game
    seat_elo, seat_covariance, seat_errors = _seats(problem, found, clustered, plain, results.seats)
    return Scale(
        bots=bots,
        elo=ELO * (elo - elo[here[0]] if len(here) else elo),
        at_zero=zero > 0.0,
        covariance=ELO**2 * covariance,
        deviation=ELO * deviation,
        blocks=counts.blocks[bots],
        anchor=int(here[0]) if len(here) else None,
        seats=seat_elo,
        seat_covariance=seat_covariance,
        seat_errors=seat_errors,
        seat_wins=np.bincount(results.winner[games & (results.winner >= 0)], minlength=results.seats),
        seats_fitted=fitted,
        bars=bars,
        games=int(games.sum()),
        all_blocks=blocks,
    )


def _zero(prior_bounded: Bools) -> Floats:
    """(n,): the part of each bot in the mean that is put at 0.

    A rating that only the prior bounds has none, for it goes on moving with the number of games, and would
    take all others along; unless half of them or more are such.
    """
    most = 2 * prior_bounded.sum() < len(prior_bounded)
    counts = (~prior_bounded).astype(np.float64) if most else np.ones(len(prior_bounded))
    return np.asarray(counts / counts.sum())


def _floored(clustered: Floats, plain: Floats, few: Bools, zero: Floats) -> tuple[Floats, Floats]:
    """Covariance about the zero, and standard errors of differences.

    For `few`, and where blocks show hardly any spread, neither is below the Hessian's.
    """
    if len(zero) == 1:
        return plain[:1, :1], np.zeros((1, 1))
    covariance, least = _about(clustered, zero), _about(plain, zero)
    own, usual = np.diag(covariance), np.diag(least)
    few = few | (own < LEAST_SPREAD * usual)
    lacking = np.where(few, np.maximum(usual - own, 0.0), 0.0)
    covariance = _about(covariance + np.diag(_lifts(lacking, zero)), zero)
    between, usual = _of_differences(covariance), _of_differences(least)
    either = few[:, None] | few[None, :] | (between < LEAST_SPREAD * usual)
    between = np.where(either, np.maximum(between, usual), between)
    return covariance, np.sqrt(between)


def _lifts(lacking: Floats, zero: Floats) -> Floats:
    """(n,): the variance to be added to each strength, so that as much as is lacking is added about the zero.

    As the zero has a part w of a strength, what is not known of that one is not known of the zero, and of all
    others, either: about it a rating gets (1 - 2 w) of its own lift, and S, the sum of w^2 of all lifts.
    """
    if zero.max() >= 0.5:
        # Two that make the zero are equally far from it, whose lift it may be.
        inside = zero > 0.0
        shared = float(lacking[inside].max())
        return np.where(inside, 2.0 * shared, np.maximum(lacking - shared, 0.0))
    room = 1.0 - 2.0 * zero
    shared = float((zero**2 * lacking / room).sum() / (1.0 + (zero**2 / room).sum()))
    return np.where(lacking > 0.0, np.maximum(lacking - shared, 0.0) / room, 0.0)


def _about(covariance: Floats, zero: Floats) -> Floats:
    """(n, n): of the differences from the weighted mean of all."""
    rows = covariance - (zero @ covariance)[None, :]
    return np.asarray(rows - (rows @ zero)[:, None])


def _of_differences(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2.0 * covariance, 0.0)


def _seats(
    problem: Problem, found: Fit, clustered: Floats, plain: Floats, seats: int
) -> tuple[Floats, Floats, Floats]:
    """Elo of each seat, their covariance, half of each 95 % interval; noughts where seats are not fitted."""
    if not problem.seats:
        return np.zeros(seats), np.zeros((seats, seats)), np.zeros(seats)
    effects = found.at[problem.bots :]
    part = slice(problem.bots, problem.size)
    first, games = np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64)
    blocks = 1 + max(int(observed.block.max()) for observed in problem.choices)
    for observed in problem.choices:
        first += np.bincount(observed.seats[:, : observed.tied].ravel(), minlength=seats)
        games += np.bincount(observed.seats.ravel(), minlength=seats)
    few = (first < FEW_RESULTS) | (games - first < FEW_RESULTS)
    even = np.full(seats, 1.0 / seats)
    covariance, _ = _floored(clustered[part, part], plain[part, part], few, even)
    freedom = degrees_of_freedom(np.full(seats, blocks)) if blocks > 1 else np.full(seats, np.inf)
    errors = critical_points(freedom) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return ELO * (effects - effects.mean()), ELO**2 * covariance, ELO * errors
