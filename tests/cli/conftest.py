"""Small bots, and one tournament that many tests look at."""

import json

import pytest
from cli_command import FOUR, QUICK, arena

CRASHES = "raise SystemExit(3)\n"


@pytest.fixture
def crasher(tmp_path):
    """A bot that never gets as far as hello."""
    path = tmp_path / "crasher.py"
    path.write_text(CRASHES)
    return str(path)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """The results file of 40 games, and the object that `run --json` printed."""
    folder = tmp_path_factory.mktemp("played")
    file = folder / "played.db"
    done = arena("run", "--bots", *FOUR, "--games", 40, "--json", "--quiet", "--out", file, *QUICK)
    assert (done.returncode, done.stderr) == (0, "")
    return file, json.loads(done.stdout)
