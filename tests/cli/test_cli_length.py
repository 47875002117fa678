"""How long a tournament is: by what is known, by its time, and that nothing makes one shorter."""

import json
import math
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from cli_command import BOTS, QUICK, arena, blocks_in, environment, inside, refused

from arena.tournament.standings import standings_of
from arena.tournament.stopping import widest_difference
from arena.tournament.store import Store

PAIR = ("--bots", BOTS / "hello.py", BOTS / "honest.py", BOTS / "closer.py", "--seats", 2)


def header_of(file):
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        (text,) = store.execute("SELECT value FROM tournament WHERE key = 'header'").fetchone()
        return json.loads(text)


@pytest.fixture(scope="module")
def precise(tmp_path_factory):
    """A tournament that has ended as soon as enough was known; what was said."""
    folder = tmp_path_factory.mktemp("precise")
    done = arena("run", *PAIR, "--precision", 60, "--out", "cup.db", "--seed", "a", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "cup.db", done


def test_it_ends_when_all_differences_are_known_well_enough(precise):
    file, done = precise
    assert (
        "3 bots, tables of 2, until no difference has a standard error above 60 Elo, sandbox" in done.stderr
    )
    assert re.search(
        r"^Ended by --precision 60; the largest standard error .*is \d\d\.\d Elo\.$", done.stdout, re.M
    )
    found = json.loads(inside("standings", file, "--json").stdout)
    assert found["complete"]
    assert found["blocks"] == found["blocks_planned"] > 0
    assert (found["precision"], found["ended_by"]) == (60, "precision")
    with Store.open(file) as store:
        ratings, _ = standings_of(store)
        assert 20 < widest_difference(ratings, range(3)) <= 60
        assert found["largest_error"] == pytest.approx(widest_difference(ratings, range(3)), abs=1e-3)
    assert inside("verify", file).returncode == 0


def test_it_goes_on_to_shorter_bars_or_to_more_games_and_not_to_fewer(precise, tmp_path):
    file = tmp_path / "cup.db"
    file.write_bytes(precise[0].read_bytes())
    blocks = header_of(file)["blocks"]
    before = file.read_bytes()
    for words, why in (
        (("--games", 4), f"--games 4 is less than the {2 * blocks} that"),
        (("--deals", 1), f"--deals 1 is 3 blocks, and {file} has {blocks}"),
        (("--precision", 250), "--precision 250 is more than the 60 that"),
        (("--games", 1000, "--precision", 250), "--precision 250 is more than the 60 that"),
        (("--precision", 60), f"{file} needs no more games for --precision 60: largest standard error "),
    ):
        assert why in refused("run", "--resume", file, *words)
        assert file.read_bytes() == before
    more = 2 * blocks + 20
    assert arena("run", "--resume", file, "--games", more, "--quiet", *QUICK).returncode == 0
    assert (header_of(file)["blocks"], header_of(file)["precision"]) == (more // 2, None)
    known = json.loads(inside("standings", file, "--json").stdout)["largest_error"]
    less = math.floor(known * 10 - 1) / 10
    assert arena("run", "--resume", file, "--precision", less, "--quiet", *QUICK).returncode == 0
    assert header_of(file)["precision"] == less
    assert inside("verify", file).returncode == 0


def test_it_ends_when_its_time_is_over(tmp_path):
    began = time.monotonic()
    done = arena("run", *PAIR, "--time", "2s", "--out", "cup.db", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began >= 2
    assert "for 2s" in done.stderr
    assert re.search(r"complete: \d+ blocks, \d+ games\.\nEnded by --time 2s\.\n", done.stdout)
    file = tmp_path / "cup.db"
    blocks = header_of(file)["blocks"]
    assert arena("run", "--resume", file, "--time", "1s", "--quiet", *QUICK).returncode == 0
    assert header_of(file)["blocks"] > blocks
    assert inside("verify", file).returncode == 0


def test_broken_off_it_says_how_much_time_is_left_and_goes_on_with_that(tmp_path):
    words = [sys.executable, "-m", "arena", "run", *map(str, PAIR), "--time", "1h", "--out", "cup.db", *QUICK]
    run = subprocess.Popen(words, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True)
    file, limit = tmp_path / "cup.db", time.monotonic() + 240
    while not (file.exists() and (blocks_in(file) or 0) >= 3):
        assert time.monotonic() < limit
        time.sleep(0.02)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=240)
    assert run.returncode == 130
    command = said.splitlines()[-1].partition("to go on: ")[2]
    assert command == "arena run --resume cup.db"
    # What is left of its time is kept for the run that goes on.
    assert 3000 < header_of(file)["time"] < 3600
    shown = json.loads(inside("standings", file, "--json").stdout)
    assert (shown["complete"], shown["blocks_planned"], shown["games_planned"]) == (False, None, None)
    assert " of " not in re.search(r"not complete: .*", inside("standings", file).stdout)[0]
    less = refused(*shlex.split(command)[1:], "--time", "1s", cwd=tmp_path)
    assert re.search(r"--time 1s is less than the 59m\S+ that cup.db has left\.", less)
    assert re.search(
        r"^It ends when a run of it has taken 59m", inside("standings", file).stdout, re.MULTILINE
    )


def test_what_was_begun_with_a_length_is_not_ended_by_time_or_by_bars(tmp_path):
    words = ("run", *PAIR, "--games", 4000, "--out", "cup.db", *QUICK)
    run = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)], cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    file, limit = tmp_path / "cup.db", time.monotonic() + 240
    while not (file.exists() and (blocks_in(file) or 0) >= 3):
        assert time.monotonic() < limit
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=240) == 130
    for more in (("--time", "1s"), ("--precision", 100)):
        message = refused("run", "--resume", "cup.db", *more, cwd=tmp_path)
        assert f"{more[0]} could end cup.db before its end (2,000 blocks, 4,000 games)" in message


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--precision", "0"), "--precision takes a standard error, 1 to 1000 Elo, and '0' is none"),
        (("--precision", "many"), "--precision takes a standard error, 1 to 1000 Elo, and 'many' is none"),
        (("--precision", "1e2"), "and '1e2' is none; write for example 20"),
        (("--time", "0s"), "--time '0s' leaves"),
        (("--time", "soon"), "--time takes a time of more than 0 to 8784h, and 'soon' is none"),
        (("--time", "400000h"), "--time '400000h' is longer than 366 days"),
        (("--part", "1/2", "--seed", "a", "--time", "1s"), "--time decides by all games so far when to stop"),
        (("--part", "1/2", "--seed", "a", "--precision", "9"), "--precision decides by all games so far"),
    ],
)
def test_a_length_that_makes_no_sense_is_refused(words, said):
    assert said in refused("run", *PAIR, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--precision", 30), "until no difference has a standard error above 30 Elo; 2 games a block"),
        (("--time", "90s"), "for 1m30s; 2 games a block"),
        (("--time", "90s", "--games", 100), "50 blocks, 100 games, for 1m30s; 2 games a block"),
    ],
)
def test_a_dry_run_says_what_will_end_it(words, said):
    done = arena("run", *PAIR, *words, "--dry-run", *QUICK)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert "trial block" in done.stdout
    if "--games" not in words:
        assert re.search(r"[\d,]+ blocks a minute, judged by \d+ trial block", done.stdout)


def test_a_plan_without_a_set_length_says_so_in_json_too():
    plan = json.loads(arena("run", *PAIR, "--time", "90s", "--dry-run", "--json", *QUICK).stdout)
    assert (plan["blocks"], plan["games"], plan["seconds_at_least"], plan["seconds"]) == (
        None,
        None,
        None,
        90,
    )


def test_a_comparison_that_has_its_answer_is_not_played_on(tmp_path):
    two = (BOTS / "planner.py", BOTS / "hello.py", "--field", BOTS / "honest.py", BOTS / "closer.py")
    words = ("--seats", 2, "--gain", 20, "--out", tmp_path / "a.db", "--quiet", *QUICK)
    assert arena("compare", *two, *words).returncode == 0
    before = (tmp_path / "a.db").read_bytes()
    for more in (("--games", 100_000), ("--time", "9s")):
        assert "a.db has its answer (better)" in refused("run", "--resume", tmp_path / "a.db", *more)
    assert inside("run", "--resume", tmp_path / "a.db").stderr.endswith("a.db is finished\n")
    assert header_of(tmp_path / "a.db")["ended"] == {"by": "answer", "planned": 2000}
    assert (tmp_path / "a.db").read_bytes() == before
