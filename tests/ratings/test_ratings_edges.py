"""Whatever was played, there is a defined answer: no nan, no inf, no invented scale."""

import json

import numpy as np
import pytest

from arena.errors import BadInput
from arena.ratings import (
    Challenges,
    Results,
    crosstable_table,
    find,
    finding_object,
    meetings_of,
    pairs_table,
    rate,
    results_of_winners,
    seat_effects_table,
    standings_table,
    verdict,
)
from arena.ratings.habits import Cells

NO_GAMES = np.zeros((0, 4), dtype=int)
SQUARE = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
CASES = {
    "no bots": results_of_winners(0, NO_GAMES, []),
    "no games": results_of_winners(3, NO_GAMES, []),
    "one bot": results_of_winners(1, NO_GAMES, []),
    "all capped": results_of_winners(4, SQUARE, [-1] * 4, [0] * 4),
    "one game": results_of_winners(4, SQUARE[:1], [2]),
    "one block": results_of_winners(4, SQUARE, [0, 1, 2, 3], [0] * 4),
    "all and nothing": results_of_winners(2, [[0, 1], [1, 0]] * 500, [0, 1] * 500, np.arange(1000) // 2),
    "the first seat always": results_of_winners(4, SQUARE * 50, [0] * 200, np.arange(200) // 4),
    "two groups": results_of_winners(4, [[0, 1], [1, 0], [2, 3], [3, 2]] * 9, [0, 0, 1, 0] * 9),
    "bots without games": results_of_winners(6, SQUARE * 9, [0, 1, 1, 3] * 9),
    "a bot that has only met capped games": results_of_winners(
        5, [*SQUARE * 9, [0, 1, 2, 4]], [0, 1, 1, 3] * 9 + [-1]
    ),
    "full order, all capped": Results(
        4, SQUARE, [[1, 1, 1, 1]] * 4, [-1] * 4, [0, 0, 0, 0], full_order=True
    ),
    "full order, shared places": Results(
        4, SQUARE * 3, [[1, 2, 2, 4], [3, 1, 1, 3], [1, 1, 1, 4], [1, 2, 2, 2]] * 3, [0, -1, -1, 0] * 3,
        np.arange(12) // 4, full_order=True,
    ),
    "full order, ten seats, six share": Results(
        10, [list(range(10)), list(range(9, -1, -1))], [[1, 2, 2, 2, 2, 2, 2, 8, 9, 10]] * 2, [0, 0], [0, 1],
        full_order=True,
    ),
}  # fmt: skip


def finite(value):
    """Every number in nested lists and dicts, and in arrays."""
    json.dumps(value, allow_nan=False)
    return True


@pytest.mark.parametrize("name", CASES)
def test_every_number_of_every_table_is_finite(name):
    results = CASES[name]
    ratings = rate(results)
    for field in ("elo", "error", "expected", "win_share", "no_result_share"):
        assert np.isfinite(getattr(ratings, field)).all(), field
    for scale in ratings.scales:
        for field in ("covariance", "deviation", "los", "seats", "seat_errors", "critical"):
            assert np.isfinite(getattr(scale, field)).all(), field
        assert np.isfinite(scale.best()).all()
    names = [f"bot{number}" for number in range(results.bots)]
    meetings = meetings_of(results)
    for table in (
        standings_table(ratings, names),
        seat_effects_table(ratings),
        crosstable_table(ratings, meetings, names),
        pairs_table(ratings, meetings, names),
    ):
        assert finite(table.to_json_rows())
        for text in (table.to_text(), table.to_csv()):
            assert "nan" not in text
            assert "inf" not in text
    assert verdict(ratings, names)
    nothing = Challenges(results.bots, *[np.zeros(0, dtype=int)] * 6)
    for finding in find(ratings, results, nothing):
        assert finite(finding_object(finding, names))


@pytest.mark.parametrize("name", ["no games", "one bot", "all capped", "full order, all capped"])
def test_without_a_rated_game_a_bot_stands_at_nought_with_the_bar_of_the_prior(name):
    ratings = rate(CASES[name])
    assert not ratings.elo.any()
    # The ghost alone knows a strength to 1 / sqrt(0.25) = 2 units: 1.96 * 2 * 173.7 Elo.
    np.testing.assert_allclose(ratings.error, 680.97, atol=0.01)
    assert ratings.provisional.all()


def test_capped_games_change_the_share_without_a_result_and_nothing_else():
    seating, winner = SQUARE * 12, [0, 1, 1, 3] * 12
    plain = rate(results_of_winners(4, seating, winner, np.arange(48) // 4))
    capped = rate(results_of_winners(4, [*seating, *SQUARE], [*winner, -1, -1, -1, -1], np.arange(52) // 4))
    np.testing.assert_array_equal(capped.elo, plain.elo)
    np.testing.assert_array_equal(capped.error, plain.error)
    np.testing.assert_array_equal(capped.blocks, plain.blocks)
    np.testing.assert_allclose(capped.no_result_share, 4 / 52)
    np.testing.assert_allclose(capped.win_share * 52, plain.win_share * 48)


def test_capped_games_count_where_places_are_rated():
    results = Results(2, [[0, 1], [1, 0]], [[1, 2], [2, 1]], [-1, -1], [0, 1], full_order=True)
    ratings = rate(results)
    assert ratings.elo[0] > 100.0 > -100.0 > ratings.elo[1]
    assert ratings.no_result.tolist() == [2, 2]


def test_groups_that_no_game_links_get_scales_of_their_own():
    ratings = rate(CASES["two groups"])
    assert [scale.bots.tolist() for scale in ratings.scales] == [[0, 1], [2, 3]]
    for scale in ratings.scales:
        assert scale.elo.sum() == pytest.approx(0.0, abs=1e-9)
    assert ratings.difference(0, 2) is None
    assert ratings.difference(0, 1).elo == pytest.approx(ratings.elo[0] - ratings.elo[1])


def test_a_group_is_rated_as_if_the_other_did_not_exist():
    both = rate(CASES["two groups"])
    alone = rate(results_of_winners(2, [[0, 1], [1, 0]] * 9, [0, 0] * 9))
    np.testing.assert_allclose(both.elo[:2], alone.elo)
    np.testing.assert_allclose(both.error[:2], alone.error)


def test_bots_that_only_the_prior_bounds_are_flagged_with_the_side():
    # 0 never loses, 4 never wins, 1 to 3 beat each other in a ring.
    seating = [[0, 1], [0, 2], [1, 2], [2, 3], [3, 1], [1, 4], [3, 4]]
    ratings = rate(results_of_winners(5, seating, [0] * 7))
    assert ratings.prior_bounded.tolist() == [True, False, False, False, True]
    assert ratings.no_upper.tolist() == [True, False, False, False, False]
    assert ratings.no_lower.tolist() == [False, False, False, False, True]


def test_a_pair_that_beat_all_others_is_bounded_by_the_prior_though_each_has_lost():
    seating = [[0, 1], [1, 0], [0, 2], [1, 3], [2, 3], [3, 4], [4, 2]]
    ratings = rate(results_of_winners(5, seating, [0] * 7))
    assert ratings.prior_bounded.tolist() == [True, True, False, False, False]
    assert ratings.no_upper.tolist() == [True, True, False, False, False]


def test_without_a_prior_an_unbeaten_bot_is_refused_by_name():
    with pytest.raises(BadInput, match="without a prior bot 0 has no finite rating"):
        rate(results_of_winners(2, [[0, 1]], [0]), prior=0.0)


def test_seats_are_left_out_where_the_seatings_do_not_tell_them_from_bots():
    kept = rate(results_of_winners(2, [[0, 1]] * 30, [0] * 20 + [1] * 10))
    assert not kept.scales[0].seats_fitted
    assert not kept.scales[0].seats.any()
    turned = rate(results_of_winners(2, [[0, 1], [1, 0]] * 15, ([0, 0] * 10) + [1, 1] * 5))
    assert turned.scales[0].seats_fitted
    assert turned.scales[0].seats[0] > 50.0
    assert turned.elo[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seating": [0, 1]}, "seating has 1 axes"),
        ({"seating": [[0, 1.5]]}, "seating holds float64 values"),
        ({"seating": [[0, 2]]}, "seating names bot 2; with 2 bots the numbers run from 0 to 1"),
        ({"seating": [[1, 1]]}, "game 0 seats one bot twice"),
        ({"seating": [[0]], "places": [[1]]}, "a table has 1 seats"),
        ({"places": [[1, 3]]}, "places holds 3; places run from 1 to 2"),
        ({"places": [[1, 2], [1, 2]]}, "places has shape"),
        ({"winner": [2]}, "winner names seat 2"),
        ({"winner": [1]}, "names a winner whose place is not 1"),
        ({"block": [0, 1]}, "block has shape"),
        ({"bots": -1}, "bots is -1"),
        ({"bots": 2.0}, "bots is 2.0"),
        ({"bots": "2"}, "bots is '2'"),
        ({"seating": [[0, 1], [0]]}, "seating is no array"),
        ({"seating": None}, "seating has 0 axes"),
        ({"seating": "ab"}, "seating has 0 axes"),
        ({"winner": 0}, "winner has 0 axes"),
        ({"winner": ["1"]}, "winner holds <U1 values"),
        ({"winner": [float("nan")]}, "winner holds float64 values"),
        ({"winner": [True]}, "winner holds bool values"),
        ({"winner": np.array([2**64 - 1], dtype=np.uint64)}, "winner holds 18446744073709551615"),
        ({"block": [0.5]}, "block holds float64 values"),
        ({"places": [[2, 2]], "full_order": True, "winner": [-1]}, "game 0 has the places"),
        ({"seating": np.zeros((0, 0), int), "places": np.zeros((0, 0), int)}, "a table has 0 seats"),
    ],
)
def test_results_that_contradict_themselves_are_refused_in_one_sentence(change, message):
    given = {"bots": 2, "seating": [[0, 1]], "places": [[1, 2]], "winner": [0], "block": [0]}
    with pytest.raises(BadInput, match=message.replace("(", "\\(")):
        Results(**(given | change))


@pytest.mark.parametrize(
    ("seating", "winner", "block"),
    [
        ([[0, 1]], [0.9], None),
        ([[0.9, 1.9]], [0], None),
        ([[0, 1]], ["1"], None),
        ([[0, 1]] * 3, [0, 0, 0], [0.2, 0.4, 0.9]),
        ([[0, 1], [1]], [0, 0], None),
        ([[0, 1]], 0, None),
        (None, [0], None),
    ],
)
def test_what_is_no_whole_number_is_refused_where_only_the_winner_is_given_too(seating, winner, block):
    with pytest.raises(BadInput):
        results_of_winners(2, seating, winner, block)


def test_kinds_of_claims_are_any_numbers():
    few = Challenges(3, [0, 0], [0, 1], [1, 2], [0, 1], [9, 9], [1, 2])
    far = Challenges(3, [0, 0], [0, 1], [1, 2], [5, 10**12], [9, 9], [1, 2])
    np.testing.assert_array_equal(Cells.of(far).kind, Cells.of(few).kind)


def test_results_are_frozen_and_no_view_of_what_was_given():
    seating = np.array([[0, 1]])
    results = results_of_winners(2, seating, [0])
    seating[0, 0] = 1
    assert results.seating[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        results.seating[0, 0] = 1


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"anchor": 2}, "the anchor is of bot 2"),
        ({"anchor": 1.5}, "the anchor is of bot 1.5"),
        ({"prior": -1.0}, "prior is -1"),
        ({"prior": "x"}, "prior is 'x'"),
    ],
)
def test_impossible_options_are_refused(option, message):
    with pytest.raises(BadInput, match=message):
        rate(results_of_winners(2, [[0, 1]], [0]), **option)


@pytest.mark.parametrize("pair", [(0, -1), (2, 0), (0, 0.5)])
def test_there_is_no_difference_to_a_bot_that_is_not_there(pair):
    with pytest.raises(BadInput, match="difference is of bot"):
        rate(results_of_winners(2, [[0, 1]], [0])).difference(*pair)
