"""The results file: what is stored is read back, no file of anybody's is harmed, and one writer is enough."""

import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from small_tournaments import header_for, play

from arena.errors import BadInput
from arena.referee.block import BlockResult, Contestant
from arena.tournament.header import BotRow
from arena.tournament.rows import BLOCK_COLUMNS, GAME_COLUMNS, MODULUS, digest_of
from arena.tournament.store import APPLICATION_ID, Store, StoreError

Make = Callable[..., Contestant]
ROOT = Path(__file__).parents[2]
BOTS = [BotRow(name=name, digest="", command=name) for name in ("a", "b", "c", "d")]


def test_what_is_stored_is_read_back(contestant: Make, tmp_path: Path) -> None:
    bots = [
        contestant(f"b{number}", kind)
        for number, kind in enumerate(("honest", "adapts", "exits_zero", "honest"))
    ]
    store, _ = play(tmp_path / "a.db", bots, blocks=2)
    games = list(store.games())
    store.close()
    with Store.open(tmp_path / "a.db") as again:
        assert list(again.games()) == games
        assert again.header == header_for(blocks=2)
        assert [bot.name for bot in again.bots] == ["b0", "b1", "b2", "b3"]
        assert [bot.said for bot in again.bots] == ["decent"] * 4
        assert again.game(games[3][1].id) == games[3]
        assert again.game("no such game") is None
        assert again.complete
    assert any(game.faults for _, game in games)
    assert any(game.debug for _, game in games)


def test_every_row_carries_its_digest_and_the_file_their_sum(contestant: Make, tmp_path: Path) -> None:
    bots = [contestant(f"b{number}") for number in range(4)]
    store, _ = play(tmp_path / "a.db", bots, blocks=3)
    store.decide(2, 3, "bench", [1])
    store.close()
    database = sqlite3.connect(tmp_path / "a.db")
    total = 0
    for table, columns in (("blocks", BLOCK_COLUMNS), ("games", GAME_COLUMNS)):
        for *values, digest in database.execute(f"SELECT {', '.join(columns)}, digest FROM {table}"):
            assert digest_of(values) == digest
            total += int(digest, 16)
    states = database.execute("SELECT state FROM blocks ORDER BY number").fetchall()
    database.close()
    assert states == [("played",), ("played",), ("dropped",)]
    with Store.open(tmp_path / "a.db") as again:
        assert int(again.digest, 16) == total % MODULUS
        assert len(list(again.games())) == 8
        assert len(list(again.games(dropped=True))) == 12


def test_the_digest_tells_kinds_and_borders_apart() -> None:
    rows = [["ab", "c"], ["a", "bc"], ["1", "c"], [1, "c"], [1.0, "c"], [b"1", "c"], [None, "c"], ["", "c"]]
    assert len({digest_of(row) for row in rows}) == len(rows)


@pytest.mark.parametrize("what", ["results", "text", "empty", "folder", "link"])
def test_a_file_that_is_there_is_never_written_over(tmp_path: Path, what: str) -> None:
    path = tmp_path / "taken.db"
    if what == "results":
        Store.create(path, header_for(), BOTS).close()
    elif what == "folder":
        path.mkdir()
    elif what == "link":
        path.symlink_to(tmp_path / "nowhere")
    else:
        path.write_text("" if what == "empty" else "my thesis")
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(BadInput, match="exists already"):
        Store.create(path, header_for(), BOTS)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert not (tmp_path / "taken.db.lock").exists()


def test_what_is_no_results_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look at")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (x)").connection.close()
    newer = sqlite3.connect(tmp_path / "newer.db")
    newer.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 99;")
    newer.close()
    for name, reason in (
        ("text.db", "not a results file"),
        ("other.db", "not a results file"),
        ("newer.db", "layout 99"),
        ("absent.db", "does not exist"),
        (".", "not a file"),
    ):
        before = (tmp_path / name).read_bytes() if (tmp_path / name).is_file() else None
        for write in (False, True):
            with pytest.raises(BadInput, match=reason):
                Store.open(tmp_path / name, write=write)
        assert ((tmp_path / name).read_bytes() if before is not None else None) == before


def test_a_second_writer_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = Store.create(path, header_for(), BOTS)
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        Store.open(path, write=True)
    Store.open(path).close()
    store.close()
    Store.open(path, write=True).close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.db"]


HOLDER = """
import subprocess, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from small_tournaments import header_for
from arena.tournament.store import Store
store = Store.create(Path(sys.argv[1]), header_for(), [])
child = subprocess.Popen(["sleep", "60"], close_fds=False)
print(child.pid, flush=True)
time.sleep(60)
"""


def test_the_lock_dies_with_its_holder_though_a_child_lives_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", HOLDER, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=env) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        with pytest.raises(BadInput, match=f"process {holder.pid}"):
            Store.open(path, write=True)
        holder.kill()
        holder.wait()
        Store.open(path, write=True).close()
        os.kill(child, signal.SIGKILL)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import pickle
from arena.tournament.store import Store
import msgspec
store = Store.open(Path(sys.argv[1]), write=True)
result = pickle.loads(Path(sys.argv[3]).read_bytes())
start = 1 + max((block.number for block, _ in store.blocks()), default=0)
for number in range(start, start + 10000):
    games = tuple(msgspec.structs.replace(g, id=f"{number}-{g.game}") for g in result.games)
    block = msgspec.structs.replace(result.block, number=number)
    store.add_block(msgspec.structs.replace(result, block=block, games=games))
    print(number, flush=True)
"""


def test_killed_at_any_instant_no_acknowledged_block_is_lost_doubled_or_torn(
    contestant: Make, tmp_path: Path
) -> None:
    bots = [contestant(f"b{number}") for number in range(4)]
    store, _ = play(tmp_path / "first.db", bots, blocks=1)
    (block, _), games = next(store.blocks()), tuple(game for _, game in store.games())
    store.close()
    result = BlockResult(block, games, (), "bare", 0.0, 1.0, 0.1, 100)
    (tmp_path / "result").write_bytes(pickle.dumps(result))
    path = tmp_path / "a.db"
    Store.create(path, header_for(), BOTS).close()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", WRITER, str(path), str(Path(__file__).parent), str(tmp_path / "result")]
    acknowledged: list[int] = []
    for round in range(8):
        with subprocess.Popen(words, stdout=subprocess.PIPE, env=env, text=True) as writer:
            assert writer.stdout is not None
            acknowledged.append(int(writer.stdout.readline()))
            time.sleep(0.013 * (round + 1))
            writer.kill()
            acknowledged += map(int, writer.stdout.read().split())
    with Store.open(path, write=True) as again:
        stored = [block.number for block, _ in again.blocks()]
        assert len(stored) == len(set(stored))
        assert set(acknowledged) <= set(stored)
        counts: dict[int, int] = {}
        total = 0
        for number, game in again.games():
            counts[number] = counts.get(number, 0) + 1
            assert len(game.events) > 2
        assert counts == dict.fromkeys(stored, 4)
        for table in ("blocks", "games"):
            total += sum(
                int(row[0], 16) for row in sqlite3.connect(path).execute(f"SELECT digest FROM {table}")
            )
        assert int(again.digest, 16) == total % MODULUS


def test_a_full_disk_is_a_store_error_and_what_was_stored_stays(contestant: Make, tmp_path: Path) -> None:
    bots = [contestant(f"b{number}") for number in range(4)]
    store, _ = play(tmp_path / "a.db", bots, blocks=2)
    # SQLite's own limit on pages answers as a full disk does.
    store._connection.execute("PRAGMA max_page_count = 1")
    (block, _), games = next(store.blocks()), [game for _, game in store.games()]

    def fill() -> None:
        for number in range(99, 140):
            renamed = tuple(msgspec.structs.replace(game, id=f"{number}-{game.id}") for game in games[:4])
            numbered = msgspec.structs.replace(block, number=number)
            store.add_block(BlockResult(numbered, renamed, (), "bare", 0.0, 1.0, 0.1, 100))

    with pytest.raises(StoreError, match="full"):
        fill()
    digest = store.digest
    store.close()
    with Store.open(tmp_path / "a.db") as again:
        assert [game for _, game in again.games()][:8] == games
        assert again.digest == digest


def test_a_damaged_file_is_a_store_error_and_no_other_exception(contestant: Make, tmp_path: Path) -> None:
    bots = [contestant(f"b{number}") for number in range(4)]
    play(tmp_path / "a.db", bots, blocks=2)[0].close()
    whole = (tmp_path / "a.db").read_bytes()
    torn = tmp_path / "torn.db"
    for size in [*range(0, len(whole), max(1, len(whole) // 60)), len(whole) - 1]:
        torn.write_bytes(whole[:size])
        error = _reading(torn)
        assert error is None or "torn.db" in str(error)


def _reading(path: Path) -> BadInput | StoreError | None:
    try:
        with Store.open(path) as store:
            list(store.games())
            assert store.header
            assert store.bots
            assert store.digest
    except (BadInput, StoreError) as error:
        return error
    return None
