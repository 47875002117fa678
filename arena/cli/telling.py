"""A recorded game in words, turn by turn: as it was, or as one seat saw it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from arena.cheat.events import Dealt, Ended, Event, Out, Passed, Played, Resolved
from arena.cheat.game import is_true
from arena.cli.shown import counted, safe
from arena.protocol.faults import FaultRecord
from arena.referee.block import GameResult

LONGEST_TEXT: Final = 1200
"""Characters of what a bot said that are shown; a bot has 1024 bytes."""
_REASONS: Final = {
    "won": "a seat has laid its last cards",
    "placed": "at most two seats were left",
    "capped": "the turn limit was reached",
    "alone": "faults left one seat",
    "nobody": "faults left nobody",
}


def told(
    game: GameResult, names: Sequence[str], seat: int | None = None, *, named: bool = True
) -> Iterator[str]:
    """The lines of a game. `names`: by seat.

    With a `seat`, only what that seat knew then: its own cards, the cards that were turned up, what it took,
    and its own words and faults; of the others their names, if they were `named` to it.
    """
    return _Teller(game, names, seat, named=named).lines()


class _Teller:
    """The table while the game is gone through, as far as the hearer may know it."""

    def __init__(self, game: GameResult, names: Sequence[str], seat: int | None, *, named: bool) -> None:
        self._game = game
        self._seat = seat
        self._names = [
            f"{safe(name)} ({number})" if seat is None or named or number == seat else f"seat {number}"
            for number, name in enumerate(names)
        ]
        self._sizes: list[int | None] = [len(hand) for hand in game.record.hands]
        self._pile = 0
        self._play: Played | None = None
        self._gone = False
        """The hearer has left, and is told of nothing but the end."""

    def lines(self) -> Iterator[str]:
        own = self._game.forfeited
        if self._seat is not None and self._seat in own:
            yield f"{self._names[self._seat]} was not there: it had forfeited the game by faults before it."
            return
        for turn, events in groupby(self._game.events, _turn_of):
            ending: Event | None = None
            for event in events:
                if isinstance(event, Ended):
                    ending = event
                elif not self._gone:
                    yield from self._line(event)
            yield from self._said(turn)
            if ending is not None:
                yield from self._line(ending)

    def _line(self, event: Event) -> Iterator[str]:
        if isinstance(event, Dealt):
            yield from self._dealt(event)
        elif isinstance(event, Played):
            self._play = event
        elif isinstance(event, Resolved):
            yield from self._resolved(event)
        elif isinstance(event, Passed):
            yield f"Turn {event.turn}: {self._names[event.seat]} passes"
        elif isinstance(event, Out):
            yield from self._out(event)
        else:
            yield from self._ended(event)

    def _dealt(self, event: Dealt) -> Iterator[str]:
        width = max(map(len, self._names))
        for number, hand in enumerate(event.hands):
            shown = " ".join(hand) if self._seat in (None, number) else counted(len(hand), "card")
            yield f"{self._names[number]:<{width}}  {shown}"

    def _resolved(self, event: Resolved) -> Iterator[str]:
        play = self._play
        assert play is not None, "a window closes over a play"
        claimant = self._names[event.claimant]
        line = f"Turn {event.turn}: {claimant} claims {event.count} x {event.rank}"
        cards, truth = " ".join(play.cards), "true" if is_true(play) else "a lie"
        if self._seat in (None, event.claimant):
            line += f", lays {cards}: {truth}"
        elif event.callers:
            line += f"; {cards} turned up: {truth}"
        yield line
        self._move(event.claimant, -len(play.cards))
        self._pile += len(play.cards)
        if event.taker is None:
            yield f"  nobody calls; {self._table()}"
            return
        callers = ", ".join(self._names[caller] for caller in event.callers)
        taken = counted(len(event.taken), "card")
        if self._seat in (None, event.taker):
            taken += f" ({' '.join(event.taken)})"
        self._move(event.taker, len(event.taken))
        self._pile = 0
        yield f"  called by {callers}; {self._names[event.taker]} takes {taken}"
        yield f"  {self._table()}"

    def _move(self, seat: int, cards: int) -> None:
        held = self._sizes[seat]
        self._sizes[seat] = (held or 0) + cards

    def _table(self) -> str:
        hands = " ".join("-" if size is None else str(size) for size in self._sizes)
        return f"hands {hands}, pile {self._pile}"

    def _out(self, event: Out) -> Iterator[str]:
        self._sizes[event.seat] = None
        name = self._names[event.seat]
        self._gone = event.seat == self._seat
        if not event.fault:
            yield f"  {name} is out of cards: place {event.place}"
            return
        when = "Before the first turn: " if event.turn == 0 else f"Turn {event.turn}: "
        if event.seat in self._game.forfeited:
            yield f"{when}{name} is not there, and its {_cards(event)} play"
            return
        yield f"{when}{name} leaves by a fault, and its {_cards(event)} play"
        if self._seat in (None, event.seat):
            faults = [one for one in self._game.faults if one.effective and one.seat == event.seat]
            for fault in faults:
                yield from _fault(fault)

    def _ended(self, event: Ended) -> Iterator[str]:
        winner = "nobody wins" if event.winner is None else f"{self._names[event.winner]} wins"
        yield f"The game ends on turn {event.turn}: {_REASONS[event.reason]}; {winner}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(event.places)):
            yield f"  {place}. {self._names[seat]}"
        for fault in self._game.faults:
            if not fault.effective and self._seat in (None, fault.seat):
                yield f"{self._names[fault.seat]} did wrong after its last request, without effect"
                yield from _fault(fault)

    def _said(self, turn: int) -> Iterator[str]:
        for debug in self._game.debug:
            if debug.turn == turn and self._seat in (None, debug.seat):
                yield f"  {self._names[debug.seat]} says: {safe(debug.text, LONGEST_TEXT)}"


def _cards(event: Out) -> str:
    return f"{counted(len(event.removed), 'card')} {'leaves' if len(event.removed) == 1 else 'leave'}"


def _turn_of(event: Event) -> int:
    return 0 if isinstance(event, Dealt) else event.turn


def _fault(fault: FaultRecord) -> Iterator[str]:
    yield f"  {fault.code}: {safe(fault.rule, 600)}"
    if fault.offending:
        yield f"  it printed: {safe(fault.offending, 600)}"
