"""Runs killed at random instants and resumed, again and again: the games are those of an unbroken run."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from cli_command import BOTS, QUICK, arena, environment, inside

KILLS = round(200 * float(os.environ.get("ARENA_SOAK", "0.1")))
FILES = sorted(BOTS.glob("*.py"))
"""Those among the bots that are shipped which start soonest; the rest are copies."""
FIELDS = ((5, 4, 80), (3, 2, 60), (4, 3, 60), (6, 5, 40), (7, 3, 60), (8, 4, 64), (9, 6, 48), (10, 4, 80))
"""Bots, seats and games."""
FRESH = ((4, 3, 60), (6, 5, 40), (8, 4, 64))
"""Those in which every game has a process of its own, and is stored by itself."""
EACH = -(-KILLS // len(FIELDS))
"""Kills in one tournament, so that every field has its share."""
COLUMNS = "id, block, game, seats, places, winner, reason, turns, forfeited, conduct, windows, log, debug"


def kept(file: Path) -> list[tuple[object, ...]]:
    """Every game that counts, as two runs are compared."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        return store.execute(f"SELECT {COLUMNS} FROM counted_games ORDER BY block, game").fetchall()


def standings(file: Path) -> object:
    return json.loads(inside("standings", file, "--json").stdout)["standings"]


def begin(bots: int, seats: int, games: int, file: Path) -> list[str]:
    """The words that begin a tournament of this field."""
    named = [f"--bot=b{number}={FILES[number % len(FILES)]}" for number in range(bots)]
    words = ["run", *named, "--seats", str(seats), "--games", str(games), "--out", str(file)]
    words += ["--fresh"] if (bots, seats, games) in FRESH else []
    return [*words, "--seed", f"{seats:032x}", "--jobs", "2", "--quiet", *QUICK]


def stored(file: Path) -> int:
    """Games that are in the file, whether they count or not."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        try:
            (games,) = store.execute("SELECT COUNT(*) FROM games").fetchone()
        except sqlite3.OperationalError:
            return 0
        return int(games)


def killed_until_over(field: tuple[int, int, int], folder: Path, chance: random.Random, most: int) -> int:
    """Play this field to its end, killed on the way at most so often; how often it was."""
    file = folder / "it.db"
    kills = before = 0
    while True:
        goes_on = file.exists() and file.stat().st_size > 0
        if goes_on:
            assert stored(file) >= before, "games that were stored are gone"
            before = stored(file)
        if not goes_on:
            file.unlink(missing_ok=True)
        words = ["run", "--resume", str(file), "--quiet"] if goes_on else begin(*field, file)
        run = subprocess.Popen(
            [sys.executable, "-m", "arena", *words], cwd=folder, env=environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if kills < most:
            # Some at any instant of the start, the others in play.
            seen = time.monotonic()
            while chance.random() < 0.9 and not file.exists() and time.monotonic() < seen + 20:
                time.sleep(0.02)
            try:
                _, said = run.communicate(timeout=chance.uniform(0, 1.6))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.communicate()
                kills += 1
                continue
        else:
            _, said = run.communicate(timeout=120)
        if run.returncode == 2 and not goes_on and "exists already" in said:
            continue
        assert run.returncode == 0, said
        return kills


def check_as_unbroken(field: tuple[int, int, int], folder: Path) -> None:
    """Compare what is in the folder with an unbroken run of the field."""
    done = arena(*begin(*field, folder / "unbroken.db"), timeout=120)
    assert done.returncode == 0, done.stderr
    one, other = folder / "it.db", folder / "unbroken.db"
    assert kept(one) == kept(other)
    assert len({row[0] for row in kept(one)}) == len(kept(one)) >= field[2]
    assert standings(one) == standings(other)
    assert inside("verify", one).returncode == 0


def test_a_run_that_is_killed_a_few_times_ends_with_the_games_of_an_unbroken_one(tmp_path: Path) -> None:
    assert killed_until_over(FIELDS[0], tmp_path, random.Random(5), 3) > 0
    check_as_unbroken(FIELDS[0], tmp_path)


@pytest.mark.soak
def test_whenever_and_however_often_a_run_is_killed_its_games_are_those_of_an_unbroken_one(
    tmp_path: Path,
) -> None:
    chance = random.Random(2)
    kills, number = 0, 0
    while kills < KILLS:
        folder = tmp_path / str(number)
        folder.mkdir()
        field = FIELDS[number % len(FIELDS)]
        kills += killed_until_over(field, folder, chance, min(KILLS - kills, EACH))
        check_as_unbroken(field, folder)
        number += 1
    print(f"{kills} kills in {number} tournaments")
    assert kills >= KILLS
