"""`arena run --resume`: goes on as it was begun, says what changed, is made longer, or is refused."""

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from cli_command import BOTS, QUICK, arena, blocks_in, ended_by, environment, inside, refused

BEGUN = (
    "run",
    "--bots",
    "hello.py",
    "honest.py",
    "chancer.py",
    "--seats",
    2,
    "--games",
    24,
    "--out",
    "cup.db",
)
SEED = ("--seed", "000102030405060708090a0b0c0d0e0f")


def broken_off(folder, number, *more):
    return ended_by(number, *BEGUN, *SEED, *QUICK, "--jobs", 1, *more, cwd=folder)


def games_of(file):
    """Every game that counts, as two runs are compared."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        columns = (
            "id, block, game, seats, places, winner, reason, turns, forfeited, conduct, windows, log, debug"
        )
        return store.execute(f"SELECT {columns} FROM counted_games ORDER BY block, game").fetchall()


def standings_of(file):
    return json.loads(inside("standings", file, "--json").stdout)["standings"]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """The same tournament, played in one go."""
    folder = tmp_path_factory.mktemp("unbroken")
    copy_bots(folder)
    assert arena(*BEGUN, *SEED, *QUICK, "--quiet", cwd=folder).returncode == 0
    return folder / "cup.db"


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A folder in which the tournament was killed in the middle."""
    folder = tmp_path_factory.mktemp("killed")
    copy_bots(folder)
    broken_off(folder, signal.SIGKILL)
    assert blocks_in(folder / "cup.db") < 12
    return folder


@pytest.fixture
def begun(tmp_path, killed):
    """A copy of that folder."""
    shutil.copytree(killed, tmp_path / "begun")
    return tmp_path / "begun"


def copy_bots(folder):
    for name in ("hello.py", "honest.py", "chancer.py"):
        shutil.copy(BOTS / name, folder)


def test_after_an_interrupt_the_printed_command_plays_the_rest_and_all_is_as_unbroken(tmp_path, unbroken):
    copy_bots(tmp_path)
    said, code = broken_off(tmp_path, signal.SIGINT)
    assert code == 130
    command = said.splitlines()[-1].partition("to go on: ")[2]
    words = shlex.split(command)
    assert words[:4] == ["arena", "run", "--resume", "cup.db"]
    done = arena(*words[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert games_of(tmp_path / "cup.db") == games_of(unbroken)
    assert standings_of(tmp_path / "cup.db") == standings_of(unbroken)
    assert inside("verify", tmp_path / "cup.db").returncode == 0


def test_it_goes_on_from_any_folder_and_after_the_whole_folder_was_moved(begun, unbroken, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "cups"
    shutil.copytree(begun, elsewhere, symlinks=True)
    done = arena("run", "--resume", elsewhere / "cup.db", "--quiet", cwd=tmp_path_factory.mktemp("third"))
    assert (done.returncode, done.stderr) == (0, "")
    assert games_of(elsewhere / "cup.db") == games_of(unbroken)


def test_the_options_it_was_begun_with_may_be_typed_again(begun, unbroken):
    done = arena(*BEGUN, *SEED, *QUICK, "--resume", "cup.db", cwd=begun)
    assert done.returncode == 0, done.stderr
    assert games_of(begun / "cup.db") == games_of(unbroken)


def test_everything_that_changed_is_said_in_one_message(begun):
    before = (begun / "honest.py").read_text()
    (begun / "honest.py").write_text(before + "\n# another\n")
    (begun / "hello.py").unlink()
    words = ("--move-time", "2s", "--bank", "7s", "--names")
    message = refused("run", "--resume", "cup.db", *words, cwd=begun)
    for part in ("--move-time 1s -> 2s", "--bank 5s -> 7s", "--names no -> yes", "bot honest: content ",
                 "bot hello: missing", "hello.py does not exist", "--changed",
                 "Leave --move-time and --bank and --names out and put the bots back"):  # fmt: skip
        assert part in message
    (begun / "honest.py").write_text(before)
    shutil.copy(BOTS / "hello.py", begun)
    only_options = refused("run", "--resume", "cup.db", "--bank", "7s", cwd=begun)
    assert ". Leave --bank out, or go on like this with --changed" in only_options
    (begun / "hello.py").unlink()
    assert ". Put the bots back as they were (--bots says" in refused("run", "--resume", "cup.db", cwd=begun)
    assert inside("verify", begun / "cup.db").returncode == 0


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--seats", 3], ["--seats 2 -> 3"]),
        (["--rules", "bicycle"], ["--rules", "->"]),
        (["--seed", "other"], ["--seed is another"]),
        (["--bench", 1], ["--bench 5 -> 1"]),
        (["--games-per-block", 4], ["--games-per-block 2 -> 4"]),
        (["--part", "1/2"], ["--part none -> 1/2"]),
    ],
)
def test_what_makes_another_tournament_is_refused_whatever_is_allowed(begun, words, parts):
    for more in ([], ["--changed"]):
        message = refused("run", "--resume", "cup.db", *words, *more, cwd=begun)
        for part in (*parts, "another tournament"):
            assert part in message


def test_changed_bots_and_limits_are_kept_in_the_file_and_shown(begun):
    played = blocks_in(begun / "cup.db")
    before = (begun / "honest.py").read_bytes()
    (begun / "honest.py").write_bytes(before + b"\n# another\n")
    words = ("--move-time", "2s", "--changed")
    done = arena("run", "--resume", "cup.db", *words, "--json", cwd=begun)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    (change,) = found["changes"]
    assert change["block"] == played
    assert sorted(one["option"] for one in change["altered"]) == ["content", "move_time"]
    for text in (arena("standings", "cup.db", cwd=begun).stdout, " ".join(found["notes"])):
        assert "--move-time 1s -> 2s" in text
        assert "honest: content " in text
    assert inside("verify", begun / "cup.db").returncode == 0
    # Each game is played again with the bots that played it.
    last = f"{blocks_in(begun / 'cup.db') - 1}.0"
    assert "identical" in arena("rerun", "cup.db", last, "--allow-root-bots", cwd=begun).stdout
    (begun / "honest.py").write_bytes(before)
    assert "identical" in arena("rerun", "cup.db", "0.0", "--allow-root-bots", cwd=begun).stdout
    lines = arena("export", "cup.db", "--jsonl", cwd=begun).stdout
    (begun / "lines.jsonl").write_text(lines)
    assert arena("import", "lines.jsonl", "--out", "again.db", cwd=begun).returncode == 0
    assert inside("verify", begun / "again.db", "--json").stdout == inside(
        "verify", begun / "cup.db", "--json"
    ).stdout.replace("cup.db", "again.db")


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE changes SET altered = replace(altered, '\"old\":1.0', '\"old\":3.0')", "move_time: old"),
        ("UPDATE changes SET block = 5000", "change: recorded 1"),
        ("UPDATE blocks SET change = 0", "block 3: digest"),
        ("UPDATE blocks SET change = 7 WHERE number = 0", "block 0: change"),
        ("DELETE FROM changes", "change: recorded 1"),
    ],
)
def test_a_record_of_changes_that_cannot_be_is_found(begun, statement, where):
    done = arena("run", "--resume", "cup.db", "--move-time", "700ms", "--changed", cwd=begun)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(begun / "cup.db")) as store:
        store.execute(statement)
        store.commit()
    found = inside("verify", begun / "cup.db")
    assert found.returncode == 3
    assert where in found.stdout


def test_a_missing_bot_forfeits_its_games_once_that_is_allowed(begun):
    (begun / "hello.py").unlink()
    done = arena("run", "--resume", "cup.db", "--changed", "--json", cwd=begun)
    assert done.returncode == 0, done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)["standings"]}
    assert rows["hello"]["faults"] > 0
    assert rows["honest"]["faults"] == 0
    assert inside("verify", begun / "cup.db").returncode == 0


def test_it_is_made_longer_finished_or_not(begun, unbroken):
    longer = begun / "longer"
    longer.mkdir()
    copy_bots(longer)
    whole = [24 + 16 if word == 24 else word for word in BEGUN]
    assert arena(*whole, *SEED, *QUICK, "--quiet", cwd=longer).returncode == 0
    assert arena("run", "--resume", "cup.db", "--quiet", cwd=begun).returncode == 0
    done = arena("run", "--resume", "cup.db", "--games", 40, cwd=begun)
    assert done.returncode == 0, done.stderr
    assert "no secret" in done.stderr
    assert games_of(begun / "cup.db") == games_of(longer / "cup.db")
    assert inside("verify", begun / "cup.db").returncode == 0


def content_of(file):
    """All that is in the file, whatever SQLite keeps beside it."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        return list(store.iterdump())


@pytest.mark.parametrize("words", [("--games", 22), ("--deals", 1)])
def test_it_is_never_made_shorter_finished_or_not(begun, unbroken, words):
    for file in (begun / "cup.db", unbroken):
        before = content_of(file)
        message = refused("run", "--resume", file, *words)
        less = {"--games": "22 is less than the 24 that", "--deals": f"1 is 3 blocks, and {file} has 12"}
        assert f"arena: {words[0]} {less[words[0]]}" in message
        assert content_of(file) == before


def test_a_finished_one_says_so_and_how_to_play_on_and_is_not_touched(unbroken):
    before = unbroken.read_bytes()
    done = arena("run", "--resume", unbroken)
    assert done.returncode == 0
    assert "is finished" in done.stderr
    assert f"arena run --resume {unbroken} --games 48" in done.stderr
    assert done.stdout.splitlines()[0].split()[:2] == ["Rank", "Bot"]
    assert unbroken.read_bytes() == before


def test_a_dry_run_says_what_remains_and_changes_nothing(begun):
    before = (begun / "cup.db").read_bytes()
    done = arena("run", "--resume", "cup.db", "--dry-run", cwd=begun)
    played = blocks_in(begun / "cup.db")
    assert done.returncode == 0, done.stderr
    assert f"{played} blocks played, {12 - played} to go" in done.stdout
    assert (begun / "cup.db").read_bytes() == before


def test_a_tournament_file_is_not_followed_where_it_differs_and_that_is_said(tmp_path):
    copy_bots(tmp_path)
    settings = tmp_path / "arena.toml"
    settings.write_text(
        'bots = ["*.py"]\nseats = 2\ngames = 24\nmove-time = "900ms"\nsandbox = "bare"\n'
        'allow-root-bots = true\nout = "cup.db"\nseed = "a cup"\njobs = 1\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", "--quiet"], cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    limit = time.monotonic() + 240
    while not ((tmp_path / "cup.db").exists() and (blocks_in(tmp_path / "cup.db") or 0) >= 3):
        assert time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    settings.write_text(settings.read_text().replace("900ms", "2s"))
    told = arena("run", "--resume", "cup.db", "--dry-run", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "arena.toml is not followed" in told.stderr
    assert "cup.db has --move-time 900ms, arena.toml says 2s" in told.stderr
    assert "blocks" not in told.stderr
    settings.write_text(settings.read_text().replace('"2s"', '"900ms"').replace("games = 24", "games = 20"))
    told = arena("run", "--resume", "cup.db", "--dry-run", cwd=tmp_path)
    assert "which goes on as it is: cup.db has 12 blocks, arena.toml says 10" in told.stderr
    settings.write_text(settings.read_text().replace("games = 20", "games = 24"))
    done = arena("run", "--resume", "cup.db", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not followed" not in done.stderr
    assert re.search(r"^arena: going on: \d+ of 24 games are there; 3 bots", done.stderr, re.MULTILINE)


def test_a_part_goes_on_as_that_part(tmp_path):
    copy_bots(tmp_path)
    broken_off(tmp_path, signal.SIGKILL, "--part", "1/2")
    done = arena("run", "--resume", "cup.db", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout)["part"], json.loads(done.stdout)["blocks"]) == ("1/2", 6)


def test_what_cannot_be_gone_on_with_is_refused(tmp_path, begun):
    (tmp_path / "notes.db").write_text(
        "no database, but long enough to be looked at as if it were one of them"
    )
    (tmp_path / "empty.db").touch()
    assert "results file" in refused("run", "--resume", "notes.db", cwd=tmp_path)
    assert "empty" in refused("run", "--resume", "empty.db", cwd=tmp_path)
    assert "no results file" in refused("run", "--resume", "gone.db", cwd=tmp_path)
    assert "--changed" in refused("run", "--changed", "--bots", BOTS / "hello.py", cwd=tmp_path)
    assert "arena run --resume cup.db" in refused(*BEGUN, cwd=begun)
    with closing(sqlite3.connect(begun / "cup.db")) as store:
        store.execute("PRAGMA journal_mode = DELETE")
    data = bytearray((begun / "cup.db").read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    (begun / "broken.db").write_bytes(data)
    done = arena("run", "--resume", "broken.db", cwd=begun)
    assert done.returncode == 74
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_being_played_is_not_played_twice(tmp_path):
    copy_bots(tmp_path)
    words = [100000 if word == 24 else word for word in BEGUN]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, (*words, *QUICK))], cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    limit = time.monotonic() + 240
    while not ((tmp_path / "cup.db").exists() and blocks_in(tmp_path / "cup.db")):
        assert time.monotonic() < limit
        time.sleep(0.05)
    message = refused("run", "--resume", "cup.db", cwd=tmp_path)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert f"process {process.pid}" in message
