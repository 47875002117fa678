"""`arena run --dry-run`: what would be played, and how long that may take, judged by a short trial."""

import math
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
import trio

from arena.cli.budget import rounded
from arena.cli.durations import rough
from arena.cli.shown import counted, json_line, safe

if TYPE_CHECKING:
    from arena.cli.options import RunOptions
    from arena.cli.prepare import Preparation
    from arena.referee.block import Contestant, Terms
    from arena.referee.machine import Machine
    from arena.tournament.store import Store

TRIAL_SECONDS: Final = 2.0
"""No block of the trial is begun after so long, once every bot has sat at a table."""
PATIENCE: Final = 10.0
"""Seconds after which the trial is broken off: bots that think for minutes are known by then."""


class Forecast:
    """The plan of a run and how long it may take. `make` it, then `print` it."""

    def __init__(
        self,
        options: "RunOptions",
        preparation: "Preparation",
        contestants: "Sequence[Contestant]",
        store: "Store | None" = None,
    ) -> None:
        self._options = options
        self._preparation = preparation
        self._contestants = contestants
        self._done = 0 if store is None else sum(state in ("played", "ahead") for _, state in store.blocks())
        """Blocks that a file which is gone on with holds already."""
        self._tier = ""
        self._played = 0
        self._seconds: float | None = None

    async def make(self) -> None:
        """Play blocks in which every bot sits at a table, and keep nothing but their time."""
        from arena.cli.sandbox import chosen_sandbox
        from arena.referee.machine import open_machine

        preparation = self._preparation
        chosen = await chosen_sandbox(
            preparation.sandbox, self._contestants, allow_root_bots=preparation.allow_root_bots
        )
        self._tier = chosen.tier.name
        terms = msgspec.structs.replace(preparation.terms, tier=chosen.tier.name)
        async with open_machine(tier=chosen.tier) as machine:
            self._played, seconds = await _trial(preparation, self._contestants, terms, machine)
        if self._played:
            self._seconds = self._left * seconds / self._played

    @property
    def _left(self) -> int:
        return max(0, self._preparation.budget.own_blocks - self._done)

    @property
    def _least(self) -> float:
        """Seconds that the blocks need where each takes longer than the trial did."""
        return math.ceil(self._left / self._preparation.jobs) * PATIENCE

    def print(self) -> int:
        """On stdout; the exit code."""
        budget, bots = self._preparation.budget, len(self._contestants)
        jobs, rules = self._preparation.jobs, self._preparation.terms.rules.name
        tables = math.comb(bots, budget.seats)
        if self._options.json:
            plan = {
                "bots": bots,
                "seats": budget.seats,
                "tables": tables,
                "blocks": budget.own_blocks,
                "blocks_left": self._left,
                "games": budget.games,
                "games_asked": self._options.games,
                "games_per_block": budget.games_per_block,
                "jobs": jobs,
                "rules": rules,
                "tier": self._tier,
                "trial_blocks": self._played,
                "seconds": None if self._seconds is None else round(self._seconds, 1),
                "seconds_at_least": self._least if self._seconds is None else None,
            }
            sys.stdout.write(json_line(plan))
            return 0
        if self._seconds is None:
            length = (
                f"more than {rough(self._least)}: no trial block was over after {PATIENCE:.0f} s of trial"
            )
        else:
            trial = counted(self._played, "trial block")
            about = f"about {rough(self._seconds)}" if self._seconds >= 1 else "less than a second"
            length = f"{about}, judged by {trial}; nothing of that was kept"
        kinds = "the only one there can be" if tables == 1 else f"{tables:,} different ones"
        places = "1 table" if jobs == 1 else f"{jobs} tables"
        whole = rounded(budget, self._options.games) if budget.part is None else None
        sys.stdout.write(
            f"{bots} bots, tables of {budget.seats} ({kinds}), "
            f"rules {safe(rules)}, sandbox {self._tier}\n"
            f"{counted(budget.own_blocks, 'block')} of {counted(budget.games_per_block, 'game')}: "
            f"{counted(budget.games, 'game')}, {places} at a time\n"
            + (f"{whole}\n" if whole else "")
            + (f"{counted(self._done, 'block')} played, {self._left:,} to go\n" if self._done else "")
            + f"{length}\n"
        )
        return 0


async def _trial(
    preparation: "Preparation", contestants: "Sequence[Contestant]", terms: "Terms", machine: "Machine"
) -> tuple[int, float]:
    """Blocks that came to their end, and the seconds they took together at this many tables."""
    from arena.tournament.schedule import Course
    from arena.tournament.tries import play_through

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
            await play_through(course.next(), by_number, terms, machine)
            played, last = played + 1, time.perf_counter()

    with trio.move_on_after(PATIENCE):
        async with trio.open_nursery() as tables:
            for _ in range(preparation.jobs):
                tables.start_soon(table)
    return played, last - began
