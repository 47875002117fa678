"""Playing games of a block until their verdicts stand: a void play is played again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Protocol

import trio

from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import BlockVoid, play_block
from arena.referee.spawn import HostTrouble

PAUSE: Final = 0.5
"""Seconds after which a machine that could start no bot is tried again."""
TRIES: Final = 3
"""How often the same games are played before their verdicts stand although the host was disturbed."""


class Play(Protocol):
    """How games of a block are played: here by the referee, which is `play_block`, or elsewhere."""

    async def __call__(
        self,
        block: Block,
        contestants: Mapping[int, Contestant],
        terms: Terms,
        machine: Machine,
        *,
        earlier: Sequence[GameResult] = (),
        stands: bool = False,
        unexcused: Collection[int] = (),
    ) -> BlockResult:
        """Raises BlockVoid where `play_block` does."""


async def play_on(
    block: Block,
    contestants: Mapping[int, Contestant],
    terms: Terms,
    machine: Machine,
    earlier: Sequence[GameResult] = (),
    *,
    play: Play = play_block,
    unexcused: Callable[[], Collection[int]] = tuple,
    on_void: Callable[[int], None] | None = None,
) -> tuple[BlockResult, tuple[int, ...]]:
    """Play the games that follow the earlier ones, as `play_block` does, until their verdicts stand.

    With the bots whose lateness made tries before void, in order. `unexcused` is asked before each try;
    `on_void` is told that bot after each void one. Raises HostTrouble if no bot could be started, and a
    moment later neither.
    """
    late: list[int] = []
    troubles = 0
    while True:
        try:
            result = await play(
                *(block, contestants, terms, machine),
                earlier=earlier,
                stands=len(late) + 1 == TRIES,
                unexcused=unexcused(),
            )
        except BlockVoid as void:
            late.append(void.bot)
            if on_void is not None:
                on_void(void.bot)
            continue
        except HostTrouble:
            troubles += 1
            if troubles == TRIES:
                raise
            await trio.sleep(PAUSE)
            continue
        return result, tuple(late)


async def play_through(
    block: Block, contestants: Mapping[int, Contestant], terms: Terms, machine: Machine
) -> tuple[GameResult, ...]:
    """Every game of the block."""
    games: tuple[GameResult, ...] = ()
    while len(games) < len(block.seatings):
        result, _ = await play_on(block, contestants, terms, machine, games)
        games += result.games
    return games
