"""The schedule: balanced at every block, the same for everybody, endless at a constant cost."""

import itertools
import math
import os
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.referee.block import Block
from arena.tournament.points import decision_points
from arena.tournament.schedule import Course, blocks_for_deals, games_in_block, square_size
from arena.tournament.squares import williams_square

SEED = bytes(range(16))
SEATS = range(2, 11)
KNOWN_SIX_BOTS = [(5, 3, 4, 2), (4, 2, 1, 0), (0, 5, 1, 3), (4, 1, 5, 0)]
KNOWN_NINE_BOTS = (3, 8, 4)


def course(bots: int, seats: int, seed: bytes = SEED) -> Course:
    return Course(seed, bots, seats, square_size(seats))


def taken(from_course: Course, blocks: int) -> list[Block]:
    return [from_course.next() for _ in range(blocks)]


class Counts:
    """Blocks and meetings counted from the blocks themselves."""

    def __init__(self, bots: Iterable[int]) -> None:
        self.bots = sorted(bots)
        size = max(self.bots) + 1
        self.blocks = np.zeros(size, int)
        self.meetings = np.zeros((size, size), int)

    def add(self, table: Sequence[int]) -> None:
        self.blocks[list(table)] += 1
        self.meetings[np.ix_(table, table)] += 1

    @property
    def spread_of_blocks(self) -> int:
        return int(np.ptp(self.blocks[self.bots]))

    @property
    def spread_of_meetings(self) -> int:
        among = self.meetings[np.ix_(self.bots, self.bots)]
        return int(np.ptp(among[np.triu_indices(len(self.bots), 1)]))


# Seatings.


def test_the_square_of_four_is_the_one_in_the_books() -> None:
    assert williams_square(4) == ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))


@pytest.mark.parametrize("seats", SEATS)
def test_a_square_has_every_bot_in_every_seat_and_left_of_every_other_as_often(seats: int) -> None:
    square = williams_square(seats)
    each = 1 if seats % 2 == 0 else 2
    assert len(square) == square_size(seats) == each * seats
    assert all(sorted(row) == list(range(seats)) for row in square)
    in_seat = Counter((seat, position) for row in square for seat, position in enumerate(row))
    assert set(in_seat.values()) == {each}
    beside = Counter(pair for row in square for pair in itertools.pairwise(row))
    assert beside == dict.fromkeys(itertools.permutations(range(seats), 2), each)


def test_tables_have_two_to_ten_seats() -> None:
    for seats in (-1, 0, 1, 11):
        with pytest.raises(BadInput, match="2 to 10"):
            square_size(seats)


def test_a_block_is_whole_squares_and_nothing_else() -> None:
    assert games_in_block(4, None) == 4
    assert games_in_block(5, None) == 10
    assert games_in_block(5, 30) == 30
    for seats, games in ((4, 6), (4, 0), (4, -4), (5, 5)):
        with pytest.raises(BadInput, match=f"multiple of {square_size(seats)}"):
            games_in_block(seats, games)


def test_every_square_of_a_block_is_whole_and_labelled_anew() -> None:
    many = Course(SEED, 9, 4, 40)
    labelled = set()
    for block in taken(many, 30):
        assert len(block.seatings) == 40
        for first in range(0, 40, 4):
            rows = block.seatings[first : first + 4]
            for column in zip(*rows, strict=True):
                assert tuple(sorted(column)) == block.table
            assert len({pair for row in rows for pair in itertools.pairwise(row)}) == 12
            labelled.add(tuple(block.table.index(bot) for bot in rows[0]))
    # 24 relabellings of four, drawn 300 times.
    assert len(labelled) == 24


def test_relabelling_evens_out_who_sits_next_to_whom_round_the_table() -> None:
    table = course(4, 4)
    beside: Counter[tuple[int, int]] = Counter()
    for block in taken(table, 1500):
        for row in block.seatings:
            beside.update(zip(row, row[1:] + row[:1], strict=True))
    # 24,000 neighbours over 12 ordered pairs. By chance alone the count would be off by 45 or so.
    assert max(abs(count - 2000) for count in beside.values()) < 150


# Balance.


@settings(deadline=None, max_examples=25)
@given(
    seats=st.integers(2, 10),
    more=st.integers(0, 30),
    seed=st.binary(min_size=16, max_size=16),
)
def test_at_every_block_bots_and_pairs_are_even(seats: int, more: int, seed: bytes) -> None:
    bots = min(seats + more, 40)
    blocks, counts = course(bots, seats, seed), Counts(range(bots))
    for number in range(160):
        block = blocks.next()
        assert block.number == number
        assert len(block.table) == seats
        counts.add(block.table)
        assert counts.spread_of_blocks <= 1
        assert counts.spread_of_meetings <= (3 if seats <= 4 else 5)


@pytest.mark.parametrize(("bots", "seats"), [(12, 4), (16, 8), (18, 9), (20, 10), (40, 4), (40, 10)])
def test_the_hardest_tables_stay_even_for_long(bots: int, seats: int) -> None:
    blocks, counts = course(bots, seats), Counts(range(bots))
    for _ in range(800):
        counts.add(blocks.next().table)
        assert counts.spread_of_blocks <= 1
        assert counts.spread_of_meetings <= (3 if seats <= 4 else 5)


@pytest.mark.soak
def test_every_number_of_bots_and_seats_stays_even_for_many_seeds() -> None:
    seeds = max(1, round(10 * float(os.environ.get("ARENA_SOAK", "0.1"))))
    for seats, bots, seed in itertools.product(SEATS, range(2, 41), range(seeds)):
        if bots < seats:
            continue
        blocks, counts = course(bots, seats, seed.to_bytes(16, "big")), Counts(range(bots))
        for _ in range(4 * bots):
            counts.add(blocks.next().table)
            assert counts.spread_of_blocks <= 1, (seats, bots, seed)
            assert counts.spread_of_meetings <= (3 if seats <= 4 else 5), (seats, bots, seed)


def test_meetings_are_far_more_even_than_by_chance() -> None:
    blocks, counts = course(16, 4), Counts(range(16))
    for block in taken(blocks, 200):
        counts.add(block.table)
    # 10 meetings a pair on average; tables drawn at random leave some pair at 4 and another at 17.
    pairs = counts.meetings[np.triu_indices(16, 1)]
    assert pairs.min() >= 9
    assert pairs.max() <= 11


@settings(deadline=None, max_examples=40)
@given(
    seats=st.integers(2, 10),
    more=st.integers(2, 30),
    before=st.integers(0, 90),
    data=st.data(),
)
def test_after_bots_leave_the_others_stay_even(
    seats: int, more: int, before: int, data: st.DataObject
) -> None:
    bots = seats + more
    blocks, counts = course(bots, seats), Counts(range(bots))
    for block in taken(blocks, before):
        counts.add(block.table)
    gone = data.draw(st.sets(st.integers(0, bots - 1), min_size=1, max_size=more))
    rest = blocks.without(frozenset(gone), before + 7)
    counts.bots = [bot for bot in range(bots) if bot not in gone]
    for number in range(before + 7, before + 107):
        block = rest.next()
        assert block.number == number
        assert not gone & set(block.table)
        counts.add(block.table)
        assert counts.spread_of_blocks <= 1
        assert counts.spread_of_meetings <= (3 if seats <= 4 else 5)


@pytest.mark.parametrize(
    ("bots", "seats", "before", "gone"),
    [
        (16, 4, 35, {0, 1, 2, 3, 4, 5, 6, 11, 13, 15}),
        (16, 4, 30, range(6, 16)),
        (24, 8, 30, range(12, 24)),
        (24, 9, 30, range(12, 24)),
        (24, 10, 30, range(12, 24)),
        (40, 10, 30, range(14, 40)),
    ],
)
def test_meetings_do_not_drift_apart_when_bots_have_left(
    bots: int, seats: int, before: int, gone: Iterable[int]
) -> None:
    # Those who stay had met those who left unevenly. A rule that would make up for that has always the same
    # bots sit out together, and their meetings run away from the others': by 13 and 25 in two of these.
    blocks, counts = course(bots, seats), Counts(range(bots))
    for block in taken(blocks, before):
        counts.add(block.table)
    rest = blocks.without(frozenset(gone), before + 7)
    counts.bots = list(rest.bots)
    for _ in range(400):
        counts.add(rest.next().table)
        assert counts.spread_of_blocks <= 1
        assert counts.spread_of_meetings <= (3 if seats <= 4 else 5)


@pytest.mark.parametrize(("bots", "seats", "seed"), [(18, 9, 154), (18, 9, 187), (20, 10, 39), (20, 10, 63)])
def test_two_full_tables_are_planned_far_enough_ahead(bots: int, seats: int, seed: int) -> None:
    # With one plan looked at after another, the best of each, these went beyond the bound within 40 blocks.
    blocks, counts = course(bots, seats, seed.to_bytes(16, "big")), Counts(range(bots))
    for _ in range(160):
        counts.add(blocks.next().table)
        assert counts.spread_of_blocks <= 1
        assert counts.spread_of_meetings <= 5


@pytest.mark.soak
def test_whoever_leaves_the_others_stay_even() -> None:
    for case in range(max(1, round(1000 * float(os.environ.get("ARENA_SOAK", "0.1"))))):
        draw = random.Random(case)
        seats = draw.randint(2, 10)
        bots = draw.randint(max(5, seats), 40)
        blocks, counts = course(bots, seats, case.to_bytes(16, "big")), Counts(range(bots))
        for left in range(draw.randint(1, 3) + 1):
            if left:
                most = min(len(blocks.bots) - seats, draw.choice((3, 40)))
                gone = draw.sample(blocks.bots, draw.randint(0, most))
                blocks = blocks.without(frozenset(gone), blocks.number + 7)
                counts.bots = list(blocks.bots)
            for _ in range(draw.randint(0, 3 * bots)):
                counts.add(blocks.next().table)
                assert counts.spread_of_blocks <= 1, case
                assert counts.spread_of_meetings <= (3 if seats <= 4 else 5), case


def test_where_all_sit_at_one_table_every_block_has_them_all() -> None:
    assert {block.table for block in taken(course(4, 4), 20)} == {(0, 1, 2, 3)}


@pytest.mark.parametrize(("bots", "seats"), [(5, 4), (6, 3), (6, 4), (7, 4), (8, 4)])
def test_no_table_of_a_few_bots_is_much_favoured(bots: int, seats: int) -> None:
    tables = math.comb(bots, seats)
    used = Counter(block.table for block in taken(course(bots, seats), 10 * tables))
    assert len(used) == tables
    assert max(used.values()) - min(used.values()) <= 8


# One order for everybody.


def test_the_schedule_is_known_by_heart() -> None:
    # Recorded from this implementation: a change here makes every older results file impossible to resume.
    first = [block.seatings[0] for block in taken(course(6, 4), 4)]
    assert first == KNOWN_SIX_BOTS
    assert taken(course(9, 3), 3)[2].seatings[5] == KNOWN_NINE_BOTS


def test_the_same_arguments_give_the_same_blocks_and_another_seed_others() -> None:
    assert taken(course(12, 4), 60) == taken(course(12, 4), 60)
    assert taken(course(12, 4), 60) != taken(course(12, 4, bytes(16)), 60)


@given(st.integers(0, 40), st.integers(0, 40))
@settings(deadline=None, max_examples=20)
def test_a_copy_goes_the_same_way_and_disturbs_nothing(before: int, apart: int) -> None:
    blocks = course(11, 4)
    taken(blocks, before)
    twin = blocks.copy()
    ahead = taken(twin, apart)
    twin.without(frozenset({3, 4}), 500).next()
    assert taken(blocks, apart) == ahead


def test_nobody_is_asked_for_random_numbers() -> None:
    # Its order must not hang on how numbers are drawn in some version of a library.
    import arena.tournament.arranging
    import arena.tournament.choice
    import arena.tournament.evenness
    import arena.tournament.lookahead
    import arena.tournament.schedule

    for module in (
        arena.tournament.arranging,
        arena.tournament.choice,
        arena.tournament.evenness,
        arena.tournament.lookahead,
        arena.tournament.schedule,
    ):
        assert not hasattr(module, "random")


# Length and cost.


def test_deals_count_every_set_of_bots() -> None:
    assert blocks_for_deals(16, 4, 2) == 2 * 1820
    assert blocks_for_deals(4, 4, 3) == 3


@pytest.mark.parametrize(("bots", "seats"), [(8, 4), (200, 4), (200, 10)])
def test_memory_does_not_grow_with_the_blocks(bots: int, seats: int) -> None:
    blocks = course(bots, seats)
    sizes = []
    tracemalloc.start()
    try:
        for blocks_passed in range(601):
            blocks.next()
            if blocks_passed in (100, 600):
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[1] - sizes[0] < 20_000


def test_a_schedule_of_any_length_starts_at_once() -> None:
    began = time.process_time()
    taken(course(40, 4), 10)
    taken(course(200, 4), 10)
    # Measured: 0.05 s. A schedule made whole would take minutes.
    assert time.process_time() - began < 2


# Decision points.


@pytest.mark.parametrize(
    ("bots", "points"),
    [
        (2, [16, 32, 64, 128, 256, 384]),
        (8, [16, 32, 64, 128, 256, 384]),
        (40, [80, 160, 320, 640, 1280, 1920]),
    ],
)
def test_decision_points_hang_on_the_number_of_bots_alone(bots: int, points: list[int]) -> None:
    assert list(itertools.islice(decision_points(bots), len(points))) == points
