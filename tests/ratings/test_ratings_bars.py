"""The bars: against the formulas spelled out and against refits; the rules for few blocks and few results."""

import numpy as np
import pytest
from ratings_worlds import WORLDS, form_by_match, williams_blocks
from scipy.stats import t as student

from arena.ratings import ELO, Results, rate, results_of_winners
from arena.ratings.bars import LONGEST_STEP, hessian, jackknife, sandwich
from arena.ratings.choices import Choices, choices_of
from arena.ratings.counts import Counts
from arena.ratings.fit import Problem, fit, point


def problem_of(results, prior=0.5):
    choices = choices_of(results)
    names = np.unique(results.block)
    numbered = tuple(
        Choices(part.bots, part.seats, part.tied, np.searchsorted(names, part.block)) for part in choices
    )
    return Problem(results.bots, results.seats, numbered, prior), len(names)


def centred(covariance, bots):
    centre = np.eye(bots) - 1.0 / bots
    return centre @ covariance[:bots, :bots] @ centre


def without(results, block):
    kept = results.block != block
    return Results(
        results.bots, results.seating[kept], results.places[kept], results.winner[kept], results.block[kept],
        results.full_order,
    )  # fmt: skip


def in_larger_blocks(results, times):
    return Results(results.bots, results.seating, results.places, results.winner, results.block // times)


def full_order_world(seed, blocks):
    rng = np.random.default_rng(seed)
    seating = np.argsort(rng.random((4 * blocks, 6)), axis=1)[:, :4]
    score = (np.linspace(-1, 1, 6)[seating] + rng.gumbel(size=seating.shape)).round()
    places = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
    return Results(
        6, seating, places, np.full(len(places), -1), np.repeat(np.arange(blocks), 4), full_order=True
    )


def test_the_sandwich_is_its_formula_worked_out_game_by_game():
    results = williams_blocks(np.random.default_rng(3), 50)
    problem, blocks = problem_of(results)
    found = fit(problem)
    slopes = np.zeros((blocks, problem.size))
    for seats, winner, block in zip(results.seating, results.winner, results.block, strict=True):
        strength = found.at[seats] + found.at[results.bots : problem.size]
        residual = -np.exp(strength) / np.exp(strength).sum()
        residual[winner] += 1.0
        slopes[block, seats] += residual
        slopes[block, results.bots :] += residual
    bread = np.linalg.inv(found.curvature)
    expected = blocks / (blocks - 1) * bread @ slopes.T @ slopes @ bread
    np.testing.assert_allclose(sandwich(problem, found, blocks), expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize(
    ("results", "most"),
    [
        (in_larger_blocks(williams_blocks(np.random.default_rng(1), 120), 10), 0.06),
        (in_larger_blocks(form_by_match(np.random.default_rng(2), 120), 4), 0.06),
        (williams_blocks(np.random.default_rng(3), 30), 0.25),
        (full_order_world(3, 15), 0.1),
    ],
    ids=["12 large blocks", "30 larger blocks", "30 small blocks", "full order with ties"],
)
def test_the_jackknife_is_near_the_refits_it_stands_for(results, most):
    problem, blocks = problem_of(results)
    quick = jackknife(problem, fit(problem), blocks)
    refits = np.stack([fit(problem_of(without(results, block))[0]).at for block in np.unique(results.block)])
    spread = refits - refits.mean(axis=0)
    slow = (blocks - 1) / blocks * spread.T @ spread
    ratio = np.sqrt(np.diag(centred(quick, results.bots)) / np.diag(centred(slow, results.bots)))
    np.testing.assert_allclose(ratio, 1.0, atol=most)


def test_the_jackknife_is_its_formula_worked_out_block_by_block():
    problem, blocks = problem_of(in_larger_blocks(williams_blocks(np.random.default_rng(7), 60), 5))
    found = fit(problem)
    moves = []
    for block in range(blocks):
        rest = Problem(
            problem.bots,
            problem.seats,
            tuple(part.only(part.block != block) for part in problem.choices),
            0.5,
        )
        left = point(rest, found.at)
        moves.append(np.linalg.solve(left.curvature, left.slope))
    spread = np.stack(moves) - np.mean(moves, axis=0)
    expected = (blocks - 1) / blocks * spread.T @ spread
    np.testing.assert_allclose(jackknife(problem, found, blocks), expected, rtol=1e-7, atol=1e-12)


def test_jackknife_and_sandwich_agree_where_blocks_are_many():
    problem, blocks = problem_of(williams_blocks(np.random.default_rng(4), 1000))
    found = fit(problem)
    one, other = (np.sqrt(np.diag(bars(problem, found, blocks))) for bars in (jackknife, sandwich))
    np.testing.assert_allclose(one, other, rtol=0.01)


def test_bars_shrink_with_the_root_of_the_blocks():
    small, large = (
        rate(williams_blocks(np.random.default_rng(5), blocks)).error.mean() for blocks in (400, 1600)
    )
    assert small / large == pytest.approx(2.0, rel=0.06)


def test_a_block_that_holds_all_that_is_known_of_a_bot_moves_it_by_a_bounded_step():
    seating = [[0, 1], [1, 0]] * 40 + [[2, 0], [0, 2]] * 40
    winner = [0, 0] * 40 + [0, 1] * 40
    block = [*np.arange(40).repeat(2), *[40] * 80]
    ratings = rate(results_of_winners(3, seating, winner, block))
    assert np.isfinite(ratings.error).all()
    # Bot 2 has one block: Student's t with one degree of freedom, around a step that was cut short.
    assert ratings.error[2] <= 12.71 * LONGEST_STEP * ELO * 1.01


@pytest.mark.parametrize("blocks", [10, 20, 60, 79, 81, 200])
def test_students_t_and_the_jackknife_serve_bots_with_under_40_blocks(blocks):
    results = williams_blocks(np.random.default_rng(blocks), blocks)
    ratings = rate(results)
    scale = ratings.scales[0]
    for bot in range(results.bots):
        here = len(np.unique(results.block[(results.seating == bot).any(axis=1)]))
        assert ratings.blocks[bot] == here
        point = student.ppf(0.975, here - 1) if here < 40 else 1.959964
        assert scale.critical[bot] == pytest.approx(point, abs=1e-6)
        assert ratings.provisional[bot] == (here < 20)
    assert scale.bars == ("jackknife" if ratings.blocks.min() < 40 else "sandwich")


def spread_winners(square, blocks):
    """The seats that win: one win a bot in most blocks, in every sixth two for one and none for another."""
    winner = np.zeros((blocks, 4), dtype=np.int64)
    for number in range(0, blocks, 6):
        ahead, behind = number // 6 % 4, (number // 6 + 1) % 4
        game = next(game for game in range(4) if square[game][0] == behind)
        winner[number, game] = square[game].index(ahead)
    return winner


def test_bars_are_never_shorter_than_the_hessians_while_wins_or_losses_are_under_20():
    # Every block gives each bot one win: the sandwich sees no spread at all between blocks.
    square = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    for blocks, floored in ((12, True), (19, True), (24, False), (60, False)):
        # All bots win as often, but in some blocks one wins twice for another.
        winner = np.tile([0, 0, 0, 0], (blocks, 1)) if floored else spread_winners(square, blocks)
        results = results_of_winners(4, square * blocks, winner.ravel(), np.arange(4 * blocks) // 4)
        problem, _ = problem_of(results)
        covariance = ELO**2 * centred(hessian(fit(problem)), 4)
        plain = np.sqrt(np.diag(covariance))
        between = np.sqrt(np.maximum(plain[:, None] ** 2 + plain**2 - 2.0 * covariance, 0.0))
        scale = rate(results).scales[0]
        if floored:
            np.testing.assert_allclose(scale.standard_errors, plain, rtol=1e-6)
            assert (scale.deviation[np.triu_indices(4, 1)] >= between[np.triu_indices(4, 1)] * 0.999999).all()
        else:
            assert (scale.standard_errors < plain).all()


def test_bars_that_only_the_prior_bounds_are_never_shorter_than_the_hessians():
    # Of any two the lower number always wins, hundreds of times, so no block differs from what is expected.
    seating = np.argsort(np.random.default_rng(6).random((4000, 5)), axis=1)[:, :4]
    results = results_of_winners(5, seating, seating.argmin(axis=1), np.arange(4000) // 4)
    ratings = rate(results)
    assert ratings.prior_bounded.all()
    problem, _ = problem_of(results)
    plain = ELO * np.sqrt(np.diag(centred(hessian(fit(problem)), 5)))
    assert (ratings.scales[0].standard_errors >= plain * 0.999999).all()


def test_differences_have_the_variance_of_a_difference_not_the_sum_of_two_bars():
    scale = rate(williams_blocks(np.random.default_rng(8), 300)).scales[0]
    own = np.diag(scale.covariance)
    expected = np.sqrt(own[:, None] + own[None, :] - 2.0 * scale.covariance)
    np.testing.assert_allclose(scale.deviation, expected, atol=1e-6)
    between = scale.difference(0, 7)
    assert between.error == pytest.approx(1.959964 * scale.deviation[0, 7])
    assert between.separated
    assert between.los < 0.001


@pytest.mark.parametrize("world", sorted(WORLDS))
def test_strengths_and_seats_come_back_from_many_games(world):
    ratings = rate(WORLDS[world](np.random.default_rng(9), 5000))
    assert np.all(np.diff(ratings.elo) > 0.0)
    assert np.all(np.abs(ratings.elo) < 182.0)
    assert ratings.scales[0].seats[0] == pytest.approx(ELO * 0.2, abs=8.0)
    assert ratings.scales[0].seats[3] == pytest.approx(ELO * -0.15, abs=8.0)


@pytest.mark.parametrize(("blocks", "provisional"), [(19, True), (20, False)])
def test_twenty_blocks_end_the_provisional_time(blocks, provisional):
    square = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    results = results_of_winners(4, square * blocks, [0, 1, 2, 3] * blocks, np.arange(4 * blocks) // 4)
    assert (rate(results).provisional == provisional).all()


@pytest.mark.parametrize(("ahead", "blocks"), [(60, 100), (52, 100), (8, 12)])
def test_of_two_bots_the_chance_to_be_best_is_the_likelihood_of_superiority(ahead, blocks):
    winner = [0, 1] * (ahead // 2) + [1, 0] * ((blocks - ahead) // 2)
    scale = rate(results_of_winners(2, [[0, 1], [1, 0]] * (blocks // 2), winner)).scales[0]
    assert scale.elo[0] > 5.0
    # Under 40 blocks the draws are normal but as wide as the bar, Student's t has longer ends.
    assert scale.best()[0] == pytest.approx(scale.los[0, 1], abs=0.015)
    assert scale.best().sum() == pytest.approx(1.0)


def test_equal_bots_stand_in_the_order_of_their_numbers():
    scale = rate(
        results_of_winners(3, [[0, 1], [1, 0], [1, 2], [2, 1], [0, 2], [2, 0]] * 7, [0, 0] * 21)
    ).scales[0]
    np.testing.assert_allclose(scale.elo, 0.0, atol=1e-6)
    assert scale.order.tolist() == [0, 1, 2]


def test_in_full_order_results_are_counted_as_ahead_and_behind_somebody():
    places = [[1, 2, 3], [1, 2, 2], [2, 2, 1], [1, 1, 1]]
    results = Results(3, [[0, 1, 2]] * 4, places, [0, 0, 2, -1], [0, 0, 1, 2], full_order=True)
    counts = Counts.of(results)
    assert counts.ahead.tolist() == [2, 1, 1]
    assert counts.behind.tolist() == [1, 3, 2]
    assert counts.games.tolist() == [4, 4, 4]
    assert counts.rated.tolist() == [3, 3, 3]
    assert counts.blocks.tolist() == [2, 2, 2]
    assert counts.wins.tolist() == [2, 0, 1]
    assert counts.no_result.tolist() == [1, 1, 1]


@pytest.mark.parametrize("blocks", [6, 30, 80])
def test_two_bots_are_separated_where_the_one_sided_chance_is_above_97_and_a_half_percent(blocks):
    (scale,) = rate(full_order_world(blocks, blocks)).scales
    assert scale.separated.any()
    above = np.maximum(scale.los, scale.los.T) > 0.975
    assert np.array_equal(scale.separated, above)


def test_a_rating_that_only_the_prior_bounds_moves_no_other():
    rng = np.random.default_rng(3)
    seating = np.tile([[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]], (60, 1))
    winner = np.array([rng.choice(np.flatnonzero(row != 3)) for row in seating])
    ratings = rate(results_of_winners(4, seating, winner, np.arange(240) // 4))
    assert ratings.no_lower.tolist() == [False, False, False, True]
    # That rating has no part in the zero, and in no bar but its own.
    assert ratings.elo[:3].sum() == pytest.approx(0.0, abs=1e-6)
    assert (ratings.error[:3] < ratings.error[3] / 10).all()
    more = rate(results_of_winners(4, np.tile(seating, (50, 1)), np.tile(winner, 50), np.arange(12000) // 4))
    np.testing.assert_allclose(more.elo[:3], ratings.elo[:3], atol=2.0)
    assert more.elo[3] < ratings.elo[3] - 300


def test_what_is_not_known_of_a_rating_in_the_zero_is_not_known_of_the_others_either():
    rng = np.random.default_rng(3)
    seating = np.tile([[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]], (60, 1))
    winner = np.array([rng.choice(np.flatnonzero(row != 3)) for row in seating])
    winner[0] = 3
    ratings = rate(results_of_winners(4, seating, winner, np.arange(240) // 4))
    assert not ratings.prior_bounded.any()
    # One win: that rating is hardly known, and a fourth of it is in the zero, for the three others alike.
    assert (ratings.error[:3] >= 0.95 * ratings.error[3] / 3).all()
    deviation = ratings.scales[0].deviation
    assert (deviation[:3, :3] < ratings.error[3] / 5).all()


def test_blocks_without_any_spread_are_no_precision_however_many():
    square = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    for winner in ([0, 0, 0, 0], [0, 3, 2, 1]):
        ratings = rate(results_of_winners(4, square * 100, winner * 100, np.arange(400) // 4))
        assert ratings.error.min() > 15
        assert ratings.scales[0].seat_errors.min() > 15
