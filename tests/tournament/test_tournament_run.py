"""Running tournaments: the same games whatever the jobs, benching, breaking off and going on."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from small_tournaments import comparable, damage, header_for, play, run_in
from stand import Stand, bots_of, new

from arena.cheat.record import replay
from arena.referee.block import Contestant, Terms
from arena.tournament.header import BotRow, Header
from arena.tournament.pairing import PAIRED
from arena.tournament.run import Progress
from arena.tournament.standings import benched, standings_of, tally_of
from arena.tournament.store import Store, StoreError

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


# With real bots in real processes.


def test_one_job_and_eight_give_the_same_games_with_a_bot_that_adapts_among_them(
    contestant: Make, tmp_path: Path
) -> None:
    bots = five(contestant)
    one, progress = play(tmp_path / "one.db", bots, 1, blocks=5)
    eight, _ = play(tmp_path / "eight.db", bots, 8, blocks=5)
    assert comparable(one) == comparable(eight)
    assert standings_of(one)[1] == standings_of(eight)[1]
    games = list(one.games())
    assert len(games) == progress.games_done == progress.games_planned == 20
    for _, game in games:
        assert tuple(replay(game.record)) == game.events
    assert one.complete
    assert tally_of(one).requests == progress.requests
    assert sum(progress.wins) == sum(game.record.winner is not None for _, game in games)
    assert [bot.said for bot in one.bots] == ["decent"] * 5


def test_a_bot_with_faults_in_so_many_blocks_running_is_benched_at_a_point_and_the_rest_goes_on(
    contestant: Make, tmp_path: Path
) -> None:
    bots = [
        *(contestant(f"honest-{number}") for number in range(3)),
        contestant("bad", source=FAULTS_FROM_THE_START),
    ]
    store, progress = play(tmp_path / "a.db", bots, 4, blocks=18, bench=5, seats=2, games_per_block=2)
    assert progress.benched == benched(store) == {3: 16}
    assert progress.blocks_done == 18
    counted = [block for block, state in store.blocks() if state == "played"]
    # The same blocks count whatever ran ahead: the point's, and those beyond the numbers that were given up.
    assert [block.number for block in counted] == [*range(16), *range(32, 34)]
    assert all(3 not in block.table for block in counted if block.number >= 16)
    assert tally_of(store).results.games == 36
    assert progress.faults == sum(tally_of(store).faults) == 16
    assert "benched" in standings_of(store)[1].to_text("simple")


def test_broken_off_it_keeps_every_finished_block_and_nothing_else(contestant: Make, tmp_path: Path) -> None:
    bots = five(contestant)
    header = header_for(blocks=500)
    rows = [BotRow(name=bot.name, digest="", command="") for bot in bots]
    seen: list[int] = []
    with Store.create(tmp_path / "a.db", header, rows) as store:

        def follow(progress: Progress) -> bool:
            seen.append(progress.games_done)
            return len(seen) == 4

        run_in(store, bots, 3, until=follow)
        kept = len(list(store.games()))
        assert seen[-1] == kept
        assert 16 <= kept <= 24
        assert not store.complete


# With blocks that are made up, so that many orders can be tried.


def outcome(store: Store) -> tuple[object, ...]:
    return comparable(store), benched(store), tally_of(store).faults, standings_of(store)[1]


@settings(deadline=None, max_examples=6, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    jobs=st.integers(2, 30),
    faulty=st.sets(st.integers(0, 5), max_size=3),
    stops=st.lists(st.integers(1, 150), max_size=2),
    fresh=st.booleans(),
)
@example(jobs=3, faulty={1}, stops=[13, 90], fresh=True)
def test_the_file_is_the_same_however_many_tables_and_however_often_broken_off(
    tmp_path_factory: pytest.TempPathFactory, jobs: int, faulty: set[int], stops: list[int], fresh: bool
) -> None:
    folder = tmp_path_factory.mktemp("run")
    with new(folder / "one.db", 6, blocks=40, fresh=fresh) as one:
        straight = run_in(one, bots_of(6), 1, play=Stand(frozenset(faulty)))
        assert straight is not None
        expected = outcome(one)
    new(folder / "many.db", 6, blocks=40, fresh=fresh).close()
    for stop in [*stops, None]:
        stand = Stand(frozenset(faulty))
        with Store.open(folder / "many.db", write=True) as many:
            before = {(number, game.game) for number, game in many.games(dropped=True)}
            ended = run_in(
                many,
                bots_of(6),
                jobs,
                play=stand,
                until=lambda progress, stop=stop: stop is not None and progress.games_done >= stop,
            )
            assert not before & set(stand.played)
            assert damage(many) == []
            # What was being stored is stored: broken off near its end it may have come to it.
            assert many.complete or ended is None
            if ended is not None:
                assert outcome(many) == expected
                assert ended.blocks_done == straight.blocks_done == 40
                assert ended.wins == straight.wins
                assert ended.played == straight.played
                assert ended.benched == straight.benched
    assert ended is not None


def test_a_disturbed_block_is_played_again_twice_and_the_third_verdict_stands(tmp_path: Path) -> None:
    stand = Stand(voids={(1, 0): 1, (2, 0): 2, (3, 0): 3, (4, 0): 9})
    with new(tmp_path / "a.db", 12, blocks=6) as store:
        progress = run_in(store, bots_of(12), 2, play=stand)
        assert progress is not None
        assert [stand.played[number, 0] for number in range(6)] == [1, 2, 3, 3, 3, 1]
        voided = dict(store.select("block, json_array_length(voided)", where="AND game = 0"))
        assert voided == {0: 0, 1: 1, 2: 2, 3: 2, 4: 2, 5: 0}
        contended = dict(store.select("block, contended", where="AND game = 0"))
        assert contended == {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 0}
        assert (progress.voids, progress.contended) == (store.voided(), 2)
        assert progress.voids.total() == 7


@pytest.mark.parametrize("resumed", [False, True])
def test_a_bot_that_is_late_in_one_void_block_after_another_is_excused_no_more(
    tmp_path: Path, resumed: bool
) -> None:
    stand = Stand(voids={(number, 0): 1 for number in range(60)}, one_is_late=True)
    with new(tmp_path / "a.db", 2, blocks=60, seats=2, games_per_block=2) as store:
        if resumed:
            run_in(store, bots_of(2), 1, play=stand, until=lambda progress: progress.blocks_done == 20)
        progress = run_in(store, bots_of(2), 1, play=stand)
        assert progress is not None
        # Three in any case, then one in ten of the blocks it has played: here all of them.
        again = [number for number in range(60) if stand.played[number, 0] == 2]
        assert again == [0, 1, 2, 31, 41, 51]
        assert progress.voids == store.voided() == {0: 6}
        assert progress.contended == 54


def test_benching_off_lets_a_bot_fault_to_the_end(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=60, bench=0) as store:
        progress = run_in(store, bots_of(6), 3, play=Stand(frozenset({1})))
        assert progress is not None
        assert progress.benched == {}
        # Bot 1 sits in 40 of the 60 blocks, and faults in each of their four games.
        assert progress.faults == sum(tally_of(store).faults) == 160


def test_bots_that_fault_never_end_the_tournament_of_the_others(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 5, blocks=40, bench=2) as store:
        progress = run_in(store, bots_of(5), 4, play=Stand(frozenset({0, 1, 2})))
        assert progress is not None
        # A table needs four of the five.
        assert len(progress.benched) == 1
        assert store.complete
        assert progress.blocks_done == 40


def test_a_store_that_fails_ends_the_run_with_its_error(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=4000) as store:
        store._file.run("PRAGMA max_page_count = 200")
        with pytest.raises(StoreError, match="full"):
            run_in(store, bots_of(6), 8, play=Stand())
        kept = len(list(store.games()))
        assert not store.complete
    with Store.open(tmp_path / "a.db") as store:
        assert len(list(store.games())) == kept > 0
        assert damage(store) == []


def test_a_file_of_another_tournament_is_not_gone_on_with(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=8) as store:
        run_in(store, bots_of(6), 1, play=Stand())
        with pytest.raises(StoreError, match="block 0 is not of this tournament's schedule"):
            run_in(store, bots_of(6), 1, play=Stand(), header=header_for(seed="f" * 32))


def test_a_longer_run_extends_a_shorter_one(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=10) as store:
        run_in(store, bots_of(6), 3, play=Stand())
        first = comparable(store)
        stand = Stand()
        run_in(store, bots_of(6), 3, play=stand, header=header_for(blocks=25))
        assert sorted(stand.played) == [(number, 0) for number in range(10, 25)]
        assert comparable(store)[:40] == first


@pytest.mark.parametrize("first", [10, 15, 16, 17, 20, 31, 32, 33, 40])
def test_a_longer_run_is_the_same_wherever_the_shorter_ended_among_benchings(
    tmp_path: Path, first: int
) -> None:
    faulty = frozenset({1, 4})
    with new(tmp_path / "one.db", 6, blocks=70, bench=2) as one:
        run_in(one, bots_of(6), 1, play=Stand(faulty))
        expected = outcome(one)
    with new(tmp_path / "many.db", 6, blocks=first, bench=2) as many:
        for blocks in (first, 70):
            many.go_on(msgspec.structs.replace(many.header, blocks=blocks))
            run_in(many, bots_of(6), 3, play=Stand(faulty))
            assert many.complete
        assert outcome(many) == expected
        assert damage(many) == []


def test_nothing_to_play_is_a_whole_tournament(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=0) as store:
        run_in(store, bots_of(6), 3, play=Stand())
        assert store.complete
        assert tally_of(store).results.games == 0
        assert standings_of(store)[1].rows


def test_the_header_says_all_that_the_referee_is_told() -> None:
    terms = header_for(fresh=True, names=True, memory=1 << 30, forfeit=0).terms
    assert terms.seed == bytes(range(16))
    assert set(Terms.__struct_fields__) - {"seed", "paired", "untimed"} <= set(Header.__struct_fields__)
    paired = header_for(schedule=PAIRED, challengers=(1, 0), comparison=None).terms
    assert (terms.paired, paired.paired) == (False, True)
    timed = header_for(person=1, person_timed=True).terms
    assert (terms.untimed, header_for(person=1).terms.untimed, timed.untimed) == (None, 1, None)
    assert (terms.fresh, terms.names, terms.memory, terms.forfeit) == (True, True, 1 << 30, 0)
