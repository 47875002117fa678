"""What is given as a file and is none, or somebody's own: refused in a line, not waited for, not touched."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from cli_command import BOTS, QUICK, arena, environment, refused

TWO = ("--bots", BOTS / "hello.py", BOTS / "honest.py", "--games", 2)
HUGE = "9" * 5000


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A finished tournament."""
    file = tmp_path_factory.mktemp("cup") / "cup.db"
    assert arena("run", *TWO, *QUICK, "--quiet", "--out", file).returncode == 0
    return file


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("house.toml", f"turn_cap = {HUGE}", "holds a number of thousands of digits"),
        ("house.toml", f"max_cards = 0x{'f' * 5000}", "max_cards is a number too large for TOML"),
        ("house.toml", f"preset = 0x{'f' * 5000}", "preset is a number too large for TOML"),
        ("house.toml", "turn_cap = 9223372036854775808", "turn_cap is a number too large for TOML"),
    ],
)
def test_a_number_of_no_use_in_a_rules_file(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    for words in (("rules", name), ("run", *TWO, "--rules", name)):
        assert f"{name}" in (message := refused(*words, cwd=tmp_path))
        assert said in message
        assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"seats = {HUGE}", "holds a number of thousands of digits"),
        (f"seed = 0x{'f' * 5000}", "seed is a number too large for TOML"),
        (f"rules = {{turn_cap = 0x{'f' * 5000}}}", "rules.turn_cap is a number too large for TOML"),
        ('rules = "\\u0000.toml"', "its name holds a NUL character"),
        ('rules = "a/\\u0000"', "its name holds a NUL character"),
        (f'memory = "{HUGE}"', "memory takes 1M to 1024T"),
    ],
)
def test_a_value_of_no_use_in_a_tournament_file(tmp_path, text, said):
    (tmp_path / "arena.toml").write_text(f'bots = ["{BOTS}/hello.py", "{BOTS}/honest.py"]\n{text}\n')
    message = refused("run", cwd=tmp_path)
    assert said in message
    assert len(message) < 400


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_memory_beyond_all_numbers(digits):
    assert "--memory takes 1M to 1024T" in refused("run", *TWO, f"--memory={'9' * digits}")


@pytest.mark.parametrize(
    "words",
    [
        *((command,) for command in ("standings", "faults", "verify", "export --csv", "merge -o whole.db")),
        *(("replay", "0.0"), ("rerun", "0.0"), ("run --resume",)),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("kind", ["long", "device", "pipe", "dangling", "loop", "empty"])
def test_a_results_file_that_is_no_file(tmp_path, words, kind):
    name = {"long": "n" * 300, "device": "/dev/null", "empty": ""}.get(kind, kind)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere.db")
    (tmp_path / "loop").symlink_to("loop")
    command, *rest = words
    message = refused(*command.split(), name, *rest, cwd=tmp_path)
    assert "remove it" not in message
    wanted = {
        "long": "there is no results file nnnn",
        "device": "/dev/null is not a file",
        "pipe": "pipe is not a file",
        "dangling": "dangling is a link to nowhere.db, and no file is there",
        "loop": "loop is a link to loop, and no file is there",
        "empty": "is empty; give one" if command != "run --resume" else "",
    }
    assert wanted[kind] in message


@pytest.mark.parametrize("word", ["/dev/zero", "pipe"])
def test_a_settings_file_without_an_end_is_not_read(tmp_path, word):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for words in (("run", *TWO, "--config", word), ("rules", f"./{word}" if word == "pipe" else word)):
        assert "is no file; name a file" in refused(*words, cwd=tmp_path)


def test_a_folder_that_was_removed_under_ones_feet(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    words = [sys.executable, "-m", "arena", "run", *map(str, TWO), "--out", str(tmp_path / "x.db")]
    code = f"import os, subprocess, sys; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); "
    code += f"sys.exit(subprocess.run({words!r}).returncode)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.returncode == 2
    assert done.stderr == "arena: the folder you are in is not there any more; cd into one that is\n"


# What lies beside a results file.


def begun(folder, *more):
    """A run that is killed outright once it has stored a game, which is in the log beside its file yet."""
    words = ["run", *map(str, TWO[:-1]), "2000", *QUICK, "--fresh", "--jobs", "1", "--quiet", *more]
    run = subprocess.Popen([sys.executable, "-m", "arena", *words], cwd=folder, env=environment())
    log, limit = folder / "cup.db-wal", time.monotonic() + 240
    while not (log.exists() and log.stat().st_size > 100_000):
        assert run.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait()


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm"])
def test_a_log_that_was_left_behind_is_not_taken_for_nothing(tmp_path, ending):
    begun(tmp_path, "--out", "cup.db")
    os.rename(tmp_path / "cup.db", tmp_path / "old.db")
    log = tmp_path / "cup.db-wal"
    whole = log.read_bytes()
    left = tmp_path / f"cup.db{ending}"
    if ending != "-wal":
        (tmp_path / "cup.db-shm").unlink(missing_ok=True)
        log.rename(left)
    else:
        (tmp_path / "cup.db-shm").unlink()
    message = refused("run", *TWO, *QUICK, "--out", "cup.db", cwd=tmp_path)
    assert f"cup.db{ending} is in the way" in message
    assert left.read_bytes() == whole
    assert not (tmp_path / "cup.db").exists()
    left.rename(tmp_path / "old.db-wal")
    done = arena("standings", "old.db", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] > 0


@pytest.mark.parametrize("link", [False, True])
def test_somebodys_file_in_the_place_of_a_lock_is_left_alone(tmp_path, cup, link):
    own = tmp_path / ("precious.txt" if link else "new.db.lock")
    own.write_text("precious data\n")
    if link:
        (tmp_path / "new.db.lock").symlink_to(own)
        shutil.copy(cup, tmp_path / "cup.db")
        (tmp_path / "cup.db.lock").symlink_to(own)
        assert "cup.db.lock" in refused("run", "--resume", "cup.db", "--games", 4, *QUICK, cwd=tmp_path)
    assert "new.db.lock" in refused("run", *TWO, *QUICK, "--out", "new.db", cwd=tmp_path)
    assert own.read_text() == "precious data\n"
    assert (tmp_path / "new.db.lock").is_symlink() == link
    assert not (tmp_path / "new.db").exists()


def test_a_file_with_another_name_is_written_by_one_run_at_a_time(tmp_path, cup):
    begun(tmp_path, "--out", "cup.db")
    (tmp_path / "link.db").symlink_to("cup.db")
    first = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", "--resume", "link.db", "--quiet", "--jobs", "1"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )
    limit = time.monotonic() + 240
    # The run that was killed has left its own.
    while (tmp_path / "cup.db.lock").read_text().strip() != str(first.pid):
        assert first.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    message = refused("run", "--resume", "cup.db", cwd=tmp_path)
    assert f"is being written by process {first.pid}" in message
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=240) == 130
    os.link(tmp_path / "cup.db", tmp_path / "hard.db")
    assert "has a second name (a hard link)" in refused("run", "--resume", "hard.db", cwd=tmp_path)


def test_a_damaged_file_that_is_not_gone_on_with_has_nothing_left_beside_it(tmp_path, cup):
    file = shutil.copy(cup, tmp_path / "cup.db")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE tournament SET value = '[]' WHERE key = 'complete'")
    done = arena("run", "--resume", "cup.db", cwd=tmp_path)
    assert done.returncode == 74
    assert os.listdir(tmp_path) == ["cup.db"]


@pytest.mark.parametrize("change", ["winner = 1e999", "places = '[1,1180591620717411303424]'"])
def test_a_number_that_no_game_gives_is_damage(tmp_path, cup, change):
    file = shutil.copy(cup, tmp_path / "cup.db")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"UPDATE games SET {change} WHERE game = 0")
    for words in (("standings", file), ("standings", file, "--json"), ("run", "--resume", file)):
        done = arena(*words)
        assert done.returncode == 74, done
        assert "is damaged" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_command_that_is_suggested_for_a_file_that_is_there_can_be_typed(tmp_path, cup):
    shutil.copy(cup, tmp_path / "-cup.db")
    message = refused("run", *TWO, "--out=./-cup.db", cwd=tmp_path)
    assert message.rstrip().endswith("arena run --resume ./-cup.db")
