"""What must not matter does not: the order of games, the numbers of bots, the anchor, listing them twice."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ratings_worlds import WORLDS

from arena.ratings import Results, find, rate, standings_table

CLOSE = {"rtol": 1e-6, "atol": 1e-6}


@st.composite
def results(draw, full_order=None):
    """Any results: few or many games, capped ones, shared places, several groups, bots without games."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    seats = draw(st.integers(2, 6))
    bots = draw(st.integers(seats, 9))
    games = draw(st.sampled_from([0, 1, 3, 20, 120]))
    strength = rng.normal(0.0, draw(st.sampled_from([0.0, 1.0, 5.0])), bots)
    seating = np.argsort(rng.random((games, bots)), axis=1)[:, :seats]
    score = strength[seating] + rng.gumbel(size=seating.shape)
    if draw(st.booleans()):
        score = score.round()  # shared places
    places = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
    winner = (
        np.where((places == 1).sum(axis=1) == 1, (places == 1).argmax(axis=1), -1)
        if games
        else np.zeros(0, int)
    )
    whole = draw(st.booleans()) if full_order is None else full_order
    return Results(bots, seating, places, winner, rng.integers(0, 1 + games // 4, games), whole)


def shuffled(given, rng):
    order = rng.permutation(given.games)
    return Results(
        given.bots,
        given.seating[order],
        given.places[order],
        given.winner[order],
        given.block[order],
        given.full_order,
    )


@given(results(), st.integers(0, 99))
@settings(max_examples=40)
def test_the_order_of_games_does_not_matter(given_results, seed):
    plain, turned = rate(given_results), rate(shuffled(given_results, np.random.default_rng(seed)))
    np.testing.assert_allclose(turned.elo, plain.elo, **CLOSE)
    np.testing.assert_allclose(turned.error, plain.error, **CLOSE)


@given(results(), st.integers(0, 99))
@settings(max_examples=40)
def test_the_numbers_of_bots_and_blocks_do_not_matter(given_results, seed):
    rng = np.random.default_rng(seed)
    new = rng.permutation(given_results.bots)
    block = 7 - 3 * given_results.block
    renamed = Results(
        given_results.bots, new[given_results.seating], given_results.places, given_results.winner, block,
        given_results.full_order,
    )  # fmt: skip
    plain, turned = rate(given_results), rate(renamed)
    for field in ("elo", "error", "expected"):
        np.testing.assert_allclose(getattr(turned, field)[new], getattr(plain, field), **CLOSE)
    for field in ("prior_bounded", "no_upper", "no_lower", "provisional", "games", "wins"):
        np.testing.assert_array_equal(getattr(turned, field)[new], getattr(plain, field))


@given(results(), st.data())
@settings(max_examples=40)
def test_the_anchor_changes_no_difference(given_results, data):
    anchor = data.draw(st.integers(0, given_results.bots - 1))
    plain, moved = rate(given_results), rate(given_results, anchor=anchor)
    assert moved.elo[anchor] == 0.0
    for one in range(given_results.bots):
        between = plain.difference(anchor, one)
        if between is None:
            continue
        again = moved.difference(anchor, one)
        np.testing.assert_allclose(
            [again.elo, again.error, again.los], [between.elo, between.error, between.los], **CLOSE
        )
        assert again.separated == between.separated
        if len(plain.scales[plain.group[anchor]].bots) > 1:
            np.testing.assert_allclose(moved.error[one], between.error, **CLOSE)


@given(st.sampled_from(sorted(WORLDS)), st.sampled_from([30, 100]), st.integers(0, 99))
@settings(max_examples=25)
def test_games_listed_twice_in_their_blocks_buy_no_precision(world, blocks, seed):
    once = WORLDS[world](np.random.default_rng(seed), blocks)
    twice = Results(
        once.bots,
        *(np.concatenate([part, part]) for part in (once.seating, once.places, once.winner, once.block)),
    )
    plain, doubled = rate(once, prior=0.5), rate(twice, prior=1.0)
    np.testing.assert_allclose(doubled.elo, plain.elo, **CLOSE)
    # With under 20 wins the plain bar may stand on the Hessian's, which does count games.
    enough = (plain.wins >= 20) & (plain.rated - plain.wins >= 20)
    (before,), (after,) = plain.scales, doubled.scales
    both = np.ix_(enough, enough)
    np.testing.assert_allclose(after.deviation[both], before.deviation[both], **CLOSE)
    if enough.all():
        np.testing.assert_allclose(doubled.error, plain.error, **CLOSE)


@given(results())
@settings(max_examples=60)
def test_ratings_are_finite_centred_and_ordered_as_the_table_says(given_results):
    ratings = rate(given_results)
    for scale in ratings.scales:
        bounded = ~ratings.prior_bounded[scale.bots]
        inside = bounded if 2 * bounded.sum() > len(bounded) else np.ones_like(bounded)
        np.testing.assert_array_equal(scale.at_zero, inside)
        assert abs(scale.elo[inside].mean()) < 1e-6
        assert abs(scale.seats.sum()) < 1e-6
        assert np.isfinite(scale.errors).all()
        assert (scale.errors >= 0.0).all()
        assert (scale.rank_low <= scale.rank_high).all()
        np.testing.assert_allclose(scale.los + scale.los.T, 1.0, atol=1e-9)
        np.testing.assert_allclose(scale.best().sum(), 1.0)
    names = [f"bot{number}" for number in range(given_results.bots)]
    table = standings_table(ratings, names)
    for group in {row.group for row in table.rows}:
        elo = [row.values[2] for row in table.rows if row.group == group]
        assert elo == sorted(elo, reverse=True)
    assert sorted(table.values("bot")) == sorted(names)
    assert all(0.0 <= finding.chance <= 0.05 for finding in find(ratings, given_results))


@given(results(full_order=False))
@settings(max_examples=40)
def test_only_the_winner_matters_where_the_order_is_not_rated(given_results):
    places = np.where(np.arange(given_results.seats) == given_results.winner[:, None], 1, 2)
    places[given_results.winner < 0] = 1
    blunt = Results(
        given_results.bots, given_results.seating, places, given_results.winner, given_results.block
    )
    np.testing.assert_array_equal(rate(blunt).elo, rate(given_results).elo)
