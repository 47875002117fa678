"""What ratings cost, in CPU time and the best of three, and that their benchmark measures the same games."""

import time

import pytest

from arena.ratings import rate, standings_table
from benchmarks.ratings import measured, simulated


def spent(games, bots):
    """CPU seconds from the arrays to the standings, the best of three passes over the same games."""
    results = simulated(games, bots, 0)
    names = [f"bot {number}" for number in range(bots)]

    def once():
        began = time.process_time()
        standings_table(rate(results), names)
        return time.process_time() - began

    return min(once() for _ in range(3))


def test_standings_of_ten_thousand_games_are_there_again_in_a_fifth_of_a_second():
    assert spent(10_000, 50) <= 0.2 * 2  # seconds, on two cores


def test_a_hundred_thousand_games_of_a_hundred_bots_are_rated_in_a_second():
    assert spent(100_000, 100) <= 1.0 * 2


@pytest.mark.soak
def test_a_million_games_of_a_thousand_bots_are_rated_in_ten_seconds():
    assert spent(1_000_000, 1000) <= 10.0 * 2


def test_the_benchmark_rates_the_same_games_as_choix():
    passed = measured(simulated(4000, 20, 1), with_choix=True)
    assert min(passed.fit, passed.table, passed.choix) > 0.0
