"""A sequential test between two claims about a mean: is the new version better?

The log-likelihood ratio is the normal form of the generalised SPRT: for n scores of mean m and variance v,
n (s1 - s0) (2 m - s0 - s1) / (2 v), against Wald's bounds log(beta / (1 - alpha)) and
log((1 - beta) / alpha).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from arena.errors import BadInput
from arena.ratings.elo import mean_and_variance, score_of_elo
from arena.ratings.results import Floats
from arena.ratings.scale import critical_points, degrees_of_freedom

Answer: TypeAlias = Literal["better", "not better", "no difference seen", "undecided"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a test has come to."""

    answer: Answer
    pairs: int
    """Pairs of blocks it took, or all there are."""
    ratio: float
    """The log-likelihood ratio after them."""
    mean: float
    """Mean difference of the scores."""
    error: float
    """Half of the 95 % interval of the mean; by Student's t under 40 pairs."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is the mean difference `gain` (better) or `none` (not)? Differences: block scores, new less old."""

    gain: float
    none: float = 0.0
    alpha: float = 0.05
    """Chance to call a bot better that is not."""
    beta: float = 0.05
    """Chance to miss one that is."""
    least: int = 30
    """Pairs before the first answer: before, the variance is not known well enough."""

    def __post_init__(self) -> None:
        """Check the claims and the risks."""
        if not self.gain > self.none:
            raise BadInput(f"the gain to look for ({self.gain}) must be above that of no gain ({self.none})")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < risk < 0.5:
                raise BadInput(f"{name} is {risk}; a risk lies between 0 and 0.5, both excluded")

    @property
    def lower(self) -> float:
        """At or below this ratio the answer is "not better"."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this ratio the answer is "better"."""
        return log((1.0 - self.beta) / self.alpha)

    def ratios(self, differences: ArrayLike, step: float) -> Floats:
        """The ratio after each pair, (pairs,).

        `step` is the smallest difference a pair can show (one game of a block: 1 / games). One deviation of
        that size is added to the squares, so that bots that play alike to the last card divide by no zero.
        """
        given = np.asarray(differences, dtype=np.float64)
        if step <= 0.0:
            raise BadInput(f"the step is {step}; it is the smallest difference a pair can show, above 0")
        pairs = np.arange(1, len(given) + 1)
        mean = np.cumsum(given) / pairs
        squares = np.maximum(np.cumsum(given**2) - pairs * mean**2, 0.0)
        # With n - 3 the inverse of a normal sample's variance is unbiased, and so is the ratio.
        variance = (squares + step**2) / np.maximum(pairs - 3, 1)
        distance = (self.gain - self.none) * (2.0 * mean - self.none - self.gain)
        return np.asarray(pairs * distance / (2.0 * variance))

    def run(self, differences: ArrayLike, step: float, looks: Sequence[int] | None = None) -> Standing:
        """The first answer these differences give, in their order.

        `looks`: after how many pairs it is looked at, ascending; without them after every one. What is there
        beyond the last look is part of the standing where no look has given an answer.

        Pairs without any difference have no variance to test by. They are an answer of their own once a bot
        that gains as much would hardly have played so many games alike.
        """
        given = np.asarray(differences, dtype=np.float64)
        ratios = self.ratios(given, step)
        at = np.arange(1, len(given) + 1) if looks is None else np.asarray(looks, dtype=np.int64)
        at = at[(at >= self.least) & (at <= len(given))]
        for pairs in at.tolist():
            if not given[:pairs].any():
                if pairs >= self.least_alike(step):
                    return self._standing("no difference seen", given[:pairs], ratios, step)
                continue
            if ratios[pairs - 1] >= self.upper:
                return self._standing("better", given[:pairs], ratios, step)
            if ratios[pairs - 1] <= self.lower:
                return self._standing("not better", given[:pairs], ratios, step)
        return self._standing("undecided", given, ratios, step)

    def least_alike(self, step: float) -> int:
        """After how many pairs without a difference no gain is left to be seen.

        With a gain g at least g of the games end differently: n of them end alike with a chance of at most
        (1 - g)^n, and a tenth of the chance to miss a gain is given to that.
        """
        games = log(self.beta / 10.0) / log(1.0 - min(self.gain, 0.999))
        return max(self.least, ceil(games * step))

    @staticmethod
    def _standing(answer: Answer, seen: Floats, ratios: Floats, step: float) -> Standing:
        pairs = len(seen)
        if not pairs:
            return Standing(answer, 0, 0.0, 0.0, 0.0)
        variance = (float(((seen - seen.mean()) ** 2).sum()) + step**2) / max(pairs - 1, 1)
        critical = float(critical_points(degrees_of_freedom(np.array([pairs])))[0])
        return Standing(
            answer, pairs, float(ratios[pairs - 1]), float(seen.mean()), critical * sqrt(variance / pairs)
        )

    def pairs_left(self, standing: Standing, step: float) -> float | None:
        """How many more pairs it takes until an answer, if they are like those so far; None: there is one."""
        if standing.answer != "undecided" or not standing.pairs:
            return None
        if not standing.mean and standing.pairs < self.least_alike(step):
            return float(self.least_alike(step) - standing.pairs)
        bound = self.upper if standing.ratio > 0.0 else self.lower
        if not standing.ratio:
            return float("inf")
        return max(standing.pairs * (bound / standing.ratio - 1.0), self.least - standing.pairs, 0.0)


def ratio_of_counts(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of `elo1` against `elo0` between two bots.

    `counts` are how often each score came up, from none to all points: three for games (lost, drawn, won),
    five for pairs of games. `BadInput` unless at least two different scores came up.
    """
    if sum(1 for count in counts if count > 0) < 2 or min(counts) < 0:
        raise BadInput(
            f"the counts {list(counts)} have no spread; at least two different scores must have come up"
        )
    mean, variance = mean_and_variance(counts)
    score0, score1 = score_of_elo(elo0), score_of_elo(elo1)
    return sum(counts) * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
