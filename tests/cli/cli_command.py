"""The real command as a subprocess, as a user runs it."""

import io
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from pathlib import Path

from arena.cli.main import main

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "bots"
TRIO = [str(BOTS / name) for name in ("hello.py", "honest.py", "chancer.py")]
FOUR = [*TRIO, str(BOTS / "closer.py")]


def environment(**more):
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONWARNINGS": "error", **more}


def arena(*words, cwd=None, timeout=240, stdin=subprocess.DEVNULL, **more):
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=cwd,
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment(**more),
        check=False,
    )


def inside(*words):
    """The same command in this process, for what only reads: exit code, stdout, stderr."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main([str(word) for word in words])
    return subprocess.CompletedProcess(words, code, out.getvalue(), said.getvalue())


def refused(*words, cwd=None, **more):
    """Run what must be refused: exit 2, stdout empty, one line `arena: ...` on stderr, which is returned.

    In this process, where nothing of another is asked for: what is refused has begun nothing.
    """
    if more:
        result = arena(*words, cwd=cwd, **more)
    else:
        with chdir(cwd or "."):
            result = inside(*words)
    assert result.returncode == 2, (result.returncode, result.stdout, result.stderr)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("arena: ")
    assert "Traceback" not in result.stderr
    return lines[0]


def blocks_in(file):
    """Blocks stored by now; None while there is no such table."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        try:
            return store.execute("SELECT COUNT(*) FROM blocks").fetchone()[0]
        except sqlite3.OperationalError:
            return None


def ended_by(number, *words, cwd):
    """A run into cup.db that this signal met after its third block; its stderr and exit code."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    file, limit = cwd / "cup.db", time.monotonic() + 240
    while not (file.exists() and (blocks_in(file) or 0) >= 3):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate(timeout=240)
    return said, process.returncode


OF_A_RUN = {"sitting_out", "referee", "games_asked"}
"""Keys of the JSON object that only the run itself knows."""
QUICK = ("--sandbox", "bare", "--allow-root-bots")
"""No sandbox to be tried and set up: these tests are about the command."""


def processes_with(mark):
    """The live processes whose command line holds this text, but for this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes()
                dead = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
            except OSError:
                continue
            if mark.encode() in words and not dead:
                found.append(int(entry.name))
    return found
