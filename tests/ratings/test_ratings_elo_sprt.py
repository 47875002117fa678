"""Matches of two bots at their limits, and the sequential test's risks."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.ratings.elo import duel, duel_of_pairs, elo_of_score, score_of_elo, share_after
from arena.ratings.sprt import Sprt, ratio_of_counts

RUNS = max(100, round(1000 * float(os.environ.get("ARENA_SOAK", "0.1"))))
GAMES = 4


@given(st.tuples(*[st.integers(0, 500)] * 3).filter(any))
def test_any_match_has_finite_numbers_and_turned_round_it_is_its_mirror(counts):
    won, drawn, lost = counts
    one, other = duel(won, lost, drawn), duel(lost, won, drawn)
    assert np.isfinite([one.elo, one.error, one.los]).all()
    assert one.error >= 0.0
    assert one.elo == pytest.approx(-other.elo, abs=1e-6)
    assert one.error == pytest.approx(other.error, abs=1e-6)
    assert one.los + other.los == pytest.approx(1.0)
    assert one.bounded == (won + drawn == 0 or lost + drawn == 0)


def test_a_longer_clean_sweep_says_more():
    assert duel(1, 0).elo < duel(10, 0).elo < duel(100, 0).elo < 2000.0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: duel(0, 0), "no results"),
        (lambda: duel(-1, 2), "-1 is no count"),
        (lambda: duel_of_pairs([1, 2, 3]), "3 counts of pairs given"),
        (lambda: elo_of_score(1.0), "no finite Elo"),
        (lambda: ratio_of_counts([0, 5, 0], 0.0, 2.0), "have no spread"),
        (lambda: Sprt(gain=0.0), "must be above"),
        (lambda: Sprt(gain=0.1, alpha=0.7), "alpha is 0.7"),
        (lambda: Sprt(gain=0.1).run([0.0], 0.0), "the step is 0.0"),
    ],
)
def test_impossible_input_is_refused_in_one_sentence(wrong, message):
    with pytest.raises(BadInput, match=message):
        wrong()


def test_scores_and_shares_go_back_and_forth():
    assert elo_of_score(score_of_elo(123.0)) == pytest.approx(123.0)
    assert share_after(0.25, 0.0) == pytest.approx(0.25)
    assert share_after(0.5, 70.0) == pytest.approx(score_of_elo(70.0))
    assert share_after(share_after(0.25, 50.0), -50.0) == pytest.approx(0.25)


def differences(rng, pairs, gain):
    """Block scores of two bots at tables of four, new less old: wins of four games each."""
    new, old = rng.binomial(GAMES, 0.25 + gain, pairs), rng.binomial(GAMES, 0.25, pairs)
    return (new - old) / GAMES


@pytest.mark.soak
@pytest.mark.parametrize("gain", [0.05, 0.1])
def test_at_most_six_in_a_hundred_null_runs_call_the_new_bot_better(gain):
    test = Sprt(gain)
    answers = [
        test.run(differences(np.random.default_rng([2, run]), 2000, 0.0), 1 / GAMES).answer
        for run in range(RUNS)
    ]
    # With a share of the runs, three standard errors of a true 5 % are allowed.
    allowed = 0.06 if RUNS >= 1000 else 0.05 + 3 * (0.05 * 0.95 / RUNS) ** 0.5
    assert answers.count("better") / RUNS <= allowed
    assert answers.count("not better") / RUNS >= 0.85


@pytest.mark.soak
def test_a_real_gain_is_found():
    test = Sprt(0.1)
    answers = [
        test.run(differences(np.random.default_rng([3, run]), 2000, 0.1), 1 / GAMES).answer
        for run in range(RUNS)
    ]
    assert answers.count("better") / RUNS >= 0.85


def test_no_answer_comes_before_thirty_pairs():
    test = Sprt(0.1)
    sure = np.full(29, 1.0)
    assert test.run(sure, 1 / GAMES).answer == "undecided"
    found = test.run(np.full(60, 1.0), 1 / GAMES)
    assert (found.answer, found.pairs) == ("better", 30)


def test_bots_that_play_alike_to_the_last_card_divide_by_no_zero():
    found = Sprt(0.05).run(np.zeros(200), 1 / GAMES)
    assert found.answer == "no difference seen"
    assert found.pairs == 30
    assert np.isfinite([found.ratio, found.mean, found.error]).all()


def test_nothing_played_is_undecided():
    found = Sprt(0.05).run([], 1 / GAMES)
    assert (found.answer, found.pairs, found.ratio) == ("undecided", 0, 0.0)


def test_the_ratio_is_walds_normal_form():
    rng = np.random.default_rng(4)
    given_differences = differences(rng, 5000, 0.05)
    ratio = Sprt(0.05).ratios(given_differences, 1 / GAMES)[-1]
    mean, variance = given_differences.mean(), given_differences.var()
    assert ratio == pytest.approx(5000 * 0.05 * (2 * mean - 0.05) / (2 * variance), rel=0.01)
