"""What the tests of the roster share: a folder to write bots in, and a cache and programs of their own."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import arena
from arena.roster.copies import remove


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache that only this test uses."""
    place = tmp_path / "cache"
    monkeypatch.setenv("ARENA_CACHE", str(place))
    yield place
    remove(place)


@pytest.fixture
def write():
    """Write a file below the working directory, with its folders; `mode` its bits."""

    def write(path: str, text: str | bytes = "print('hello')\n", mode: int = 0o644) -> Path:
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        place.chmod(mode)
        return place

    return write


@pytest.fixture
def programs_only(tmp_path, write):
    """A PATH that holds nothing but the programs named: links to this machine's, or scripts of the test."""

    def make(*names: str, **scripts: str) -> str:
        folder = tmp_path / "programs"
        folder.mkdir(exist_ok=True)
        for name in names:
            found = shutil.which(name)
            assert found, f"{name} is needed by this test"
            if not os.path.lexists(folder / name):
                (folder / name).symlink_to(found)
        for name, text in scripts.items():
            write(str(folder / name), text, 0o755)
        return str(folder)

    return make


@pytest.fixture
def importing_arena(cache):
    """The environment of another arena with this test's cache."""
    root = str(Path(arena.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}
