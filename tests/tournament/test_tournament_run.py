"""Running tournaments with real bots: the same games whatever the jobs, benching, breaking off."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from small_tournaments import comparable, header_for, play

from arena.cheat.record import replay
from arena.referee.block import Contestant
from arena.referee.machine import open_machine
from arena.tournament.header import BotRow
from arena.tournament.run import Plan, Progress, run_tournament
from arena.tournament.schedule import Course
from arena.tournament.standings import benched, standings_of, tally_of
from arena.tournament.store import Store

Make = Callable[..., Contestant]
FAULTS_FROM_THE_START = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), 1)\n"


def five(contestant: Make) -> list[Contestant]:
    return [
        contestant("honest-1"),
        contestant("honest-2"),
        contestant("adapts", "adapts"),
        contestant("quits", "exits_zero"),
        contestant("chatters", "reply_and_junk"),
    ]


def test_one_job_and_eight_give_the_same_games_with_a_bot_that_adapts_among_them(
    contestant: Make, tmp_path: Path
) -> None:
    bots = five(contestant)
    one, _ = play(tmp_path / "one.db", bots, 1, blocks=8)
    eight, _ = play(tmp_path / "eight.db", bots, 8, blocks=8)
    assert comparable(one) == comparable(eight)
    assert len(comparable(one)) == 32
    assert standings_of(one)[1] == standings_of(eight)[1]


def test_every_stored_game_is_its_own_replay(contestant: Make, tmp_path: Path) -> None:
    store, progress = play(tmp_path / "a.db", five(contestant), 2)
    games = list(store.games())
    assert len(games) == progress.games_done == progress.games_planned == 24
    for _, game in games:
        assert tuple(replay(game.record)) == game.events
    assert store.complete
    assert tally_of(store).requests == progress.requests
    assert sum(progress.wins) == sum(game.record.winner is not None for _, game in games)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_bot_with_faults_in_so_many_blocks_running_is_benched_at_a_point_and_the_rest_goes_on(
    contestant: Make, tmp_path: Path, jobs: int
) -> None:
    bots = [
        *(contestant(f"honest-{number}") for number in range(4)),
        contestant("bad", source=FAULTS_FROM_THE_START),
    ]
    store, progress = play(tmp_path / "a.db", bots, jobs, blocks=24, bench=5, seats=2, games_per_block=2)
    assert progress.benched == benched(store) == {4: 16}
    assert progress.blocks_done == 24
    counted = [block for block, state in store.blocks() if state == "played"]
    assert len(counted) == 24
    assert all(4 not in block.table for block in counted if block.number >= 16)
    # The same blocks count whatever ran ahead: the point's, and those beyond the numbers that were given up.
    assert [block.number for block in counted] == [*range(16), *range(32, 40)]
    tally = tally_of(store)
    assert tally.results.games == 48
    table = standings_of(store)[1]
    assert "benched" in table.to_text("simple")


def test_benching_off_lets_a_bot_fault_to_the_end(contestant: Make, tmp_path: Path) -> None:
    bots = [
        *(contestant(f"honest-{number}") for number in range(2)),
        contestant("bad", source=FAULTS_FROM_THE_START),
    ]
    store, progress = play(tmp_path / "a.db", bots, 2, blocks=18, bench=0, seats=2, games_per_block=2)
    assert progress.benched == {}
    assert progress.faults == sum(tally_of(store).faults) == 24


def test_when_too_few_bots_are_left_for_a_table_the_tournament_ends(contestant: Make, tmp_path: Path) -> None:
    bots = [contestant("honest"), contestant("bad", source=FAULTS_FROM_THE_START)]
    store, progress = play(tmp_path / "a.db", bots, 2, blocks=40, bench=5, seats=2, games_per_block=2)
    assert progress.too_few
    assert [state for _, state in store.blocks()].count("played") == 16


def test_broken_off_it_keeps_every_finished_block_and_nothing_else(contestant: Make, tmp_path: Path) -> None:
    bots = five(contestant)
    header = header_for(blocks=500)
    rows = [BotRow(name=bot.name, digest="", command="") for bot in bots]
    store = Store.create(tmp_path / "a.db", header, rows)
    plan = Plan(header.terms, bots, 500, 3, 5, 4)
    seen: list[int] = []

    async def main() -> None:
        async with open_machine() as machine:
            with trio.CancelScope() as scope:

                def follow(progress: Progress) -> None:
                    seen.append(progress.games_done)
                    if len(seen) == 4:
                        scope.cancel()

                await run_tournament(plan, store, machine, follow)

    trio.run(main)
    kept = len(list(store.games()))
    assert seen[-1] == kept
    assert 16 <= kept <= 24
    assert not store.complete


def test_the_budget_of_deals_seats_every_set_of_bots() -> None:
    course = Course(bytes(16), 6, 3, 6)
    blocks = [course.next() for _ in range(2 * math.comb(6, 3))]
    tables = [block.table for block in blocks]
    assert {table: tables.count(table) for table in tables}.values()
    assert max(map(tables.count, tables)) <= 4
