"""Every two bots of a scale by the games decided between them: do the ratings explain these, who is ahead?

Given that one of two came first, the others at the table no longer matter (Luce 1959): bot i in seat s is
ahead of j in seat r with chance 1 / (1 + exp(t_j + g_r - t_i - g_s)). For a pair, S is the sum of what
happened less that chance, over its decided games, and S_c its part from block c.

The strengths in it are fitted to these very games. With D the derivative of S by the unknowns, H the
curvature and u_c the slope of block c, a block's part of S at the fit is a_c = S_c + D H^-1 u_c (an
efficient score), and z = S / sqrt(sum of a_c squared). Games of one block may hang together in any way;
only blocks are taken for independent. The variance is never less than S would have if all games were
independent, w - D H^-1 D' with w the sum of chance times its complement: where few blocks hold a surprise,
their spread alone is no measure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import expit, ndtr

from arena.ratings.correction import ENOUGH_MEETINGS
from arena.ratings.fitted import Fitted
from arena.ratings.results import Floats, Ints, Results

LEAST_OWN = 0.1
"""A pair is tested only if this part of the variance of S is left when the fit has had its way: of two bots
alone the ratings explain everything."""
CELLS_AT_A_TIME = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Duels:
    """By pair that met in enough blocks, (pairs,) each."""

    one: Ints
    other: Ints
    """Numbers of the bots; `one` is the lower."""
    blocks: Ints
    """Blocks with a decided game."""
    decided: Ints
    """Games in which one of the two came out ahead of the other."""
    ahead: Ints
    """Those in which `one` did."""
    expected: Floats
    """How many of them ratings and seats expect."""
    unexplained: Floats
    """Chance of so large a difference between the two numbers; 1 where the ratings follow the pair."""
    apart: Floats
    """Chance of so uneven a score between two bots of one strength (two-sided)."""
    even: Floats
    """How many decided games `one` would win of an equal, in the same seats."""


@dataclass(frozen=True, slots=True, eq=False)
class _Games:
    """(rows,): decided games by pair; the pair's bots are positions in the scale, the lower first."""

    pair: Ints
    block: Ints
    bots: Ints
    """(rows, 2)."""
    seats: Ints
    """(rows, 2)."""
    lead: Floats
    """1 where the first came out ahead, 0 where the second did."""
    chance: Floats
    even: Floats

    def only(self, rows: Ints) -> "_Games":
        return _Games(*(getattr(self, name)[rows] for name in self.__slots__))


def duels_joined(parts: Sequence[Duels]) -> Duels:
    """Those of several scales, one after the other."""
    if not parts:
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
        return Duels(none, none, none, none, none, nothing, nothing, nothing, nothing)
    return Duels(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Duels)))


def duels_of(base: Fitted, results: Results, only: Sequence[tuple[int, int]] | None = None) -> Duels:
    """Every pair of the scale with enough blocks; `results` are those it was fitted to.

    `only`: of these pairs (the lower number first), and no others.
    """
    games = _decided(base, results)
    bots, blocks = len(base.scale.bots), len(base.blocks)
    meetings = np.unique(games.pair * blocks + games.block)
    met = np.bincount(meetings // blocks, minlength=bots * bots)
    tested = met >= ENOUGH_MEETINGS
    if only is not None:
        place = np.searchsorted(base.scale.bots, np.array(only, dtype=np.int64).reshape(-1, 2))
        tested &= np.isin(np.arange(bots * bots), place[:, 0] * bots + place[:, 1])
    keys = np.flatnonzero(tested)
    games = games.only(np.flatnonzero(tested[games.pair]))
    pair = np.searchsorted(keys, games.pair)

    def by_pair(values: Floats) -> Floats:
        return np.asarray(np.bincount(pair, values, len(keys)), dtype=np.float64)

    def by_block(values: Floats) -> csr_array:
        """(pairs, blocks)."""
        return csr_array(coo_array((values, (pair, games.block)), shape=(len(keys), blocks)))

    surprise, own = games.lead - games.chance, games.chance * (1.0 - games.chance)
    residual = by_block(surprise)
    give = _derivatives(base, games, pair, own, len(keys))
    spread, taken = _variances(base, residual, give)
    least = by_pair(own) - taken
    follows = least < LEAST_OWN * by_pair(own)
    uneven, fair = games.lead - games.even, by_pair(games.even * (1.0 - games.even))
    return Duels(
        one=base.scale.bots[keys // bots],
        other=base.scale.bots[keys % bots],
        blocks=met[keys],
        decided=np.bincount(pair, minlength=len(keys)),
        ahead=by_pair(games.lead).round().astype(np.int64),
        expected=by_pair(games.chance),
        unexplained=np.where(follows, 1.0, _two_sided(by_pair(surprise), np.maximum(spread, least))),
        apart=_two_sided(by_pair(uneven), np.maximum(_squares(by_block(uneven)), fair)),
        even=by_pair(games.even),
    )


def _decided(base: Fitted, results: Results) -> _Games:
    bots, strength, seat = len(base.scale.bots), base.found.at[: len(base.scale.bots)], base.seats
    place = np.full(results.bots, -1)
    place[base.scale.bots] = np.arange(bots)
    parts: list[_Games] = []
    for one in range(results.seats):
        for other in range(one + 1, results.seats):
            lead = np.where(place[results.seating[:, 0]] >= 0, _lead(results, one, other), 0)
            rows = np.flatnonzero(lead)
            sat = place[results.seating[rows][:, [one, other]]]
            swap = (sat[:, 0] > sat[:, 1])[:, None]
            sat = np.where(swap, sat[:, ::-1], sat)
            seats = np.where(swap, [other, one], [one, other])
            even = seat[seats[:, 0]] - seat[seats[:, 1]]
            parts.append(
                _Games(
                    pair=sat[:, 0] * bots + sat[:, 1],
                    block=np.searchsorted(base.blocks, results.block[rows]),
                    bots=sat,
                    seats=seats,
                    lead=((lead[rows] > 0) ^ swap[:, 0]).astype(np.float64),
                    chance=expit(strength[sat[:, 0]] - strength[sat[:, 1]] + even),
                    even=expit(even),
                )
            )
    return _Games(*(np.concatenate([getattr(part, name) for part in parts]) for name in _Games.__slots__))


def _lead(results: Results, one: int, other: int) -> Ints:
    """(games,): 1 where seat `one` came out ahead of seat `other`, -1 where behind, 0 where neither."""
    if results.full_order:
        return np.asarray(np.sign(results.places[:, other] - results.places[:, one]))
    return np.asarray((results.winner == one).astype(np.int64) - (results.winner == other))


def _squares(sums: csr_array) -> Floats:
    """(rows,): the sum of the squares of each row."""
    return np.asarray(sums.power(2).sum(axis=1), dtype=np.float64)


def _two_sided(total: Floats, variance: Floats) -> Floats:
    """The normal chance of a sum as far from 0 as this."""
    return 2.0 * ndtr(-np.abs(total) / np.sqrt(np.maximum(variance, 1e-12)))


def _derivatives(base: Fitted, games: _Games, pair: Ints, own: Floats, pairs: int) -> csr_array:
    """(pairs, unknowns): D, of S by the strengths and seats."""
    columns = [games.bots[:, 0], games.bots[:, 1]]
    if base.problem.seats:
        columns += [base.problem.bots + games.seats[:, 0], base.problem.bots + games.seats[:, 1]]
    values = [own * (-1.0 if number % 2 == 0 else 1.0) for number in range(len(columns))]
    where = (np.tile(pair, len(columns)), np.concatenate(columns))
    return csr_array(coo_array((np.concatenate(values), where), shape=(pairs, base.problem.size)))


def _variances(base: Fitted, residual: csr_array, give: csr_array) -> tuple[Floats, Floats]:
    """(pairs,) each: the sum over all blocks of a_c squared, and D H^-1 D'."""
    pairs, size = give.shape
    spread, taken = _squares(residual), np.zeros(pairs)
    step = max(1, CELLS_AT_A_TIME // max(size, 1))
    for start in range(0, pairs, step):
        rows = slice(start, start + step)
        some = give[rows]
        answer = some @ base.inverse
        # Sum of (S_c + D H^-1 u_c) squared, without a matrix of all pairs by all blocks.
        spread[rows] += 2.0 * np.asarray((residual[rows] @ base.slopes).multiply(answer).sum(axis=1)).ravel()
        spread[rows] += np.asarray(some.multiply(some @ base.spread).sum(axis=1)).ravel()
        taken[rows] = np.asarray(some.multiply(answer).sum(axis=1)).ravel()
    return spread, taken
