"""Bots of the pack, staged as the roster stages them, and blocks to seat them in."""

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cheat.presets import preset
from arena.referee import tree
from arena.referee.block import Block, Contestant, Terms

PACK = Path(__file__).parent.parent / "pack"


@pytest.fixture
def pack_bot(tmp_path: Path) -> Callable[[str], Contestant]:
    """A bot of the pack by name, in a read-only folder of its own."""

    def make(name: str, argv: tuple[str, ...] | None = None) -> Contestant:
        folder = tmp_path / f"staged-{name}"
        if not folder.exists():
            folder.mkdir()
            shutil.copy(PACK / "decent.py", folder)
            source = PACK / f"{name}.py"
            if source.exists():
                shutil.copy(source, folder / "bot.py")
            folder.chmod(
                stat.S_IRUSR | stat.S_IXUSR | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH
            )
        return Contestant(name, argv or (sys.executable, "bot.py"), str(folder), "0" * 64)

    return make


@pytest.fixture
def bot_from(tmp_path: Path) -> Callable[[str, str], Contestant]:
    """A bot made of this source, which may import `decent`."""

    def make(name: str, source: str) -> Contestant:
        folder = tmp_path / f"made-{name}"
        folder.mkdir()
        shutil.copy(PACK / "decent.py", folder)
        (folder / "bot.py").write_text(source)
        return Contestant(name, (sys.executable, "bot.py"), str(folder), "0" * 64)

    return make


@pytest.fixture
def terms() -> Terms:
    """Four seats, short limits: a bot that hangs costs a test half a second."""
    return Terms(preset("classic"), 4, b"the pack's seed.", start_time=3.0, move_time=0.3, bank=0.2)


@pytest.fixture
def two_games() -> Block:
    """Bot 0 sits in seat 0 and then in seat 1."""
    return Block(0, ((0, 1, 2, 3), (1, 0, 3, 2)))


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Children, zombies and file descriptors are after the test what they were before it."""
    # The event loop makes some descriptors once and keeps them: have it made them.
    before = _descriptors(), set(tree.descendants_of(os.getpid()))
    yield
    after = _descriptors(), set(tree.descendants_of(os.getpid()))
    assert after[1] - before[1] == set(), "processes are left"
    assert after[0] <= before[0], "file descriptors are left"


def _descriptors() -> set[str]:
    held = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            held.add(f"{number} {os.readlink(f'/proc/self/fd/{number}')}")
        except OSError:
            continue
    return held
