"""One game at one table: asks the seats, feeds the game, tells the seats, keeps what lies beside it."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.cheat.actions import Action, Answers, Fault
from arena.cheat.deal import bot_seed, deal, deal_key, game_id
from arena.cheat.events import Event
from arena.cheat.game import Game, Phase
from arena.protocol.faults import FaultRecord
from arena.protocol.lines import challenge_line, play_line, seconds_told, start_line
from arena.protocol.messages import ChallengeReply, Kind, PlayReply
from arena.referee.ask import Ask, Round, Trouble
from arena.referee.audience import Audience
from arena.referee.block import Debug, GameResult, Terms, Timing
from arena.referee.ids import for_game
from arena.referee.machine import Machine
from arena.referee.ruling import ruled
from arena.referee.seat import Seat
from arena.referee.umpire import Umpire
from arena.referee.verdict import fault_record


@dataclass(frozen=True, slots=True)
class Sitting:
    """Which game of which block this is, and who sits where."""

    block: int
    game: int
    seating: tuple[int, ...]
    names: tuple[str, ...]
    """By seat, as the roster names the bots."""


class Table:
    """Plays one game. `seats[s]` is None for a seat that is out before the first turn."""

    def __init__(
        self,
        terms: Terms,
        sitting: Sitting,
        seats: Sequence[Seat | None],
        machine: Machine,
        failed: Mapping[int, FaultRecord],
        umpire: Umpire,
        heard: Callable[[Event], None] | None = None,
    ) -> None:
        """`heard` is told of every event as it happens, all of it; it must not wait, for bots do."""
        self._terms = terms
        self._sitting = sitting
        self._seats = seats
        self._machine = machine
        self._umpire = umpire
        self._last_arrival = math.nan
        key = deal_key(terms.seed, terms.dealt_as(sitting.block), sitting.game)
        self._game = Game(terms.rules, deal(terms.rules, terms.seats, key))
        self._events: list[Event] = [self._game.opening()]
        self._banks = [terms.bank] * terms.seats
        self._faults: list[FaultRecord] = list(failed.values())
        self._debug: list[Debug] = []
        self._timings: list[Timing] = []
        self._absent = tuple(number for number, seat in enumerate(seats) if seat is None)
        self._forfeited = tuple(number for number in self._absent if number not in failed)
        self._audience = Audience(terms.seats, self._absent)
        self._heard = heard

    async def play(self) -> GameResult:
        """Play the game to its end. Broken off (cancelled) it leaves no result."""
        began = time.perf_counter()
        if self._heard is not None:
            self._heard(self._events[0])
        self._open()
        game = self._game
        while game.phase is not Phase.OVER:
            action = await (self._turn() if game.phase is Phase.PLAY else self._window())
            self._apply(action)
        return GameResult(
            game=self._sitting.game,
            id=game_id(self._terms.seed, self._sitting.block, self._sitting.game),
            seating=self._sitting.seating,
            record=game.record(),
            events=tuple(self._events),
            faults=tuple(self._faults),
            forfeited=self._forfeited,
            debug=tuple(self._debug),
            timings=tuple(self._timings),
            seconds=time.perf_counter() - began,
        )

    def _open(self) -> None:
        terms, sitting = self._terms, self._sitting
        name = game_id(terms.seed, sitting.block, sitting.game)
        shown = list(sitting.names) if terms.names else None
        for number, seat in enumerate(self._seats):
            if seat is not None:
                seat.new_game(for_game(sitting.block, sitting.game, number))
                own_seed = bot_seed(terms.seed, terms.dealt_as(sitting.block), sitting.game, number)
                seat.tell(start_line(self._game, number, name, own_seed, shown))
        if self._absent:
            self._apply(Fault(self._absent))

    def _apply(self, action: Action) -> None:
        for event in self._game.apply(action):
            self._events.append(event)
            if self._heard is not None:
                self._heard(event)
            for number, line in self._audience.lines(event):
                self._seat(number).tell(line)

    # Requests.

    def _ask(self, number: int, kind: Kind) -> Ask:
        seat = self._seat(number)
        name = seat.ids.next()
        bank = self._banks[number]
        make = play_line if kind == "play" else challenge_line
        line = make(self._game, number, name, self._terms.move_time, seconds_told(bank))
        allowed = math.inf if self._untimed(number) else self._terms.move_time + bank
        return Ask(seat, kind, name, line, allowed)

    def _untimed(self, number: int) -> bool:
        return self._sitting.seating[number] == self._terms.untimed

    def _seat(self, number: int) -> Seat:
        seat = self._seats[number]
        assert seat is not None, "a seat that is out is never asked"
        return seat

    async def _gather(self, asks: Sequence[Ask]) -> None:
        """Send, wait for the last verdict, and bill each seat for its own time alone."""
        if not asks:
            return
        round = Round(self._machine.thinking, self._machine.clock_offset)
        await round.gather(asks, at_once=self._terms.rules.callers == "first")
        self._measure([ask for ask in asks if ask.was_sent])

    def _measure(self, asks: Sequence[Ask]) -> None:
        if not asks:
            return
        gap = min(ask.sent for ask in asks) - self._last_arrival
        if gap > 0:  # the first of a game has nothing before it
            self._machine.overhead.add(gap / len(asks))
        self._last_arrival = max(ask.arrived for ask in asks)

    def _bill(self, number: int, ask: Ask) -> None:
        self._timings.append(Timing(self._game.turn, number, seconds_told(self._banks[number]), ask.used))
        if ask.used > self._terms.move_time and not self._untimed(number):
            self._banks[number] = max(0.0, self._banks[number] - (ask.used - self._terms.move_time))

    async def _asked(self, due: Sequence[int], kind: Kind) -> tuple[list[int], dict[int, Ask]]:
        """Ask those whose requests fall due: the seats that have done wrong before theirs was sent, in that
        order and recorded, and the requests that the others were sent, with their verdicts."""
        asks = {number: self._ask(number, kind) for number in due if self._seat(number).trouble is None}
        await self._gather(list(asks.values()))
        sent = {number: ask for number, ask in asks.items() if ask.was_sent}
        idle = [number for number in due if number not in sent]
        for number in idle:
            trouble = self._seat(number).trouble
            assert trouble is not None
            self._record(number, "idle", trouble, None)
        for number, ask in sent.items():
            self._bill(number, ask)
        return idle, sent

    async def _turn(self) -> Action:
        number = self._game.seat_to_play
        idle, sent = await self._asked([number], "play")
        if idle:
            return Fault((number,))
        ask = sent[number]
        if ask.trouble is not None:
            return self._fault(number, ask, ask.trouble)
        assert isinstance(ask.reply, PlayReply)
        self._keep_debug(number, ask.reply.debug)
        play = ruled(ask.reply, number, self._game.legal_ranks, self._game.why_illegal)
        if isinstance(play, Trouble):
            return self._fault(number, ask, play)
        return play

    async def _window(self) -> Action:
        faulted, sent = await self._asked(self._game.asked, "challenge")
        callers: list[tuple[float, int]] = []
        for number, ask in sent.items():
            if ask.trouble is not None:
                self._fault(number, ask, ask.trouble)
                faulted.append(number)
                continue
            assert isinstance(ask.reply, ChallengeReply)
            self._keep_debug(number, ask.reply.debug)
            if ask.reply.challenge:
                callers.append((ask.used, number))
        if self._terms.rules.callers == "first":
            # Who was heard first by its own clock; the sort is stable, so ties fall to seat order.
            callers.sort(key=lambda call: call[0])
        return Answers(tuple(number for _, number in callers), tuple(sorted(faulted)))

    def _keep_debug(self, number: int, text: str | None) -> None:
        if text is not None:
            self._debug.append(Debug(self._game.turn, number, text))

    # Faults.

    def _fault(self, number: int, ask: Ask, trouble: Trouble) -> Fault:
        self._record(number, ask.kind, trouble, ask)
        return Fault((number,))

    def _record(self, number: int, phase: Kind | str, trouble: Trouble, ask: Ask | None) -> None:
        if ask is not None:
            self._umpire.allow(trouble, ask, self._sitting.seating[number])
        name, words = self._sitting.names[number], self._seat(number).last_words()
        self._faults.append(fault_record(trouble, ask, phase, number, name, self._game.turn, words))
