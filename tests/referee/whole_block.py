"""Playing a block to its end, however many sets of processes that takes."""

from collections.abc import Mapping

import msgspec

from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import play_block


async def play_whole(
    block: Block,
    bots: Mapping[int, Contestant],
    terms: Terms,
    machine: Machine,
    *,
    stands: bool = False,
) -> BlockResult:
    """All games of the block; what is told of it besides is of the last processes."""
    games: tuple[GameResult, ...] = ()
    while True:
        result = await play_block(block, bots, terms, machine, earlier=games, stands=stands)
        games += result.games
        if len(games) == len(block.seatings):
            return msgspec.structs.replace(result, games=games)
