"""`arena run --dry-run`: what would be played, and how long that may take, judged by a short trial."""

import math
import secrets
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
        self._pace: float | None = None
        """Seconds a block, at all tables together."""

    async def make(self) -> None:
        """Play blocks in which every bot sits at a table, and keep nothing but their time."""
        from arena.cli.sandbox import chosen_sandbox
        from arena.referee.machine import open_machine

        preparation = self._preparation
        there = [bot for bot in self._contestants if bot.digest]
        chosen = await chosen_sandbox(preparation.sandbox, there, allow_root_bots=preparation.allow_root_bots)
        self._tier = chosen.tier.name
        # Bots are shown no deal of the tournament that is to come.
        seed = secrets.token_bytes(16)
        terms = msgspec.structs.replace(preparation.terms, tier=chosen.tier.name, seed=seed)
        async with open_machine(tier=chosen.tier) as machine:
            self._played, seconds = await _trial(preparation, self._contestants, terms, machine)
        self._pace = seconds / self._played if self._played else None

    @property
    def _left(self) -> int | None:
        """Blocks to go; None where nobody can know."""
        blocks = self._preparation.budget.own_blocks
        return None if blocks is None else max(0, blocks - self._done)

    @property
    def _seconds(self) -> float | None:
        """The forecast, if there is one."""
        most = self._preparation.budget.seconds
        if self._left is None or self._pace is None:
            return most
        return min(self._left * self._pace, most or math.inf)

    @property
    def _least(self) -> float | None:
        """Seconds that the blocks need where each takes longer than the trial did."""
        if self._left is None or self._pace is not None:
            return None
        return math.ceil(self._left / self._preparation.jobs) * PATIENCE

    def print(self) -> int:
        """On stdout; the exit code."""
        from arena.tournament.schedule import blocks_for_deals

        budget, bots = self._preparation.budget, len(self._contestants)
        jobs, rules = self._preparation.jobs, self._preparation.terms.rules.name
        tables = blocks_for_deals(bots, budget.seats, 1, len(self._preparation.pairing.challengers))
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
                "seconds_at_least": self._least,
                "precision": budget.precision,
            }
            sys.stdout.write(json_line(plan))
            return 0
        kinds = "the only one there can be" if tables == 1 else f"{tables:,} different ones"
        places = counted(jobs, "table")
        whole = rounded(budget, self._options.games) if budget.part is None else None
        sys.stdout.write(
            f"{bots} bots, tables of {budget.seats} ({kinds}), "
            f"rules {safe(rules)}, sandbox {self._tier}\n"
            f"{', '.join(budget.in_words)}; {counted(budget.games_per_block, 'game')} a block, "
            f"{places} at a time\n"
            + (f"{whole}\n" if whole else "")
            + (f"{counted(self._done, 'block')} played{self._to_go}\n" if self._done else "")
            + f"{self._length}\n"
        )
        return 0

    @property
    def _to_go(self) -> str:
        return "" if self._left is None else f", {self._left:,} to go"

    @property
    def _length(self) -> str:
        """The forecast in words."""
        trial = counted(self._played, "trial block")
        if self._left is None:
            if self._pace is None:
                return f"a block takes longer than {PATIENCE:.0f} s: none was over in a trial"
            pace = counted(round(60 / self._pace), "block")
            return f"{pace} a minute, judged by {trial}; nothing of that was kept"
        if self._seconds is None or self._pace is None:
            least = rough(self._least or 0)
            return f"more than {least}: no trial block was over after {PATIENCE:.0f} s of trial"
        about = f"about {rough(self._seconds)}" if self._seconds >= 1 else "less than a second"
        return f"{about}, judged by {trial}; nothing of that was kept"


async def _trial(
    preparation: "Preparation", contestants: "Sequence[Contestant]", terms: "Terms", machine: "Machine"
) -> tuple[int, float]:
    """Blocks that came to their end, and the seconds they took together at this many tables."""
    from arena.tournament.schedule import Course
    from arena.tournament.tries import play_through

    budget = preparation.budget
    course = Course(terms.seed, len(contestants), budget.seats, budget.games_per_block, preparation.pairing)
    blocks = math.inf if budget.own_blocks is None else budget.own_blocks
    enough = min(max(math.ceil(len(contestants) / budget.seats), preparation.jobs), blocks)
    by_number = dict(enumerate(contestants))
    began = last = time.perf_counter()
    played = 0

    async def table() -> None:
        nonlocal played, last
        while course.number < blocks and (
            course.number < enough or time.perf_counter() - began < TRIAL_SECONDS
        ):
            await play_through(course.next(), by_number, terms, machine)
            played, last = played + 1, time.perf_counter()

    with trio.move_on_after(PATIENCE):
        async with trio.open_nursery() as tables:
            for _ in range(preparation.jobs):
                tables.start_soon(table)
    return played, last - began
