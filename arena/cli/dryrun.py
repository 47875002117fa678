"""`arena run --dry-run`: what would be played, and how long that may take, judged by a short trial."""

import json
import math
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
import trio

from arena.cli.durations import rough

if TYPE_CHECKING:
    from arena.cli.options import RunOptions
    from arena.cli.prepare import Preparation
    from arena.referee.block import Contestant, Terms
    from arena.referee.machine import Machine

TRIAL_SECONDS: Final = 2.0
"""No block of the trial is begun after so long, once every bot has sat at a table."""
PATIENCE: Final = 10.0
"""Seconds after which the trial is broken off: bots that think for minutes are known by then."""


async def forecast(
    options: "RunOptions", preparation: "Preparation", contestants: "Sequence[Contestant]"
) -> int:
    """Print the plan. Blocks in which every bot sits at a table are played for it, and not kept."""
    from arena.cli.sandbox import chosen_sandbox
    from arena.referee.machine import open_machine

    budget, bots = preparation.budget, len(contestants)
    chosen = await chosen_sandbox(options.sandbox, contestants, allow_root_bots=options.allow_root_bots)
    terms = msgspec.structs.replace(preparation.terms, tier=chosen.tier.name)
    async with open_machine(tier=chosen.tier) as machine:
        played, seconds = await _trial(preparation, contestants, terms, machine)
    expected = budget.own_blocks * seconds / played if played else None
    plan = {
        "bots": bots,
        "seats": budget.seats,
        "tables": math.comb(bots, budget.seats),
        "blocks": budget.own_blocks,
        "games": budget.games,
        "games_per_block": budget.games_per_block,
        "jobs": preparation.jobs,
        "rules": terms.rules.name,
        "tier": terms.tier,
        "trial_blocks": played,
        "seconds": None if expected is None else round(expected, 1),
    }
    if options.json:
        sys.stdout.write(json.dumps(plan, ensure_ascii=False) + "\n")
        return 0
    sys.stdout.write(
        f"{bots} bots, tables of {budget.seats} ({plan['tables']:,} different ones), "
        f"rules {terms.rules.name}, sandbox {terms.tier}\n"
        f"{budget.own_blocks:,} blocks of {budget.games_per_block} games: {budget.games:,} games, "
        f"{preparation.jobs} tables at a time\n"
    )
    if expected is None:
        least = rough(budget.own_blocks * PATIENCE / preparation.jobs)
        sys.stdout.write(f"more than {least}: no block was over after {PATIENCE:.0f} s of trial\n")
    else:
        trial = f"{played} trial block{'s' if played != 1 else ''}"
        sys.stdout.write(f"about {rough(expected)}, judged by {trial}; nothing of that was kept\n")
    return 0


async def _trial(
    preparation: "Preparation", contestants: "Sequence[Contestant]", terms: "Terms", machine: "Machine"
) -> tuple[int, float]:
    """Blocks that came to their end, and the seconds they took together at this many tables."""
    from arena.referee.play import play_block
    from arena.tournament.schedule import Course

    budget = preparation.budget
    course = Course(terms.seed, len(contestants), budget.seats, budget.games_per_block)
    enough = min(max(math.ceil(len(contestants) / budget.seats), preparation.jobs), budget.own_blocks)
    by_number = dict(enumerate(contestants))
    began = last = time.perf_counter()
    played = 0

    async def table() -> None:
        nonlocal played, last
        while course.number < budget.own_blocks and (
            course.number < enough or time.perf_counter() - began < TRIAL_SECONDS
        ):
            await play_block(course.next(), by_number, terms, machine, stands=True)
            played, last = played + 1, time.perf_counter()

    with trio.move_on_after(PATIENCE):
        async with trio.open_nursery() as tables:
            for _ in range(preparation.jobs):
                tables.start_soon(table)
    return played, last - began
