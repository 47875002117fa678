"""What holds for the field as a whole: the shares of games that its bots are expected to win."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.shares import expected_shares


@given(st.lists(st.floats(-6.0, 6.0), min_size=1, max_size=8), st.integers(2, 6))
def test_expected_shares_are_the_mean_over_all_tables(strength, seats):
    bots = len(strength)
    weight, total, tables = np.exp(strength), np.zeros(bots), np.zeros(bots)
    for table in combinations(range(bots), min(seats, bots)):
        chosen = list(table)
        total[chosen] += weight[chosen] / weight[chosen].sum()
        tables[chosen] += 1
    np.testing.assert_allclose(expected_shares(np.array(strength), seats), total / tables, atol=1e-9)


def test_expected_shares_of_a_large_field_sum_to_its_tables():
    strength = np.random.default_rng(0).normal(0.0, 2.0, 300)
    shares = expected_shares(strength, 6)
    assert shares.sum() == pytest.approx(300 / 6)
    assert (np.diff(shares[np.argsort(strength)]) > 0.0).all()


def test_expected_shares_take_any_distance_between_bots():
    shares = expected_shares(np.array([-60.0, 0.0, 60.0]), 3)
    np.testing.assert_allclose(shares, [0.0, 0.0, 1.0], atol=1e-9)
