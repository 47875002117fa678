"""What the runner keeps of a block that is stored: enough to decide at a point and to tell how far it is."""

from dataclasses import dataclass

from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, BlockResult


@dataclass(frozen=True, slots=True)
class Brief:
    """A block in a few words."""

    block: Block
    winners: tuple[int, ...]
    """The bot that has won each game that has a winner."""
    faulted: frozenset[int]
    """The bots that had a fault with effect."""
    faults: int
    """Faults with effect."""
    requests: int
    contended: bool


def brief_of(result: BlockResult) -> Brief:
    """The brief of a block just played."""
    return brief(
        result.block,
        [(game.seating, game.record.winner, game.faults) for game in result.games],
        result.requests,
        result.contended,
    )


def brief(
    block: Block,
    games: list[tuple[tuple[int, ...], int | None, tuple[FaultRecord, ...]]],
    requests: int,
    contended: bool,
) -> Brief:
    """The brief of a block whose games have these (seating, seat that has won, faults)."""
    effective = [seating[fault.seat] for seating, _, faults in games for fault in faults if fault.effective]
    return Brief(
        block=block,
        winners=tuple(seating[winner] for seating, winner, _ in games if winner is not None),
        faulted=frozenset(effective),
        faults=len(effective),
        requests=requests,
        contended=contended,
    )
