"""Clocks over whole tournaments: no fault for honest bots on a full machine, every fault for a late one."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio
from small_tournaments import comparable, play

from arena.cheat.presets import preset
from arena.referee.block import Block, Contestant, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block

Make = Callable[..., Contestant]
MOVES = max(20, round(200 * float(os.environ.get("ARENA_SOAK", "0.1"))))
SLEEPS = "from decent import serve_slowly\nserve_slowly({seconds}, 'play', 'challenge')\n"


def test_ten_thousand_requests_at_full_load_with_a_tight_limit_give_no_fault(
    contestant: Make, tmp_path: Path
) -> None:
    bots = [contestant(f"honest-{number}") for number in range(4)]
    jobs = 4 * (os.cpu_count() or 1)
    limits = {"move_time": 0.05, "bank": 0.0, "forfeit": 0, "bench": 0}

    def effective_faults(number: int) -> int:
        store, progress = play(tmp_path / f"{number}.db", bots, jobs, blocks=12, **limits)
        assert progress.requests >= 10_000
        return sum(fault.effective for _, game in store.games() for fault in game.faults)

    # The best of three: the tournament alone fills the cores, and others may want them as well.
    assert any(effective_faults(number) == 0 for number in range(3))


@pytest.mark.soak
@pytest.mark.parametrize(("share", "every"), [(0.8, 0), (1.2, 1)])
def test_a_bot_that_takes_so_much_of_the_limit_always_or_never_faults(
    contestant: Make, share: float, every: int
) -> None:
    limit = 0.25
    sleeper = contestant("sleeper", source=SLEEPS.format(seconds=share * limit))
    terms = Terms(
        replace(preset("classic"), turn_cap=20),
        2,
        bytes(16),
        start_time=20.0,
        move_time=limit,
        bank=0.0,
        forfeit=0,
    )
    bots = {0: sleeper, 1: contestant("honest")}

    async def main() -> tuple[int, int]:
        moves = faults = number = 0
        async with open_machine() as machine:
            while moves < MOVES:
                result = await play_block(Block(number, ((0, 1), (1, 0))), bots, terms, machine, stands=True)
                number += 1
                for game in result.games:
                    seat = game.seating.index(0)
                    moves += sum(timing.seat == seat for timing in game.timings)
                    faults += sum(fault.effective and fault.seat == seat for fault in game.faults)
                    assert not any(fault.seat != seat for fault in game.faults)
        return moves, faults

    moves, faults = trio.run(main)
    assert moves >= MOVES
    assert faults == every * moves


def test_a_step_of_the_wall_clock_changes_nothing(
    contestant: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [contestant(f"honest-{number}") for number in range(4)]
    plain, _ = play(tmp_path / "plain.db", bots, blocks=2)
    real, steps = time.time, [0.0]

    def stepping() -> float:
        steps[0] += 3600.0 if len(steps) % 2 else -7200.0
        steps.append(0.0)
        return real() + steps[0]

    monkeypatch.setattr(time, "time", stepping)
    stepped, progress = play(tmp_path / "stepped.db", bots, blocks=2)
    assert len(steps) > 2
    assert comparable(stepped) == comparable(plain)
    assert progress.seconds < 60
    assert msgspec.structs.asdict(stepped.header) == msgspec.structs.asdict(plain.header)
