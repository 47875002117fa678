"""The games of a results file, as far as they are needed to be played again: tables, rules and records."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from arena.referee.block import GameResult, Terms
from arena.tournament.store import Store


@dataclass(frozen=True)
class RecordedBlock:
    """One table: its bots in order of their numbers, who sat where in each game, and the games."""

    number: int
    numbers: tuple[int, ...]
    """Of the bots in the tournament."""
    names: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    """By game and seat, an index into `names`."""
    games: tuple[GameResult, ...]


@dataclass(frozen=True)
class Recorded:
    """A finished tournament without faults."""

    terms: Terms
    blocks: tuple[RecordedBlock, ...]
    requests: int
    """As the referee counted them."""
    span: float
    """Seconds from the start of the first block to the end of the last."""

    @property
    def winners(self) -> list[int | None]:
        """The seat that has won, of every game in their order."""
        return [game.record.winner for block in self.blocks for game in block.games]


def read_results(path: Path) -> Recorded:
    """What a results file holds. Raises ValueError if a bot faulted: such games cannot be sent again."""
    with Store.open(path) as store:
        names = [bot.name for bot in store.bots]
        blocks = []
        for number, rows in groupby(store.games(), key=lambda row: row[0]):
            games = [game for _, game in rows]
            if any(game.faults for game in games):
                raise ValueError(f"a bot faulted in block {number}: {[game.faults for game in games]}")
            bots = sorted(games[0].seating)
            seatings = tuple(tuple(bots.index(bot) for bot in game.seating) for game in games)
            table = tuple(names[bot] for bot in bots)
            blocks.append(RecordedBlock(number, tuple(bots), table, seatings, tuple(games)))
        times = list(store.select("blocks.started, blocks.seconds"))
        ended = max(started + seconds for started, seconds in times)
        span = ended - min(started for started, _ in times)
        return Recorded(store.header.terms, tuple(blocks), store.requests(), span)
