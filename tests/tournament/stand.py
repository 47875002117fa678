"""A referee without processes, so that many orders can be tried, and files for it to fill."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec
import trio
from made_up_blocks import due, made_up
from small_tournaments import header_for

from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import BlockVoid
from arena.tournament.header import BotRow
from arena.tournament.store import Store


class Stand:
    """A referee without processes: each block takes a while of its own, and some bots fault in it.

    In void ones the first bot of the table is late, or, unless `one_is_late`, one after another.
    """

    def __init__(
        self,
        faulty: frozenset[int] = frozenset(),
        voids: Mapping[tuple[int, int], int] = {},
        *,
        one_is_late: bool = False,
    ) -> None:
        self.played: Counter[tuple[int, int]] = Counter()
        """How often, by the block and the first game that was played of it."""
        self.one_is_late = one_is_late
        self.faulty = faulty
        self.voids = voids

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
        for _ in range(1 + 7 * block.number % 5):
            await trio.lowlevel.checkpoint()
        place = (block.number, len(earlier))
        self.played[place] += 1
        assert stands == (self.played[place] == 3)
        disturbed = self.played[place] <= self.voids.get(place, 0)
        turn = 0 if self.one_is_late else block.number + len(earlier) + self.played[place]
        late = block.table[turn % len(block.table)]
        if disturbed and not stands and late not in unexcused:
            raise BlockVoid("the host was busy", late)
        # A few different games will do.
        result = made_up(block, self.faulty, block.number % 4)
        return due(msgspec.structs.replace(result, contended=disturbed), terms, earlier)


def bots_of(count: int) -> list[Contestant]:
    return [Contestant(f"bot {number}", ("/bin/false",), "/", "0" * 64) for number in range(count)]


def new(path: Path, bots: int, **changes: object) -> Store:
    header = header_for(**changes)
    return Store.create(path, header, [BotRow(name=bot.name, digest="", command="") for bot in bots_of(bots)])
