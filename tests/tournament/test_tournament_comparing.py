"""Comparisons of two bots: pairs of blocks, the looks of the test, and the risks that it really has."""

import os
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from small_tournaments import comparable, damage, play, run_in
from stand import Stand, bots_of, new

from arena.cheat.presets import preset
from arena.ratings import Results
from arena.ratings.sprt import Sprt
from arena.referee.block import Contestant
from arena.tournament.comparing import compared, points_of
from arena.tournament.comparison import Comparison
from arena.tournament.database import StoreError
from arena.tournament.evenness import meetings_bound
from arena.tournament.pairing import PAIRED, Pairing
from arena.tournament.points import comparison_points
from arena.tournament.schedule import Course, square_size
from arena.tournament.verify import verify

Make = Callable[..., Contestant]
SEED = bytes(range(16))
GAIN = Comparison(gain=0.05, alpha=0.05, beta=0.05)
OF_TWO = {"schedule": PAIRED, "challengers": (3, 1), "comparison": GAIN, "bench": 0}
RUNS = max(100, round(1000 * float(os.environ.get("ARENA_SOAK", "0.1"))))


# Who sits down with whom.


@settings(max_examples=30)
@given(seats=st.integers(2, 6), more=st.integers(0, 12), seed=st.binary(min_size=16, max_size=16))
def test_both_blocks_of_a_pair_are_one_table_seated_alike_but_for_the_two_compared(
    seats: int, more: int, seed: bytes
) -> None:
    bots = seats + 1 + more
    first, second = bots - 1, 0
    schedule = Course(seed, bots, seats, square_size(seats), Pairing(PAIRED, (first, second)))
    field = range(1, bots - 1)
    played, met = np.zeros(bots, int), np.zeros((bots, bots), int)
    for pair in range(40):
        one, other = schedule.next(), schedule.next()
        assert (one.number, other.number) == (2 * pair, 2 * pair + 1)
        assert second not in one.table
        swapped = tuple(tuple(second if bot == first else bot for bot in seating) for seating in one.seatings)
        assert swapped == other.seatings
        others = [bot for bot in one.table if bot != first]
        assert len(others) == seats - 1
        played[others] += 1
        met[np.ix_(others, others)] += 1
        assert np.ptp(played[field]) <= 1
        if seats > 2:
            pairs = [met[a, b] for a in field for b in field if a < b]
            assert max(pairs) - min(pairs) <= meetings_bound(seats - 1)


def test_looks_begin_at_30_pairs_and_are_never_further_apart_than_an_eighth() -> None:
    points = list(islice(comparison_points(), 200))
    assert points[:6] == [60, 76, 92, 108, 124, 140]
    # The test gives no answer before, and no look is taken for nothing.
    assert points[0] == 2 * Sprt(GAIN.gain).least
    assert all(point % 2 == 0 for point in points)
    assert all(other - one <= max(16, one / 8) for one, other in pairwise(points))
    assert points[-1] > 10**8


# What comes of them.


def test_it_ends_at_the_first_look_with_an_answer_however_many_tables_and_however_often_broken_off(
    tmp_path: Path,
) -> None:
    with new(tmp_path / "a.db", 6, blocks=2000, **OF_TWO) as straight:
        run_in(straight, bots_of(6), 1, play=Stand(frozenset({1})))
        found = compared(straight)
        assert found.standing.answer == "better"
        assert (found.new, found.old, found.old_score) == (3, 1, 0.0)
        assert straight.complete
        assert straight.header.blocks == 2 * found.standing.pairs == 60
        for jobs in (2, 9):
            with new(tmp_path / f"{jobs}.db", 6, blocks=2000, **OF_TWO) as store:
                for stop in (7, 40, 63, None):
                    run_in(
                        store,
                        bots_of(6),
                        jobs,
                        play=Stand(frozenset({1})),
                        until=lambda progress, stop=stop: stop is not None and progress.blocks_done >= stop,
                    )
                assert compared(store) == found
                assert comparable(store) == comparable(straight)
                assert {state for _, state in store.blocks()} == {"played"}


def test_turned_round_it_is_not_better(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=2000, **OF_TWO | {"challengers": (1, 3)}) as store:
        run_in(store, bots_of(6), 3, play=Stand(frozenset({1})))
        assert compared(store).standing.answer == "not better"


def test_without_an_answer_it_is_undecided_at_the_end_of_its_budget_and_can_be_made_longer(
    tmp_path: Path,
) -> None:
    with new(tmp_path / "a.db", 6, blocks=40, **OF_TWO) as store:
        run_in(store, bots_of(6), 3, play=Stand(frozenset({1})))
        assert store.complete
        found = compared(store)
        assert (found.standing.answer, found.standing.pairs, found.pairs_left) == ("undecided", 20, 0)
        store.go_on(msgspec.structs.replace(store.header, blocks=400))
        run_in(store, bots_of(6), 3, play=Stand(frozenset({1})))
        assert (compared(store).standing.answer, store.header.blocks) == ("better", 60)


def test_time_that_ends_in_the_middle_of_a_pair_leaves_whole_pairs_to_be_judged(tmp_path: Path) -> None:
    lengths = set()
    for stop in (5, 6):
        with new(tmp_path / f"{stop}.db", 6, blocks=2000, time=60.0, **OF_TWO) as store:
            run_in(
                store,
                bots_of(6),
                1,
                play=Stand(),
                until=lambda progress, stop=stop: progress.blocks_done >= stop,
            )
            store.keep_time(1e-6)
            run_in(store, bots_of(6), 1, play=Stand())
            blocks = store.header.blocks
            found = compared(store)
            assert (found.standing.pairs, found.standing.answer) == (blocks // 2, "undecided")
            assert not [one for one in verify(store).differences if "header" in str(one)]
            lengths.add(blocks % 2)
    assert lengths == {0, 1}


def test_real_pairs_share_deals_and_dice_and_bots_that_play_alike_win_alike(
    tmp_path: Path, contestant: Make
) -> None:
    bots = [contestant(name) for name in ("a", "b", "c", "d")]
    terms = {"seats": 2, "games_per_block": 4, "blocks": 80} | OF_TWO
    store, _ = play(tmp_path / "a.db", bots, **terms)
    with store:
        found = compared(store)
        assert (found.standing.answer, found.standing.pairs) == ("no difference seen", 30)
        assert store.header.blocks == 60
        games = {(block, game.game): game for block, game in store.games()}
        deals = set()
        for (block, number), game in games.items():
            twin = games[block ^ 1, number]
            assert game.record.hands == twin.record.hands
            assert game.record.actions == twin.record.actions
            assert game.id != twin.id
            deals.add(game.record.hands)
        assert len(deals) == 120
        assert damage(store) == []
        assert verify(store).differences == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schedule", "round-robin"),
        ("comparison", None),
        ("challengers", (3, 3)),
        ("challengers", (3, 9)),
        ("challengers", (3,)),
        ("comparison", Comparison(gain=-1.0, alpha=0.05, beta=0.05)),
        ("comparison", Comparison(gain=0.05, alpha=0.7, beta=0.05)),
    ],
)
def test_a_header_that_no_comparison_can_have_is_found_and_nothing_breaks_on_it(
    tmp_path: Path, field: str, value: object
) -> None:
    with new(tmp_path / "a.db", 6, blocks=4, **OF_TWO) as store:
        run_in(store, bots_of(6), 1, play=Stand())
        sound = store.header
        with store._file.writing():
            store._file.put("header", msgspec.structs.replace(sound, **{field: value}))
        with suppress(StoreError):
            assert verify(store).differences
        with pytest.raises(StoreError):
            compared(store)


def test_where_places_count_a_score_is_the_share_of_the_others_behind() -> None:
    seating = np.array([[0, 1, 2, 3]] * 2)
    places = np.array([[1, 2, 2, 4], [1, 1, 1, 1]])
    ordered = Results(4, seating, places, np.array([0, -1]), np.array([0, 1]), full_order=True)
    assert points_of(ordered).tolist() == [[1.0, 0.5, 0.5, 0.0], [0.5, 0.5, 0.5, 0.5]]
    winner_only = Results(4, seating, places, np.array([0, -1]), np.array([0, 1]))
    assert points_of(winner_only).tolist() == [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    assert preset("classic").play_on is False


# The risks, in comparisons simulated from the model that ratings are made with.


def simulated(
    rng: np.random.Generator, pairs: int, strengths: tuple[float, float], field: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Differences of block scores, (pairs,): blocks of four games at tables of four, all games independent.

    Deals that are shared make them less uncertain; this is the hardest case.
    """
    square = (np.array([0, 1, 3, 2]) + np.arange(4)[:, None]) % 4
    others = field[np.argsort(rng.random((pairs, len(field))), axis=1)[:, :3]]
    scores = []
    for strength in strengths:
        table = np.concatenate([np.full((pairs, 1), strength), others], axis=1)[:, square]
        luck = np.array([0.2, 0.0, -0.05, -0.15]) + rng.gumbel(size=table.shape)
        scores.append((square[np.arange(4), (table + luck).argmax(axis=2)] == 0).mean(axis=1))
    return np.asarray(scores[0] - scores[1])


def answers(strengths: tuple[float, float], field: NDArray[np.float64], kind: int) -> list[str]:
    budget = 1000
    looks = [point // 2 for point in islice(comparison_points(), 100) if point <= 2 * budget]
    test = Sprt(GAIN.gain)
    return [
        test.run(simulated(np.random.default_rng([kind, run]), budget, strengths, field), 0.25, looks).answer
        for run in range(RUNS)
    ]


EVEN, WIDE = np.zeros(8), np.linspace(-1.0, 1.0, 8)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "field"), [("even", EVEN), ("wide", WIDE)])
def test_at_most_six_of_a_hundred_comparisons_of_equal_bots_say_better(
    name: str, field: NDArray[np.float64]
) -> None:
    said = answers((0.0, 0.0), field, 1)
    # With a share of the runs, three standard errors of a true 5 % are allowed.
    allowed = 0.06 if RUNS >= 1000 else 0.05 + 3 * (0.05 * 0.95 / RUNS) ** 0.5
    assert said.count("better") / RUNS <= allowed
    assert said.count("not better") / RUNS >= 0.9


@pytest.mark.soak
def test_at_least_nine_of_ten_comparisons_find_the_gain_they_look_for() -> None:
    # At an even table these odds win 5 games in 100 more than a quarter of them.
    stronger = float(np.log(0.3 / 0.7 * 3.0))
    gained = simulated(np.random.default_rng(3), 40_000, (stronger, 0.0), EVEN).mean()
    assert gained == pytest.approx(GAIN.gain, abs=0.005)
    said = answers((stronger, 0.0), EVEN, 2)
    allowed = 0.9 if RUNS >= 1000 else 0.9 - 3 * (0.9 * 0.1 / RUNS) ** 0.5
    assert said.count("better") / RUNS >= allowed


@pytest.mark.soak
@pytest.mark.parametrize("gain", [0.005, 0.02, 0.05])
@pytest.mark.parametrize("games", [2, 4])
def test_a_gain_that_shows_in_few_games_is_hardly_ever_called_no_difference(gain: float, games: int) -> None:
    looks = [point // 2 for point in islice(comparison_points(), 100) if point <= 2000]
    test, said = Sprt(gain), []
    for run in range(RUNS):
        won = np.random.default_rng([4, games, run]).binomial(games, gain, 1000)
        said.append(test.run(won / games, 1.0 / games, looks).answer)
    # A tenth of the chance to miss a gain, with three standard errors of that.
    assert said.count("no difference seen") / RUNS <= 0.005 + 3 * (0.005 / RUNS) ** 0.5
