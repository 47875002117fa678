"""`arena run --bots bots/*`, as somebody first types it: all play, nobody faults."""

import json
import os
import subprocess
import sys

import pytest
from shipped_bots import BOTS, HELLOS, STRATEGIES, programs, runs_here

from arena.cheat.presets import PRESETS
from arena.tournament.store import Store

SHARE = float(os.environ.get("ARENA_SOAK", "0.1"))


@pytest.fixture
def arena_run(tmp_path):
    """The JSON that a run of the shipped bots prints, and every fault in its results file."""

    def run(*options: str) -> tuple[dict, list]:
        command = [sys.executable, "-m", "arena", "run", "--json", "--quiet", "--bots", str(BOTS / "*")]
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
        done = subprocess.run(
            [*command, *options, "--out", str(out)], cwd=BOTS.parent, stdout=subprocess.PIPE, check=True
        )
        with Store.open(out) as store:
            faults = [fault for _, game in store.games() for fault in game.faults]
        return json.loads(done.stdout), faults

    return run


def test_every_bot_that_can_run_here_plays_and_none_faults(arena_run):
    said, faults = arena_run("--games", "24", "--seed", "0" * 32)
    assert said["complete"]
    expected = {bot.stem for bot in programs() if runs_here(bot)}
    assert {row["bot"] for row in said["standings"]} == expected <= {*STRATEGIES, *HELLOS}
    assert faults == []
    assert {row["faults"] for row in said["standings"]} == {0}


@pytest.mark.soak
def test_a_thousand_games_of_the_command_have_no_fault(arena_run):
    said, faults = arena_run("--games", str(round(1000 * SHARE)), "--seed", "1" * 32)
    assert said["games"] >= round(1000 * SHARE)
    assert faults == []


@pytest.mark.soak
@pytest.mark.parametrize("name", PRESETS)
def test_fifty_games_of_every_preset_have_no_fault(name, arena_run):
    said, faults = arena_run("--rules", name, "--games", str(round(50 * SHARE)), "--seed", "2" * 32)
    assert said["games"] >= round(50 * SHARE)
    assert faults == []


@pytest.mark.soak
def test_the_reckoner_is_told_apart_from_every_other_bot(arena_run):
    said, _ = arena_run("--games", str(round(5000 * SHARE)), "--seed", "3" * 32)
    first = said["standings"][0]
    assert (first["bot"], first["rank_high"]) == ("reckoner", 1)
