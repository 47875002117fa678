"""Where one number a bot is not enough: pairs that the ratings misjudge, and A beats B beats C beats A."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from arena.ratings.rate import Ratings
from arena.ratings.results import Bools, Floats, Ints, Results
from arena.ratings.scale import ELO

SURE = 0.95


@dataclass(frozen=True, slots=True)
class Surprise:
    """A pair whose meetings went otherwise than the ratings say."""

    bot: int
    other: int
    decided: int
    """Meetings in which one of the two came out ahead."""
    ahead: float
    """Share of them in which `bot` did."""
    expected: float
    """The share that ratings and seats make of them."""
    z: float
    chance: float
    """Chance of so large a |z| in any of the pairs (Holm 1979)."""


@dataclass(frozen=True, slots=True, eq=False)
class Transitivity:
    """What one number a bot leaves out."""

    surprises: tuple[Surprise, ...]
    """Every pair that met often enough, least probable first."""
    cycles: tuple[tuple[int, int, int], ...]
    """(a, b, c): by their own meetings a is ahead of b, b of c and c of a, each at 95 %; a is the lowest."""


def transitivity(ratings: Ratings, results: Results, least: int = 10) -> Transitivity:
    """Look at every pair with at least `least` decided meetings; errors are clustered by block."""
    duels = _Duels.of(ratings, results)
    pairs = np.flatnonzero(duels.decided >= least)
    z = duels.z_of_fit[pairs]
    chance = _holm(2.0 * ndtr(-np.abs(z)))
    order = np.lexsort((duels.key[pairs], -np.abs(z)))
    surprises = tuple(
        Surprise(
            int(duels.key[pair]) // ratings.bots,
            int(duels.key[pair]) % ratings.bots,
            int(duels.decided[pair]),
            float(duels.ahead[pair] / duels.decided[pair]),
            float(duels.expected[pair] / duels.decided[pair]),
            float(z[at]),
            float(chance[at]),
        )
        for at, pair in zip(order.tolist(), pairs[order].tolist(), strict=True)
    )
    beats = np.zeros((ratings.bots, ratings.bots), dtype=bool)
    los = ndtr(duels.z_of_half[pairs])
    one, other = duels.key[pairs] // max(ratings.bots, 1), duels.key[pairs] % max(ratings.bots, 1)
    beats[one[los > SURE], other[los > SURE]] = True
    beats[other[los < 1.0 - SURE], one[los < 1.0 - SURE]] = True
    return Transitivity(surprises, _cycles(beats))


@dataclass(frozen=True, slots=True, eq=False)
class _Duels:
    """By pair (lower number first) with at least one decided meeting."""

    key: Ints
    decided: Ints
    ahead: Floats
    expected: Floats
    z_of_fit: Floats
    z_of_half: Floats

    @staticmethod
    def of(ratings: Ratings, results: Results) -> "_Duels":
        strength = ratings.elo / ELO
        keys, blocks, leads, chances = [], [], [], []
        for one in range(results.seats):
            for other in range(one + 1, results.seats):
                lead = _lead(results, one, other)
                games = np.flatnonzero(lead)
                first, second = results.seating[games, one], results.seating[games, other]
                # Given that one of the two came first, the others at the table no longer matter (Luce).
                logit = strength[first] - strength[second] + _seat_difference(ratings, first, one, other)
                swap = first > second
                keys.append(np.where(swap, second * ratings.bots + first, first * ratings.bots + second))
                blocks.append(results.block[games])
                leads.append(((lead[games] > 0) ^ swap).astype(np.float64))
                chances.append(1.0 / (1.0 + np.exp(np.where(swap, logit, -logit))))
        if not keys:
            nothing = np.zeros(0)
            none = np.zeros(0, dtype=np.int64)
            return _Duels(none, none, nothing, nothing, nothing, nothing)
        lead, chance = np.concatenate(leads), np.concatenate(chances)
        key, pair = np.unique(np.concatenate(keys), return_inverse=True)
        _, cluster = np.unique(np.stack([pair, np.concatenate(blocks)]), axis=1, return_inverse=True)
        cluster = cluster.ravel()
        home = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=np.int64)
        home[cluster] = pair
        least = np.bincount(pair, chance * (1.0 - chance), len(key))

        def z(centre: Floats) -> Floats:
            residual = lead - centre
            squares = np.bincount(home, np.bincount(cluster, residual) ** 2, len(key))
            return np.bincount(pair, residual, len(key)) / np.sqrt(np.maximum(squares, least))

        return _Duels(
            key,
            np.bincount(pair, minlength=len(key)),
            np.bincount(pair, lead, len(key)).astype(np.float64),
            np.bincount(pair, chance, len(key)).astype(np.float64),
            z(chance),
            z(np.full(len(lead), 0.5)),
        )


def _lead(results: Results, one: int, other: int) -> Ints:
    """(games,): 1 where seat `one` came out ahead of seat `other`, -1 where behind, 0 where neither."""
    if results.full_order:
        return np.asarray(np.sign(results.places[:, other] - results.places[:, one]))
    return np.asarray((results.winner == one).astype(np.int64) - (results.winner == other))


def _seat_difference(ratings: Ratings, bots: Ints, one: int, other: int) -> Floats:
    seats = np.array([scale.seats[one] - scale.seats[other] for scale in ratings.scales])
    return np.asarray(seats[ratings.group[bots]] / ELO)


def _holm(chances: Floats) -> Floats:
    order = np.argsort(chances, kind="stable")
    count = len(chances)
    raised = np.minimum(np.maximum.accumulate(chances[order] * (count - np.arange(count))), 1.0)
    adjusted = np.empty(count)
    adjusted[order] = raised
    return adjusted


def _cycles(beats: Bools) -> tuple[tuple[int, int, int], ...]:
    found = []
    for first in range(len(beats)):
        for second in np.flatnonzero(beats[first]).tolist():
            if second > first:
                thirds = np.flatnonzero(beats[second] & beats[:, first])
                found += [(first, second, third) for third in thirds.tolist() if third > first]
    return tuple(found)
