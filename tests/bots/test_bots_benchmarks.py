"""The references of the benchmark play what the referee played: the same lines, as many, the same winners."""

import asyncio
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

import benchmarks
from arena.cheat.presets import preset
from arena.referee.block import Block, BlockResult, Contestant, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from benchmarks.naive import play_all
from benchmarks.recorded import Recorded, RecordedBlock
from benchmarks.script import write_script

SOURCES = Path(benchmarks.__file__).parent
TERMS = Terms(preset("classic"), 3, b"sixteen bytes...")
# Lays its first card and never calls; with each answer it gives a digest of all it was sent so far.
LISTENER = """
import hashlib, json, sys
heard = hashlib.sha256()
for line in sys.stdin:
    heard.update(line.encode())
    ask = json.loads(line)
    if "id" in ask:
        print(json.dumps({"id": ask["id"], "cards": ask.get("hand", [])[:1], "challenge": False,
                          "debug": heard.hexdigest()}), flush=True)
"""


@pytest.fixture(scope="module")
def listeners(tmp_path_factory) -> dict[str, Contestant]:
    folder = tmp_path_factory.mktemp("listeners")
    (folder / "listener.py").write_text(LISTENER)
    argv = (sys.executable, "listener.py")
    return {name: Contestant(name, argv, str(folder), "0" * 64) for name in ("a", "b", "c")}


@pytest.fixture(scope="module")
def played(listeners) -> list[BlockResult]:
    blocks = [Block(0, ((4, 5, 6), (5, 6, 4))), Block(1, ((6, 4, 5), (4, 5, 6)))]

    async def play() -> list[BlockResult]:
        async with open_machine() as machine:
            bots = dict(enumerate(listeners.values(), 4))
            return [await play_block(block, bots, TERMS, machine) for block in blocks]

    return trio.run(play)


@pytest.fixture(scope="module")
def recorded(played) -> Recorded:
    blocks = [
        RecordedBlock(
            result.block.number,
            (4, 5, 6),
            ("a", "b", "c"),
            tuple(tuple(bot - 4 for bot in seating) for seating in result.block.seatings),
            result.games,
        )
        for result in played
    ]
    requests = sum(result.requests for result in played)
    return Recorded(TERMS, tuple(blocks), requests, sum(result.seconds for result in played))


@pytest.fixture(scope="module")
def script(recorded, listeners, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("script") / "script"
    write_script(path, recorded, listeners)
    return path


def test_the_script_holds_every_byte_the_referee_sent(script, played):
    heard = [
        (game.seating[said.seat] - 4, said.text)
        for result in played
        for game in result.games
        for said in game.debug
    ]
    assert len(heard) > 400
    assert sorted(heard) == sorted(digests_in_games(script.read_bytes()))


def digests_in_games(script: bytes) -> Iterator[tuple[int, str]]:
    """The process and a digest of all it was sent, at each request after hello."""
    sent = {}
    while script:
        line, _, script = script.partition(b"\n")
        words = line.split()
        if words[0] == b"block":
            sent = {process: hashlib.sha256() for process in range(3)}
        elif words[0] == b"send":
            data, script = script[: int(words[2])], script[int(words[2]) :]
            process = int(words[1])
            sent[process].update(data)
            if json.loads(data.splitlines()[-1])["type"] in ("play", "challenge"):
                yield process, sent[process].hexdigest()


def test_the_floor_sends_as_many_requests_and_gets_its_answers(script, recorded, tmp_path):
    subprocess.run(["cc", "-O2", "-o", tmp_path / "floor", SOURCES / "floor.c"], check=True)
    run = subprocess.run([tmp_path / "floor", script], stdout=subprocess.PIPE, check=True, timeout=60)
    assert json.loads(run.stdout)["requests"] == recorded.requests


def test_the_naive_referee_plays_the_same_games(recorded, listeners):
    requests, winners = asyncio.run(play_all(recorded, listeners))
    assert requests == recorded.requests
    assert winners == recorded.winners


def test_the_bot_that_does_nothing_plays_whole_games(recorded, tmp_path):
    subprocess.run(["cc", "-O2", "-o", tmp_path / "instant", SOURCES / "instant.c"], check=True)
    instant = Contestant("a", (str(tmp_path / "instant"),), str(tmp_path), "0" * 64)
    requests, winners = asyncio.run(play_all(recorded, {"a": instant, "b": instant, "c": instant}))
    # seat 0 is dealt the odd card, lays one card a turn as all do, and nobody calls: seat 1 is out first
    assert winners == [1, 1, 1, 1]
    assert requests > 400
