"""How a bot came to the games of a block, from their records: its starts, its faults, its ladder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.protocol.faults import FaultRecord
from arena.referee.block import GameResult, Terms
from arena.referee.ladder import Ladder
from arena.referee.retrace import failed_starts


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a bot came to one game of a block."""

    game: int
    seat: int
    start: int | None
    """The number of the start that was made for this game, counted from 1; None: none was."""
    failed: FaultRecord | None
    """Why that start failed, if it did."""
    forfeited: bool
    """It was out before the game, by the faults it had before."""
    faulted: bool
    """A fault ended its game."""


def attendances(terms: Terms, games: Sequence[GameResult], bot: int) -> Iterator[Attendance]:
    """How the bot came to each of these games, a block's from its first. Raises ValueError if it did not."""
    return _followed(terms, games, bot, Ladder(terms.forfeit))


def ladder_after(terms: Terms, games: Sequence[GameResult], bot: int) -> Ladder:
    """Where these games, a block's from its first, have brought the bot. Raises ValueError as above."""
    ladder = Ladder(terms.forfeit)
    for _ in _followed(terms, games, bot, ladder):
        pass
    return ladder


def _followed(terms: Terms, games: Sequence[GameResult], bot: int, ladder: Ladder) -> Iterator[Attendance]:
    lives = False
    for game in games:
        seat = game.seating.index(bot)
        start: int | None = None
        if not ladder.forfeited and not lives:
            ladder.starts += 1
            start = ladder.starts
        failed = failed_starts(game).get(seat) if start is not None else None
        faulted = any(fault.effective and fault.seat == seat for fault in game.faults)
        yield Attendance(game.game, seat, start, failed, ladder.forfeited, faulted)
        if failed is not None:
            ladder.failed_start()
        elif faulted:
            ladder.fault()
        lives = not (ladder.forfeited or faulted or terms.fresh)
