"""`arena rerun`: the same bots play the same games; another bot's first other answer is named."""

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_command import BOTS, QUICK, arena, refused

from arena.referee.retrace import retrace
from arena.tournament.store import Store

BAD = """
import sys
sys.path.insert(0, ".")
import json
for number, line in enumerate(sys.stdin):
    ask = json.loads(line)
    if ask["type"] == "play" and ask["turn"] > 6:
        print("no answer", flush=True)
    elif ask["type"] == "play":
        print(json.dumps({"id": ask["id"], "cards": ask["hand"][:1], "rank": ask["ranks"][0]}), flush=True)
    elif "id" in ask:
        print(json.dumps({"id": ask["id"], "challenge": False}), flush=True)
"""
CHANGED = ('"challenge": False', '"challenge": ask.get("turn", 0) > 5')


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A folder with four bots, one of which goes wrong, and what they played."""
    folder = tmp_path_factory.mktemp("tournament")
    for name in ("hello.py", "honest.py", "chancer.py"):
        shutil.copy(BOTS / name, folder)
    (folder / "bad.py").write_text(BAD)
    words = ("--bots", "hello.py", "honest.py", "chancer.py", "bad.py", "--games", 8, "--out", "t.db")
    done = arena("run", *words, "--quiet", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def moved(tournament, tmp_path):
    """The same in another folder, to be changed."""
    return Path(shutil.copytree(tournament, tmp_path / "here"))


def rerun(folder, *words):
    return arena("rerun", "t.db", *words, "--allow-root-bots", cwd=folder)


def test_the_same_bots_play_the_same_games(tournament):
    for game, which in (("0.0", "game 0.0"), ("1.3", "games 1.0 to 1.3")):
        done = rerun(tournament, game)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.fullmatch(rf"identical: {which} \([0-9a-f]{{16}}\), \d+ requests\n", done.stdout)
        assert done.stderr == ""
    with Store.open(tournament / "t.db") as store:
        games = [game for _, game in store.games()]
    # Faults, fresh processes after them and the forfeit they end in were played again as well.
    assert any(game.faults for game in games)
    assert any(game.forfeited for game in games)
    done = rerun(tournament, games[6].id[:12], "--json")
    assert json.loads(done.stdout) == {"block": 1, "game": 2, "id": games[6].id, "identical": True}


def test_bots_that_are_elsewhere_are_found_by_their_content(moved):
    (moved / "other").mkdir()
    for name in ("hello.py", "honest.py", "chancer.py", "bad.py"):
        (moved / name).rename(moved / "other" / f"my-{name}")
    message = refused("rerun", "t.db", "0.1", "--allow-root-bots", cwd=moved)
    assert "--bots" in message
    assert "does not exist" in message
    assert rerun(moved, "0.1", "--bots", *sorted((moved / "other").iterdir())).returncode == 0


def test_a_bot_that_was_changed_is_named_and_plays_only_when_asked_to(moved):
    honest = moved / "honest.py"
    honest.write_text(honest.read_text() + "\n")
    message = refused("rerun", "t.db", "0.1", "--allow-root-bots", cwd=moved)
    assert re.search(r"honest \(honest.py has the digest [0-9a-f]{12}, recorded is [0-9a-f]{12}\)", message)
    assert "hello" not in message
    assert "--changed" in message
    done = rerun(moved, "0.1", "--changed")
    assert done.returncode == 0
    assert "honest.py has the digest" in done.stderr
    assert done.stdout.startswith("identical: ")


def test_the_first_request_that_is_answered_otherwise_is_named(moved):
    hello = moved / "hello.py"
    assert CHANGED[0] in hello.read_text()
    hello.write_text(hello.read_text().replace(*CHANGED))
    with Store.open(moved / "t.db") as store:
        terms, names = store.header.terms, [bot.name for bot in store.bots]
        _, games = store.block(0)
    expected = None
    for game in games:
        seat = game.seating.index(names.index("hello"))
        for step in retrace(terms, 0, game, (seat,)):
            for asked in step.asked:
                if asked.seat == seat and asked.kind == "challenge" and asked.turn > 5 and not asked.answer:
                    expected = expected or (game, seat, asked)
    assert expected is not None
    game, seat, asked = expected
    done = rerun(moved, "0.3", "--changed")
    assert done.returncode == 3
    first, request, recorded, now = done.stdout.splitlines()
    assert first == (
        f"differs first in game 0.{game.game} ({game.id}), turn {asked.turn}: hello (seat {seat}), challenge"
    )
    assert request == f"request:  {asked.line.decode().rstrip()}"
    assert (recorded, now) == ("recorded: does not call", "now:      calls")
    found = json.loads(rerun(moved, "0.3", "--changed", "--json").stdout)
    assert found["differs"]["turn"] == asked.turn
    assert found["differs"]["bot"] == "hello"


def test_a_bot_that_no_longer_starts_differs_at_its_hello(moved):
    (moved / "chancer.py").write_text("raise SystemExit(1)\n")
    done = rerun(moved, "0.0", "--changed")
    assert done.returncode == 3
    assert re.match(
        r"differs first in game 0\.0 \(.{16}\), turn 0: chancer \(seat \d\), hello\n", done.stdout
    )
    assert "recorded: started\n" in done.stdout
    assert "now:      fault crash: The process ended with exit code 1." in done.stdout


def test_a_record_that_was_changed_is_not_played(moved):
    for statement in (
        "UPDATE blocks SET seatings = '[[0,1,2,9],[0,1,2,3],[0,1,2,3],[0,1,2,3]]' WHERE number = 0",
        "UPDATE blocks SET seatings = '[[0,1,2],[0,1,2],[0,1,2],[0,1,2]]' WHERE number = 0",
        "DELETE FROM games WHERE block = 0 AND game = 0",
    ):
        file = shutil.copy(moved / "t.db", moved / "changed.db")
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(statement)
        message = refused("rerun", "changed.db", "0.1", "--allow-root-bots", cwd=moved)
        assert "damaged; arena verify changed.db" in message


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("t.db", "7.0"), "no block 7; the last is 1"),
        (("t.db", "0.4"), "no game 4; its games are 0 to 3"),
        (("t.db", "xyz"), '"xyz" names no game'),
        (("t.db", "0.0", "--sandbox", "bares"), "did you mean bare?"),
        (("nothing.db", "0.0"), "nothing.db"),
        (("t.db",), "needs GAME"),
    ],
)
def test_what_cannot_be_played_again_is_one_message(tournament, words, part):
    assert part in refused("rerun", *words, cwd=tournament)


def test_from_any_folder_and_after_a_move_of_the_whole_the_bots_are_found(moved, tmp_path):
    (tmp_path / "third").mkdir()
    there = moved.rename(tmp_path / "elsewhere")
    file = os.path.join("..", there.name, "t.db")
    done = arena("rerun", file, "0.0", "--allow-root-bots", cwd=tmp_path / "third")
    assert (done.returncode, done.stderr) == (0, "")
    told = arena("faults", file, cwd=tmp_path / "third").stdout
    assert f" --feed {os.path.join('..', there.name, 'bad.py')} --seat " in told
    (there / "hello.py").unlink()
    (there / "chancer.py").unlink()
    message = refused("rerun", file, "0.0", "--allow-root-bots", cwd=tmp_path / "third")
    assert "hello (in ../elsewhere, hello.py does not exist); chancer (in ../elsewhere, " in message
    assert "are not to be found; say with --bots where" in message
