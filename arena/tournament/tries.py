"""Playing games of a block until their verdicts stand: a void play is played again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import BlockVoid, play_block

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
    ) -> BlockResult:
        """Raises BlockVoid, unless `stands`, when the host disturbed a verdict."""


async def play_on(
    block: Block,
    contestants: Mapping[int, Contestant],
    terms: Terms,
    machine: Machine,
    earlier: Sequence[GameResult] = (),
    *,
    play: Play = play_block,
    on_void: Callable[[], None] | None = None,
) -> tuple[BlockResult, int]:
    """Play the games that follow the earlier ones, as `play_block` does; with how often it took."""
    for tries in range(1, TRIES + 1):
        try:
            stands = tries == TRIES
            result = await play(block, contestants, terms, machine, earlier=earlier, stands=stands)
        except BlockVoid:
            if on_void is not None:
                on_void()
            continue
        return result, tries
    raise AssertionError("the last try stands")


async def play_through(
    block: Block, contestants: Mapping[int, Contestant], terms: Terms, machine: Machine
) -> tuple[GameResult, ...]:
    """Every game of the block."""
    games: tuple[GameResult, ...] = ()
    while len(games) < len(block.seatings):
        result, _ = await play_on(block, contestants, terms, machine, games)
        games += result.games
    return games
