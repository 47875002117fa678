"""The bots of the pack that try what a tier contains and play on: how they are played, in one tier."""

import json
import os
import socket
from dataclasses import dataclass, field
from typing import Any

import msgspec
import trio
from pack_play import AT_ONCE, TERMS, TWO_GAMES, Played, Stage, in_scratch, play_beside

from arena.referee.block import BlockResult, Contestant
from arena.referee.cgroup import writable_places
from arena.referee.launch import Tier
from arena.referee.machine import Machine, open_machine
from arena.referee.play import play_block

FINE = "fine"
MEMORY = "memory, or crash where no control group tells"
CONTAINED = {
    "connects": FINE,
    "eats_memory": MEMORY,
    "escapes_in_name": FINE,
    "exits_after_the_last": FINE,
    "fills_home": FINE,
    "fork_bomb": FINE,
    "kills_everything": FINE,
    "leaves_link": FINE,
    "lives_quietly": FINE,
    "opens_many": FINE,
    "pries": FINE,
    "spins": FINE,
}
NOT_IN_BARE = {"kills_everything"}
"""There are no walls in bare: it would end its rivals, and whatever else the user of bots has running."""
BY_ITSELF = {"spins", "lives_quietly"}
"""What is not played beside other blocks."""
ROOMY = msgspec.structs.replace(TERMS, start_time=60.0, move_time=30.0, bank=30.0)
"""Nothing here is about time, whatever else the machine has to do."""
MEMORY_LIMIT = 64 * 1024 * 1024
PRECIOUS = "who is to win"
WAITS_AT = """import time
from decent import say, serve
serve(lambda line, reply: (time.sleep(0.5), say(reply)), {at})
"""


@dataclass
class Trials(Played):
    """What these bots did in one tier, and what came of what they tried."""

    reached: int = 0
    """Connections that arrived at the organiser's port."""
    kept: dict[str, str] = field(default_factory=dict)
    """What is in the organiser's folder afterwards."""
    last: int = 0
    """The request after which `exits_after_the_last` has left."""

    def report(self, name: str) -> dict[str, Any]:
        """What the bot has told of its attempt, in place of the digest that its neighbours send."""
        told = [
            said.text
            for game in self.results[name].games
            for said in game.debug
            if said.seat == game.seating.index(0) and said.text.startswith("{")
        ]
        (text,) = told
        return msgspec.json.decode(text, type=dict[str, Any])


def controllers() -> frozenset[str]:
    """What control groups limit on this machine."""
    return frozenset(one for place in writable_places() for one in place.controllers)


def contained_in(tier: str) -> list[str]:
    """What is played in a tier by default."""
    without = {"lives_quietly", *(NOT_IN_BARE if tier == "bare" else ())}
    return sorted(set(CONTAINED) - without)


async def play_contained(tier: Tier, stage: Stage) -> Trials:
    """Every one of them: beside each other first, then what wants the machine for itself."""
    played = Trials()
    kept = stage.folder / "kept"
    kept.mkdir(mode=0o755)
    (kept / "precious").write_text(PRECIOUS)
    with socket.create_server(("127.0.0.1", 0)) as port:
        async with open_machine(tier=tier) as machine:
            await _play_honest(machine, stage, played)
            bots = _bots(stage, str(kept), port.getsockname()[1])
            bots = {name: bot for name, bot in bots.items() if name in contained_in(tier.name)}
            limit = trio.CapacityLimiter(AT_ONCE)

            async def one(bot: Contestant) -> None:
                async with limit:
                    await play_beside(machine, stage, played, bot, ROOMY)

            async with trio.open_nursery() as blocks:
                blocks.start_soon(_play_to_the_last, machine, stage, played)
                for name in sorted(set(bots) - BY_ITSELF):
                    blocks.start_soon(one, bots[name])
            await one(bots["spins"])
            played.scratch = in_scratch(machine)
        played.reached = _arrived(port)
    played.kept = {path.name: path.read_text() for path in kept.iterdir()}
    return played


async def play_quiet(tier: Tier, stage: Stage) -> Trials:
    """The one that takes a quarter of a minute."""
    played = Trials()
    async with open_machine(tier=tier) as machine:
        await _play_honest(machine, stage, played)
        await play_beside(machine, stage, played, stage.bot("lives_quietly"), ROOMY)
        played.scratch = in_scratch(machine)
    return played


async def _play_honest(machine: Machine, stage: Stage, played: Trials) -> None:
    await play_beside(machine, stage, played, stage.bot("honest"), ROOMY)


def _bots(stage: Stage, kept: str, port: int) -> dict[str, Contestant]:
    own = f"/proc/{os.getpid()}"
    asked = {
        "results": f"{kept}/precious",
        "rival": str(stage.folder / "honest" / "bot.py"),
        "environment": f"{own}/environ",
        "command": f"{own}/cmdline",
        "root": f"{own}/root{kept}/precious",
    }
    words = {"connects": (str(port),), "leaves_link": (kept,), "pries": (json.dumps(asked),)}
    names = set(CONTAINED) - {"exits_after_the_last"}
    bots = {name: stage.bot(name, *words.get(name, ())) for name in names}
    bots["eats_memory"] = msgspec.structs.replace(bots["eats_memory"], memory=MEMORY_LIMIT)
    return bots


async def _play_to_the_last(machine: Machine, stage: Stage, played: Trials) -> None:
    """The games of `honest` again, with a bot that leaves once it has answered all that it was asked there.

    One of its neighbours takes its time over its own last answer, so that there is still a game to leave.
    """
    honest = played.results["honest"]
    played.last = _last_of(honest, 0)
    last = honest.games[-1]
    slow = next(bot for t in reversed(last.timings) if (bot := last.seating[t.seat]) in (1, 2))
    table = stage.table(stage.bot("exits_after_the_last", str(played.last)), ROOMY)
    table[slow] = stage.bot("waits", source=WAITS_AT.format(at=_last_of(honest, slow)))
    played.results["exits_after_the_last"] = await play_block(TWO_GAMES, table, ROOMY, machine, stands=True)


def _last_of(result: BlockResult, bot: int) -> int:
    """The number of the last request that the bot was sent; hello is 0."""
    return sum(game.seating[timing.seat] == bot for game in result.games for timing in game.timings)


def _arrived(port: socket.socket) -> int:
    port.setblocking(False)
    arrived = 0
    try:
        while True:
            port.accept()[0].close()
            arrived += 1
    except BlockingIOError:
        return arrived
