"""Findings: each kind is found where it was planted, with its evidence; nothing is told beside it."""

import json

import numpy as np
import pytest
from findings_worlds import challenged, found_in, preying, squares
from ratings_worlds import SEATS, williams_blocks
from scipy.stats import norm

from arena.errors import BadInput
from arena.ratings import (
    Challenges,
    Results,
    find,
    finding_object,
    findings_lines,
    meetings_of,
    rate,
    results_of_winners,
    sentence,
)
from arena.ratings.correction import KINDS, corrected, holm
from arena.ratings.cycles import cycles_among
from arena.ratings.duels import duels_of
from arena.ratings.findings import Cycle, Help, Moved, Seats, Step, Unexplained
from arena.ratings.fitted import fitted

NAMES = ["ann", "bob", "cid", "dot", "eve", "fay", "gus", "hal"]


def duels_in(results):
    (base,) = fitted(rate(results), results)
    return duels_of(base, results)


def matches(pairs, blocks):
    """(winner, loser, times): games of two, seats turned, dealt out over the blocks at random."""
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


def renumbered(results, challenges, new, order):
    """The same games in another order, with other numbers for bots and blocks."""
    games = Results(
        results.bots,
        new[results.seating][order],
        results.places[order],
        results.winner[order],
        7 - 3 * results.block[order],
    )
    rows = np.random.default_rng(1).permutation(len(challenges.block))
    given = Challenges(
        challenges.bots,
        7 - 3 * challenges.block[rows],
        new[challenges.challenger[rows]],
        new[challenges.claimant[rows]],
        challenges.kind[rows],
        challenges.asked[rows],
        challenges.called[rows],
    )
    return games, given


# Cycles and pairs.


def test_rock_paper_scissors_between_bots_of_one_rating_is_told_in_one_sentence():
    results = matches([(0, 1, 80), (1, 0, 20), (1, 2, 80), (2, 1, 20), (2, 0, 80), (0, 2, 20)], 60)
    assert abs(rate(results).elo).max() < 10.0
    (cycle,) = found_in(results)
    assert cycle == Cycle((0, 1, 2), (Step(80, 100),) * 3, cycle.chance)
    assert cycle.chance < 1e-4
    assert sentence(cycle, NAMES) == (
        "ann beats bob (80 of 100), bob beats cid (80 of 100) and cid beats ann (80 of 100): no one number a "
        "bot puts these three in order (p < 0.0001)."
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_cycle_at_tables_of_four_is_found_and_its_pairs_are_not_told_again(seed):
    results = preying(np.random.default_rng(seed), 300, 6, {3: 1, 1: 5, 5: 3}, 1.2)
    (cycle,) = found_in(results)
    assert isinstance(cycle, Cycle)
    assert cycle.bots == (1, 5, 3)
    ahead, decided = meetings_of(results).ahead, meetings_of(results).decided
    for step, one, other in zip(cycle.steps, cycle.bots, (5, 3, 1), strict=True):
        assert step == Step(int(ahead[one, other]), int(decided[one, other]))


@pytest.mark.parametrize("seed", range(3))
def test_a_pair_that_ratings_do_not_explain_is_told_alone_though_it_puts_both_ratings_out(seed):
    results = preying(np.random.default_rng(seed), 300, 6, {4: 2}, 1.5)
    odd = corrected(duels_in(results).unexplained)
    (pair,) = found_in(results)
    assert isinstance(pair, Unexplained)
    assert pair.bots == (4, 2)
    meetings = meetings_of(results)
    assert (pair.ahead, pair.decided) == (meetings.ahead[4, 2], meetings.decided[4, 2])
    assert pair.expected < pair.ahead
    assert pair.chance == odd.min() < 1e-4
    together = (results.seating == 4).any(axis=1) & (results.seating == 2).any(axis=1)
    decided = np.isin(results.seating[np.arange(results.games), results.winner], (2, 4))
    assert pair.blocks == len(np.unique(results.block[together & decided]))


def test_two_pairs_that_ratings_do_not_explain_are_both_told():
    results = preying(np.random.default_rng(3), 600, 8, {4: 2, 0: 7}, 1.5)
    assert {pair.bots for pair in found_in(results)} == {(4, 2), (0, 7)}


def test_a_block_won_as_a_whole_is_one_result_not_ten():
    """Thirteen blocks of twenty prove nothing, though 130 games of 200 would."""
    ring = [(0, 1), (1, 2), (2, 0)]
    seating = [pair if block % 2 else pair[::-1] for pair in ring for block in range(20) for _ in range(10)]
    first = [pair[0 if block < 13 else 1] for pair in ring for block in range(20) for _ in range(10)]
    winner = [seats.index(bot) for seats, bot in zip(seating, first, strict=True)]
    assert found_in(results_of_winners(3, seating, winner, np.arange(600) // 10)) == ()
    (cycle,) = found_in(results_of_winners(3, seating, winner))
    assert cycle.bots == (0, 1, 2)


def test_places_are_compared_where_they_count():
    rng = np.random.default_rng(2)
    seating = squares(rng, 200, 6)
    score = np.linspace(-0.5, 0.5, 6)[seating] + rng.gumbel(size=seating.shape)
    both = (seating == 1).any(axis=1) & (seating == 4).any(axis=1)
    score[(seating == 1) & both[:, None]] += 1.5
    places = (-score).argsort(axis=1).argsort(axis=1) + 1
    block = np.arange(len(places)) // SEATS
    results = Results(6, seating, places, places.argmin(axis=1), block, full_order=True)
    pair, *others = found_in(results)
    assert (pair.bots, others) == ((1, 4), [])
    assert pair.decided == both.sum()


def test_what_is_left_of_a_pair_beside_the_fit_is_its_formula_worked_out_block_by_block():
    results = williams_blocks(np.random.default_rng(4), 60)
    (base,) = fitted(rate(results), results)
    strength, seat = base.found.at[: results.bots], base.seats
    duels = duels_of(base, results)
    slopes = np.zeros((60, base.problem.size))
    for seats, winner, block in zip(results.seating, results.winner, results.block, strict=True):
        weight = np.exp(strength[seats] + seat)
        residual = -weight / weight.sum()
        residual[winner] += 1.0
        slopes[block, seats] += residual
        slopes[block, results.bots :] += residual
    for at, (one, other) in enumerate(zip(duels.one, duels.other, strict=True)):
        own, give, least = np.zeros(60), np.zeros(base.problem.size), 0.0
        for seats, winner, block in zip(results.seating.tolist(), results.winner, results.block, strict=True):
            if seats[winner] in (one, other) and one in seats and other in seats:
                here, there = seats.index(one), seats.index(other)
                chance = 1.0 / (1.0 + np.exp(strength[other] + seat[there] - strength[one] - seat[here]))
                own[block] += (seats[winner] == one) - chance
                least += chance * (1.0 - chance)
                give[[one, results.bots + here]] -= chance * (1.0 - chance)
                give[[other, results.bots + there]] += chance * (1.0 - chance)
        answer = np.linalg.solve(base.found.curvature, give)
        variance = max(((own + slopes @ answer) ** 2).sum(), least - give @ answer)
        expected = 2.0 * norm.sf(abs(own.sum()) / np.sqrt(variance))
        assert duels.unexplained[at] == pytest.approx(expected, rel=1e-6)


def test_two_bots_alone_are_explained_by_their_ratings():
    results = matches([(0, 1, 90), (1, 0, 30)], 60)
    assert duels_in(results).unexplained.tolist() == [1.0]


def test_every_cycle_is_seen_once_whatever_the_order():
    rng = np.random.default_rng(6)
    for bots in (3, 7, 12):
        way = np.triu(rng.integers(-1, 2, (bots, bots)), 1)
        beats = (way - way.T) > 0
        turns = {
            (a, b, c)
            for a in range(bots)
            for b in range(a + 1, bots)
            for c in range(a + 1, bots)
            if beats[a, b] and beats[b, c] and beats[c, a]
        }
        for strength in (np.zeros(bots), rng.normal(size=bots)):
            assert set(cycles_among(beats, strength)) == turns
            assert len(cycles_among(beats, strength)) == len(turns)


# Seats.


def test_seats_that_are_not_equal_are_told_with_the_best_and_the_worst():
    results = williams_blocks(np.random.default_rng(1), 300)
    (seats,) = found_in(results)
    scale = rate(results).scales[0]
    assert isinstance(seats, Seats)
    assert (seats.best, seats.worst) == (scale.seats.argmax(), scale.seats.argmin()) == (0, 3)
    assert (seats.best_elo, seats.worst_elo) == (scale.seats.max(), scale.seats.min())
    assert (seats.games, seats.blocks) == (1200, 300)
    assert sentence(seats, NAMES) == (
        f"The seats are not equal: seat 0 is worth {seats.best_elo:+.1f} Elo, seat 3 {seats.worst_elo:+.1f} "
        f"(1200 games in 300 blocks, p = {seats.chance:.4f})."
    )


def test_seats_are_told_by_the_group_where_there_are_two():
    rng = np.random.default_rng(2)
    pairs = np.array([[0, 1], [1, 0]] * 200 + [[2, 3], [3, 2]] * 100)
    winner = (rng.random(600) < 0.3).astype(int)
    winner[400:] = rng.integers(0, 2, 200)
    (seats,) = found_in(results_of_winners(4, pairs, winner, np.arange(600) // 2))
    assert (seats.group, seats.groups) == (1, 2)
    assert sentence(seats, NAMES).startswith("The seats are not equal in group 1: seat 0 is worth +")


# What holds for all of them.


def test_the_order_of_games_and_the_numbers_of_bots_and_blocks_do_not_matter():
    rng = np.random.default_rng(13)
    results = preying(rng, 300, 8, {0: 1, 1: 2, 2: 0, 3: 4}, 1.5)
    given = challenged(rng, results, sparing={(3, 5): 0.0})
    new = rng.permutation(8)
    plain = found_in(results, given)
    turned = found_in(*renumbered(results, given, new, rng.permutation(results.games)))
    assert (
        [type(finding) for finding in plain]
        == [type(finding) for finding in turned]
        == [Help, Cycle, Unexplained]
    )
    for one, other in zip(plain, turned, strict=True):
        # A cycle may begin with another of its bots, and two that help each other may change places.
        assert {int(new[bot]) for bot in one.bots} == set(other.bots)
        assert one.chance == pytest.approx(other.chance, rel=1e-3)
    (help, cycle, pair), (other_help, other_cycle, other_pair) = plain, turned
    assert sorted(help.called + help.asked) == sorted(other_help.called + other_help.asked)
    assert (help.games, help.blocks) == (other_help.games, other_help.blocks)
    assert set(cycle.steps) == set(other_cycle.steps)
    assert (pair.ahead, pair.decided, pair.blocks) == (
        other_pair.ahead,
        other_pair.decided,
        other_pair.blocks,
    )
    assert pair.expected == pytest.approx(other_pair.expected)


def test_chances_are_raised_for_all_that_was_looked_at():
    chances = np.array([0.01, 0.04, 0.002, 0.5])
    np.testing.assert_allclose(holm(chances), [0.03, 0.08, 0.008, 0.5])
    np.testing.assert_allclose(corrected(chances), np.minimum(KINDS * holm(chances), 1.0))
    assert corrected(np.zeros(0)).tolist() == []


def test_a_field_with_one_order_and_equal_seats_has_nothing_to_tell():
    results = williams_blocks(np.random.default_rng(6), 600, np.zeros(SEATS))
    assert found_in(results, challenged(np.random.default_rng(7), results)) == ()
    assert findings_lines((), NAMES) == []


def test_sentences_carry_the_evidence():
    moved = (Moved(0, 2, 10.0, 11, -0.04), Moved(1, 3, 5.0, 3, -20.0))
    help = Help((0, 1), (200, 210), (0, 3), (31.26, 40.0), 80, 1, 0.012345, moved)
    assert sentence(help, NAMES) == (
        "ann and bob spare each other: ann called 0 of 200 comparable claims of bob (31.3 expected), bob "
        "called 3 of 210 comparable claims of ann (40.0 expected) (80 games in 1 block, p = 0.0123); without "
        "these games ann is 11th instead of 2nd (0.0 Elo instead of +10.0) and bob stays 3rd (-20.0 Elo "
        "instead of +5.0)."
    )
    pair = Unexplained((3, 2), 40, 50, 25.04, 21, 0.00001)
    assert sentence(pair, NAMES) == (
        "dot does better against cid than their ratings explain: ahead in 40 of the 50 games decided between "
        "them, where 25.0 are expected (21 blocks, p < 0.0001)."
    )


def test_plain_values_are_rounded_as_they_are_shown_and_name_the_bots():
    moved = (Moved(0, 2, 10.06, 11, -0.04), Moved(1, 3, 5.0, 3, -20.0), Moved(2, 5, 1.0, 6, 0.0))
    help = Help((0, 1), (200, 210), (0, 3), (31.26, 40.0), 80, 20, 0.0123456, moved)
    plain = json.loads(json.dumps(finding_object(help, NAMES), allow_nan=False))
    assert plain.pop("sentence") == sentence(help, NAMES)
    assert sentence(help, NAMES).endswith(", and 1 other rank changes.")
    assert plain == {
        "kind": "help",
        "bots": ["ann", "bob"],
        "asked": [200, 210],
        "called": [0, 3],
        "expected": [31.3, 40.0],
        "games": 80,
        "blocks": 20,
        "chance": 0.01235,
        "without": [
            {"bot": "ann", "rank": 2, "elo": 10.1, "rank_without": 11, "elo_without": 0.0},
            {"bot": "bob", "rank": 3, "elo": 5.0, "rank_without": 3, "elo_without": -20.0},
            {"bot": "cid", "rank": 5, "elo": 1.0, "rank_without": 6, "elo_without": 0.0},
        ],
    }
    cycle = finding_object(Cycle((0, 1, 2), (Step(8, 9), Step(7, 9), Step(6, 9)), 0.01), NAMES)
    assert cycle["steps"][0] == {"ahead": 8, "decided": 9}
    assert finding_object(Seats(1, 1, 0, 3, 1.0, -1.0, 40, 10, 0.01), NAMES)["kind"] == "seats"


def test_of_many_findings_of_a_kind_the_first_are_told_and_the_others_counted():
    pairs = [Unexplained((0, 1), 40, 50, 25.0, 21, 0.001 * number) for number in range(8)]
    lines = findings_lines([Seats(1, 1, 0, 3, 1.0, -1.0, 40, 10, 0.01), *pairs], NAMES)
    assert lines[0].startswith("Findings (p is corrected for all that was looked at")
    assert len(lines) == 1 + 5 + 1 + 1
    assert lines[6] == "- And 3 more pairs that the ratings do not explain."
    assert lines[7].startswith("- The seats are not equal")


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("challenger", [0, 3], "challenger names bot 3; with 3 bots"),
        ("claimant", [-1, 0], "claimant names bot -1"),
        ("claimant", [0, 0], "about its own claim"),
        ("kind", [0, -1], "kind holds -1"),
        ("called", [1, 6], "more claims were called than asked about"),
        ("called", [-1, 0], "more claims were called than asked about, or fewer than none"),
        ("asked", [5], "one length"),
        ("asked", [5.0, 5.0], "whole numbers"),
        ("block", [[0], [0]], "block of challenges has 2 axes; it needs one"),
    ],
)
def test_challenges_that_contradict_themselves_are_refused(column, value, words):
    columns = {
        "block": [0, 0], "challenger": [0, 1], "claimant": [1, 0], "kind": [0, 0], "asked": [5, 5],
        "called": [1, 1],
    }  # fmt: skip
    assert Challenges(3, **columns).called.tolist() == [1, 1]
    with pytest.raises(BadInput, match=words):
        Challenges(3, **(columns | {column: value}))


def test_findings_are_made_of_one_set_of_bots():
    results = matches([(0, 1, 9), (1, 0, 3)], 4)
    with pytest.raises(BadInput, match="results of 3 bots given with ratings of 2"):
        find(rate(results), matches([(0, 2, 9), (1, 2, 3)], 4))
    with pytest.raises(BadInput, match="challenges of 5 bots given with ratings of 2"):
        found_in(results, Challenges(5, *[np.zeros(0, dtype=int)] * 6))
