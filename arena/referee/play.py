"""One table playing one block: block and bots in, game records out."""

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
import trio

from arena.cheat.events import Event
from arena.protocol.faults import FaultRecord
from arena.referee.attendance import ladder_after
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.guest import Guest
from arena.referee.machine import Machine
from arena.referee.player import Player
from arena.referee.seat import Seat, Sitter
from arena.referee.spawn import HostTrouble
from arena.referee.table import Sitting, Table
from arena.referee.umpire import BlockVoid, Umpire

__all__ = ["BlockVoid", "play_block"]

NOBODY: Final[Mapping[int, Seat]] = MappingProxyType({})


async def play_block(
    block: Block,
    contestants: Mapping[int, Contestant],
    terms: Terms,
    machine: Machine,
    *,
    earlier: Sequence[GameResult] = (),
    stands: bool = False,
    unexcused: Collection[int] = (),
    guests: Mapping[int, Seat] = NOBODY,
    heard: Callable[[Event], None] | None = None,
) -> BlockResult:
    """Play the games of the block that one set of processes plays: all of them, or under `fresh` the next.

    `contestants` maps the bot numbers of the block's seatings to bots; `earlier` are the games of the block
    that have been played, from its first. `guests`: the seats of those of its numbers that are no programs;
    of their contestants only the name is looked at. With a guest the block `stands`. `heard` is told of every
    event of a game as it happens, at once and in full: it must not wait.

    Cancelled, it ends every process it started before it returns,
    and nothing of its games remains.

    Raises BlockVoid, unless `stands` or it is of one of the `unexcused`, when the host disturbed a verdict;
    HostTrouble when no bot could be started.
    """
    started, began = time.time(), time.perf_counter()
    # What is answered within the move limit costs nobody anything.
    spares = terms.move_time if guests else math.inf
    umpire = Umpire(machine, stands=stands or bool(guests), unexcused=unexcused, spares=spares)
    players: dict[int, Sitter] = {}
    for bot in block.table:
        ladder, contestant = ladder_after(terms, earlier, bot), contestants[bot]
        if bot in guests:
            guest = (bot, contestant.name, guests[bot], block.number)
            players[bot] = Guest(*guest, terms, machine, ladder)
        else:
            players[bot] = Player(bot, contestant, block.number, terms, machine, umpire, ladder)
    first = len(earlier)
    due = block.seatings[first : first + 1] if terms.fresh else block.seatings[first:]
    games: list[GameResult] = []
    void: BlockVoid | HostTrouble | None = None
    async with trio.open_nursery() as tasks:
        whole = False
        try:
            for number, seating in enumerate(due, first):
                seated = [players[bot] for bot in seating]
                failed = await _make_ready(seated, tasks)
                game = await _play_game(block.number, number, seated, failed, terms, machine, umpire, heard)
                if number + 1 == first + len(due):
                    game = _with_unnoticed(game, seated)
                games.append(game)
                await _end_faulted(seated, game, failed)
            whole = True
        except* BlockVoid as voids:
            # Raised below, outside the nursery, so that it arrives as itself.
            void = BlockVoid(*voids.exceptions[0].args)
        except* HostTrouble as troubles:
            void = void or HostTrouble(*troubles.exceptions[0].args)
        finally:
            with trio.CancelScope(shield=True):
                await _leave(list(players.values()), politely=whole)
    if void is not None:
        raise void
    return BlockResult(
        block=block,
        games=tuple(games),
        said=tuple(player.said for player in players.values() if player.said is not None),
        tier=machine.tier.name,
        started=started,
        seconds=time.perf_counter() - began,
        spawn_seconds=sum(player.spawn_seconds for player in players.values()),
        requests=sum(player.hellos for player in players.values()) + sum(len(game.timings) for game in games),
        contended=umpire.contended,
    )


async def _make_ready(seated: list[Sitter], tasks: trio.Nursery) -> dict[int, FaultRecord]:
    """A live process for every seat that has not forfeited; the failures to start, by seat."""
    failed: dict[int, FaultRecord] = {}

    async def one(seat: int, player: Sitter) -> None:
        record = await player.ready(tasks, seat)
        if record is not None:
            failed[seat] = record

    async with trio.open_nursery() as starting:
        for seat, player in enumerate(seated):
            starting.start_soon(one, seat, player)
    return dict(sorted(failed.items()))


async def _play_game(
    block: int,
    number: int,
    seated: list[Sitter],
    failed: Mapping[int, FaultRecord],
    terms: Terms,
    machine: Machine,
    umpire: Umpire,
    heard: Callable[[Event], None] | None,
) -> GameResult:
    seating = tuple(player.number for player in seated)
    names = tuple(player.name for player in seated)
    seats = [player.seat for player in seated]
    table = Table(terms, Sitting(block, number, seating, names), seats, machine, failed, umpire, heard)
    return await table.play()


async def _end_faulted(seated: list[Sitter], game: GameResult, failed: Mapping[int, FaultRecord]) -> None:
    """End the processes that faulted, without a further word: none of them plays another game."""
    wrong = [fault.seat for fault in game.faults if fault.effective and fault.seat not in failed]
    for seat in wrong:
        seated[seat].ladder.fault()
    await _leave([seated[seat] for seat in wrong], politely=False)


async def _leave(players: list[Sitter], *, politely: bool) -> None:
    """End them side by side: one grace period for all."""

    async def one(player: Sitter) -> None:
        await player.leave(politely=politely)

    async with trio.open_nursery() as leaving:
        for player in players:
            leaving.start_soon(one, player)


def _with_unnoticed(game: GameResult, seated: list[Sitter]) -> GameResult:
    """The game with the troubles that no further request will meet."""
    late = [player.unnoticed(seat, game) for seat, player in enumerate(seated)]
    kept = tuple(record for record in late if record is not None)
    return msgspec.structs.replace(game, faults=game.faults + kept) if kept else game
