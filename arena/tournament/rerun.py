"""Games of a block that were played again, and the first point at which they went another way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.cheat.actions import Answers
from arena.cheat.record import RecordError
from arena.protocol.faults import FaultRecord
from arena.protocol.messages import Kind
from arena.referee.block import Block, GameResult, Terms
from arena.referee.retrace import Answer, failed_starts, retrace


@dataclass(frozen=True, slots=True)
class Moment:
    """A request that fell due, and what became of it."""

    game: int
    turn: int
    """0 for hello."""
    seat: int
    kind: Kind
    answer: Answer
    line: bytes
    """The request; empty where none was sent, because the bot had done wrong before, or never started."""


@dataclass(frozen=True, slots=True)
class Departure:
    """The first moment of two plays of a block that are not the same."""

    recorded: Moment
    again: Moment
    order: bool = False
    """The answers were the same and came in another order, which matters where the first to call counts."""


def first_departure(
    terms: Terms, block: Block, recorded: Sequence[GameResult], again: Sequence[GameResult]
) -> Departure | None:
    """Where the games that were played again first went another way; None: nowhere.

    Seconds, what bots said for their authors and faults without effect are not compared. Raises RecordError
    if what is recorded cannot have been played.
    """
    for before, after in zip(recorded, again, strict=True):
        if before.record.hands != after.record.hands:
            raise RecordError(f"the recorded deal of game {before.game} is not the one of the seed")
        one, other = _moments(terms, block, before), _moments(terms, block, after)
        for (first, callers), (second, others) in zip(one, other, strict=False):
            if _unlike(first, second):
                return Departure(first, second)
            if callers != others:
                return Departure(first, second, order=True)
    return None


def _moments(terms: Terms, block: Block, game: GameResult) -> Iterator[tuple[Moment, tuple[int, ...]]]:
    """Every moment of a game; with the last of a window, the callers in the order they counted in."""
    failed = failed_starts(game)
    for seat in range(len(game.seating)):
        yield Moment(game.game, 0, seat, "hello", failed.get(seat), b""), ()
    faults = {fault.seat: fault for fault in game.faults if fault.effective}
    for step in retrace(terms, block.number, game, range(terms.seats)):
        asked = {one.seat: one for one in step.asked}
        kind: Kind = "challenge" if isinstance(step.action, Answers) else "play"
        for number, seat in enumerate(step.due, 1):
            last = number == len(step.due)
            callers = step.action.callers if last and isinstance(step.action, Answers) else ()
            if seat in asked:
                one = asked[seat]
                yield Moment(game.game, one.turn, seat, kind, one.answer, one.line), callers
            else:
                yield Moment(game.game, step.turn, seat, kind, faults.get(seat), b""), callers


def _unlike(one: Moment, other: Moment) -> bool:
    if (one.turn, one.seat, one.kind) != (other.turn, other.seat, other.kind):
        return True
    if isinstance(one.answer, FaultRecord) and isinstance(other.answer, FaultRecord):
        return one.answer.code != other.answer.code or (
            one.answer.phase != other.answer.phase and "idle" not in (one.answer.phase, other.answer.phase)
        )
    return one.answer != other.answer
