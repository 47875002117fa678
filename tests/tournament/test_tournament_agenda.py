"""What counts hangs on the blocks before each point alone, however many tables play and however they end."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.block import Block
from arena.tournament.agenda import Agenda
from arena.tournament.bench import Streaks
from arena.tournament.brief import Brief
from arena.tournament.points import decision_points
from arena.tournament.schedule import Course, square_size

SEED = bytes(range(16))


def brief_with(block: Block, faulted: frozenset[int]) -> Brief:
    return Brief(block, len(block.seatings), (), faulted & set(block.table), len(faulted), 10, False)


def played_through(
    bots: int, seats: int, blocks: int, jobs: int, bad: dict[int, int], bench: int, order: int
) -> tuple[list[Block], dict[int, int], int]:
    """(blocks that count, point at which each bot was benched, most blocks out at once).

    Bot b of `bad` faults in every block from number bad[b] on. `order` is the seed of who ends first.
    """
    course = Course(SEED, bots, seats, square_size(seats))
    agenda = Agenda(course, blocks, Streaks(bench))
    draw = random.Random(order)
    out: dict[int, Block] = {}
    counted: dict[int, Block] = {}
    benched: dict[int, int] = {}
    most = 0
    while not agenda.over or out:
        while len(out) < jobs and (block := agenda.next_block()) is not None:
            assert block.number not in counted
            out[block.number] = block
        most = max(most, len(out))
        ending = draw.choice(sorted(out))
        block = out.pop(ending)
        faulted = frozenset(bot for bot, since in bad.items() if block.number >= since)
        assert agenda.ended(brief_with(block, faulted))
        counted[ending] = block
        while (passing := agenda.pass_point()) is not None:
            assert all(number not in out for number in range(passing.point))
            for number in passing.broken_off:
                late = out.pop(number)
                assert not agenda.ended(brief_with(late, frozenset()))
            for given_up in passing.given_up:
                assert passing.point <= given_up.block.number < passing.until
                del counted[given_up.block.number]
            benched |= dict.fromkeys(passing.benched, passing.point)
    assert not out
    return [counted[number] for number in sorted(counted)], benched, most


@settings(deadline=None, max_examples=40)
@given(
    bots=st.integers(4, 12),
    seats=st.integers(2, 4),
    blocks=st.integers(0, 150),
    jobs=st.integers(1, 40),
    bad=st.dictionaries(st.integers(0, 11), st.integers(0, 90), max_size=12),
    bench=st.integers(0, 5),
    order=st.integers(0, 1000),
)
def test_the_blocks_that_count_are_the_same_whatever_ends_first(
    bots: int, seats: int, blocks: int, jobs: int, bad: dict[int, int], bench: int, order: int
) -> None:
    alone, benched_alone, _ = played_through(bots, seats, blocks, 1, bad, bench, 0)
    counted, benched, _ = played_through(bots, seats, blocks, jobs, bad, bench, order)
    assert counted == alone
    assert len(counted) == blocks
    assert benched == benched_alone
    assert set(benched) <= set(bad)
    assert bots - len(benched) >= seats
    for bot, point in benched.items():
        assert all(bot not in block.table for block in counted if block.number >= point)
        assert point in list(islice(decision_points(bots), 12))


def test_a_benched_bot_leaves_no_hole_in_the_balance() -> None:
    counted, benched, _ = played_through(8, 4, 200, 6, {3: 0}, 5, 7)
    assert benched == {3: 16}
    for prefix in range(len(counted) + 1):
        played = [sum(bot in block.table for block in counted[:prefix]) for bot in range(8) if bot != 3]
        assert max(played) - min(played) <= 1


def test_a_point_makes_no_table_wait_for_a_block_that_lasts_twice_as_long() -> None:
    agenda = Agenda(Course(SEED, 8, 4, 4), 600, Streaks(5))
    out: dict[Block, int] = {}
    for tick in range(600):
        while len(out) < 8 and (block := agenda.next_block()) is not None:
            out[block] = tick + (16 if block.number % 9 == 0 else 8)
        assert len(out) == 8 or agenda.over
        ending = min(out, key=lambda block: (out[block], block.number))
        del out[ending]
        agenda.ended(brief_with(ending, frozenset()))
        while agenda.pass_point() is not None:
            pass
    assert not out


@pytest.mark.parametrize("bench", [1, 2, 5])
def test_a_streak_is_blocks_running_and_one_clean_block_ends_it(bench: int) -> None:
    streaks = Streaks(bench)
    table = (0, 1)
    streaks.follow([(table, {0})] * (bench - 1) + [(table, set())] + [(table, {0})] * (bench - 1))
    assert streaks.due([(range(4), 2)]) == frozenset()
    # Blocks without the bot are no blocks of its streak, neither for nor against.
    streaks.follow([((1, 2), set()), (table, {0})])
    assert streaks.due([(range(4), 2)]) == {0}


def test_no_more_are_benched_than_leave_a_full_table_and_the_longest_streaks_go_first() -> None:
    streaks = Streaks(2)
    streaks.follow([((0, 1), {0, 1}), ((2, 3), {2, 3})] * 2 + [((2, 4), {2})])
    assert streaks.due([(range(5), 4)]) == {2}
    assert streaks.due([(range(5), 3)]) == {0, 2}
    assert streaks.due([(range(5), 5)]) == frozenset()


def test_zero_never_benches() -> None:
    streaks = Streaks(0)
    streaks.follow([((0, 1), {0, 1})] * 50)
    assert streaks.due([(range(9), 2)]) == frozenset()
