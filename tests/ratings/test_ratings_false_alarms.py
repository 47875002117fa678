"""Where there is nothing to find, how often is anything told? Would this check notice a test that tells
more?

400 reports of each world in full; ARENA_SOAK sets the share that is run. One report in twenty may be false:
the count of those that are is held against what a binomial count of so many reports exceeds once in ten
thousand.
"""

import os

import numpy as np
import pytest
from findings_worlds import challenged, claim_by_claim, preying
from ratings_worlds import LUCK, SEATS, WORLDS, shared_deals
from scipy.stats import binom

from arena.ratings import Results, find, rate
from arena.ratings.correction import ERROR_RATE, KINDS
from arena.ratings.helping import sparing

REPEATS = max(40, round(400 * float(os.environ.get("ARENA_SOAK", "0.1"))))
EQUAL = np.zeros(SEATS)


def most(rate, repeats=REPEATS):
    """False alarms in so many repeats that a test of this rate almost never exceeds."""
    return binom.ppf(0.9999, repeats, rate)


def false_reports(name, blocks, repeats=REPEATS):
    """Reports with anything in them, of a world where there is nothing: bots have moods, seats are equal."""
    told = 0
    for repeat in range(repeats):
        rng = np.random.default_rng([repeat, 2])
        results = WORLDS[name](rng, blocks, EQUAL)
        told += bool(find(rate(results), results, challenged(rng, results, regard=1.0)))
    return told


def game_by_game(results):
    """The same games as if they had nothing to do with each other."""
    return Results(results.bots, results.seating, results.places, results.winner, np.arange(results.games))


@pytest.mark.parametrize("name", ["shared_deals", "williams_blocks"])
def test_few_reports_tell_what_is_not_there(name):
    assert false_reports(name, 100, 25) <= most(ERROR_RATE, 25)


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(WORLDS))
@pytest.mark.parametrize("blocks", [60, 100, 400])
def test_at_most_one_report_in_twenty_tells_what_is_not_there(name, blocks):
    assert false_reports(name, blocks) <= most(ERROR_RATE)


@pytest.mark.soak
def test_the_same_check_catches_a_test_that_takes_games_of_one_deal_for_independent():
    clustered = naive = 0
    for repeat in range(REPEATS):
        results = shared_deals(np.random.default_rng([repeat, 3]), 100, EQUAL, 10, 2.0 * LUCK)
        clustered += bool(find(rate(results), results))
        games = game_by_game(results)
        naive += bool(find(rate(games), games))
    assert clustered <= most(ERROR_RATE) < naive


@pytest.mark.soak
@pytest.mark.parametrize(
    ("bots", "blocks", "claims"), [(5, 60, 20), (6, 60, 100), (8, 100, 20), (8, 400, 20)]
)
def test_two_that_challenge_each_other_half_as_often_are_told_no_more_often_than_the_rate_of_their_kind(
    bots, blocks, claims
):
    """Half is where the test must hold its rate. Taken claim by claim instead of by block, it would not."""
    told = clustered = naive = 0
    for repeat in range(REPEATS):
        rng = np.random.default_rng([repeat, 4])
        results = preying(rng, blocks, bots, {}, 0.0)
        given = challenged(rng, results, claims, regard=1.5, sparing={(0, 1): 0.5})
        told += any(hasattr(found, "called") for found in find(rate(results), results, given))
        clustered += chance_of_the_pair(given) < ERROR_RATE / KINDS
        if claims == 100:
            naive += chance_of_the_pair(claim_by_claim(given)) < ERROR_RATE / KINDS
    assert told <= most(ERROR_RATE / KINDS)
    assert clustered <= most(2 * ERROR_RATE / KINDS)
    assert claims != 100 or naive > most(2 * ERROR_RATE / KINDS)


def chance_of_the_pair(given):
    """The chance, uncorrected, that bots 0 and 1 come to; 1 where they are not even near."""
    return min((pair.chance for pair in sparing(given)[1] if pair.bots == (0, 1)), default=1.0)
