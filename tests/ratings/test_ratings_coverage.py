"""Do 95 % bars hold the truth 95 times in 100? And would this check notice if they did not?

400 repeats of each world in full; ARENA_SOAK sets the share that is run. With fewer repeats the share of bars
that hold may miss its true value by chance, so 93 to 97 % is widened by what a binomial count of the repeats
(of seven free ratings each) does in one case of ten thousand.
"""

import os

import numpy as np
import pytest
from findings_worlds import squares
from ratings_worlds import BOTS, STRENGTH, WORLDS, independent_games, williams_blocks
from scipy.stats import binom

from arena.ratings import ELO, Results, rate, results_of_winners
from arena.ratings.bars import hessian
from arena.ratings.choices import choices_of
from arena.ratings.fit import Problem, fit
from arena.tournament.stopping import widest_difference

REPEATS = max(10, round(400 * float(os.environ.get("ARENA_SOAK", "0.1"))))
BLOCKS = 100
LOOKS = range(72, 313, 8)
pytestmark = pytest.mark.soak


def bounds(least, most):
    """Shares of bars between which a true coverage of `least` to `most` almost surely shows itself."""
    count = REPEATS * (BOTS - 1)
    if REPEATS >= 400:
        return least, most
    return binom.ppf(0.0001, count, least) / count, binom.ppf(0.9999, count, most) / count


def truth_of(world):
    """What the fit would say after endless games: the true strengths, where the model is right.

    Luck or form that a block shares makes strengths count for less in a single game; the true ratings of such
    a world are those of a very long tournament in it.
    """
    if world in (independent_games, williams_blocks):
        return ELO * STRENGTH
    return rate(world(np.random.default_rng(12345), 40_000)).elo


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_95_percent_bars_hold_the_truth_95_times_in_100(name):
    world = WORLDS[name]
    truth, held, apart = truth_of(world), 0, 0
    pairs = np.triu_indices(BOTS, 1)
    for repeat in range(REPEATS):
        ratings = rate(world(np.random.default_rng([repeat, 1]), BLOCKS))
        held += int((np.abs(ratings.elo - truth) <= ratings.error).sum())
        scale = ratings.scales[0]
        off = np.abs((scale.elo[:, None] - scale.elo) - (truth[:, None] - truth))
        reach = np.maximum(scale.critical[:, None], scale.critical) * scale.deviation
        apart += int((off <= reach)[pairs].sum())
    low, high = bounds(0.93, 0.97)
    assert low <= held / (REPEATS * BOTS) <= high
    assert low <= apart / (REPEATS * len(pairs[0])) <= high


def test_bars_hold_the_truth_beside_a_bot_that_hardly_ever_wins():
    truth = np.array([200.0, 150, 120, 50, 20, -30, -100, -1400])
    truth -= truth.mean()
    held = np.zeros(len(truth))
    repeats = REPEATS // 4
    for repeat in range(repeats):
        rng = np.random.default_rng([repeat, 4])
        seating = squares(rng, 400, len(truth))
        winner = (truth[seating] / ELO + rng.gumbel(size=seating.shape)).argmax(axis=1)
        ratings = rate(results_of_winners(len(truth), seating, winner, np.arange(len(seating)) // 4))
        zero = ratings.elo - (truth - truth[~ratings.prior_bounded].mean())
        held += np.abs(zero) <= ratings.error
    # In one repeat of twenty-five the last wins once, as it hardly ever would: then it is in the zero, far
    # too high, and all are off together.
    assert (held / repeats >= (0.85 if repeats >= 100 else 0.7)).all()


def stopped(results, precision):
    """The ratings at the first look at which all differences are known so well, and the blocks till then."""
    for blocks in LOOKS:
        ratings = rate(beginning(results, blocks))
        widest = widest_difference(ratings, range(BOTS))
        if widest is not None and widest <= precision:
            break
    return ratings, blocks


def beginning(results, blocks):
    games = int(np.searchsorted(results.block, blocks))
    arrays = (getattr(results, name)[:games] for name in ("seating", "places", "winner", "block"))
    return Results(results.bots, *arrays)


@pytest.mark.parametrize("name", ["form_by_match", "williams_blocks"])
def test_a_tournament_that_ends_at_a_precision_has_bars_as_good_and_no_bias(name):
    """Looked at far oftener than a tournament is, so that many looks are the last one somewhere.

    A fit of so few games is a little too wide, whatever has ended them: the errors are compared with those of
    as many blocks as it takes in the mean.
    """
    world = WORLDS[name]
    truth, held, found, ends = truth_of(world), 0, [], []
    worlds = [world(np.random.default_rng([repeat, 2]), LOOKS[-1]) for repeat in range(REPEATS)]
    for results in worlds:
        ratings, blocks = stopped(results, 48.0)
        found.append(ratings.elo)
        ends.append(blocks)
        held += int((np.abs(ratings.elo - truth) <= ratings.error).sum())
    assert len(set(ends)) >= 4
    assert min(ends) >= LOOKS[1]
    assert max(ends) < LOOKS[-1]
    low, high = bounds(0.93, 0.97)
    assert low <= held / (REPEATS * BOTS) <= high
    middle = round(np.mean(ends))
    apart = [elo - rate(beginning(results, middle)).elo for elo, results in zip(found, worlds, strict=True)]
    differences = np.array(apart)
    errors = differences.std(axis=0, ddof=1) / np.sqrt(REPEATS)
    # One case of ten thousand for eight bots, whose differences are bound by their sum; and half an Elo.
    assert (np.abs(differences.mean(axis=0)) <= 4.4 * errors + 0.5).all()


def test_the_same_check_catches_bars_that_take_a_table_for_many_games_of_two():
    """Each win at a table of four taken for three independent wins over one rival, with Hessian bars."""
    held = 0
    for repeat in range(REPEATS):
        results = independent_games(np.random.default_rng([repeat, 1]), BLOCKS)
        games = np.arange(results.games)
        winner = results.seating[games, results.winner]
        losers = results.seating[np.arange(results.seats) != results.winner[:, None]]
        duels = np.stack([np.repeat(winner, results.seats - 1), losers], axis=1)
        problem = Problem(
            BOTS, 0, choices_of(results_of_winners(BOTS, duels, np.zeros(len(duels), int))), 0.5
        )
        found = fit(problem)
        centre = np.eye(BOTS) - 1.0 / BOTS
        errors = 1.959964 * np.sqrt(np.diag(centre @ hessian(found) @ centre))
        held += int((np.abs(found.at - found.at.mean() - STRENGTH) <= errors).sum())
    assert held / (REPEATS * BOTS) < 0.90
