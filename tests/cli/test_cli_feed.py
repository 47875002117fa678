"""`arena replay --feed` where trouble came while nothing was asked: then, now, or after the last request."""

import json
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from cli_command import BOTS, QUICK, arena, environment

STRAYS = """
import json, os, sys, time
what, turn = sys.argv[1], int(sys.argv[2])
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    say = {"id": ask["id"]}
    if ask["type"] == "play":
        say |= {"cards": ask["hand"][:1], "rank": ask["ranks"][0]}
    if ask["type"] == "challenge":
        say["challenge"] = False
    if what == "slow" and ask.get("turn") in (1, 2):
        time.sleep(0.3)
    print(json.dumps(say), flush=True)
    if ask.get("turn", 0) == turn and what in ("line", "exit", "closed"):
        sys.stderr.write("first \\x1b[31m words\\nlast words\\n")
        sys.stderr.flush()
        if what == "line":
            print("hello \\x1b[2J there", flush=True)
        elif what == "exit":
            sys.exit(0)
        elif what == "closed":
            os.close(1)
"""


def bot(what, turn=1):
    return f"s=python3 strays.py {what} {turn}"


def play(folder, what, *more, turn=1):
    """A file of four games of this bot; another is slow, so that an end is noted while that one is asked."""
    file = f"{what}{turn}{''.join(more)}.db"
    if (folder / file).exists():
        return file
    (folder / "strays.py").write_text(STRAYS)
    for name in ("honest.py", "closer.py"):
        shutil.copy(BOTS / name, folder)
    bots = (
        "--bots",
        "honest.py",
        "closer.py",
        "--bot",
        bot(what, turn),
        "--bot",
        "slow=python3 strays.py slow 1",
    )
    words = (*bots, "--games", 4)
    done = arena("run", *words, "--seed", "1" * 32, "--out", file, "--quiet", *more, *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return file


def fed(folder, file, game, what, turn=1):
    return arena("replay", file, game, "--feed", bot(what, turn), *QUICK, cwd=folder)


def idle_fault(folder, file):
    """The first fault of the file that was noted while nothing was asked, and its game."""
    faults = map(json.loads, arena("faults", file, "--json", cwd=folder).stdout.splitlines())
    fault = next(fault for fault in faults if fault["phase"] == "idle")
    return fault, f"{fault['block']}.{fault['index']}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("strays")


@pytest.mark.parametrize(("what", "code"), [("line", "unsolicited"), ("exit", "exit")])
def test_the_request_that_was_never_made_stands_with_the_fault_and_with_what_happens_now(folder, what, code):
    file = play(folder, what)
    fault, game = idle_fault(folder, file)
    assert fault["code"] == code
    again = fed(folder, file, game, what)
    assert again.returncode == 0, again.stdout + again.stderr
    line = rf"^turn {fault['turn']} (play|challenge) +never asked: fault {code} +"
    assert re.search(rf"{line}again$", again.stdout, re.MULTILINE)
    assert "0 of them not as recorded" in again.stdout
    assert "\x1b" not in again.stdout
    mended = fed(folder, file, game, "mended")
    assert mended.returncode == 3
    assert re.search(rf"{line}not any more: .*   <- differs$", mended.stdout, re.MULTILINE)
    assert '\n  request (never sent then): {"type":"' in mended.stdout
    assert "1 of them not as recorded" in mended.stdout


def test_a_stray_line_between_two_requests_is_told_where_the_record_has_none(folder):
    file = play(folder, "mended")
    done = fed(folder, file, "0.0", "line", 3)
    assert done.returncode == 3
    assert "before it was asked, fault unsolicited" in done.stdout
    assert re.search(r"1 of them not as recorded, \d+ not asked any more", done.stdout)
    assert fed(folder, file, "0.0", "mended").returncode == 0


def test_an_earlier_game_has_a_heading_and_what_was_broken_stands_below_the_columns(folder):
    done = fed(folder, play(folder, "mended"), "0.3", "line", 3)
    head, line, rule, *_ = done.stdout.splitlines()[1:]
    assert head == "earlier, in game 0.0:"
    assert re.fullmatch(r"turn \d (play|challenge) .*", line)
    assert line[18:19] == " "
    assert line[57:] == "   before it was asked, fault unsolicited   <- differs"
    assert rule.startswith("  rule (now): ")
    assert re.search(r"^\d answers since hello, 1 of them not", done.stdout, re.MULTILINE)


def last_turn(folder, file, game):
    """The turn of the last request of a bot that is well."""
    lines = fed(folder, file, game, "mended").stdout.splitlines()
    return int(re.match(r"turn (\d+) ", lines[-2])[1])


@pytest.fixture(scope="module")
def last(folder):
    """A file of games in which the bot is well, and the turn of its last request in the last of them."""
    file = play(folder, "mended", "--fresh")
    return file, last_turn(folder, file, "0.3")


@pytest.mark.parametrize(("what", "code"), [("line", "unsolicited"), ("exit", "exit"), ("closed", "exit")])
def test_trouble_after_the_last_request_is_told_and_differs(folder, last, what, code):
    file, turn = last
    done = fed(folder, file, "0.3", what, turn)
    assert done.returncode == 3
    assert re.search(rf"^after the last +nothing +fault {code}   <- differs$", done.stdout, re.MULTILINE)
    assert done.stdout.endswith("0 of them not as recorded; nor is what came after the last\n")


@pytest.mark.parametrize(("game", "more"), [("0.0", ()), ("0.3", ("--fresh",))])
def test_trouble_after_the_last_request_that_the_record_has_is_no_difference(folder, game, more):
    # In the midst of a block it is recorded when the next game asks; in its last game it has no effect.
    turn = last_turn(folder, play(folder, "mended", *more), game)
    file = play(folder, "line", *more, turn=turn)
    again = fed(folder, file, game, "line", turn)
    line = r"^after the last +fault unsolicited +"
    assert re.search(rf"{line}again$", again.stdout, re.MULTILINE), again.stdout
    assert again.returncode == 0
    mended = fed(folder, file, game, "mended")
    assert mended.returncode == 3
    assert re.search(rf"{line}nothing   <- differs$", mended.stdout, re.MULTILINE)


def test_what_the_bot_wrote_to_stderr_is_shown_line_by_line_and_as_faults_shows_it(folder):
    file = play(folder, "line")
    _, game = idle_fault(folder, file)
    words = "  stderr   first \\x1b[31m words\n           last words\n"
    assert words in fed(folder, file, game, "line").stdout
    assert words in arena("faults", file, cwd=folder).stdout


def test_faults_names_the_command_that_shows_the_fault_again(folder):
    file = play(folder, "line")
    fault, game = idle_fault(folder, file)
    told = arena("faults", file, cwd=folder).stdout
    command = f"arena replay {file} {game} --feed 's=python3 strays.py line 1' --seat {fault['seat']}"
    assert told.count(f"  again    {command}\n") == 1
    done = arena(*shlex.split(command)[1:], *QUICK, cwd=folder)
    assert done.returncode == 0
    assert "   again\n" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_trouble(folder):
    file = play(folder, "mended")
    words = (sys.executable, "-m", "arena", "replay", file, "0.3", "--feed", bot("mended"), *QUICK)
    with subprocess.Popen(
        words, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as feeding:
        assert feeding.stdout.readline().startswith(b"s gets what s in seat ")
        feeding.stdout.close()
        assert (feeding.stderr.read(), feeding.wait(60)) == (b"", 0)
