"""A game as somebody may see it, beat by beat: everything, what is public, or what one seat knew by then."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import msgspec

from arena.cheat.beats import Beat
from arena.cheat.cards import Rank
from arena.cheat.events import Ended, Hand, Out, Passed, Played, Resolved
from arena.cheat.game import is_true
from arena.cheat.rules import Rules
from arena.protocol.lines import notice_of
from arena.protocol.messages import End, Outcome, OutEvent, PassedEvent


@dataclass(frozen=True, slots=True)
class View:
    """Whose eyes: those of a seat, or with `seat` None of somebody beside the table."""

    seat: int | None = None
    everything: bool = False
    """With `seat` None: sees the cards of all; else only what all seats are told."""

    def cards_of(self, seat: int) -> bool:
        """Whether the cards that this seat is dealt, lays and picks up are seen."""
        return self.everything or seat == self.seat


EVERYTHING: Final = View(everything=True)
PUBLIC: Final = View()


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands as they were dealt, by seat; None: not seen. `sizes` None where not even these were told."""

    hands: tuple[Hand | None, ...]
    sizes: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A play; its cards, and whether the claim is true, where that is known (else None)."""

    turn: int
    seat: int
    rank: Rank
    count: int
    cards: Hand | None = None
    true: bool | None = None


Happening: TypeAlias = Deal | Claim | Outcome | PassedEvent | OutEvent | End
"""What a beat is, as far as it is seen. `picked_up` of an outcome is there if these cards are seen."""


@dataclass(frozen=True, slots=True)
class Size:
    """A number of cards. Not exact: a hand from which some were laid, or a pile to which they came.

    That is so under rules that let a claim lie about the number, until the number is told.
    """

    cards: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """One seat, as far as it is seen."""

    size: Size | None
    """None: unknown, or the seat has left."""
    hand: Hand | None
    """None: not seen."""
    claim: Claim | None = None
    """Its last one."""
    left: OutEvent | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """One beat in a view: what happens, and the table after it."""

    beat: int
    """Its number among all beats of the game, from 0."""
    turn: int
    happening: Happening
    places: tuple[Place, ...]
    """By seat."""
    pile: Size | None
    pile_cards: Hand
    """Those that are seen of the pile, oldest first: all, one's own, or none."""
    claim: Claim | None
    """The claim of this turn, if one was made by now."""
    lie: bool = False
    """A lie is seen here, and was not before."""
    called: bool = False
    fault: bool = False


def scenes(
    beats: Sequence[Beat],
    rules: Rules,
    view: View,
    absent: Collection[int] = (),
    idle: Collection[int] = (),
) -> tuple[Scene, ...]:
    """The beats that the view is told of, in order; the deal is always among them.

    A seat knows what it was sent, or had been when its next request came, and what it did itself. So it is
    told of nothing but the end once it is out; and a seat that leaves by a fault is told of nothing that came
    after its last request but its own leaving. `absent`: seats without a process, which were told nothing at
    all. `idle`: those that did wrong while nothing was asked, so that a request which was due was never made.
    """
    hearing = _hearing(beats, view.seat, absent, idle)
    eye = _Eye(beats, rules, view, started=hearing.started)
    return tuple(eye.sees(number) for number, beat in enumerate(beats) if hearing.has(number, beat))


@dataclass(frozen=True, slots=True)
class _Hearing:
    """Which beats a view is told of."""

    until: int
    """The last of those that it is told of one after another."""
    gone: int | None = None
    """The beat in which its own seat leaves."""
    started: bool = True
    """Whether it is told the deal: else nothing is known of the cards."""
    end: bool = True

    def has(self, number: int, beat: Beat) -> bool:
        """Whether it is told of this beat. The deal is there in any case, known or not."""
        return number <= self.until or number == self.gone or (self.end and isinstance(beat.event, Ended))


def _hearing(
    beats: Sequence[Beat], seat: int | None, absent: Collection[int], idle: Collection[int]
) -> _Hearing:
    leaving = [
        (number, beat.event)
        for number, beat in enumerate(beats)
        if isinstance(beat.event, Out) and beat.event.seat == seat
    ]
    if not leaving:
        return _Hearing(len(beats) - 1)
    ((gone, out),) = leaving
    if seat in absent or out.turn == 0:
        return _Hearing(0, gone, started=False, end=False)
    if not out.fault:
        return _Hearing(gone)
    # A request was open or due on this turn: that of a window, or to play.
    window = [number for number in range(gone) if _is_window(beats[number], out.turn)]
    if seat not in idle:
        return _Hearing(window[0] if window else gone, gone)
    asked = [number for number in range(window[0] if window else gone) if _is_asked(beats[number], seat)]
    return _Hearing(asked[-1], gone) if asked else _Hearing(0, gone, started=False)


def _is_window(beat: Beat, turn: int) -> bool:
    return isinstance(beat.event, Played) and beat.turn == turn


def _is_asked(beat: Beat, seat: int | None) -> bool:
    """Whether a request to this seat was answered in this beat, or was sent in the window that it opens."""
    if isinstance(beat.event, Passed):
        return beat.event.seat == seat
    return isinstance(beat.event, Played) and seat in beat.before.active


class _Eye:
    """What is known while the beats go by."""

    def __init__(self, beats: Sequence[Beat], rules: Rules, view: View, *, started: bool) -> None:
        hands = beats[0].after.hands
        self._beats = beats
        self._view = view
        self._guess = rules.wrong_count and not view.everything
        """Whether the number of cards laid is not told with a claim."""
        self._started = started
        self._out = False
        self._places = [
            Place(
                Size(len(hand)) if started else None,
                hand if view.cards_of(seat) and started else None,
            )
            for seat, hand in enumerate(hands)
        ]
        self._pile: Size | None = Size(0) if started else None
        self._pile_cards: Hand = ()
        self._claim: Claim | None = None

    def sees(self, number: int) -> Scene:
        """The beat of this number; of those before it, the ones that are seen were seen."""
        beat = self._beats[number]
        event = beat.event
        if self._claim is not None and self._claim.turn != beat.turn:
            self._claim = None
        lie = called = fault = False
        happening: Happening
        if isinstance(event, Played):
            happening = self._claims(event, beat)
            lie = happening.true is False
        elif isinstance(event, Resolved):
            lie = event.true is False and (self._claim is None or self._claim.true is None)
            called = beat.called
            happening = self._resolves(event, beat)
        elif isinstance(event, Out):
            happening = self._leaves(event)
            fault = event.fault
        elif isinstance(event, Passed):
            if event.seat == self._view.seat:
                self._count(beat)
            happening = PassedEvent(event.turn, event.seat)
        elif isinstance(event, Ended):
            if self._out:
                self._lose_count()
            happening = End(event.turn, event.places, event.winner, event.reason)
        else:
            sizes = tuple(map(len, event.hands)) if self._started else None
            happening = Deal(tuple(place.hand for place in self._places), sizes)
        places, pile = tuple(self._places), self._pile
        return Scene(
            number, beat.turn, happening, places, pile, self._pile_cards, self._claim, lie, called, fault
        )

    def _claims(self, event: Played, beat: Beat) -> Claim:
        # Whoever is asked, to play or to call, is told all numbers as they stand before the play.
        self._count(beat)
        seen = self._view.cards_of(event.seat)
        claim = Claim(event.turn, event.seat, event.rank, event.count)
        if seen:
            claim = replace(claim, cards=event.cards, true=is_true(event))
            self._pile_cards += event.cards
        exact = seen or not self._guess
        laid = len(event.cards) if exact else 0
        self._put(
            event.seat,
            size=Size(len(beat.before.hands[event.seat]) - laid, exact),
            hand=beat.after.hands[event.seat] if seen else None,
            claim=claim,
        )
        self._pile = Size(len(beat.before.pile) + laid, exact)
        self._claim = claim
        return claim

    def _resolves(self, event: Resolved, beat: Beat) -> Outcome:
        outcome = notice_of(event)
        assert isinstance(outcome, Outcome)
        if event.taker is None:
            return outcome
        # With the cards that are turned up and the number taken, all numbers are known.
        self._count(beat, after=True)
        self._pile_cards = ()
        if self._claim is not None:
            self._claim = replace(self._claim, cards=event.shown, true=event.true)
            self._put(event.claimant, claim=self._claim)
        if self._view.cards_of(event.taker):
            self._put(event.taker, hand=beat.after.hands[event.taker])
            return msgspec.structs.replace(outcome, picked_up=event.taken)
        return outcome

    def _leaves(self, event: Out) -> OutEvent:
        left = OutEvent(event.turn, event.seat, event.place, event.fault, len(event.removed))
        self._put(event.seat, size=None, hand=None, left=left)
        self._out = self._out or event.seat == self._view.seat
        return left

    def _count(self, beat: Beat, *, after: bool = False) -> None:
        """All numbers are told: those before the beat, or those after it."""
        table = beat.after if after else beat.before
        for seat in table.active:
            self._put(seat, size=Size(len(table.hands[seat])))
        self._pile = Size(len(table.pile))

    def _lose_count(self) -> None:
        """What happened meanwhile was not told."""
        for seat in range(len(self._places)):
            self._put(seat, size=None)
        self._pile, self._pile_cards = None, ()

    def _put(self, seat: int, **known: object) -> None:
        self._places[seat] = replace(self._places[seat], **known)  # type: ignore[arg-type]
