"""Tournaments that end by their bars or by their time, and not by a number of blocks."""

import re
from itertools import combinations, islice, pairwise
from pathlib import Path

import msgspec
import pytest
from small_tournaments import comparable, damage, run_in
from stand import Stand, bots_of, new

from arena.tournament.header import ENDLESS, Ended
from arena.tournament.points import decision_points
from arena.tournament.standings import standings_of
from arena.tournament.stopping import Judgement, Precision, widest_difference
from arena.tournament.store import Store
from arena.tournament.verify import verify


def length(store: Store) -> int:
    return sum(state == "played" for _, state in store.blocks())


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Played in one go at one table until its bars were short enough."""
    path = tmp_path_factory.mktemp("straight") / "a.db"
    with new(path, 6, blocks=ENDLESS, precision=40.0) as store:
        run_in(store, bots_of(6), 1, play=Stand())
    return path


def judged(path: Path, point: int, precision: float = 40.0) -> Judgement:
    return Precision(precision).judge(path, point, range(6))


def test_it_ends_at_the_first_point_looked_at_where_all_differences_are_known_so_well(straight: Path) -> None:
    with Store.open(straight) as store:
        assert store.complete
        blocks = store.header.blocks
        assert length(store) == blocks
        assert store.header.ended == Ended(by="precision")
        look = Precision(40.0)
        points = [point for point in islice(decision_points(6), 40) if look.looks_at(point)]
        assert blocks in points[1:]
        before = points[points.index(blocks) - 1]
        assert judged(straight, blocks).ends
        assert not judged(straight, before).ends
        ratings, _ = standings_of(store)
        errors = [ratings.scales[0].deviation[one, other] for one, other in combinations(range(6), 2)]
        assert widest_difference(ratings, range(6)) == pytest.approx(max(errors))
        assert 20 < max(errors) <= 40
        assert damage(store) == []


def test_what_is_read_bit_by_bit_is_judged_like_what_is_read_at_once(straight: Path) -> None:
    with Store.open(straight) as store:
        blocks = store.header.blocks
    slowly = Precision(10.0)
    for point in range(16, blocks, 7):
        slowly.judge(straight, point, range(6))
    assert slowly.judge(straight, blocks, range(6)) == judged(straight, blocks, 10.0)


def test_what_is_left_is_forecast_from_the_root_of_the_number_of_games(straight: Path) -> None:
    said = judged(straight, 64, 10.0)
    assert said.words.startswith("largest standard error 3")
    assert said.words.endswith(" of 10 Elo")
    assert not said.ends
    half = judged(straight, 64, 20.0).blocks
    assert half is not None
    assert said.blocks == pytest.approx(4 * half)
    # Nobody has played twenty blocks.
    assert judged(straight, 16) == Judgement(False, "")


def test_looks_are_as_far_apart_as_a_tenth_of_all_before() -> None:
    look = Precision(10.0)
    looks = [point for point in islice(decision_points(10), 500) if look.looks_at(point)]
    assert looks[:5] == [20, 40, 80, 160, 320]
    assert len(looks) < 50
    assert all(1.1 * one <= other <= 2 * one for one, other in pairwise(looks))


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("jobs", [2, 9])
def test_it_ends_there_however_many_tables_and_however_often_broken_off(
    straight: Path, tmp_path: Path, jobs: int, fresh: bool
) -> None:
    path = tmp_path / "a.db"
    new(path, 6, blocks=ENDLESS, precision=40.0, fresh=fresh).close()
    stops = iter((5, 16, 30, 32, 33, 47, None))
    ended = None
    while ended is None:
        stop = next(stops)
        with Store.open(path, write=True) as store:
            ended = run_in(
                store,
                bots_of(6),
                jobs,
                play=Stand(),
                until=lambda progress, stop=stop: stop is not None and progress.blocks_done >= stop,
            )
            assert store.complete == (ended is not None)
    with Store.open(path) as store, Store.open(straight) as other:
        assert store.header.blocks == other.header.blocks
        assert comparable(store) == comparable(other)
        # What might be for nothing is not played.
        assert {state for _, state in store.blocks()} == {"played"}


def test_a_benched_bot_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=ENDLESS, precision=100.0, bench=2) as store:
        progress = run_in(store, bots_of(6), 3, play=Stand(frozenset({1})))
        assert progress is not None
        assert list(progress.benched) == [1]
        assert progress.blocks_done == store.header.blocks == length(store)


def test_a_set_number_of_blocks_ends_it_sooner(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=20, precision=1.0) as store:
        run_in(store, bots_of(6), 3, play=Stand())
        assert (store.complete, store.header.blocks, length(store)) == (True, 20, 20)
        assert store.header.ended == Ended(by="games")


def test_what_would_let_no_tournament_end_is_not_waited_for(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=16) as store:
        run_in(store, bots_of(6), 1, play=Stand())
        ratings, _ = standings_of(store)
        # Nobody has played twenty blocks.
        assert widest_difference(ratings, range(6)) is None
    with new(tmp_path / "b.db", 6, blocks=60, bench=0) as store:
        run_in(store, bots_of(6), 1, play=Stand(frozenset({2})))
        ratings, _ = standings_of(store)
        assert ratings.prior_bounded[2]
        widest = widest_difference(ratings, range(6))
        assert widest is not None
        assert widest < ratings.scales[0].deviation[2].max()
        # Of one bot that games bound, and of none, nothing can be said.
        assert widest_difference(ratings, [2]) is widest_difference(ratings, [1, 2]) is None


@pytest.mark.parametrize("jobs", [1, 5])
def test_when_its_time_is_over_the_tables_play_to_their_end_and_nothing_is_lost(
    tmp_path: Path, jobs: int
) -> None:
    budget = ENDLESS if jobs == 1 else 100_000
    with new(tmp_path / "a.db", 6, blocks=budget, time=0.5) as store:
        progress = run_in(store, bots_of(6), jobs, play=Stand())
        assert progress is not None
        assert progress.seconds >= 0.5
        blocks = store.header.blocks
        assert store.complete
        assert store.header.ended == Ended(by="time", planned=None if jobs == 1 else 100_000)
        assert [block.number for block, _ in store.blocks()] == list(range(blocks))
        assert length(store) == blocks == progress.blocks_done > 0
    # It is the beginning of the longer tournament.
    with new(tmp_path / "b.db", 6, blocks=blocks) as whole:
        run_in(whole, bots_of(6), 2, play=Stand())
        with Store.open(tmp_path / "a.db") as store:
            assert comparable(store) == comparable(whole)


def test_with_time_left_it_ends_with_its_blocks(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=10, time=60.0) as store:
        progress = run_in(store, bots_of(6), 2, play=Stand())
        assert progress is not None
        assert progress.seconds < 50
        assert (store.complete, store.header.blocks) == (True, 10)
        assert store.header.ended == Ended(by="games")


COURSE = re.compile(r"(blocks? \d+( to \d+)?: (number|row|state|seatings)|decision|file)")
"""What a verification says of the course of the blocks; their games are made up here."""


@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.1, 0.15, 0.2, 0.4])
def test_time_that_ends_among_benchings_settles_what_counts(tmp_path: Path, seconds: float) -> None:
    with new(tmp_path / "a.db", 6, blocks=ENDLESS, time=seconds, bench=2) as store:
        progress = run_in(store, bots_of(6), 9, play=Stand(frozenset({1})))
        assert progress is not None
        assert store.header.blocks == progress.blocks_done == length(store)
        assert damage(store) == []
        found = [str(difference) for difference in verify(store).differences]
        assert list(filter(COURSE.match, found)) == []


def test_a_run_of_some_seconds_that_goes_on_first_looks_through_what_is_there(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=ENDLESS, time=60.0) as store:
        stopped = run_in(
            store, bots_of(6), 3, play=Stand(), until=lambda progress: progress.blocks_done >= 40
        )
        assert stopped is None
        assert 0 < (store.header.time or 0) <= 60
        kept = length(store)
        # Its time is over before anything more is played.
        store.keep_time(1e-6)
        progress = run_in(store, bots_of(6), 3, play=Stand())
        assert progress is not None
        assert store.complete
        assert store.header.blocks == length(store) >= kept
        assert damage(store) == []


def test_gone_on_with_beyond_a_point_it_is_judged_at_the_next(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=40) as store:
        run_in(store, bots_of(6), 2, play=Stand())
        endless = msgspec.structs.replace(store.header, blocks=ENDLESS, precision=1000.0)
        store.go_on(endless)
        run_in(store, bots_of(6), 2, play=Stand())
        assert (store.complete, store.header.blocks, length(store)) == (True, 64, 64)
