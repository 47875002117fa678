"""A series: the same players at one table game after game, led as the rules say, stored game by game."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import trio

from arena.cheat.events import Event
from arena.cheat.series import first_leader, hands_left, next_leader, seating
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import play_block
from arena.referee.seat import Seat
from arena.tournament.store import Store
from arena.tournament.tries import play_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What is to be played."""

    terms: Terms
    contestants: Sequence[Contestant]
    """All players clockwise, by number; of a guest only the name is looked at."""
    games: int
    guests: Mapping[int, Seat] = field(default_factory=dict)
    """The seats of those who are no programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearers:
    """Who is told of a series while it is played."""

    game: Callable[[int, tuple[int, ...]], None]
    """Before each game: its number, from 0, and its seating. A game that is void begins again."""
    event: Callable[[Event], None]
    """Every event of the game, in full; must not wait."""
    played: Callable[[int, GameResult], Awaitable[None]]
    """After each game, once it is stored: the next begins when this returns."""


async def play_series(series: Series, store: Store, machine: Machine, hearers: Hearers) -> None:
    """Play the series, each game a block of its own in fresh processes, and store it as it ends.

    Cancelled, it keeps what was stored; a game that was broken off is nowhere. A game with a guest is never
    void: nobody plays the same hand a second time, and its verdicts stand, marked as contended.

    Raises StoreError, and HostTrouble where no bot can be started.
    """
    terms, players = series.terms, len(series.contestants)
    leader = first_leader(terms.rules, players, terms.seed)
    for number in range(series.games):
        block = Block(number, (seating(leader, players),))
        result, voided = await _one(series, block, machine, hearers)
        await _write(store.add, result, voided)
        (game,) = result.games
        await hearers.played(number, game)
        leader = next_leader(terms.rules, leader, hands_left(game.events))
    await _write(store.finish)


async def _one(
    series: Series, block: Block, machine: Machine, hearers: Hearers
) -> tuple[BlockResult, tuple[int, ...]]:
    bots = dict(enumerate(series.contestants))
    play = partial(_begun, hearers, series.guests)
    return await play_on(block, bots, series.terms, machine, play=play)


async def _begun(
    hearers: Hearers,
    guests: Mapping[int, Seat],
    block: Block,
    contestants: Mapping[int, Contestant],
    terms: Terms,
    machine: Machine,
    *,
    stands: bool = False,
    **more: Any,
) -> BlockResult:
    """One try at a game."""
    hearers.game(block.number, block.seatings[0])
    return await play_block(
        *(block, contestants, terms, machine),
        stands=stands or bool(guests),
        guests=guests,
        heard=hearers.event,
        **more,
    )


async def _write(job: Callable[..., None], *words: object) -> None:
    """Do this to the file in a thread, where waiting for the disk keeps nobody from being shown."""
    with trio.CancelScope(shield=True):
        await trio.to_thread.run_sync(job, *words)
