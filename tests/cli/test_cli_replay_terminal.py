"""The replay on a real (pseudo) terminal: a whole session, what ends it, and how it leaves the terminal."""

import re
import shlex
import shutil
import signal
import sys

import pytest
from cli_command import BOTS, QUICK, arena, inside, refused
from cli_terminal import Session, on_terminal

from arena.tournament.store import Store

HOSTILE = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    say = {"id": ask["id"], "debug": "mine \\x1b[2J\\x1b]0;title\\x07 \\u202eeman \\x9b31m"}
    if ask["type"] == "hello":
        del say["debug"]
    if ask["type"] == "play":
        say["cards"] = ask["hand"][:1]
        say["rank"] = ask["ranks"][0] if ask["turn"] < 12 else "?"
        sys.stderr.write("\\x1b[31mred words\\x1b[H\\n")
        sys.stderr.flush()
    if ask["type"] == "challenge":
        say["challenge"] = ask["turn"] % 5 == 0
    print(json.dumps(say), flush=True)
"""
COLOURED = re.compile(r"\x1b\[(?:\d+;)*(?:[349]\d)(?:;\d+)*m")
CLEAN = "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Lines that run on, the cursor, and the screen of before."""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with cup.db: games in which a hostile bot goes wrong."""
    folder = tmp_path_factory.mktemp("cup")
    for name in ("hello.py", "honest.py", "closer.py"):
        shutil.copy(BOTS / name, folder)
    (folder / "hostile.py").write_text(HOSTILE)
    words = ("--bots", "hello.py", "honest.py", "closer.py", "--bot", "evil=python3 hostile.py", "--games", 4)
    done = arena("run", *words, "--seed", "1" * 32, "--out", "cup.db", "--quiet", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def game(cup):
    """The first game, and the seat of the hostile bot."""
    with Store.open(cup / "cup.db") as store:
        _, games = store.block(0)
        bots = [bot.name for bot in store.bots]
    return games[0], games[0].seating.index(bots.index("evil"))


def opened(cup, *words, **more):
    return Session.of_arena("replay", "cup.db", *words, cwd=cup, **more)


def left_as_it_was(session):
    assert session.attributes() == session.before
    assert session.written.count("\x1b[?1049h") == session.written.count("\x1b[?1049l") > 0
    return session.written.rpartition(CLEAN)


def test_a_whole_session(cup, game):
    game, evil = game
    with opened(cup, "0.0") as session:
        first = session.until("q leave")
        assert first.startswith("Game 0.0")
        assert len(first.splitlines()) == 24
        assert session.attributes() != session.before
        session.type(" ")
        session.until("claims one ace")
        session.type("\x1b[C")
        session.until("   1   ")
        session.type("c")
        session.until("CALLS")
        session.type("g12\r")
        session.until("    12 ")
        session.type("f")
        fault = session.until("FAULT, left")
        assert f"evil ({evil}) leaves by a fault" in fault
        session.type("d")
        # What it wrote to stderr: its control characters are letters here.
        session.until("red words")
        session.type("\x1b")
        session.until("last claim")
        session.type(str(evil))
        session.until(f"view: seat {evil}: evil")
        session.type("t")
        table = session.until("view: table only")
        assert "illegal" not in table
        session.resize(120, 40)
        wide = session.until(
            "q leave", lambda: session.screen() if session.screen().count("\n") == 39 else ""
        )
        assert max(map(len, wide.splitlines())) > 100
        session.resize(40, 10)
        session.until("needs 72 x 18.")
        session.resize(80, 24)
        session.until("view: table only")
        session.type("\x1b[F")
        session.until("the game is over")
        session.type("?")
        session.until("Keys and marks")
        session.type("qq")
        assert session.ends() == 0
        _, _, after = left_as_it_was(session)
        assert after == ""
        assert COLOURED.search(session.written)
        # Nothing of a bot has reached the terminal as it was.
        for raw in ("\x1b[2J", "\x1b]0;", "\x07", "\u202e", "\x9b", "\x1b[31mred"):
            assert raw not in session.written
        assert "\\x1b[2J" in session.written


@pytest.mark.parametrize("end", [signal.SIGTERM, "\x03"])
def test_what_ends_it_from_outside_leaves_the_terminal_as_it_was(cup, end):
    with opened(cup, "0.0") as session:
        session.until("q leave")
        if isinstance(end, str):
            session.type(end)
        else:
            session.process.send_signal(end)
        assert session.ends() == 130
        _, _, after = left_as_it_was(session)
        assert after.replace("\r", "") == "arena: interrupted\n"


def test_a_terminal_that_goes_away_ends_it(cup):
    with opened(cup, "0.0") as session:
        session.until("q leave")
        session.hang_up()
        assert session.process.wait(60) == 130


def test_an_error_in_the_middle_leaves_the_terminal_as_it_was(cup):
    broken = (
        "import arena.cli.viewing as viewing; from arena.cli.main import main\n"
        "def draw(*given): raise ZeroDivisionError('oh')\n"
        "viewing.draw = draw\n"
        "main(['replay', 'cup.db', '0.0'])"
    )
    with Session(sys.executable, "-c", broken, cwd=cup) as session:
        assert session.ends() == 1
        _, _, after = left_as_it_was(session)
        assert "ZeroDivisionError: oh" in after


def test_it_can_be_stopped_and_go_on(cup):
    with Session("bash", "--norc", "--noprofile", "-i", cwd=cup, PS1="ready> ") as session:

        def everything():
            return session.written

        session.until("ready> ", everything)
        session.type(f"{shlex.quote(sys.executable)} -m arena replay cup.db 0.0\n")
        session.until("q leave")
        session.type("l")
        session.until("LIE")
        session.type("\x1a")
        stopped = session.until("Stopped", everything)
        assert stopped.count("\x1b[?1049h") == stopped.count("\x1b[?1049l") == 1
        session.until("ready> ", lambda: session.written.rpartition("Stopped")[2])
        session.type("stty -a\n")
        settings = session.until("ready> ", lambda: session.written.rpartition("stty -a")[2])
        assert not re.search(r"-icanon|-echo\b", settings)
        session.type("fg\n")
        again = session.until("q leave", lambda: session.written.rpartition("fg\r\n")[2])
        assert "LIE" in again
        session.type("q")
        session.until("ready> ", lambda: session.written.rpartition(CLEAN)[2])


def test_it_opens_at_a_turn_in_the_view_of_a_seat_and_without_colours_where_none_are_wanted(cup, game):
    _, evil = game
    with opened(cup, "0.0@9", "--seat", evil, NO_COLOR="1") as session:
        assert f"view: seat {evil}: evil" in session.until("q leave")
        assert re.search(r"^ {5}9 ", session.screen(), re.MULTILINE)
        session.type("el")
        session.until("LIE")
        session.type("q")
        assert session.ends() == 0
        assert not COLOURED.search(session.written)


def test_without_a_screen_it_is_printed(cup):
    printed = inside("replay", cup / "cup.db", "0.0").stdout
    assert printed.startswith("Game 0.0")
    assert "\x1b" not in printed
    assert on_terminal("replay", "cup.db", "0.0", "--print", columns=200, cwd=cup) == (0, printed)
    with opened(cup, "0.0", TERM="dumb") as session:
        assert session.ends() == 0
        assert session.written.replace("\r\n", "\n") == printed
    later = inside("replay", cup / "cup.db", "0.0@9").stdout.splitlines()
    assert later == inside("replay", cup / "cup.db", "0.0", "--from", "9").stdout.splitlines()
    assert [later[0], later[1][:7]] == [printed.splitlines()[0], "Turn 9:"]
    assert later[1:] == printed.splitlines()[-len(later) + 1 :]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("0.0@x",), "behind the @ of a game stands the number of a turn"),
        (("0.0@3", "--from", "4"), "is said twice"),
        (("0.0", "--from", "-1"), "0 to 100000"),
        (("0.0@3", "--feed", "hello.py"), "takes neither a turn nor --print"),
        (("@3",), "names no game"),
    ],
)
def test_a_turn_that_cannot_be_meant_is_one_message(cup, words, part):
    assert part in refused("replay", "cup.db", *words, cwd=cup)
