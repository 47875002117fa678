"""The results file in the world: one writer, and no acknowledged block is lost to a death or a disk."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_blocks import renumbered
from made_up_files import BOTS, blocks, made
from small_tournaments import damage, header_for

from arena.errors import BadInput
from arena.tournament.rows import COLUMNS
from arena.tournament.standings import tally_of
from arena.tournament.store import Store, StoreError

ROOT = Path(__file__).parents[2]

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


@pytest.mark.parametrize("deed", ["remove", "move", "replace"])
def test_a_file_that_is_taken_away_while_it_is_written_is_noticed_and_saved_whole(
    tmp_path: Path, deed: str
) -> None:
    path, elsewhere, saved = (tmp_path / name for name in ("a.db", "b.db", "a-saved.db"))
    made(tmp_path / "other.db", 1).close()
    other = (tmp_path / "other.db").read_bytes()
    (tmp_path / "a-saved.db").write_text("somebody's own")
    saved = tmp_path / "a-saved-2.db"
    rest = blocks(5)[3:]
    with made(path, 3) as store:
        if deed == "remove":
            path.unlink()
        else:
            path.rename(elsewhere)
        if deed == "replace":
            (tmp_path / "other.db").rename(path)
        assert not store.in_place
        for result in rest:
            with pytest.raises(
                StoreError, match=r"was removed, moved or replaced .* is saved in .*a-saved-2"
            ):
                store.add(result)
        assert store.path == saved
    with Store.open(saved) as kept:
        assert len(list(kept.games(dropped=True))) == 12
        assert damage(kept) == []
    if deed == "replace":
        assert path.read_bytes() == other
    if deed != "remove":
        # And where it is now, it is whole as well.
        with Store.open(elsewhere) as moved:
            assert len(list(moved.games(dropped=True))) == 12
    # No log of it is left for SQLite to play into whatever has its name next.
    assert not list(tmp_path.glob("a.db-*"))
    assert (tmp_path / "a-saved.db").read_text() == "somebody's own"


def test_what_is_taken_away_where_no_copy_has_room_is_said_to_be_lost_and_no_part_of_one_stays(
    tmp_path: Path,
) -> None:
    with made(tmp_path / "a.db", 2) as store:
        (tmp_path / "a.db").unlink()
        with files_of_at_most(4096), pytest.raises(StoreError, match="could not be saved beside it: "):
            store.must_be_in_place()
        assert [path for path in tmp_path.iterdir() if "saved" in path.name] == []


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_reader_sees_each_block_when_it_is_stored(tmp_path: Path) -> None:
    with made(tmp_path / "a.db", 0) as store, Store.open(tmp_path / "a.db") as reader:
        for number, result in enumerate(blocks(3)):
            assert len(list(reader.games())) == 4 * number
            store.add(result)
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
    store.add(renumbered(result, number))
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
            store.add(result)
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
