"""`arena check`: what it prints for people and for programs, its exit codes, and what it refuses."""

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from cli_command import BOTS, QUICK, arena, environment, processes_with, refused

LIMIT = 5.0
GREETS = """import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:
        print("Hello, I am Greta", flush=True)
        print(json.dumps({"id": ask["id"]}), flush=True)
"""
STEPS = ["starts", "speaks", "answers", "plays", "repeats", "tolerates", "leaves", "memory", "variants"]


@pytest.fixture
def greets(tmp_path):
    path = tmp_path / "greets.py"
    path.write_text(GREETS)
    return path


@pytest.mark.parametrize(
    ("bot", "needs"),
    [("honest.py", None), ("hello_js.js", "node"), ("liar.pl", "perl"), ("honest_random", "cc")],
)
def test_a_healthy_bot_is_told_so_within_the_limit(bot, needs, lacking):
    if needs and shutil.which(needs) is None:
        lacking(f"{needs} is not installed")
    took = []
    while not took or (min(took) > LIMIT and len(took) < 3):
        began = time.monotonic()
        done = arena("check", BOTS / bot)
        took.append(time.monotonic() - began)
        assert (done.returncode, done.stderr) == (0, "")
    assert min(took) < LIMIT
    _, _, *steps, last = done.stdout.splitlines()
    lines = [line.split() for line in steps if not line.startswith(" ")]
    assert [line[:2] for line in lines] == [["ok", step] for step in STEPS]
    assert re.search(r"^ok +starts +\d+\.\d\d of 10 s$", done.stdout, re.MULTILINE)
    assert " is fit to play: " in last


def test_of_a_failed_step_everything_is_shown(greets):
    done = arena("check", greets, *QUICK)
    assert done.returncode == 3
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[2].startswith("ok      starts ")
    at = next(number for number, line in enumerate(lines) if line.startswith("FAILED  speaks "))
    assert at == 3
    assert 'prints on stdout what is no answer: "Hello, I am Greta"' in lines[at]
    shown = {line[8:19].strip(): line[19:] for line in lines[at + 1 :] if line[8:19].strip()}
    assert "file=sys.stderr" in shown["mend"]
    assert shown["sent"].startswith('{"type":"hello","id":"')
    assert shown["received"].startswith("Hello, I am Greta\\n")
    assert json.loads(shown["valid"])["id"] in done.stdout
    assert "(protocol.md#bad-json)" in done.stdout
    caret = next(line for line in lines if line.strip() == "^")
    assert caret.index("^") == 19
    assert lines[-1] == "greets is not fit to play yet: speaks failed"
    assert lines[-2].startswith("not tried after that: answers, plays, ")


def test_json_is_one_object_with_every_step(greets):
    done = arena("check", greets, "--json", *QUICK)
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert found["ok"] is False
    assert [step["name"] for step in found["steps"]] == STEPS[:2]
    assert found["not_tried"] == STEPS[2:]
    for step in found["steps"]:
        assert {"name", "ok", "seconds", "message"} <= step.keys()
    told = found["steps"][1]["explanation"]
    assert told["code"] == "bad-json"
    assert told["received"][told["caret"] :].startswith("Hello")
    fine = arena("check", BOTS / "hello.py", "--json", "--rules", "british-pass", *QUICK)
    assert fine.returncode == 0
    found = json.loads(fine.stdout)
    assert (found["ok"], [step["ok"] for step in found["steps"]]) == (True, [True] * len(STEPS))


def test_what_no_bot_is_or_two_are_is_refused(tmp_path, greets):
    assert "nosuch.py does not exist" in refused("check", "nosuch.py", cwd=tmp_path)
    (tmp_path / "notes.txt").write_text("no bot")
    assert "BOT is no bot that can play here: notes.txt was passed over" in refused(
        "check", "notes.txt", cwd=tmp_path
    )
    shutil.copy(greets, tmp_path / "other.py")
    assert "BOT is one bot, and *.py is 2; name one" in refused("check", "*.py", cwd=tmp_path)
    (tmp_path / "absent").write_text("#!/no/such/interpreter\n")
    (tmp_path / "absent").chmod(0o755)
    assert "/no/such/interpreter" in refused("check", "absent", cwd=tmp_path)
    assert "there is no rules preset" in refused("check", greets, "--rules", "nope")
    assert "there is no sandbox" in refused("check", greets, "--sandbox", "nope")
    assert "--move-time" in refused("check", greets, "--move-time", "0")


def test_of_a_folder_of_bots_one_is_named(tmp_path, greets):
    folder = tmp_path / "several"
    folder.mkdir()
    assert "several is a folder without bot.toml, with no bot in it" in refused(
        "check", "several", cwd=tmp_path
    )
    shutil.copy(greets, folder / "one.py")
    assert "name the bot in it: several/one.py; or " in refused("check", "several", cwd=tmp_path)
    shutil.copy(greets, folder / "another.py")
    (folder / "README.md").write_text("no bot")
    said = refused("check", "several", cwd=tmp_path)
    assert "with 2 bots in it; name one of them, such as several/another.py" in said
    assert "left to play" not in said


def test_a_terminal_is_told_that_a_bot_is_waited_for_and_a_pipe_is_not(tmp_path):
    (tmp_path / "sleeper.py").write_text("import time\ntime.sleep(2.4)\nprint('x')\n")
    master, terminal = pty.openpty()
    words = [sys.executable, "-m", "arena", "check", "sleeper.py"]
    runs = [
        subprocess.Popen(
            [*words, *more], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=stderr, text=True
        )
        for more, stderr in (((), terminal), (("--json",), terminal), ((), subprocess.PIPE))
    ]
    os.close(terminal)
    said = [run.communicate(timeout=60)[1] for run in runs]
    assert [run.returncode for run in runs] == [3, 3, 3]
    assert said[2] == ""
    assert os.read(master, 10000) == b"arena: waiting for sleeper to answer hello (10 s)\r\n"
    os.close(master)


def test_lines_are_as_wide_as_the_terminal_and_tabs_are_blanks(tmp_path):
    (tmp_path / "tabs.py").write_text("import sys\nsys.exit('a\\tb\\x07c')\n")
    master, terminal = pty.openpty()
    words = [sys.executable, "-m", "arena", "check", "tabs.py", *QUICK]
    run = subprocess.Popen(
        words, cwd=tmp_path, env=environment(COLUMNS="70"), stdout=terminal, stderr=subprocess.PIPE
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):
        while data := os.read(master, 10000):
            shown += data
    os.close(master)
    run.communicate(timeout=60)
    lines = shown.decode().splitlines()
    assert all(len(line) <= 70 for line in lines[1:])
    assert "a       b\\x07c" in shown.decode()
    assert any(line.startswith("not tried after that: ") for line in lines)


def test_a_command_is_checked_under_its_name(greets):
    done = arena("check", f"greta=python3 {greets}", *QUICK)
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1].startswith("greta is not fit")


def test_what_a_bot_prints_moves_no_cursor(tmp_path):
    (tmp_path / "red.py").write_text("print('\\x1b[2J\\x1b[31mred', flush=True)\n")
    for more in ((), ("--json",)):
        done = arena("check", tmp_path / "red.py", *more, *QUICK)
        assert done.returncode == 3
        assert "\x1b" not in done.stdout


def test_a_stdout_that_takes_nothing_is_told_after_the_bot_is_ended(greets):
    words = [sys.executable, "-m", "arena", "check", str(greets), *QUICK]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            words, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 74
    assert done.stderr == "arena: the system refused: No space left on device\n"


def test_an_interrupt_ends_the_bot_and_says_so(tmp_path):
    mark = f"hangs-{time.monotonic_ns()}"
    (tmp_path / f"{mark}.py").write_text("import time\ntime.sleep(600)\n")
    words = [sys.executable, "-m", "arena", "check", f"{mark}.py", *QUICK]
    process = subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    limit = time.monotonic() + 60
    while len(processes_with(mark)) < 2:
        assert time.monotonic() < limit
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "arena: interrupted"
    assert processes_with(mark) == []
