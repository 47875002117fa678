"""Whole results files of made-up blocks: run by the runner itself, with nobody at the tables."""

from collections.abc import Collection
from pathlib import Path

import trio
from small_tournaments import header_for
from stand import Stand

from arena.referee.block import Contestant
from arena.referee.machine import open_machine
from arena.tournament.header import BotRow
from arena.tournament.run import Plan, Progress, run_tournament
from arena.tournament.store import Store


def pretend(
    path: Path,
    bots: int = 5,
    *,
    jobs: int = 3,
    faulty: Collection[int] = (),
    until: int | None = None,
    digests: str = "0",
    **changes: object,
) -> Progress | None:
    """A results file of a tournament; one that was broken off after `until` blocks where that is given."""
    header = header_for(**changes)
    names = [f"bot {number}" for number in range(bots)]
    rows = [BotRow(name=name, digest=digests * 64, command=f"./{name}", author='a, "b"') for name in names]
    contestants = [Contestant(name, ("/bin/false",), "/", "0" * 64) for name in names]
    plan = Plan(
        header.terms,
        contestants,
        header.blocks,
        jobs,
        header.bench,
        header.games_per_block,
        header.part,
    )

    async def main(store: Store) -> Progress | None:
        with trio.CancelScope() as scope:

            def follow(progress: Progress) -> None:
                if progress.blocks_done == until:
                    scope.cancel()

            async with open_machine() as machine:
                return await run_tournament(plan, store, machine, follow, play=Stand(frozenset(faulty)))
        return None

    with Store.create(path, header, rows) as store:
        return trio.run(main, store)
