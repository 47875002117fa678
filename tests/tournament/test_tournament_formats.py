"""Gauntlet and Swiss: who meets whom, how evenly, and that it never hangs on how many tables play at once."""

import dataclasses
import itertools
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tournaments import comparable, damage, play, run_in
from stand import Stand, bots_of, new

from arena.cheat.presets import preset
from arena.referee.block import Block, Contestant
from arena.tournament.brief import Brief
from arena.tournament.evenness import meetings_bound
from arena.tournament.pairing import GAUNTLET, SWISS, Pairing
from arena.tournament.schedule import Course, blocks_for_deals, square_size
from arena.tournament.standings import benched
from arena.tournament.store import Store
from arena.tournament.verify import verify

Make = Callable[..., Contestant]
SEED = bytes(range(16))
SHORT = dataclasses.replace(preset("classic"), turn_cap=40)


def course(bots: int, seats: int, pairing: Pairing, seed: bytes = SEED) -> Course:
    return Course(seed, bots, seats, square_size(seats), pairing)


def spread(values: Sequence[int]) -> int:
    return max(values) - min(values)


# Gauntlet.


@settings(max_examples=40)
@given(
    seats=st.integers(2, 6),
    challengers=st.integers(1, 4),
    more=st.integers(0, 20),
    seed=st.binary(min_size=16, max_size=16),
)
def test_one_challenger_is_at_every_table_and_all_play_and_meet_evenly_at_every_moment(
    seats: int, challengers: int, more: int, seed: bytes
) -> None:
    field = seats - 1 + more
    bots = challengers + field
    chosen = tuple(sorted(random.Random(seed).sample(range(bots), challengers)))
    schedule = course(bots, seats, Pairing(GAUNTLET, chosen), seed)
    played = np.zeros(bots, int)
    met = np.zeros((bots, bots), int)
    others = [bot for bot in range(bots) if bot not in chosen]
    pairs = [(one, other) for one in others for other in others if one < other]
    for number in range(120):
        block = schedule.next()
        table = block.table
        assert block.number == number
        assert len(set(table) & set(chosen)) == 1
        played[list(table)] += 1
        met[np.ix_(table, table)] += 1
        assert spread(played[list(chosen)]) <= 1
        assert spread(played[others]) <= 1
        if pairs:
            assert spread([met[pair] for pair in pairs]) <= meetings_bound(seats - 1)
        assert spread([met[one, other] for one in chosen for other in others]) <= 8


def test_a_gauntlet_is_a_function_of_the_seed_and_a_copy_goes_its_own_way() -> None:
    pairing = Pairing(GAUNTLET, (2, 5))
    one, other = course(9, 4, pairing), course(9, 4, pairing)
    assert [one.next() for _ in range(50)] == [other.next() for _ in range(50)]
    twin = one.copy()
    ahead = [twin.next() for _ in range(20)]
    assert [one.next() for _ in range(20)] == ahead == [other.next() for _ in range(20)]
    apart = course(9, 4, pairing, bytes(16))
    assert [apart.next() for _ in range(50)] != [course(9, 4, pairing).next() for _ in range(50)]


def test_those_who_stay_go_on_evenly_when_challengers_and_others_leave() -> None:
    schedule = course(14, 4, Pairing(GAUNTLET, (0, 1, 2)))
    for _ in range(37):
        schedule.next()
    rest = schedule.without(frozenset({1, 5, 6, 7}), 64)
    assert rest.groups == (((0, 2), 1), ([3, 4, 8, 9, 10, 11, 12, 13], 3))
    played: Counter[int] = Counter()
    for number in range(64, 164):
        block = rest.next()
        assert block.number == number
        assert not {1, 5, 6, 7} & set(block.table)
        played.update(block.table)
    assert spread([played[bot] for bot in (0, 2)]) <= 2
    assert spread([played[bot] for bot in (3, 4, 8, 9, 10, 11, 12, 13)]) <= 2


def test_deals_of_a_gauntlet_count_the_tables_it_can_have() -> None:
    assert blocks_for_deals(9, 4, 2, 3) == 2 * 3 * 20
    assert blocks_for_deals(9, 4, 2) == 2 * 126


# Swiss.


def told(block: Block, winners: Sequence[int]) -> Brief:
    return Brief(block, len(block.seatings), tuple(winners), frozenset(), 0, 0, False)


@settings(max_examples=30)
@given(seats=st.integers(2, 5), bots=st.integers(5, 30), seed=st.binary(min_size=16, max_size=16))
def test_in_a_swiss_no_bot_is_ever_more_than_a_block_ahead(seats: int, bots: int, seed: bytes) -> None:
    schedule, chance = course(bots, seats, Pairing(SWISS), seed), random.Random(seed)
    played: Counter[int] = Counter(dict.fromkeys(range(bots), 0))
    briefs = []
    for number in range(150):
        block = schedule.next()
        assert len(set(block.table)) == seats
        played.update(block.table)
        assert spread(list(played.values())) <= 1
        briefs.append(told(block, [chance.choice(block.table) for _ in block.seatings]))
        if (number + 1) % max(1, bots // seats) == 0:
            schedule.learn(briefs)
            briefs = []


def test_in_a_swiss_each_table_of_a_round_takes_the_next_by_score() -> None:
    schedule, strength = course(24, 4, Pairing(SWISS)), [1.2**bot for bot in range(24)]
    chance = random.Random(4)
    wins, games = Counter[int](), Counter[int]()
    spreads = []
    for _ in range(30):
        tables = [schedule.next() for _ in range(6)]
        scores = [[wins[bot] / max(1, games[bot]) for bot in block.table] for block in tables]
        assert all(min(above) >= max(below) for above, below in itertools.pairwise(scores))
        spreads.append(np.mean([spread(block.table) for block in tables]))
        briefs = []
        for block in tables:
            won = chance.choices(block.table, [strength[bot] for bot in block.table], k=4)
            briefs.append(told(block, won))
            wins.update(won)
            games.update(dict.fromkeys(block.table, 4))
        schedule.learn(briefs)
    # The strong meet the strong in the end; at first everybody met anybody.
    assert spreads[0] > 10
    assert np.mean(spreads[-5:]) < 7


def test_where_scores_are_equal_those_meet_who_have_met_least() -> None:
    schedule = course(16, 4, Pairing(SWISS))
    met = np.zeros((16, 16), int)
    for _ in range(5 * 4):
        table = schedule.next().table
        met[np.ix_(table, table)] += 1
    pairs = met[np.triu_indices(16, 1)]
    # Five rounds of sixteen could meet each pair once; by chance a pair would have met four times somewhere.
    assert pairs.max() <= 3


def test_those_who_stay_go_on_when_bots_leave_a_swiss() -> None:
    schedule = course(13, 4, Pairing(SWISS))
    briefs = [told(schedule.next(), ()) for _ in range(6)]
    schedule.learn(briefs)
    rest = schedule.without(frozenset({0, 7}), 9)
    played: Counter[int] = Counter()
    for _ in range(44):
        played.update(rest.next().table)
    assert not {0, 7} & set(played)
    assert spread(list(played.values())) <= 2


# Both, as they are run.


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("jobs", [2, 9])
@pytest.mark.parametrize(
    "words", [{"schedule": SWISS}, {"schedule": GAUNTLET, "challengers": (2, 6)}], ids=["swiss", "gauntlet"]
)
def test_the_games_are_the_same_however_many_tables_and_however_often_broken_off(
    tmp_path: Path, words: dict[str, object], jobs: int, fresh: bool
) -> None:
    faulty = frozenset({1, 6})
    with new(tmp_path / "one.db", 9, blocks=50, bench=3, **words) as one:
        run_in(one, bots_of(9), 1, play=Stand(faulty))
        expected = comparable(one), benched(one)
        assert set(expected[1]) == {1, 6}
    path = tmp_path / "many.db"
    new(path, 9, blocks=50, bench=3, fresh=fresh, **words).close()
    for stop in (3, 11, 26, 47, None):
        with Store.open(path, write=True) as many:
            ended = run_in(
                many,
                bots_of(9),
                jobs,
                play=Stand(faulty),
                until=lambda progress, stop=stop: stop is not None and progress.blocks_done >= stop,
            )
            assert damage(many) == []
    assert ended is not None
    with Store.open(path) as many:
        assert many.complete
        assert (comparable(many), benched(many)) == expected


@pytest.mark.parametrize(
    "words", [{"schedule": SWISS}, {"schedule": GAUNTLET, "challengers": (1,)}], ids=["swiss", "gauntlet"]
)
def test_a_file_of_real_games_verifies_and_a_swap_of_tables_does_not(
    contestant: Make, tmp_path: Path, words: dict[str, object]
) -> None:
    bots = [*(contestant(f"honest-{number}") for number in range(5)), contestant("quits", "exits_zero")]
    shape = {"seats": 2, "games_per_block": 2, "rules": SHORT, "bench": 0, "blocks": 30}
    store, _ = play(tmp_path / "a.db", bots, 3, **shape, **words)
    with store:
        assert verify(store).differences == ()
        decided = store.header
    # Whoever takes the format away is found out by the tables.
    with Store.open(tmp_path / "a.db", write=True) as store, store._file.writing():
        other = msgspec.structs.replace(decided, schedule="round-robin", challengers=())
        store._file.put("header", other)
    with Store.open(tmp_path / "a.db") as store:
        assert any("seatings" in str(found) for found in verify(store).differences)


def test_no_bench_takes_the_last_challenger_or_the_field_below_a_table(tmp_path: Path) -> None:
    everybody = frozenset(range(6))
    words: dict[str, object] = {"schedule": GAUNTLET, "challengers": (0, 1)}
    with new(tmp_path / "a.db", 6, blocks=80, bench=2, **words) as store:
        progress = run_in(store, bots_of(6), 4, play=Stand(everybody))
        assert progress is not None
        assert store.complete
        left = everybody - set(progress.benched)
        assert len(left & {0, 1}) == 1
        assert len(left - {0, 1}) == 3


@pytest.mark.parametrize(
    "pairing", [Pairing(), Pairing(SWISS), Pairing(GAUNTLET, (0, 7))], ids=lambda pairing: pairing.format
)
def test_a_schedule_of_a_million_games_begins_at_once_and_never_grows(pairing: Pairing) -> None:
    def begun() -> float:
        before = time.process_time()
        schedule = course(40, 4, pairing)
        assert schedule.next().number == 0
        return time.process_time() - before

    assert min(begun() for _ in range(3)) < 1
    schedule = course(40, 4, pairing)
    for _ in range(500):
        schedule.next()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(1000):
            schedule.next()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # A thousand blocks that were kept would be a megabyte and more.
    assert grown < 50_000
