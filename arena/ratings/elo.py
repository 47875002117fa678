"""Two bots and nobody else: Elo from a score, with its error and the likelihood of superiority.

Elo = -400 log10(1/s - 1) of the mean score s; the error is half the distance between the Elo of s - 1.96 e
and of s + 1.96 e, where e is the standard error of s; LOS = Phi((s - 1/2) / e).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log10, sqrt

from scipy.special import ndtr

from arena.errors import BadInput
from arena.ratings.scale import ELO, NORMAL


@dataclass(frozen=True, slots=True)
class Duel:
    """What a match between two bots says of the first one."""

    score: float
    """Mean points, 0 to 1."""
    elo: float
    error: float
    """Elo: half of the 95 % interval."""
    los: float
    """0 to 1."""
    bounded: bool
    """One side has scored nothing: half a win and half a loss were added to keep the numbers finite."""


def elo_of_score(score: float) -> float:
    """The difference in Elo that makes this score the expected one; `BadInput` at 0 and 1 and beyond."""
    if not 0.0 < score < 1.0:
        raise BadInput(f"a score of {score} is no finite Elo; it must lie between 0 and 1, both excluded")
    return 400.0 * log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """The expected score of the bot that is stronger by `elo`."""
    return 1.0 / (1.0 + exp(-elo / ELO))


def share_after(share: float, elo: float) -> float:
    """The share of games a bot that wins `share` now would win at the same tables if stronger by `elo`."""
    odds = exp(elo / ELO)
    return share * odds / (1.0 - share + share * odds)


def duel(wins: int, losses: int, draws: int = 0) -> Duel:
    """From single games; `BadInput` without any."""
    return _duel((losses, draws, wins))


def duel_of_pairs(counts: Sequence[int]) -> Duel:
    """From pairs of games: how many gave the first bot 0, 0.5, 1, 1.5 and 2 points."""
    if len(counts) != 5:
        raise BadInput(f"{len(counts)} counts of pairs given; there are five: 0, 0.5, 1, 1.5 and 2 points")
    return _duel(counts)


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Of scores spread evenly from 0 to 1 that came up so many times each."""
    total, top = sum(counts), len(counts) - 1
    mean = sum(count * place / top for place, count in enumerate(counts)) / total
    return mean, sum(count * (place / top - mean) ** 2 for place, count in enumerate(counts)) / total


def _duel(counts: Sequence[int]) -> Duel:
    if min(counts) < 0:
        raise BadInput(f"{min(counts)} is no count of results; counts are 0 or more")
    total = sum(counts)
    if not total:
        raise BadInput("no results were given; a rating needs at least one")
    bounded = not any(counts[1:]) or not any(counts[:-1])
    filled = [float(count) for count in counts]
    if bounded:
        filled[0] += 0.5
        filled[-1] += 0.5
    score, variance = mean_and_variance(filled)
    error = sqrt(variance / sum(filled))
    # The interval of a score may reach past 0 or 1, where there is no Elo.
    least = 1.0 / (4.0 * (total + 1))
    low, high = (min(max(score + way * NORMAL * error, least), 1.0 - least) for way in (-1.0, 1.0))
    los = float(ndtr((score - 0.5) / error)) if error else 0.5
    return Duel(score, elo_of_score(score), (elo_of_score(high) - elo_of_score(low)) / 2.0, los, bounded)
