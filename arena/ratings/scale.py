"""One group of bots on one Elo scale: ratings, bars, and how surely one bot is ahead of another."""

from dataclasses import dataclass, replace
from math import log
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from arena.ratings.results import Bools, Floats, Ints

ELO = 400.0 / log(10.0)
"""Elo points in one unit of natural logarithm: 173.7."""
NORMAL = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""
ENOUGH_BLOCKS = 40
"""From here on a bar may trust the normal distribution and the plain sandwich."""
TINY = 1e-9

Bars: TypeAlias = Literal["sandwich", "jackknife", "hessian"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One bot's rating less another's."""

    elo: float
    error: float
    """Half of its 95 % interval, from the standard error of the difference, not from the two bots' bars."""
    los: float
    """Likelihood of superiority, 0 to 1: the chance that the first is the stronger."""
    separated: bool
    """Whether the 95 % interval leaves out 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Bots linked by games. Numbers of two scales cannot be compared."""

    bots: Ints
    """(n,): their numbers, ascending; the other arrays are in this order."""
    elo: Floats
    """(n,): the anchor at 0, or the mean of those `at_zero`."""
    at_zero: Bools
    """(n,): who has a part in that mean: those that games bound, if they are more than half, else all."""
    covariance: Floats
    """(n, n), Elo squared: of the ratings about that mean."""
    deviation: Floats
    """(n, n), Elo: standard error of each difference."""
    blocks: Ints
    """(n,): blocks in which the bot has a rated game."""
    anchor: int | None
    """Position in `bots` of the bot that stands at 0."""
    seats: Floats
    """(seats,), Elo: effect of each seat; they sum to 0."""
    seat_covariance: Floats
    """(seats, seats), Elo squared: of the effects about their mean."""
    seat_errors: Floats
    """(seats,), Elo: half of the 95 % interval of each."""
    seat_wins: Ints
    """(seats,): games won from each seat."""
    seats_fitted: bool
    bars: Bars
    games: int
    """Rated games."""
    all_blocks: int

    @property
    def freedom(self) -> Floats:
        """(n,): degrees of freedom behind each bar; infinite where it rests on no sum over blocks."""
        return (
            np.full(len(self.blocks), np.inf) if self.bars == "hessian" else degrees_of_freedom(self.blocks)
        )

    @property
    def critical(self) -> Floats:
        """(n,): the 95 % point that turns a standard error into half an interval."""
        return critical_points(self.freedom)

    @property
    def standard_errors(self) -> Floats:
        """(n,), Elo: of each rating, relative to the mean or to the anchor."""
        if self.anchor is not None:
            return self.deviation[:, self.anchor]
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)))

    @property
    def errors(self) -> Floats:
        """(n,), Elo: half of each rating's 95 % interval."""
        critical = self.critical
        if self.anchor is not None:
            critical = np.maximum(critical, critical[self.anchor])
        return np.asarray(critical * self.standard_errors)

    @property
    def los(self) -> Floats:
        """(n, n): chance that the row is stronger than the column; 0.5 on the diagonal."""
        ahead = self.elo[:, None] - self.elo[None, :]
        freedom = np.minimum(self.freedom[:, None], self.freedom[None, :])
        ratio = ahead / np.maximum(self.deviation, TINY)
        few = np.isfinite(freedom)
        return np.where(few, stdtr(np.where(few, freedom, 1.0), ratio), ndtr(ratio))

    @property
    def reach(self) -> Floats:
        """(n, n), Elo: half of the 95 % interval of each difference."""
        critical = np.maximum(self.critical[:, None], self.critical[None, :])
        return np.asarray(critical * np.maximum(self.deviation, TINY))

    @property
    def separated(self) -> Bools:
        """(n, n): whether the 95 % interval of the difference leaves out 0."""
        return np.asarray(np.abs(self.elo[:, None] - self.elo[None, :]) > self.reach)

    @property
    def order(self) -> Ints:
        """Positions in `bots` from the strongest to the weakest."""
        # Rounded, so that equal ratings stand in the order of their numbers whatever the last bits are.
        return np.lexsort((self.bots, -self.elo.round(6)))

    @property
    def rank_low(self) -> Ints:
        """(n,): the best rank each bot may hold: 1 plus the bots it is separated from above."""
        above = self.separated & (self.elo[None, :] > self.elo[:, None])
        return np.asarray(1 + above.sum(axis=1))

    @property
    def rank_high(self) -> Ints:
        """(n,): the worst rank each bot may hold."""
        below = self.separated & (self.elo[None, :] < self.elo[:, None])
        return np.asarray(len(self.bots) - below.sum(axis=1))

    def best(self, seed: int = 0) -> Floats:
        """(n,): chance of each bot to be the strongest, from joint normal draws widened to the bars shown."""
        bots = len(self.bots)
        order = self.order
        wide = self.critical[order] / NORMAL
        spread = wide[:, None] * self.covariance[np.ix_(order, order)] * wide[None, :]
        values, vectors = np.linalg.eigh(spread)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        count = int(np.clip(4_000_000 // bots, 2_000, 40_000))
        drawn = self.elo[order] + np.random.default_rng(seed).standard_normal((count, bots)) @ root.T
        chance = np.empty(bots)
        chance[order] = np.bincount(drawn.argmax(axis=1), minlength=bots) / count
        return chance

    def difference(self, one: int, other: int) -> Difference:
        """Between two positions in `bots`."""
        pair = np.array([one, other])
        two = replace(
            self,
            bots=self.bots[pair],
            elo=self.elo[pair],
            at_zero=self.at_zero[pair],
            covariance=self.covariance[np.ix_(pair, pair)],
            deviation=self.deviation[np.ix_(pair, pair)],
            blocks=self.blocks[pair],
            anchor=None,
        )
        error = two.critical.max() * two.deviation[0, 1]
        ahead = float(two.elo[0] - two.elo[1])
        return Difference(ahead, float(error), float(two.los[0, 1]), bool(two.separated[0, 1]))


def degrees_of_freedom(blocks: Ints) -> Floats:
    """Blocks - 1, at least 1; infinite from 40 blocks on, where the normal distribution will do."""
    return np.where(blocks >= ENOUGH_BLOCKS, np.inf, np.maximum(blocks - 1.0, 1.0))


def critical_points(freedom: Floats) -> Floats:
    """The two-sided 95 % points of Student's t with these degrees of freedom; 1.96 where infinite."""
    few = np.isfinite(freedom)
    return np.where(few, stdtrit(np.where(few, freedom, 1.0), 0.975), NORMAL)
