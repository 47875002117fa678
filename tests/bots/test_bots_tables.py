"""The shipped bots, staged, at real tables: no fault in any preset, and the stronger ones win more."""

import io
import os
import random
import runpy
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
import trio
from shipped_bots import BOTS, HELLOS, STRATEGIES

from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, Contestant, GameResult, Terms
from arena.referee.machine import Machine, open_machine
from arena.referee.play import play_block
from arena.roster.discovery import find_bots
from arena.roster.staging import staged
from arena.tournament.squares import MAX_SEATS, MIN_SEATS, williams_square

SHARE = float(os.environ.get("ARENA_SOAK", "0.1"))
AT_ONCE = 2
"""Tables that are played side by side."""


@pytest.fixture(scope="module")
def bots() -> Iterator[tuple[Contestant, ...]]:
    with staged(find_bots([str(BOTS / "*")])) as contestants:
        yield contestants


def test_the_schemers_win_more_than_the_honest_and_those_more_than_the_wild(bots):
    games = trio.run(play, bots, [(PRESETS["classic"], 4)] * 30, 4)
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for game in games:
        played.update(bots[number].name for number in game.seating)
        if game.record.winner is not None:
            won[bots[game.seating[game.record.winner]].name] += 1

    def share(*names: str) -> float:
        return sum(won[name] for name in names) / sum(played[name] for name in names)

    assert share("scheduler", "planner") > share("closer", "honest") + 0.1
    assert share("closer", "honest") > share("chancer", "liar") + 0.05


def test_the_reckoner_knows_its_opponents_again_in_every_game_of_a_square(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    who_sits = runpy.run_path(str(BOTS / "reckoner.py"))["who_sits"]
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        for game, row in enumerate(williams_square(seats)):
            assert tuple(who_sits(seat, game, seats) for seat in range(seats)) == row


def test_no_bot_faults_in_a_game_of_any_preset(bots):
    assert faults_in_every_preset(bots, 1) == []


@pytest.mark.soak
def test_no_bot_faults_in_fifty_games_of_any_preset(bots):
    assert faults_in_every_preset(bots, round(50 * SHARE)) == []


def faults_in_every_preset(bots: Sequence[Contestant], number: int) -> list[FaultRecord]:
    """What went wrong in so many games of each preset, at tables of all sizes."""
    tables = []
    for place, rules in enumerate(PRESETS.values()):
        sizes = range(rules.min_players, rules.max_players + 1)
        # all sizes in turn, each preset starting at another, so that a few games see them all
        tables += [(rules, sizes[(5 * place + game) % len(sizes)]) for game in range(number)]
    games = trio.run(play, bots, tables, 1)
    assert len(games) == len(tables)
    return [fault for game in games for fault in game.faults]


def test_everything_in_the_folder_but_the_readme_is_a_bot():
    roster = find_bots([str(BOTS / "*")])
    there = {entrant.name for entrant in roster.entrants} | {name for name, _ in roster.sitting_out}
    assert there == {*STRATEGIES, *HELLOS}
    assert len(roster.notes) == 1
    assert "README.md" in roster.notes[0]


async def play(
    bots: Sequence[Contestant], tables: Sequence[tuple[Rules, int]], games: int
) -> list[GameResult]:
    """One block of so many games at each table: bots drawn by lot, who move on a seat after each."""
    lots = random.Random(1)
    results: dict[int, tuple[GameResult, ...]] = {}
    waiting = list(enumerate(tables))

    async def one_after_the_other(machine: Machine) -> None:
        while waiting:
            number, (rules, seats) = waiting.pop(0)
            drawn = drawings[number]
            seatings = tuple((*drawn[turn:], *drawn[:turn]) for turn in range(games))
            terms = Terms(rules, seats, b"sixteen bytes...")
            result = await play_block(Block(number, seatings), dict(enumerate(bots)), terms, machine)
            results[number] = result.games

    drawings = [lots.sample(range(len(bots)), seats) for _, seats in tables]
    async with open_machine() as machine, trio.open_nursery() as nursery:
        for _ in range(AT_ONCE):
            nursery.start_soon(one_after_the_other, machine)
    return [game for number in sorted(results) for game in results[number]]
