"""After SIGKILL of the referee: the next start ends what it left, and nothing else."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.referee import aftermath, tree
from arena.referee.aftermath import PREFIX, Register, clean_up, new_scratch, remove_scratch
from arena.referee.block import Contestant
from arena.referee.launch import NOBODY
from arena.referee.places import closed_to
from arena.roster.cache import open_cache, run_folder

RUNNER = """
import sys, trio
from arena.cheat.presets import preset
from arena.referee.block import Block, Contestant, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block

bots = {}
for n, folder in enumerate(sys.argv[1:]):
    bots[n] = Contestant(f"b{n}", (sys.executable, "bot.py"), folder, "0" * 64)
terms = Terms(preset("classic"), 4, b"sixteen bytes ok", start_time=20.0, move_time=20.0)


async def main():
    async with open_machine() as machine:
        for number in range(1000):
            await play_block(Block(number, ((0, 1, 2, 3),)), bots, terms, machine)


trio.run(main)
"""


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of this test's own, so that no run of anybody else's is in it."""
    with run_folder(open_cache()) as place:
        folder = place / "temporary"
        folder.mkdir(mode=0o755)
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield folder


@pytest.mark.parametrize("guarded", [True, False])
def test_what_a_killed_referee_left_is_ended_by_its_guardian_or_else_by_the_next_start(
    pack_bot: Callable[[str], Contestant], temporary: Path, guarded: bool
) -> None:
    folders = [pack_bot(name).folder for name in ("daemon", "ignores_sigterm", "honest", "adapts")]
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": str(root)}
    for moment in (0.3, 0.5, 0.8):
        referee = subprocess.Popen([sys.executable, "-c", RUNNER, *folders], env=env)
        deadline = time.monotonic() + 20
        while not _holding(temporary) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(moment)
        bystander = subprocess.Popen(["sleep", "60"], start_new_session=True)
        if not guarded:
            for pid in tree.children_of(referee.pid):
                if b"arena-guardian" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    tree.kill(pid)
        referee.send_signal(signal.SIGKILL)
        referee.wait()
        if guarded:
            deadline = time.monotonic() + 2
            while _holding(temporary) and time.monotonic() < deadline:
                time.sleep(0.02)
            assert _holding(temporary) == []
        clean_up()
        time.sleep(0.05)
        assert _holding(temporary) == []
        assert list(temporary.iterdir()) == []
        assert bystander.poll() is None
        bystander.kill()
        bystander.wait()


def _holding(temporary: Path) -> list[int]:
    """The live processes whose home is in this folder, which is where bots have theirs."""
    return [pid for pid in tree.all_pids() if tree.holds_token(pid, f"HOME={temporary}/")]


def test_a_live_runs_processes_are_left_alone(pack_bot: Callable[[str], Contestant], temporary: Path) -> None:
    folders = [pack_bot("honest").folder] * 4
    root = Path(__file__).parents[2]
    referee = subprocess.Popen(
        [sys.executable, "-c", RUNNER, *folders], env={**os.environ, "PYTHONPATH": str(root)}
    )
    deadline = time.monotonic() + 20
    while not _holding(temporary) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert clean_up() == 0
    time.sleep(0.3)
    assert referee.poll() is None
    assert _holding(temporary)
    referee.kill()
    referee.wait()
    clean_up()


@pytest.mark.parametrize("text", ["", "\n", "1 1\n", "not a token\n1 1\n", "0123456789abcdef"])
def test_a_register_that_is_not_one_ends_nothing(temporary: Path, text: str) -> None:
    bystander = subprocess.Popen(["sleep", "60"], start_new_session=True)
    folder = temporary / f"{PREFIX}x"
    folder.mkdir()
    (folder / "processes").write_text(
        text.replace("1 1", f"{bystander.pid} {tree.start_time(bystander.pid)}")
    )
    assert clean_up() == 0
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_a_pid_that_was_given_away_again_is_left_alone(temporary: Path) -> None:
    bystander = subprocess.Popen(["sleep", "60"], start_new_session=True)
    folder = temporary / f"{PREFIX}x"
    folder.mkdir()
    other_start = (tree.start_time(bystander.pid) or 0) + 1
    (folder / "processes").write_text(f"0123456789abcdef\n{bystander.pid} {other_start}\n")
    assert clean_up() == 0
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_root_with_a_closed_folder_for_temporary_files_takes_one_that_bots_can_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch = new_scratch()
    scratch.rmdir()
    if os.geteuid() == 0:
        assert closed_to(str(scratch.parent), NOBODY) is None
    else:
        assert scratch.parent == tmp_path


def test_a_removal_that_is_broken_off_is_ended_by_the_next_start(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = new_scratch()
    register = Register(scratch, "0" * 16)
    for name in ("home", "zeal"):
        (scratch / name / "deep").mkdir(parents=True)
    (scratch / "a-file").touch()

    def broken_off(folder: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(aftermath, "remove_tree", broken_off)
        with pytest.raises(KeyboardInterrupt):
            remove_scratch(scratch)
    register.close()
    assert scratch.exists()
    clean_up()
    assert not scratch.exists()
    remove_scratch(scratch)
