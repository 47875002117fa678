"""A recorded game gone through again: who was asked what, in which order, and what each seat answered."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.events import Event
from arena.cheat.game import Game, IllegalAction
from arena.cheat.record import RecordError
from arena.protocol.faults import FaultRecord
from arena.protocol.lines import challenge_line, play_line, seconds_told
from arena.protocol.messages import Kind
from arena.referee.block import GameResult, Terms
from arena.referee.ids import Ids, for_game

Answer: TypeAlias = Play | Pass | bool | FaultRecord | None
"""A play, a pass, whether the seat called, or the fault; None where no record tells."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request and its answer."""

    turn: int
    seat: int
    kind: Kind
    answer: Answer
    bank: float
    """Seconds in the bank as the request said (of hello: 0)."""
    allowed: float
    """Seconds to answer in: the move limit and the bank, which is told rounded and counted exactly."""
    id: str = ""
    line: bytes = b""
    """The line as it was sent. Id and line are empty for seats whose lines were not wanted."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened between two positions of the game."""

    turn: int
    """The turn when it began; 0 before the first."""
    action: Action
    due: tuple[int, ...]
    """The seats whose requests fell due, in that order."""
    idle: tuple[int, ...]
    """Those that did wrong before their request fell due: they left without being asked."""
    asked: tuple[Asked, ...]
    """In the order in which the requests were made."""
    events: tuple[Event, ...]
    missed: tuple[Asked, ...]
    """What the idle seats would have been asked, had they not left."""


def retrace(terms: Terms, block: int, game: GameResult, wanted: Collection[int] = ()) -> Iterator[Step]:
    """Every step of a recorded game, in order. `wanted`: the seats whose lines are to be made.

    Phases and codes of faults, and the seconds each answer took, are taken from the record; all else
    follows from its actions. Raises RecordError if these are not a game.
    """
    try:
        position = Game(terms.rules, game.record.hands)
    except ValueError as wrong:
        raise RecordError(f"the deal: {wrong}") from None
    clock = _Clock(terms, game)
    voices = {seat: _voice(terms.seed, block, game.game, seat) for seat in wanted}
    faults = {fault.seat: fault for fault in game.faults if fault.effective}
    absent = set(game.forfeited) | set(failed_starts(game))
    for number, action in enumerate(game.record.actions):
        due: tuple[int, ...]
        kind: Kind = "play"
        opening = number == 0 and bool(absent) and isinstance(action, Fault)
        if opening:
            due = ()
        elif isinstance(action, Answers):
            kind, due = "challenge", position.asked
        else:
            due = (position.seat_to_play,)
        idle = tuple(
            seat for seat in due if seat in faults and faults[seat].phase == "idle" and seat in _left(action)
        )
        asked: list[Asked] = []
        missed: list[Asked] = []
        for seat in due:
            bank = clock.told(seat)
            name, line = "", b""
            if seat in voices:
                name = voices[seat].next()
                make = play_line if kind == "play" else challenge_line
                line = make(position, seat, name, terms.move_time, bank)
            answer = _answer(action, seat, faults)
            one = Asked(position.turn, seat, kind, answer, bank, clock.allowed(seat), name, line)
            (missed if seat in idle else asked).append(one)
        # The whole window is asked before anything of it is billed.
        clock.bill(asked)
        turn = 0 if opening else position.turn
        try:
            events = position.apply(action)
        except IllegalAction as wrong:
            raise RecordError(f"action {number + 1}, turn {position.turn}: {wrong}") from None
        yield Step(turn, action, due, idle, tuple(asked), events, tuple(missed))
    if position.ended is None:
        raise RecordError(f"the record stops after {len(game.record.actions)} actions, and the game goes on")


def failed_starts(game: GameResult) -> dict[int, FaultRecord]:
    """The seats whose bots had no process when the game began because none would start, by seat."""
    return {
        fault.seat: fault for fault in game.faults if fault.effective and fault.phase in ("start", "hello")
    }


class _Clock:
    """The banks of a game, from the seconds its answers took."""

    def __init__(self, terms: Terms, game: GameResult) -> None:
        self._move = terms.move_time
        self._banks = [terms.bank] * terms.seats
        self._untimed = [bot == terms.untimed for bot in game.seating]
        self._used = iter([timing.used for timing in game.timings])

    def told(self, seat: int) -> float:
        return seconds_told(self._banks[seat])

    def allowed(self, seat: int) -> float:
        return self._move + self._banks[seat]

    def bill(self, asked: Sequence[Asked]) -> None:
        for ask in asked:
            used = next(self._used, 0.0)
            if used > self._move and not self._untimed[ask.seat]:
                self._banks[ask.seat] = max(0.0, self._banks[ask.seat] - (used - self._move))


def _voice(seed: bytes, block: int, game: int, seat: int) -> Ids:
    ids = Ids(seed)
    ids.begin(for_game(block, game, seat))
    return ids


def _left(action: Action) -> tuple[int, ...]:
    """The seats that leave by a fault in this action."""
    if isinstance(action, Answers):
        return action.faulted
    return action.seats if isinstance(action, Fault) else ()


def _answer(action: Action, seat: int, faults: dict[int, FaultRecord]) -> Answer:
    if seat in _left(action):
        return faults.get(seat)
    if isinstance(action, Answers):
        return seat in action.callers
    return action if isinstance(action, Play | Pass) else None
