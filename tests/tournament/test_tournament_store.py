"""The results file: what is stored is read back, no file of anybody's is harmed, and one writer is enough."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_blocks import made_up, renumbered
from small_tournaments import damage, header_for

from arena.cheat.record import rejudge
from arena.errors import BadInput
from arena.referee.block import Block, BlockResult
from arena.tournament.brief import brief_of
from arena.tournament.database import APPLICATION_ID
from arena.tournament.header import BotRow
from arena.tournament.rows import COLUMNS, digest_of
from arena.tournament.schedule import Course
from arena.tournament.standings import tally_of
from arena.tournament.store import Store, StoreError

ROOT = Path(__file__).parents[2]
BOTS = [BotRow(name=name, digest="0" * 64, command=f"./{name}") for name in ("a", "b", "c", "d", "e")]


def blocks(count: int) -> list[BlockResult]:
    course = Course(bytes(16), 5, 4, 4)
    return [made_up(course.next(), faulted=(3,) if number % 2 else ()) for number in range(count)]


def made(path: Path, count: int = 3) -> Store:
    store = Store.create(path, header_for(), BOTS)
    for result in blocks(count):
        store.add_block(result)
    return store


# What is stored is read back.


def test_what_is_stored_is_read_back(tmp_path: Path) -> None:
    played = blocks(3)
    made(tmp_path / "a.db").close()
    with Store.open(tmp_path / "a.db") as again:
        assert again.header == header_for()
        assert again.bots == tuple(
            msgspec.structs.replace(bot, said=f"bot {number}") for number, bot in enumerate(BOTS)
        )
        expected = [(result.block.number, game) for result in played for game in result.games]
        assert list(again.games()) == expected
        assert list(again.blocks()) == [(result.block, "played") for result in played]
        assert again.game(expected[5][1].id) == expected[5]
        assert again.game("no such game") is None
        assert [again.brief(number) for number in range(4)] == [*map(brief_of, played), None]
        assert again.requests() == 300
        assert again.last_block == 2
        assert not again.complete
        for _, game in again.games():
            assert rejudge(again.header.rules, game.events) == game.record


@settings(deadline=None, max_examples=12)
@given(st.permutations(range(6)), st.sets(st.integers(0, 4), max_size=2), st.integers(0, 400))
def test_blocks_come_back_in_schedule_order_whatever_the_order_they_ended_in(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], faulted: set[int], first: int
) -> None:
    course = Course(bytes(16), 5, 4, 4)
    played = [made_up(course.next(), faulted, first + number) for number in range(6)]
    with Store.create(tmp_path_factory.mktemp("order") / "a.db", header_for(), BOTS) as store:
        for number in order:
            store.add_block(played[number], tries=1 + number % 3)
        assert list(store.games()) == [
            (number, game) for number, result in enumerate(played) for game in result.games
        ]
        assert damage(store) == []
        in_order = store.digest
    with Store.create(tmp_path_factory.mktemp("order") / "b.db", header_for(), BOTS) as store:
        for number in range(6):
            store.add_block(played[number], tries=1 + number % 3)
        assert store.digest == in_order


def test_a_block_is_there_once(tmp_path: Path) -> None:
    with made(tmp_path / "a.db") as store:
        before = store.digest, list(store.games())
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add_block(blocks(2)[1])
        # Nor may a game be in two blocks; and nothing of a block that failed is left.
        moved = Block(7, blocks(2)[1].block.seatings)
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add_block(msgspec.structs.replace(blocks(2)[1], block=moved))
        assert (store.digest, list(store.games())) == before


# What counts.


def test_a_block_counts_when_the_points_before_it_are_passed(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for number in (15, 16, 33):
            store.add_block(renumbered(blocks(1)[0], number))
        assert store.counted_to == 16
        assert [number for number, _ in store.games()] == [15] * 4
        assert [state for _, state in store.blocks()] == ["played", "ahead", "ahead"]
        store.pass_point(32)
        assert [number for number, _ in store.games()] == [15] * 4 + [16] * 4
        assert tally_of(store).results.games == 8
        assert store.requests() == 200
        store.decide(32, 64, "bench", [4], 128)
        assert [state for _, state in store.blocks()] == ["played", "played", "dropped"]
        assert len(list(store.games())) == 8
        assert len(list(store.games(dropped=True))) == 12
        # One of the numbers given up that ends only now is dropped from the first.
        store.add_block(renumbered(blocks(1)[0], 40))
        store.add_block(renumbered(blocks(1)[0], 64))
        assert [state for _, state in store.blocks()] == ["played", "played", "dropped", "dropped", "played"]
        assert store.decisions() == {32: {"bench": [4]}}
        assert damage(store) == []


def test_the_views_for_other_programs_show_what_counts(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for number in (0, 15, 16, 33):
            store.add_block(renumbered(blocks(1)[0], number))
        store.decide(32, 64, "bench", [4], 128)
    database = sqlite3.connect(tmp_path / "a.db")
    counted = database.execute("SELECT number FROM counted_blocks ORDER BY number").fetchall()
    assert counted == [(0,), (15,), (16,)]
    assert database.execute("SELECT COUNT(*), COUNT(DISTINCT block) FROM counted_games").fetchone() == (12, 3)
    database.close()


# Digests.


def test_the_digest_tells_kinds_and_borders_apart() -> None:
    rows = [["ab", "c"], ["a", "bc"], ["1", "c"], [1, "c"], [1.0, "c"], [b"1", "c"], [None, "c"], ["", "c"]]
    assert len({digest_of(row) for row in rows}) == len(rows)


def test_the_digest_is_what_the_schema_says_it_is() -> None:
    # Made by other hands: printf 'i2:16s5:bench' | sha256sum
    assert digest_of([16, "bench"]) == "edfe0c8b8bfa3765ede474497990494844492fbb76545b9addaa714932a8c30b"
    assert digest_of([None, 0.5, b"\x00", "\u2665"]) == (
        # printf 'n0:f3:0.5b1:\\0s3:\\xe2\\x99\\xa5' | sha256sum
        "98beaaca61555d6e5c8ad881ae33c9b1407dbbb617c339e6b7b62b27871ca75b"
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET winner = 1 - winner WHERE rowid = 3",
        "UPDATE games SET log = (SELECT log FROM games WHERE rowid = 2) WHERE rowid = 3",
        "UPDATE blocks SET state = 'dropped' WHERE number = 1",
        "UPDATE bots SET name = 'z' WHERE number = 2",
        "UPDATE decisions SET value = '[]'",
        "UPDATE tournament SET value = replace(value, '0001', '0002') WHERE key = 'header'",
        "DELETE FROM games WHERE rowid = 5",
        "DELETE FROM decisions",
        "UPDATE whole SET digest = replace(digest, substr(digest, 1, 1), 'e')",
    ],
)
def test_whatever_is_changed_in_the_file_no_longer_fits_its_digests(tmp_path: Path, change: str) -> None:
    store = made(tmp_path / "a.db")
    store.decide(16, 32, "bench", [4], 64)
    assert damage(store) == []
    store.close()
    database = sqlite3.connect(tmp_path / "a.db")
    assert database.execute(change).rowcount == 1
    database.commit()
    database.close()
    table = change.split()[1 if change.startswith("UPDATE") else 2]
    with Store.open(tmp_path / "a.db") as again:
        if change.startswith("UPDATE") and table != "whole":
            assert damage(again) == [table, "whole"]
        else:
            assert damage(again) == ["whole"]


# Nobody's file is harmed.


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


def test_a_folder_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        Store.create(tmp_path / "no such folder" / "a.db", header_for(), BOTS)


def test_what_is_no_results_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look at")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.close()
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
    assert not list(tmp_path.glob("*.lock"))


def test_reading_changes_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    made(tmp_path / "a.db").close()
    before = (tmp_path / "a.db").read_bytes()
    with Store.open(tmp_path / "a.db") as store:
        list(store.games())
        with pytest.raises(StoreError):
            store.add_block(blocks(4)[3])
    assert (tmp_path / "a.db").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


def test_closed_it_is_one_file_without_a_log_of_its_own(tmp_path: Path) -> None:
    made(tmp_path / "a.db").close()
    # Bytes 18 and 19 of a SQLite file: 1 is a file that is read without any other, 2 one with a log.
    assert (tmp_path / "a.db").read_bytes()[18:20] == b"\x01\x01"


def test_only_its_owner_reads_it_until_the_tournament_is_over(tmp_path: Path) -> None:
    def mode() -> int:
        return stat.S_IMODE((tmp_path / "a.db").stat().st_mode)

    store = made(tmp_path / "a.db")
    assert mode() == 0o600
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in tmp_path.glob("a.db-*"))
    store.close()
    assert mode() == 0o600
    usual = tmp_path / "usual"
    usual.touch()
    with Store.open(tmp_path / "a.db", write=True) as again:
        again.finish()
        assert again.complete
    assert mode() == stat.S_IMODE(usual.stat().st_mode)


# One writer.


def test_a_second_writer_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = Store.create(path, header_for(), BOTS)
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        Store.open(path, write=True)
    Store.open(path).close()
    store.close()
    Store.open(path, write=True).close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.db"]


def test_a_reader_sees_each_block_when_it_is_stored(tmp_path: Path) -> None:
    with made(tmp_path / "a.db", 0) as store, Store.open(tmp_path / "a.db") as reader:
        for number, result in enumerate(blocks(3)):
            assert len(list(reader.games())) == 4 * number
            store.add_block(result)
    with Store.open(tmp_path / "a.db") as reader:
        assert len(list(reader.games())) == 12


HOLDER = """
import subprocess, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from small_tournaments import damage, header_for
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


# Faults of the world.

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from made_up_blocks import made_up, renumbered
from arena.referee.block import Block
from arena.tournament.store import Store
result = made_up(Block(0, ((0, 1, 2, 3), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))))
print("ready", flush=True)
sys.stdin.readline()
store = Store.open(Path(sys.argv[1]), write=True)
last = store.last_block
start = 0 if last is None else last + 1
for number in range(start, start + 100000):
    store.add_block(renumbered(result, number))
    print(number, flush=True)
"""


def test_killed_at_any_instant_no_acknowledged_block_is_lost_doubled_or_torn(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store.create(path, header_for(), BOTS) as store:
        store.pass_point(1 << 20)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", WRITER, str(path), str(Path(__file__).parent)]
    acknowledged: list[int] = []
    # Started in fours, so that the starts do not take all the time; one after another they write.
    for _ in range(5):
        waiting = [
            subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)
            for _ in range(4)
        ]
        for number, writer in enumerate(waiting):
            with writer:
                assert writer.stdout is not None
                assert writer.stdin is not None
                assert writer.stdout.readline() == "ready\n"
                writer.stdin.write("\n")
                writer.stdin.flush()
                acknowledged.append(int(writer.stdout.readline()))
                time.sleep(0.0031 * (1 + number) ** 2)
                writer.kill()
                acknowledged += map(int, writer.stdout.read().split())
    assert len(acknowledged) == len(set(acknowledged)) >= 20
    with Store.open(path) as again:
        stored = [block.number for block, _ in again.blocks()]
        assert stored == list(range(len(stored)))
        assert set(acknowledged) <= set(stored)
        counts: dict[int, int] = {}
        for number, game in again.games():
            counts[number] = counts.get(number, 0) + 1
            assert len(game.events) > 2
        assert counts == dict.fromkeys(stored, 4)
        assert damage(again) == []


def test_a_full_disk_is_a_store_error_and_what_was_stored_stays(tmp_path: Path) -> None:
    store = made(tmp_path / "a.db")
    before = list(store.games())
    # SQLite's own limit on pages answers as a full disk does.
    store._file.run("PRAGMA max_page_count = 1")
    stored = 3
    for number in range(3, 16):
        result = renumbered(blocks(1)[0], number)
        try:
            store.add_block(result)
        except StoreError as error:
            refused = str(error)
            break
        stored += 1
    assert "full" in refused
    digest = store.digest
    store.close()
    with Store.open(tmp_path / "a.db") as again:
        assert list(again.games())[:12] == before
        assert len(list(again.games())) == 4 * stored
        assert again.digest == digest
        assert damage(again) == []


def test_a_file_cut_off_anywhere_is_a_store_error_and_no_other_exception(tmp_path: Path) -> None:
    made(tmp_path / "a.db", 2).close()
    whole = (tmp_path / "a.db").read_bytes()
    torn = tmp_path / "torn.db"
    errors = 0
    for size in [*range(0, len(whole), max(1, len(whole) // 60)), len(whole) - 1]:
        torn.write_bytes(whole[:size])
        error = _reading(torn)
        assert error is None or "torn.db" in str(error)
        errors += error is not None
    assert errors > 50


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_bytes_written_over_anywhere_are_a_store_error_or_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("spoilt")
    made(folder / "a.db", 1).close()
    whole = bytearray((folder / "a.db").read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    spoilt = data.draw(st.binary(min_size=1, max_size=40))
    whole[at : at + len(spoilt)] = spoilt
    (folder / "a.db").write_bytes(whole)
    error = _reading(folder / "a.db")
    assert error is None or "a.db" in str(error)
    shutil.rmtree(folder)


def _reading(path: Path) -> BadInput | StoreError | None:
    try:
        with Store.open(path) as store:
            list(store.games(dropped=True))
            list(store.blocks())
            for table in COLUMNS:
                list(store.rows(table))
            tally_of(store)
            assert store.header
            assert store.bots
    except (BadInput, StoreError) as error:
        return error
    return None
