"""A finished game cut into beats: one for each event, with the table before and after it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.cheat.cards import in_order
from arena.cheat.events import Dealt, Event, Hand, Out, Played, Resolved
from arena.cheat.game import is_true
from arena.cheat.record import RecordError


@dataclass(frozen=True, slots=True)
class Table:
    """Where all cards are, with nothing hidden."""

    hands: tuple[Hand, ...]
    """By seat, in the order of a fresh pack; empty for a seat that has left."""
    active: tuple[int, ...]
    """The seats still in the game, ascending."""
    pile: Hand = ()
    """Oldest card first; the cards of an open play are on it."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One event of a game and what it changed."""

    event: Event
    turn: int
    """0 for the deal and for what came before the first turn."""
    before: Table
    after: Table
    claim: Played | None
    """The claim of this turn, if one was made by now."""

    @property
    def lie(self) -> bool:
        """Whether a claim is made here that is not true."""
        return isinstance(self.event, Played) and not is_true(self.event)

    @property
    def called(self) -> bool:
        """Whether a claim is called here."""
        return isinstance(self.event, Resolved) and bool(self.event.callers)

    @property
    def fault(self) -> bool:
        """Whether a seat leaves by a fault here."""
        return isinstance(self.event, Out) and self.event.fault


def beats_of(events: Sequence[Event]) -> tuple[Beat, ...]:
    """The beats of a game, the deal first. `events`: what a replay of its record gives, or the beginning.

    Raises RecordError where they do not begin with the deal, or move cards that are not there; whether they
    are a game by the rules is for a replay to say.
    """
    if not events or not isinstance(events[0], Dealt):
        raise RecordError("a log of events begins with the deal")
    table = Table(events[0].hands, tuple(range(len(events[0].hands))))
    beats = [Beat(events[0], 0, table, table, None)]
    claim: Played | None = None
    for event in events[1:]:
        if isinstance(event, Dealt):
            raise RecordError("a log of events has one deal")
        if isinstance(event, Played):
            claim = event
        elif claim is not None and claim.turn != event.turn:
            claim = None
        try:
            after = _after(table, event)
        except (ValueError, IndexError):
            raise RecordError(f"turn {event.turn}: cards are moved that are not there") from None
        beats.append(Beat(event, event.turn, table, after, claim))
        table = after
    return tuple(beats)


def _after(table: Table, event: Event) -> Table:
    if isinstance(event, Played):
        rest = list(table.hands[event.seat])
        for card in event.cards:
            rest.remove(card)
        return replace(table, hands=_with(table, event.seat, rest), pile=table.pile + event.cards)
    if isinstance(event, Resolved) and event.taker is not None:
        held = in_order((*table.hands[event.taker], *table.pile))
        return replace(table, hands=_with(table, event.taker, held), pile=())
    if isinstance(event, Out):
        active = tuple(seat for seat in table.active if seat != event.seat)
        return replace(table, hands=_with(table, event.seat, ()), active=active)
    return table


def _with(table: Table, seat: int, hand: Sequence[str]) -> tuple[Hand, ...]:
    """The hands, this seat's another one."""
    hands = list(table.hands)
    hands[seat] = tuple(hand)
    return tuple(hands)
