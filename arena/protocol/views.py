"""A game as somebody may see it, beat by beat: everything, what is public, or what one seat knew by then."""

from collections.abc import Collection, Iterator, Sequence
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
    eye = _Eye(beats, rules, view, absent)
    return tuple(eye.sees(number) for number in _heard(beats, view, absent, idle))


def _heard(
    beats: Sequence[Beat], view: View, absent: Collection[int], idle: Collection[int]
) -> Iterator[int]:
    """The numbers of the beats that the view is told of."""
    gone, until, end = _leaving(beats, view.seat, absent, idle)
    for number, beat in enumerate(beats):
        if number <= until or number == gone or (end and isinstance(beat.event, Ended)):
            yield number


def _leaving(
    beats: Sequence[Beat], seat: int | None, absent: Collection[int], idle: Collection[int]
) -> tuple[int, int, bool]:
    """The beat in which the seat leaves, the last before it that it was told of, whether it knows the end."""
    last = len(beats) - 1
    leaving = [
        (number, beat.event)
        for number, beat in enumerate(beats)
        if isinstance(beat.event, Out) and beat.event.seat == seat
    ]
    if not leaving:
        return last, last, True
    ((gone, out),) = leaving
    if seat in absent or out.turn == 0:
        return gone, 0, False
    if not out.fault:
        return gone, gone, True
    # A request was open or due on this turn: a window, or its own play.
    window = [number for number in range(gone) if _is_window(beats[number], out.turn)]
    if seat not in idle:
        return gone, window[0] if window else gone, True
    asked = [number for number in range(window[0] if window else gone) if _is_asked(beats[number], seat)]
    return gone, asked[-1] if asked else 0, True


def _is_window(beat: Beat, turn: int) -> bool:
    return isinstance(beat.event, Played) and beat.turn == turn


def _is_asked(beat: Beat, seat: int | None) -> bool:
    """Whether a request to this seat was answered in this beat, or was sent in the window that it opens."""
    if isinstance(beat.event, Passed):
        return beat.event.seat == seat
    return isinstance(beat.event, Played) and seat in beat.before.active


class _Eye:
    """What is known while the beats go by."""

    def __init__(self, beats: Sequence[Beat], rules: Rules, view: View, absent: Collection[int]) -> None:
        hands = beats[0].after.hands
        self._beats = beats
        self._view = view
        self._guess = rules.wrong_count and not view.everything
        """Whether the number of cards laid is not told with a claim."""
        self._blind = view.seat is not None and view.seat in absent
        self._out = False
        self._places = [
            Place(
                None if self._blind else Size(len(hand)),
                hand if view.cards_of(seat) and not self._blind else None,
            )
            for seat, hand in enumerate(hands)
        ]
        self._pile: Size | None = None if self._blind else Size(0)
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
            sizes = None if self._blind else tuple(map(len, event.hands))
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
