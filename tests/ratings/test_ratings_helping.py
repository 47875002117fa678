"""Bots that help each other are found where that was planted, by pairs; habits of style look like no help."""

import numpy as np
import pytest
from findings_worlds import challenged, found_in, preying

from arena.ratings import Challenges, rate, results_of_winners
from arena.ratings.findings import Help
from arena.ratings.habits import Cells, habits_of


@pytest.mark.parametrize(("bots", "blocks"), [(5, 60), (8, 100)])
@pytest.mark.parametrize("part", [0.0, 0.15])
def test_two_that_spare_each_other_are_found_alone_and_the_table_without_their_games_is_told(
    bots, blocks, part
):
    rng = np.random.default_rng([bots, 3])
    results = preying(rng, blocks, bots, {}, 0.0)
    challenges = challenged(rng, results, regard=0.5, sparing={(1, 3): part})
    (help,) = found_in(results, challenges)
    assert isinstance(help, Help)
    assert help.bots == (1, 3)
    for way, (one, other) in enumerate(((1, 3), (3, 1))):
        rows = (challenges.challenger == one) & (challenges.claimant == other)
        assert help.asked[way] == challenges.asked[rows].sum()
        assert help.called[way] == challenges.called[rows].sum()
        # What was left out of their challenges is what they would have been.
        if part:
            assert help.called[way] / part == pytest.approx(help.expected[way], rel=0.5)
    together = (np.isin(results.seating, (1, 3))).sum(axis=1) == 2
    assert (help.games, help.blocks) == (together.sum(), len(np.unique(results.block[together])))
    rest = results_of_winners(
        bots, results.seating[~together], results.winner[~together], results.block[~together]
    )
    before, after = rate(results), rate(rest)
    ranks = [{bot: 1 + place for place, bot in enumerate(one.order.tolist())} for one in (before, after)]
    for moved in help.without:
        assert (moved.rank, moved.rank_without) == (ranks[0][moved.bot], ranks[1][moved.bot])
        assert (moved.elo, moved.elo_without) == pytest.approx((before.elo[moved.bot], after.elo[moved.bot]))
    changed = {bot for bot in range(bots) if ranks[0][bot] != ranks[1][bot]}
    assert {moved.bot for moved in help.without} == {1, 3} | changed


def test_three_that_spare_each_other_are_three_pairs():
    rng = np.random.default_rng(8)
    results = preying(rng, 200, 8, {}, 0.0)
    trio = {(0, 1): 0.0, (1, 5): 0.0, (0, 5): 0.0}
    assert {help.bots for help in found_in(results, challenged(rng, results, sparing=trio))} == set(trio)


def test_of_four_bots_nobody_can_say_which_two_spare_each_other():
    rng = np.random.default_rng(9)
    results = preying(rng, 200, 4, {}, 0.0)
    assert found_in(results, challenged(rng, results, sparing={(0, 1): 0.0})) == ()


def test_who_is_spared_by_one_alone_or_challenges_nobody_helps_nobody():
    rng = np.random.default_rng(10)
    results = preying(rng, 200, 6, {}, 0.0)
    given = challenged(rng, results)
    one_way = given.called * ~((given.challenger == 0) & (given.claimant == 1))
    never = given.called * (given.challenger != 0)
    for called in (one_way, never):
        less = Challenges(6, given.block, given.challenger, given.claimant, given.kind, given.asked, called)
        assert found_in(results, less) == ()


def test_bots_of_one_style_do_not_look_like_friends_where_claims_have_kinds():
    """Two call one kind of claims only and make none of it; all others call and make both."""
    rng = np.random.default_rng(11)
    results = preying(rng, 200, 6, {}, 0.0)
    given = challenged(rng, results)
    alike = (given.challenger < 2, given.claimant < 2)
    asked = np.where(alike[1] & (given.kind == 1), 0, given.asked)
    called = np.where(alike[0] & (given.kind == 0), 0, rng.binomial(asked, 0.3))
    columns = (6, given.block, given.challenger, given.claimant)
    assert found_in(results, Challenges(*columns, given.kind, asked, called)) == ()
    (help,) = found_in(results, Challenges(*columns, np.zeros_like(given.kind), asked, called))
    assert help.bots == (0, 1)


def test_habits_account_for_all_that_was_challenged_by_each_and_of_each():
    rng = np.random.default_rng(12)
    cells = Cells.of(challenged(rng, preying(rng, 100, 7, {}, 0.0), claims=200))
    habits = habits_of(cells)
    for side in (cells.challenger, cells.claimant):
        for kind in (0, 1):
            mine = cells.kind == kind
            called, fit = (
                np.bincount(side[mine], values[mine])
                for values in (cells.called, cells.asked * habits.chance)
            )
            # Each habit has one claim more than there were.
            np.testing.assert_allclose(fit, called, atol=1.0)
