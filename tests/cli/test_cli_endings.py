"""A run ended by a signal at any instant, in every tier: nothing is left running, nothing half recorded."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.referee import tree
from arena.roster.cache import open_cache, run_folder
from arena.tournament.store import Store

COUNT = max(8, round(100 * float(os.environ.get("ARENA_SOAK", "0.1"))))
"""Runs that are ended in each tier, a quarter of them by each signal."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
ROOT = Path(__file__).parents[2]
BOT = """
import json, signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for line in sys.stdin:
    m = json.loads(line)
    if "id" in m:
        reply = {"hello": {}, "play": {"cards": m.get("hand", [])[:1]}, "challenge": {"challenge": False}}
        ranks = {"rank": m["ranks"][0]} if m["type"] == "play" else {}
        print(json.dumps({"id": m["id"], **reply[m["type"]], **ranks}), flush=True)
"""


def running(marker: str, referee: int = 0) -> list[int]:
    """The live processes with this text in their command, but the referee's own."""
    found = []
    for pid in tree.all_pids():
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in words and pid not in (os.getpid(), referee) and not tree.is_ending(pid):
            found.append(pid)
    return found


def tree_of(pid: int) -> list[str]:
    """The command of a process and of its ancestors, for a failure to tell."""
    words = []
    while pid > 1:
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{pid}/status").read_text().splitlines()
            if ":\t" in line
        )
        words.append(f"{pid} {status['State']} {Path(f'/proc/{pid}/cmdline').read_bytes()[:200]!r}")
        pid = int(status["PPid"])
    return words


def gone(marker: str, within: float) -> bool:
    deadline = time.monotonic() + within
    while running(marker):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files of this test's own: the next start is to end this test's runs alone."""
    with run_folder(open_cache()) as folder:
        yield folder


@pytest.mark.soak
@pytest.mark.parametrize("tier", ["bwrap", "ns", "bare"])
def test_whatever_ends_it_whenever_no_bot_is_left_and_no_game_is_half_recorded(
    tmp_path: Path, temporary: Path, tier: str
) -> None:
    chance = random.Random(tier)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    kept = 0
    for number in range(COUNT):
        marker = f"ending_{tier}_{number}_{os.getpid()}"
        bots = []
        for letter in "abcd":
            bot = tmp_path / f"{marker}_{letter}.py"
            bot.write_text(BOT)
            bots.append(str(bot))
        file = tmp_path / f"{marker}.db"
        words = ["run", "--bots", *bots, "--games", "100000", "--out", str(file), "--quiet"]
        words += ["--sandbox", tier, *(["--allow-root-bots"] if os.geteuid() == 0 else [])]
        ending = SIGNALS[number % len(SIGNALS)]
        # A group of its own, so that the signal reaches the referee alone.
        with (
            subprocess.Popen(
                [sys.executable, "-m", "arena", *words],
                env=env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
                preexec_fn=_hear_every_signal,
            ) as run,
            ended_with_the_test(run),
        ):
            waited = time.monotonic()
            while not running(marker, run.pid) and run.poll() is None and time.monotonic() < waited + 20:
                time.sleep(0.02)
            # Half of them early, before there is anything, half in full play.
            while number // len(SIGNALS) % 2 and not whole_blocks(file) and time.monotonic() < waited + 20:
                time.sleep(0.05)
            time.sleep(chance.uniform(0, 1.5))
            run.send_signal(ending)
            assert run.stderr is not None
            said = run.stderr.read().decode()
            code = run.wait(10)
        if ending == signal.SIGKILL:
            assert code == -signal.SIGKILL
            if tier == "bwrap":
                assert gone(marker, 2), [tree_of(pid) for pid in running(marker)]
            else:
                clean = [sys.executable, "-c", "from arena.referee.aftermath import clean_up; clean_up()"]
                subprocess.run(clean, env=env, check=True)
        else:
            assert code == 130, said
        assert gone(marker, 2), running(marker)
        kept += whole_blocks(file)
    assert kept


@contextmanager
def ended_with_the_test(run: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Where the test fails, what it has started ends with it: to wait for that would take for ever."""
    try:
        yield
    except BaseException:
        run.kill()
        raise


def _hear_every_signal() -> None:
    """Whoever started the tests may ignore some (nohup does), which a child would inherit."""
    for number in SIGNALS[:-1]:
        signal.signal(number, signal.SIG_DFL)


def whole_blocks(file: Path) -> int:
    """How many blocks the file holds, each with all of its games. It may not have been made yet."""
    try:
        store = Store.open(file)
    except BadInput:
        return 0
    # It may be written to meanwhile: games and blocks are read of one moment.
    with store, store.unchanging():
        games: dict[int, int] = {}
        for block, _ in store.games(dropped=True):
            games[block] = games.get(block, 0) + 1
        assert set(games.values()) <= {4}
        assert set(games) == {block.number for block, _ in store.blocks()}
        return len(games)
