"""Signals: a run ends in order, keeps what was finished, and leaves no process behind."""

import json
import os
import pty
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from contextlib import closing

import pytest
from cli_command import BOTS, OF_A_RUN, QUICK, environment, inside, processes_with

PATIENCE = 60
STUBBORN = """
import subprocess, sys, trio
from arena.cli.interrupt import until_ended

async def play():
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]]
    subprocess.Popen(sleeper, start_new_session=True)
    print("playing", flush=True)
    with trio.CancelScope(shield=True):
        await trio.sleep_forever()

trio.run(until_ended, play, lambda text: print(text, flush=True), lambda: print("left", flush=True))
"""

STUCK = """
import os, trio
from arena.cli.interrupt import until_ended

async def play():
    print("playing", flush=True)
    ours, theirs = os.pipe()
    os.read(ours, 1)

trio.run(until_ended, play, print, lambda: print("left", flush=True))
"""


@pytest.fixture
def marked(tmp_path):
    """Two bots whose processes can be told from all others, and the mark in their command lines."""
    mark = f"bot{uuid.uuid4().hex}"
    for number, name in enumerate(("honest.py", "closer.py")):
        shutil.copy(BOTS / name, tmp_path / f"{mark}_{number}.py")
    return mark


def started(tmp_path, mark, *more, ignored=()):
    """A run that would take for hours, once it has stored a block."""
    words = [
        "run",
        "--bots",
        f"{mark}_0.py",
        f"{mark}_1.py",
        "--games",
        "1000000",
        "--out",
        "it.db",
        *more,
        *QUICK,
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Whatever whoever started the tests ignores (nohup: the hang-up): the run ignores these alone.
        preexec_fn=lambda: [
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
        ],
    )  # fmt: skip
    wait_for(lambda: process.poll() is not None or blocks_in(tmp_path / "it.db") > 2)
    assert process.poll() is None, process.communicate()
    return process


def blocks_in(file):
    """Blocks stored by now, read while the run goes on writing."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        try:
            (blocks,) = store.execute("SELECT COUNT(*) FROM blocks").fetchone()
        except sqlite3.OperationalError:  # not made yet
            return 0
        return blocks


def wait_for(condition):
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_with_what_was_finished(tmp_path, marked, number):
    process = started(tmp_path, marked, "--json")
    process.send_signal(number)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert processes_with(marked) == []
    found = json.loads(out)
    assert found["complete"] is False
    assert found["seed"] is None
    assert len(found["seed_sha256"]) == 64
    assert found["games"] == 2 * found["blocks"] > 0
    assert "arena standings it.db" in said
    assert "Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".py") == ["it.db"]
    again = json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)
    assert again | {"file": "it.db"} == {key: found[key] for key in found if key not in OF_A_RUN}


def test_an_unfinished_run_shows_its_standings_and_hides_its_seed(tmp_path, marked):
    process = started(tmp_path, marked, "--seed", "00112233445566778899aabbccddeeff")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert out.splitlines()[0].split()[:2] == ["Rank", "Bot"]
    assert "not complete" in out
    assert "SHA-256" in out
    assert "00112233445566778899aabbccddeeff" not in out
    assert processes_with(marked) == []


def test_a_hang_up_that_nohup_ignores_stays_ignored(tmp_path, marked):
    process = started(tmp_path, marked, "--quiet", ignored=[signal.SIGHUP])
    process.send_signal(signal.SIGHUP)
    before = blocks_in(tmp_path / "it.db")
    wait_for(lambda: blocks_in(tmp_path / "it.db") > before)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_a_run_in_the_background_of_a_script_still_hears_an_interrupt(tmp_path, marked):
    process = started(tmp_path, marked, "--quiet", ignored=[signal.SIGINT])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert processes_with(marked) == []


def test_whoever_forces_the_end_is_told_how_to_go_on(tmp_path, marked):
    process = started(tmp_path, marked, "--quiet")
    # However fast the bots leave, both are there before the run looks.
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "to go on: arena run --resume it.db" in said
    assert processes_with(marked) == []
    assert inside("verify", tmp_path / "it.db").returncode == 0


@pytest.mark.parametrize("seconds", [0.03, 0.06, 0.1, 0.15, 0.2])
def test_an_interrupt_while_the_program_is_loaded_shows_no_traceback(tmp_path, seconds):
    process = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); import arena.__main__ as a; raise SystemExit(a.main())"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.read(1) == "\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    if process.returncode == 130:
        assert said == "arena: interrupted\n"
    else:
        # It was done, or had not begun to be ours.
        assert process.returncode in (0, -signal.SIGINT), said


def test_the_second_interrupt_does_not_wait_for_anything():
    mark = f"child{uuid.uuid4().hex}"
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, mark], env=environment(), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "playing\n"
    wait_for(lambda: len(processes_with(mark)) == 2)
    process.send_signal(signal.SIGINT)
    assert "once more" in process.stdout.readline()
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[0] == "left\n"
    assert process.returncode == 130
    assert processes_with(mark) == []


def test_ended_by_force_a_run_leaves_its_file_alone_with_all_that_was_stored(tmp_path, marked):
    for _ in range(3):
        process = started(tmp_path, marked, "--quiet")
        before = blocks_in(tmp_path / "it.db")
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert sorted(path.name for path in tmp_path.glob("it.db*")) == ["it.db"]
        assert json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)["blocks"] >= before
        assert inside("verify", tmp_path / "it.db").returncode == 0
        assert processes_with(marked) == []
        (tmp_path / "it.db").unlink()


def test_an_interrupt_before_the_first_game_keeps_nothing(tmp_path):
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "bot.toml").write_text('build = "sleep 600"\nrun = "./x"\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", "--bots", str(BOTS / "hello.py"), "slow", *QUICK],
        cwd=tmp_path, env=environment(ARENA_CACHE=str(tmp_path / "cache")),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(
        lambda: (tmp_path / "cache" / "building").is_dir() and os.listdir(tmp_path / "cache" / "building")
    )
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert said.splitlines()[-1] == "arena: interrupted"
    assert not list(tmp_path.glob("*.db"))


def test_a_run_goes_on_when_nobody_reads_its_progress_and_ends_as_it_should(tmp_path, marked):
    words = ["run", "--bots", f"{marked}_0.py", f"{marked}_1.py", "--games", "8", "--out", "it.db", *QUICK]
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path, env=environment(), stdout=theirs, stderr=theirs, check=False,
    )  # fmt: skip
    os.close(theirs)
    assert done.returncode == 0
    assert json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)["complete"] is True


def test_a_terminal_that_closes_ends_the_run_in_order(tmp_path, marked):
    words = [
        "run",
        "--bots",
        f"{marked}_0.py",
        f"{marked}_1.py",
        "--games",
        "1000000",
        "--out",
        "it.db",
        *QUICK,
    ]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(sys.executable, [sys.executable, "-m", "arena", *words], environment(TERM="xterm"))
    wait_for(lambda: blocks_in(tmp_path / "it.db") > 2)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert processes_with(marked) == []
    assert json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)["games"] > 0


def test_a_dry_run_is_ended_like_a_run(tmp_path, marked):
    words = ["run", "--bots", f"{marked}_0.py", f"{marked}_1.py", "--games", "1000000", "--dry-run", *QUICK]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: len(processes_with(marked)) > 1)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in said
    assert processes_with(marked) == []


def test_a_second_signal_ends_also_what_the_loop_is_stuck_in():
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "playing\n"
    process.send_signal(signal.SIGTERM)
    while process.poll() is None:
        # Two that come at once are one.
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, said) == (130, "left\n", "arena: ended by force\n")
