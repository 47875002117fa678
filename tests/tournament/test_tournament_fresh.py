"""A process a game: each game is stored by itself, and played again by itself."""

import dataclasses
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from pretended import pretend
from small_tournaments import comparable, contestant, damage, header_for, play, run_in
from stand import Stand, bots_of, new
from tampering import NAIVE, WHOLE, opened

from arena.cheat.presets import preset
from arena.errors import BadInput
from arena.referee.block import Block, BlockResult, Contestant
from arena.tournament.changes import Altered, Change
from arena.tournament.exporting import exported_lines
from arena.tournament.header import BotRow
from arena.tournament.importing import import_lines
from arena.tournament.reach import first_unplayed
from arena.tournament.standings import tally_of
from arena.tournament.store import Store
from arena.tournament.verify import verify

Make = Callable[..., Contestant]
FAULTS_FROM_THE_START = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), 1)\n"
SHORT = dataclasses.replace(preset("classic"), turn_cap=40)


def test_with_a_process_a_game_only_a_disturbed_game_is_played_again(tmp_path: Path) -> None:
    stand = Stand(voids={(1, 2): 1, (2, 1): 9, (2, 3): 2})
    with new(tmp_path / "a.db", 6, blocks=4, fresh=True) as store:
        progress = run_in(store, bots_of(6), 2, play=stand)
        assert progress is not None
        again = {place: times for place, times in stand.played.items() if times > 1}
        assert again == {(1, 2): 2, (2, 1): 3, (2, 3): 3}
        assert len(stand.played) == 16
        voided = dict(store.select("block, json_array_length(voided)", where="AND game = 0"))
        assert voided == {0: 0, 1: 1, 2: 4, 3: 0}
        assert dict(store.select("block, contended", where="AND game = 0")) == {0: 0, 1: 0, 2: 1, 3: 0}
        assert (progress.voids.total(), progress.contended) == (5, 1)


def test_with_a_process_a_game_every_finished_game_is_kept_and_none_is_played_twice(
    contestant: Make, tmp_path: Path
) -> None:
    bots = [
        contestant("honest-1"),
        contestant("honest-2"),
        contestant("adapts", "adapts"),
        contestant("quits", "exits_zero"),
        contestant("faults", source=FAULTS_FROM_THE_START),
    ]
    straight, _ = play(tmp_path / "straight.db", bots, 1, blocks=3, fresh=True, rules=SHORT)
    rows = [BotRow(name=bot.name, digest=bot.digest, command=" ".join(bot.argv)) for bot in bots]
    path = tmp_path / "broken.db"
    Store.create(path, header_for(blocks=3, fresh=True, rules=SHORT), rows).close()
    begun = 0
    for stop in range(1, 13):
        with Store.open(path, write=True) as store:
            run_in(store, bots, 1, until=lambda progress, stop=stop: progress.games_done >= stop)
            kept = len(list(store.games(dropped=True)))
            assert kept >= stop
            states = [state for _, state in store.blocks()]
            begun += states.count("begun")
            # Blocks count whole.
            assert len(list(store.games())) == 4 * (kept // 4)
            assert verify(store).differences == ()
    assert begun >= 6
    with Store.open(path, write=True) as store:
        run_in(store, bots, 2)
        assert comparable(store) == comparable(straight)
        assert list(store.select("requests", where="AND game = 0")) == list(
            straight.select("requests", where="AND game = 0")
        )
        assert store.complete
        assert verify(store).differences == ()
        # A bot that has forfeited stays out, though each of its games began with nobody there to know.
        assert any(game.forfeited for _, game in store.games())
    straight.close()


class BegunBeforeThePoint(Stand):
    """The first decision waits for block 15, while blocks beyond it have begun and come no further."""

    async def __call__(self, block: Block, *words: Any, **more: Any) -> BlockResult:
        if block.number == 15 and not more["earlier"]:
            await trio.sleep(0.3)
        if 16 <= block.number < 32 and more["earlier"]:
            await trio.sleep(5.0)
        return await super().__call__(block, *words, **more)


def test_a_block_that_was_begun_and_is_given_up_stays_as_far_as_it_was_played(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=60, bench=2, fresh=True) as store:
        progress = run_in(store, bots_of(6), 7, play=BegunBeforeThePoint(frozenset({1})))
        assert progress is not None
        assert list(progress.benched) == [1]
        games = Counter(number for number, _ in store.games(dropped=True))
        partly = [block.number for block, state in store.blocks() if games[block.number] < 4]
        assert partly
        assert {state for block, state in store.blocks() if block.number in partly} == {"dropped"}
        assert progress.games_done == len(list(store.games())) == 240
        assert sum(progress.played) == 4 * 240
        assert progress.requests == tally_of(store).requests
        assert damage(store) == []


def test_a_block_given_up_in_its_midst_goes_through_an_export_and_back(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", 6, jobs=7, faulty={1}, bench=2, blocks=60, fresh=True)
    with Store.open(tmp_path / "a.db") as store:
        games = Counter(number for number, _ in store.games(dropped=True))
        assert min(games.values()) < 4
        lines = list(exported_lines(store))
        digest = store.digest
    import_lines(lines, "a.jsonl", tmp_path / "b.db")
    with Store.open(tmp_path / "b.db") as store:
        assert store.digest == digest
    # Of a block that counts no game may be missing.
    whole = next(number for number, line in enumerate(lines) if b'"block":0,"game":3' in line)
    with pytest.raises(BadInput, match="game 3 of block 0 is missing"):
        import_lines([*lines[:whole], *lines[whole + 1 :]], "a.jsonl", tmp_path / "c.db")


def test_a_change_takes_back_what_was_only_begun(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", 6, blocks=6, fresh=True) as store:
        run_in(store, bots_of(6), 1, play=Stand(), until=lambda progress: progress.games_done == 6)
        assert [state for _, state in store.blocks()] == ["played", "begun"]
        altered = (Altered(option="move_time", old=5.0, new=6.0),)
        store.go_on(
            store.header, Change(number=1, made="", arena="0", block=first_unplayed(store), altered=altered)
        )
        assert [block.number for block, _ in store.blocks()] == [0]
        assert len(list(store.games(dropped=True))) == 4
        assert damage(store) == []
        run_in(store, bots_of(6), 1, play=Stand())
        assert [change for (change,) in store.select("change", where="AND game = 0")] == [0, 1, 1, 1, 1, 1]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a whole block and three games of the next."""
    folder = tmp_path_factory.mktemp("begun")
    make = contestant.__wrapped__(folder)  # type: ignore[attr-defined]
    bots = [make(name) for name in ("one", "two", "three", "four")]
    rows = [BotRow(name=bot.name, digest=bot.digest, command="") for bot in bots]
    path = folder / "begun.db"
    with Store.create(path, header_for(blocks=3, fresh=True, rules=SHORT), rows) as store:
        run_in(store, bots, 1, until=lambda progress: progress.games_done == 7)
        assert [state for _, state in store.blocks()] == ["played", "begun"]
    return path


@pytest.mark.parametrize("care", [NAIVE, WHOLE])
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DELETE FROM games WHERE block = 1 AND game = 1", "block 1: games"),
        ("DELETE FROM games WHERE block = 1 AND game = 0", "block 1: games"),
        ("DELETE FROM games WHERE block = 1", "block 1: games"),
        ("DELETE FROM games WHERE block = 0 AND game = 3", "block 0: games"),
        ("UPDATE blocks SET state = 'begun' WHERE number = 0", "block 0: state"),
        ("UPDATE blocks SET state = 'played' WHERE number = 1", "block 1: games"),
        ("UPDATE blocks SET state = 'dropped' WHERE number = 1", "block 1: state"),
        ("UPDATE blocks SET requests = 9 WHERE number = 1", "block 1: requests"),
        ("UPDATE tournament SET value = 'true' WHERE key = 'complete'", "block 1: state"),
    ],
)
def test_what_cannot_be_of_a_begun_block_is_found(
    begun: Path, tmp_path: Path, statement: str, named: str, care: str
) -> None:
    path = Path(shutil.copy(begun, tmp_path / "a.db"))
    with Store.open(path) as store:
        assert verify(store).differences == ()
    with opened(path, care) as database:
        assert database.execute(statement).rowcount
    with Store.open(path) as store:
        found = [str(difference) for difference in verify(store).differences]
    assert any(named in line for line in found), found
