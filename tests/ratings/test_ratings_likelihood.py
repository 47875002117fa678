"""The likelihood of choices: against plain enumeration, and its derivatives against finite differences."""

from itertools import permutations
from math import exp, factorial, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import Results
from arena.ratings.choices import choices_of
from arena.ratings.likelihood import local, shares

strengths = st.lists(st.floats(-4.0, 4.0), min_size=2, max_size=6)


def chance_of_order(strength, order):
    left, chance = list(range(len(strength))), 1.0
    for taken in order:
        chance *= exp(strength[taken]) / sum(exp(strength[one]) for one in left)
        left.remove(taken)
    return chance


@given(strengths)
def test_the_chances_to_come_first_sum_to_one(strength):
    assert shares(np.array([strength])).sum() == pytest.approx(1.0)


@given(strengths, st.data())
def test_up_to_four_tied_the_likelihood_is_the_mean_over_their_orders(strength, data):
    tied = data.draw(st.integers(1, min(4, len(strength) - 1)))
    whole = sum(chance_of_order(strength, order) for order in permutations(range(tied)))
    found = local(np.array([strength]), tied).log[0]
    assert found == pytest.approx(log(whole / factorial(tied)), abs=1e-9)


def test_above_four_tied_it_is_efrons_formula():
    strength = [0.3, -0.2, 0.5, 0.0, 1.0, -1.0, 0.2]
    weight = [exp(one) for one in strength]
    tied = 5
    denominator = 1.0
    for gone in range(tied):
        denominator *= sum(weight) - gone / tied * sum(weight[:tied])
    expected = sum(strength[:tied]) - log(denominator)
    assert local(np.array([strength]), tied).log[0] == pytest.approx(expected)


def test_efrons_formula_stays_near_the_mean_over_the_orders_it_replaces():
    strength = [0.3, -0.2, 0.5, 0.0, 0.4, -0.6, 0.2, 0.1]
    whole = sum(chance_of_order(strength, order) for order in permutations(range(5)))
    assert local(np.array([strength]), 5).log[0] == pytest.approx(log(whole / factorial(5)), abs=0.05)


@pytest.mark.parametrize("tied", [1, 2, 3, 4, 5, 6])
def test_slope_and_curvature_are_the_derivatives(tied):
    strength = np.random.default_rng(tied).normal(0.0, 1.0, (3, 7))
    here, step = local(strength, tied), 1e-5
    for candidate in range(7):
        nudge = step * (np.arange(7) == candidate)
        up, down = local(strength + nudge, tied), local(strength - nudge, tied)
        np.testing.assert_allclose((up.log - down.log) / (2 * step), here.slope[:, candidate], atol=1e-8)
        np.testing.assert_allclose(
            (down.slope - up.slope) / (2 * step), here.curvature[:, candidate], atol=1e-8
        )


@pytest.mark.parametrize("tied", [1, 2, 4, 5])
def test_huge_differences_stay_finite(tied):
    strength = np.array([[-900.0, 900.0, 0.0, 500.0, -500.0, 1.0]])
    here = local(strength, tied)
    assert np.isfinite(here.log).all()
    assert np.isfinite(here.slope).all()
    assert np.isfinite(here.curvature).all()


def test_an_order_is_read_place_by_place_and_the_last_place_says_nothing():
    results = Results(5, [[4, 2, 0, 3]], [[2, 1, 4, 2]], [1], [7], full_order=True)
    found = [
        (part.bots.tolist(), part.seats.tolist(), part.tied, part.block.tolist())
        for part in choices_of(results)
    ]
    assert found == [([[2, 4, 3, 0]], [[1, 0, 3, 2]], 1, [7]), ([[4, 3, 0]], [[0, 3, 2]], 2, [7])]


def test_only_the_winner_is_read_where_order_says_nothing():
    results = Results(5, [[4, 2, 0, 3], [0, 1, 2, 3]], [[2, 1, 4, 2], [1, 1, 3, 4]], [1, -1], [7, 7])
    found = [(part.bots.tolist(), part.tied) for part in choices_of(results)]
    assert found == [([[2, 4, 0, 3]], 1)]


def test_a_place_that_all_share_says_nothing():
    results = Results(4, [[0, 1, 2, 3]], [[1, 1, 1, 1]], [-1], [0], full_order=True)
    assert choices_of(results) == ()
