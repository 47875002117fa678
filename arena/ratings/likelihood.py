"""The likelihood of choices under Plackett-Luce: its logarithm, slope and curvature, row by row.

A candidate of strength u is chosen out of a set with probability exp(u) / sum of exp over the set (Luce 1959,
Plackett 1975). Where `tied` candidates share the choice, the likelihood is the mean over the orders in which
they may have come, up to four of them; above four it is Efron's (1977) approximation.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.special import logsumexp

from arena.ratings.results import Floats

EXACT = 4
"""Up to this many tied candidates all orders are summed: 4! = 24."""


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """The likelihood of each row as a function of its candidates' strengths, at one point."""

    log: Floats
    """(rows,)."""
    slope: Floats
    """(rows, m): derivative of `log` by each candidate's strength; each row sums to 0."""
    curvature: Floats
    """(rows, m, m): minus the second derivatives; positive semidefinite, each line sums to 0."""


def local(strength: Floats, tied: int) -> Local:
    """The likelihood that the first `tied` columns of `strength` (rows, m) came before the others."""
    if tied == 1:
        return _single(strength)
    if tied <= EXACT:
        return _mean_over_orders(strength, tied)
    return _efron(strength, tied)


def shares(strength: Floats) -> Floats:
    """The probability of each candidate of a row to be the first; rows sum to 1."""
    weight = np.exp(strength - strength.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    return np.asarray(weight)


def _spread(chances: Floats) -> Floats:
    curvature = -chances[:, :, None] * chances[:, None, :]
    own = np.arange(chances.shape[1])
    curvature[:, own, own] += chances
    return curvature


def _single(strength: Floats) -> Local:
    chances = shares(strength)
    top = strength.max(axis=1)
    log = strength[:, 0] - top - np.log(np.exp(strength - top[:, None]).sum(axis=1))
    slope = -chances
    slope[:, 0] += 1.0
    return Local(log, slope, _spread(chances))


def _sequence(strength: Floats, order: tuple[int, ...]) -> Local:
    """The candidates of `order` come first, in that order."""
    rows, size = strength.shape
    log, slope = np.zeros(rows), np.zeros((rows, size))
    curvature = np.zeros((rows, size, size))
    left = np.ones(size, dtype=bool)
    for taken in order:
        here = np.flatnonzero(left)
        inner = strength[:, here]
        chances = np.zeros((rows, size))
        chances[:, here] = shares(inner)
        log += strength[:, taken] - logsumexp(inner, axis=1)
        slope -= chances
        slope[:, taken] += 1.0
        curvature += _spread(chances)
        left[taken] = False
    return Local(log, slope, curvature)


def _mean_over_orders(strength: Floats, tied: int) -> Local:
    sequences = [_sequence(strength, order) for order in permutations(range(tied))]
    logs = np.stack([sequence.log for sequence in sequences])
    total = logsumexp(logs, axis=0)
    slope, curvature = np.zeros(strength.shape), np.zeros((*strength.shape, strength.shape[1]))
    for weight, sequence in zip(np.exp(logs - total), sequences, strict=True):
        slope += weight[:, None] * sequence.slope
        curvature += weight[:, None, None] * (
            sequence.curvature - sequence.slope[:, :, None] * sequence.slope[:, None, :]
        )
    curvature += slope[:, :, None] * slope[:, None, :]
    return Local(np.asarray(total - np.log(len(sequences))), slope, curvature)


def _efron(strength: Floats, tied: int) -> Local:
    log = strength[:, :tied].sum(axis=1)
    slope = np.zeros(strength.shape)
    slope[:, :tied] = 1.0
    curvature = np.zeros((*strength.shape, strength.shape[1]))
    for taken in range(tied):
        # The tied leave together, a tied-th part of each at a time.
        thinned = strength.copy()
        thinned[:, :tied] += np.log1p(-taken / tied)
        chances = shares(thinned)
        log -= logsumexp(thinned, axis=1)
        slope -= chances
        curvature += _spread(chances)
    return Local(log, slope, curvature)
