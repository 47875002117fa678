"""What the runner keeps of a block that is stored: enough to decide at a point and to tell how far it is."""

from dataclasses import dataclass

from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, BlockResult


@dataclass(frozen=True, slots=True)
class Brief:
    """A block in a few words, or the games of it that have been played yet."""

    block: Block
    games: int
    """From its first."""
    winners: tuple[int, ...]
    """The bot that has won each game that has a winner."""
    faulted: frozenset[int]
    """The bots that had a fault with effect."""
    faults: int
    """Faults with effect."""
    requests: int
    contended: bool
    voided: tuple[int, ...] = ()
    """For each void try, the bot whose answer was late."""

    @property
    def whole(self) -> bool:
        """Whether all games of the block have been played."""
        return self.games == len(self.block.seatings)

    def and_then(self, more: "Brief") -> "Brief":
        """With the games that followed."""
        return Brief(
            block=self.block,
            games=self.games + more.games,
            winners=self.winners + more.winners,
            faulted=self.faulted | more.faulted,
            faults=self.faults + more.faults,
            requests=self.requests + more.requests,
            contended=self.contended or more.contended,
            voided=self.voided + more.voided,
        )


def brief_of(result: BlockResult) -> Brief:
    """The brief of games just played."""
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
    voided: tuple[int, ...] = (),
) -> Brief:
    """The brief of a block whose games have these (seating, seat that has won, faults)."""
    effective = [seating[fault.seat] for seating, _, faults in games for fault in faults if fault.effective]
    return Brief(
        block=block,
        games=len(games),
        winners=tuple(seating[winner] for seating, winner, _ in games if winner is not None),
        faulted=frozenset(effective),
        faults=len(effective),
        requests=requests,
        contended=contended,
        voided=voided,
    )
