"""The fit: strengths of bots and seats at the maximum of the penalised likelihood, in natural units."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.special import expit

from arena.ratings.choices import Choices
from arena.ratings.likelihood import Local, local
from arena.ratings.results import Floats, Ints

ROWS_AT_A_TIME = 1 << 16
CLOSE_ENOUGH = 1e-9
"""The last step may change no strength by more than this (2e-7 Elo)."""


class NotConverged(ArithmeticError):
    """No maximum was found; there is no rating to show."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One group of bots and what is known of it. The unknowns are its bots' strengths, then its seats'."""

    bots: int
    seats: int
    """How many seat effects are fitted; 0 leaves them all at nought."""
    choices: tuple[Choices, ...]
    prior: float
    """Wins, and as many losses, against a ghost of strength 0, for each bot and each seat."""

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return self.bots + self.seats

    def strengths(self, at: Floats, observed: Choices) -> Floats:
        """(rows, m): strength of every candidate in its seat."""
        strength = at[observed.bots]
        return strength + at[self.bots + observed.seats] if self.seats else strength


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The maximum and the curvature there."""

    at: Floats
    """(unknowns,): strengths of bots, then of seats."""
    curvature: Floats
    """(unknowns, unknowns): minus the second derivatives, prior included; positive definite."""
    log: float
    """The penalised log-likelihood."""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The penalised log-likelihood at one point, with its slope and minus its second derivatives."""

    log: float
    slope: Floats
    curvature: Floats


def fit(problem: Problem, start: Floats | None = None) -> Fit:
    """Newton's method in a trust region, polished by plain Newton steps; raises `NotConverged`.

    `start` (unknowns,) is a point near the maximum, where one is known.
    """
    if not problem.size:
        return Fit(np.zeros(0), np.zeros((0, 0)), 0.0)
    surface = _Surface(problem)
    rows = 1 + sum(observed.rows for observed in problem.choices)

    def cost(at: Floats) -> float:
        return -surface(at).log / rows

    def slope(at: Floats) -> Floats:
        return -surface(at).slope / rows

    def curvature(at: Floats) -> Floats:
        return surface(at).curvature / rows

    found = minimize(
        cost,
        np.zeros(problem.size) if start is None else start,
        jac=slope,
        hess=curvature,
        method="trust-exact",
        options={
            "gtol": 1e-6 / rows,
            "maxiter": 100,
            "initial_trust_radius": sqrt(problem.size),
            "max_trust_radius": 100.0 * sqrt(problem.size),
        },
    )
    at = np.asarray(found.x, dtype=np.float64)
    for _ in range(8):
        here = surface(at)
        try:
            step = cho_solve(cho_factor(here.curvature), here.slope)
        except (LinAlgError, ValueError) as singular:
            raise NotConverged(f"the likelihood of {problem.bots} bots has no single maximum") from singular
        if np.abs(step).max() <= CLOSE_ENOUGH:
            return Fit(at, here.curvature, here.log)
        at = at + step
    raise NotConverged(
        f"the ratings of {problem.bots} bots did not settle: the last step was {np.abs(step).max():.3g}"
    )


def seats_are_told_apart(bots: int, seats: int, choices: tuple[Choices, ...]) -> bool:
    """Whether the seatings separate seat effects from strengths (they do not if every bot keeps to one seat).

    True if, once the bots are accounted for, the information about the seats has its full rank of seats - 1.
    """
    problem = Problem(bots, seats, choices, 0.0)
    known = _Surface(problem, level=0.0)(np.zeros(problem.size)).curvature
    own, cross, rest = known[:bots, :bots], known[:bots, bots:], known[bots:, bots:]
    left = rest - cross.T @ np.linalg.solve(own + np.full((bots, bots), 1.0 / bots), cross)
    return int((np.linalg.eigvalsh(left) > 1e-9 * max(np.trace(rest), 1e-300)).sum()) == seats - 1


def point(problem: Problem, at: Floats) -> Point:
    """The surface the fit climbs, at one point."""
    return _Surface(problem)(at)


class _Surface:
    """The penalised log-likelihood with both derivatives, remembered at the last point asked for."""

    def __init__(self, problem: Problem, level: float = 1.0) -> None:
        self.problem = problem
        # Without a prior nothing fixes the level of bots or seats; a pull on their sums does, and only that.
        self.level = 0.0 if problem.prior else level
        self.last: tuple[bytes, Point] | None = None

    def __call__(self, at: Floats) -> Point:
        key = at.tobytes()
        if self.last is None or self.last[0] != key:
            self.last = key, self._point(at)
        return self.last[1]

    def _point(self, at: Floats) -> Point:
        problem = self.problem
        chance = expit(at)
        log = float(problem.prior * (at - 2.0 * np.logaddexp(0.0, at)).sum())
        slope = problem.prior * (1.0 - 2.0 * chance)
        curvature = np.diag(2.0 * problem.prior * chance * (1.0 - chance))
        for part in (slice(0, problem.bots), slice(problem.bots, problem.size)):
            pull = self.level / max(part.stop - part.start, 1)
            log -= 0.5 * pull * float(at[part].sum()) ** 2
            slope[part] -= pull * at[part].sum()
            curvature[part, part] += pull
        for observed in problem.choices:
            for rows in observed.parts(ROWS_AT_A_TIME):
                here = local(problem.strengths(at, rows), rows.tied)
                log += float(here.log.sum())
                _add(problem, rows, here, slope, curvature)
        return Point(log, slope, curvature)


def _add(problem: Problem, rows: Choices, here: Local, slope: Floats, curvature: Floats) -> None:
    bots, seats = problem.bots, problem.seats
    mine = slice(0, bots)
    slope[mine] += np.bincount(rows.bots.ravel(), here.slope.ravel(), bots)
    curvature[mine, mine] += _table(rows.bots, bots, rows.bots, bots, here.curvature)
    if seats:
        theirs = slice(bots, problem.size)
        cross = _table(rows.bots, bots, rows.seats, seats, here.curvature)
        slope[theirs] += np.bincount(rows.seats.ravel(), here.slope.ravel(), seats)
        curvature[mine, theirs] += cross
        curvature[theirs, mine] += cross.T
        curvature[theirs, theirs] += _table(rows.seats, seats, rows.seats, seats, here.curvature)


def _table(rows: Ints, height: int, columns: Ints, width: int, weights: Floats) -> Floats:
    """(height, width): `weights` (n, m, m) summed by the pairs of `rows` (n, m) and `columns` (n, m)."""
    keys = rows[:, :, None] * width + columns[:, None, :]
    sums = np.bincount(keys.ravel(), weights.ravel(), height * width)
    return np.asarray(sums, dtype=np.float64).reshape(height, width)
