"""What holds for the field as a whole: expected shares, and results that one number a bot cannot explain."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratings_worlds import williams_blocks
from scipy.stats import norm

from arena.ratings import rate, results_of_winners
from arena.ratings.cycles import transitivity
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


def duels(pairs, blocks):
    """(winner, loser, times): games of two, seats turned, four a block."""
    rows = [(one, other) for one, other, times in pairs for _ in range(times)]
    rng = np.random.default_rng(5)
    rng.shuffle(rows)
    turned = [(one, other, 0) if number % 2 else (other, one, 1) for number, (one, other) in enumerate(rows)]
    return results_of_winners(
        1 + max(max(row) for row in rows),
        [row[:2] for row in turned],
        [row[2] for row in turned],
        np.arange(len(rows)) % blocks,
    )


def test_rock_paper_scissors_is_found_and_named():
    results = duels([(0, 1, 80), (1, 0, 20), (1, 2, 80), (2, 1, 20), (2, 0, 80), (0, 2, 20)], 60)
    ratings = rate(results)
    assert abs(ratings.elo).max() < 10.0
    found = transitivity(ratings, results)
    assert found.cycles == ((0, 1, 2),)
    assert len(found.surprises) == 3
    for surprise in found.surprises:
        assert surprise.decided == 100
        assert max(surprise.ahead, 1.0 - surprise.ahead) == pytest.approx(0.8)
        assert surprise.expected == pytest.approx(0.5, abs=0.05)
        assert surprise.chance < 0.001


def test_the_chances_of_surprises_are_raised_for_the_number_of_pairs():
    results = duels([(0, 1, 40), (1, 0, 20), (1, 2, 30), (2, 1, 25), (2, 0, 30), (0, 2, 30)], 115)
    surprises = transitivity(rate(results), results).surprises
    alone = [2.0 * norm.sf(abs(surprise.z)) for surprise in surprises]
    assert alone == sorted(alone)
    raised, least = [], 0.0
    for number, chance in enumerate(alone):
        least = max(least, min(1.0, chance * (len(alone) - number)))
        raised.append(least)
    np.testing.assert_allclose([surprise.chance for surprise in surprises], raised)


def test_a_block_won_as_a_whole_is_one_result_not_ten():
    """Thirteen blocks of twenty prove nothing, though 130 games of 200 would."""
    ring = [(0, 1), (1, 2), (2, 0)]
    seating = [pair if block % 2 else pair[::-1] for pair in ring for block in range(20) for _ in range(10)]
    first = [pair[0 if block < 13 else 1] for pair in ring for block in range(20) for _ in range(10)]
    winner = [seats.index(bot) for seats, bot in zip(seating, first, strict=True)]
    blocks = results_of_winners(3, seating, winner, np.arange(600) // 10)
    games = results_of_winners(3, seating, winner)
    assert transitivity(rate(games), games).cycles == ((0, 1, 2),)
    assert transitivity(rate(blocks), blocks).cycles == ()


def test_a_field_with_one_order_shows_no_cycle_and_few_surprises():
    results = williams_blocks(np.random.default_rng(6), 600)
    found = transitivity(rate(results), results)
    assert found.cycles == ()
    assert len(found.surprises) == 28
    assert found.surprises[0].chance > 0.01
    assert abs(np.mean([surprise.z for surprise in found.surprises])) < 1.0
