"""Checks of many bots side by side, in one loop and on one machine."""

from pathlib import Path

import msgspec
import trio

from arena.cheat.presets import preset
from arena.check.course import check
from arena.check.origin import origin_of
from arena.check.report import Report, Step
from arena.referee.block import Contestant, Terms
from arena.referee.machine import open_machine
from arena.roster.discovery import find_bots
from arena.roster.entrant import Entrant
from arena.roster.staging import staged

TERMS = Terms(preset("classic"), 4, b"arena check seed", start_time=10.0, move_time=1.0, bank=5.0)
AT_ONCE = 8


def checked(
    paths: dict[str, Path | str], terms: dict[str, Terms] | None = None, *, until_it_fails: bool = False
) -> dict[str, Report]:
    """The report of each bot by name; `terms` where they are not the usual ones."""
    roster = find_bots(tuple(map(str, paths.values())))
    with staged(roster, sandbox="bare") as contestants:
        bots = dict(zip(paths, zip(roster.entrants, contestants, strict=True), strict=True))
        return trio.run(_all, bots, terms or {}, until_it_fails)


async def _all(
    bots: dict[str, tuple[Entrant, Contestant]], terms: dict[str, Terms], until_it_fails: bool
) -> dict[str, Report]:
    reports: dict[str, Report] = {}
    limit = trio.CapacityLimiter(AT_ONCE)

    async def one(name: str, entrant: Entrant, bot: Contestant) -> None:
        async with limit:
            own, steps = terms.get(name, TERMS), list[Step]()
            with trio.CancelScope() as scope:

                def tell(step: Step) -> None:
                    steps.append(step)
                    if until_it_fails and not step.ok:
                        scope.cancel()

                reports[name] = await check(bot, origin_of(entrant, bot), own, machine, tell)
            if scope.cancelled_caught:
                reports[name] = Report(bot=name, tier="bare", steps=tuple(steps), seconds=0.0)

    async with open_machine() as machine, trio.open_nursery() as tasks:
        for name, (entrant, bot) in bots.items():
            tasks.start_soon(one, name, entrant, bot)
    return reports


HASTY = {
    "start-timeout": msgspec.structs.replace(TERMS, start_time=1.0),
    "timeout": msgspec.structs.replace(TERMS, move_time=0.6, bank=0.2),
}
"""Terms for those who never answer, by their fault."""
