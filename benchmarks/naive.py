"""A referee as one would first write it: asyncio, a task a request, json, no defences, no store.

Plays the games of a results file once more, one table at a time, by the same rules, and prints the
same JSON object as the C floor, with the winners so that the games can be compared.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from arena.cheat.actions import Answers, Play
from arena.cheat.deal import bot_seed, deal, deal_key, game_id
from arena.cheat.events import Ended, Event, Out, Resolved
from arena.cheat.game import Game, Phase
from arena.referee.block import Contestant, Terms
from benchmarks.recorded import Recorded, RecordedBlock, read_results


class Bot:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process, allowed: float) -> None:
        self.process = process
        self.allowed = allowed
        self.requests = 0

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self.requests += 1
        request["id"] = f"{id(self):x}-{self.requests}"
        self.tell(request)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        await self.process.stdin.drain()
        line = await asyncio.wait_for(self.process.stdout.readline(), self.allowed)
        reply: dict[str, Any] = json.loads(line)
        if reply["id"] != request["id"]:
            raise ValueError(f"the answer {line!r} is to another request")
        return reply

    def tell(self, message: dict[str, Any]) -> None:
        """Send a line at once."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


async def play_game(terms: Terms, block: RecordedBlock, number: int, bots: list[Bot]) -> int | None:
    """Play one game; the seat that has won."""
    seed = terms.seed
    game = Game(terms.rules, deal(terms.rules, terms.seats, deal_key(seed, block.number, number)))
    for seat, bot in enumerate(bots):
        start = {"type": "start", "game": game_id(seed, block.number, number), "seat": seat}
        start |= {"seats": game.seats, "hand": game.hands[seat], "hand_sizes": game.hand_sizes, "first": 0}
        bot.tell(start | {"seed": bot_seed(seed, block.number, number, seat)})
    while game.phase is not Phase.OVER:
        seat = game.seat_to_play
        common = {"turn": game.turn, "active": game.active, "hand_sizes": game.hand_sizes}
        common |= {"pile": game.pile_size, "seconds": terms.move_time, "bank": terms.bank}
        request = {"type": "play", "seat": seat, "hand": game.hands[seat], "ranks": game.legal_ranks}
        reply = await asyncio.create_task(bots[seat].ask(request | common))
        cards = tuple(reply["cards"])
        rank = reply.get("rank", game.legal_ranks[0])
        game.apply(Play(seat, cards, rank, reply.get("count", len(cards))))

        common |= {"type": "challenge", "claimant": seat, "rank": rank, "count": len(cards)}
        tasks = {
            other: asyncio.create_task(bots[other].ask(common | {"seat": other, "hand": game.hands[other]}))
            for other in game.asked
        }
        callers = tuple([other for other, task in tasks.items() if (await task)["challenge"]])
        for event in game.apply(Answers(callers)):
            for other, bot in enumerate(bots):
                bot.tell(message(event, other))
    return game.winner


def message(event: Event, seat: int) -> dict[str, Any]:
    """What a seat is told of an event."""
    told: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, Resolved):
        if seat == event.taker:
            told["picked_up"] = event.taken
        return told | {"type": "outcome", "taken": len(event.taken)}
    if isinstance(event, Out):
        return told | {"type": "out", "removed": len(event.removed)}
    assert isinstance(event, Ended)
    return told | {"type": "end"}


async def play_all(recorded: Recorded, contestants: dict[str, Contestant]) -> tuple[int, list[int | None]]:
    """Play every block; the number of requests and the winners."""
    terms, requests = recorded.terms, 0
    winners = []
    for block in recorded.blocks:
        bots = []
        for name in block.names:
            contestant = contestants[name]
            process = await asyncio.create_subprocess_exec(
                *contestant.argv,
                cwd=contestant.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            bots.append(Bot(process, terms.move_time + terms.bank))
        hello = {"type": "hello", "protocol": 1, "seats": terms.seats, "rules": rules_told(terms)}
        hello["limits"] = {"start": terms.start_time, "move": terms.move_time, "bank": terms.bank}
        await asyncio.gather(*[bot.ask(dict(hello)) for bot in bots])
        for number, seating in enumerate(block.seatings):
            winners.append(await play_game(terms, block, number, [bots[place] for place in seating]))
        for bot in bots:
            bot.tell({"type": "goodbye"})
            assert bot.process.stdin is not None
            bot.process.stdin.close()
        for bot in bots:
            await bot.process.wait()
        requests += sum(bot.requests for bot in bots)
    return requests, winners


def rules_told(terms: Terms) -> dict[str, Any]:
    """Every knob, as a table of this size plays it."""
    rules, seats = terms.rules, terms.seats
    knobs: dict[str, Any] = msgspec.to_builtins(rules)
    return knobs | {"decks": rules.decks_for(seats), "turn_cap": rules.cap_for(seats)}


def cpu(whose: int) -> float:
    """CPU seconds used so far."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def main(results: str, bots: str) -> None:
    """Play the games of a results file with the contestants of a JSON file."""
    recorded = read_results(Path(results))
    contestants = msgspec.json.decode(Path(bots).read_bytes(), type=dict[str, Contestant])
    own, began = cpu(resource.RUSAGE_SELF), time.perf_counter()
    requests, winners = asyncio.run(play_all(recorded, contestants))
    seconds = time.perf_counter() - began
    used = {
        "referee_cpu": cpu(resource.RUSAGE_SELF) - own,
        "bots_cpu": cpu(resource.RUSAGE_CHILDREN),
    }
    print(json.dumps({"seconds": seconds, "requests": requests, **used, "winners": winners}))


if __name__ == "__main__":
    main(*sys.argv[1:])
