"""`arena run --fresh`: a process a game, and each game is kept as soon as it is finished."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from cli_command import BOTS, QUICK, arena, environment, inside

BEGUN = ("run", "--bots", "hello.py", "honest.py", "chancer.py", "--seats", "2", "--games-per-block", "12")
MORE = ("--games", "36", "--out", "cup.db", "--fresh", "--seed", "000102030405060708090a0b0c0d0e0f")


def read(file, query):
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        return store.execute(query).fetchall()


def finished(file):
    """Games kept by now; 0 while there is no such table."""
    try:
        return read(file, "SELECT COUNT(*) FROM games")[0][0]
    except sqlite3.OperationalError:
        return 0


def games_of(file):
    """Every game that counts, as two runs are compared."""
    columns = "id, block, game, seats, places, winner, reason, turns, forfeited, conduct, windows, log, debug"
    return read(file, f"SELECT {columns} FROM counted_games ORDER BY block, game")


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory):
    """A folder, and what was said, after a run was interrupted in its first block."""
    folder = tmp_path_factory.mktemp("broken-off")
    for name in ("hello.py", "honest.py", "chancer.py"):
        shutil.copy(BOTS / name, folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *BEGUN, *MORE, *QUICK, "--jobs", "1"],
        cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    limit = time.monotonic() + 240
    while finished(folder / "cup.db") < 3:
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=240)
    assert process.returncode == 130
    assert 3 <= finished(folder / "cup.db") < 12
    return folder, out, said


@pytest.fixture
def begun(broken_off, tmp_path):
    shutil.copytree(broken_off[0], tmp_path / "begun")
    return tmp_path / "begun"


def test_an_interrupt_keeps_the_finished_games_of_a_block_and_says_so(broken_off):
    folder, out, said = broken_off
    assert "interrupted; every finished game is kept in cup.db" in said
    assert "1 block is begun: finished games of a block are kept, and count when all of it is in." in out
    assert "0 of 3 blocks, 0 of 36 games" in out
    shown = json.loads(inside("standings", folder / "cup.db", "--json").stdout)
    assert (shown["games"], shown["blocks"], shown["complete"]) == (0, 0, False)


def test_every_kept_game_can_be_verified_shown_exported_and_played_again(begun):
    file = begun / "cup.db"
    kept = finished(file)
    assert inside("verify", file).stdout.startswith(f"{file}: {kept} games verified")
    assert inside("replay", file, f"0.{kept - 1}").returncode == 0
    assert f"block 0 has no game {kept}" in inside("replay", file, f"0.{kept}").stderr
    done = arena("rerun", "cup.db", f"0.{kept - 1}", "--allow-root-bots", cwd=begun)
    assert done.stdout.startswith(f"identical: games 0.0 to 0.{kept - 1}"), done.stderr
    lines = [json.loads(line) for line in arena("export", file, "--jsonl").stdout.splitlines()]
    assert [line["state"] for line in lines if line["type"] == "block"] == ["begun"]
    assert sum(line["type"] == "game" for line in lines) == kept


def test_gone_on_with_only_what_is_missing_is_played_and_all_is_as_unbroken(begun, tmp_path):
    file = begun / "cup.db"
    before = read(file, "SELECT id, digest FROM games ORDER BY game")
    done = arena("run", "--resume", "cup.db", "--quiet", cwd=begun)
    assert done.returncode == 0, done.stderr
    after = read(file, "SELECT id, digest FROM games ORDER BY block, game")
    assert after[: len(before)] == before
    assert len(after) == 36
    assert inside("verify", file).returncode == 0
    for name in ("hello.py", "honest.py", "chancer.py"):
        shutil.copy(BOTS / name, tmp_path)
    assert arena(*BEGUN, *MORE, *QUICK, "--quiet", cwd=tmp_path).returncode == 0
    assert games_of(file) == games_of(tmp_path / "cup.db")


def test_with_something_changed_the_begun_block_is_played_again_from_its_first_game(begun):
    file = begun / "cup.db"
    done = arena("run", "--resume", "cup.db", "--changed", "--move-time", "3s", cwd=begun)
    assert done.returncode == 0, done.stderr
    assert "a block that was begun is played again from the first game" in done.stderr
    assert read(file, "SELECT DISTINCT change FROM blocks") == [(1,)]
    assert finished(file) == 36
    assert inside("verify", file).returncode == 0


def test_a_dry_run_forecasts_whole_blocks(begun):
    done = arena("run", "--resume", "cup.db", "--dry-run", "--json", cwd=begun)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert (plan["blocks"], plan["blocks_left"]) == (3, 3)
