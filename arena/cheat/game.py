"""One game of Cheat as a state machine: actions go in, events come out, and nothing else happens."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

import msgspec

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.cards import Card, Rank, in_order, pack
from arena.cheat.events import Dealt, Ended, Event, Hand, Out, Passed, Played, Reason, Resolved
from arena.cheat.legality import why_not_answers, why_not_fault, why_not_pass, why_not_play
from arena.cheat.order import legal_ranks
from arena.cheat.placing import places, why_over
from arena.cheat.rules import Rules

if TYPE_CHECKING:
    from arena.cheat.record import Record


class Phase(Enum):
    """What a game waits for: a play (or pass), the answers of an open challenge window, or nothing more."""

    PLAY = "play"
    WINDOW = "window"
    OVER = "over"


class IllegalAction(Exception):
    """The action is not allowed in this position; the text says why. The game is unchanged."""


class Game:
    """One game, from the deal to the places. Seat 0 leads; seats are numbered clockwise.

    Everything here is full information. `hand_sizes` and `pile_size` show the table as it is; while a
    window is open, `sizes_before_claim` and `pile_before_claim` are what the others may be told.
    """

    __slots__ = (
        "_actions",
        "_asked",
        "_dealt",
        "_faults",
        "_finished",
        "_hands",
        "_in_play",
        "_last_claim",
        "_pile",
        "_removed",
        "active",
        "cap",
        "claim",
        "ended",
        "phase",
        "rules",
        "seat_to_play",
        "seats",
        "turn",
        "turns",
    )

    def __init__(self, rules: Rules, hands: Sequence[Sequence[Card]]) -> None:
        """A game about to begin with these hands, seat 0 first.

        Raises ValueError if the rules do not take this many seats, or if the hands are not the whole
        pack with at least one card for every seat.
        """
        seats = len(hands)
        rules.check_seats(seats)
        decks = rules.decks_for(seats)
        if sorted(card for hand in hands for card in hand) != sorted(pack(decks)):
            raise ValueError(f"the hands of {seats} seats are not exactly {decks} deck(s)")
        if not all(hands):
            raise ValueError("every seat must be dealt a card")

        self.rules = rules
        self.seats = seats
        self.cap = rules.cap_for(seats)
        """The turn after which the game is capped."""
        self.phase = Phase.PLAY
        self.turn = 1
        """The current turn, from 1; once over, the turn on which it ended."""
        self.turns = 0
        """Plays and passes so far."""
        self.seat_to_play = 0
        """Whose turn it is; while a window is open, the claimant."""
        self.active: tuple[int, ...] = tuple(range(seats))
        """The seats neither out nor faulted, ascending."""
        self.claim: Played | None = None
        """The play whose window is open."""
        self.ended: Ended | None = None

        self._dealt: tuple[Hand, ...] = tuple(tuple(in_order(hand)) for hand in hands)
        self._hands: list[Hand] = list(self._dealt)
        self._pile: list[Card] = []
        self._removed: list[Card] = []
        self._in_play = len(pack(decks))
        self._asked: tuple[int, ...] = ()
        self._last_claim: Rank | None = None
        self._finished: list[int] = []
        self._faults: list[tuple[int, ...]] = []
        self._actions: list[Action] = []

    # What is on the table

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What each seat holds, in the order of a fresh pack; empty for a seat that has left."""
        return tuple(self._hands)

    @property
    def pile(self) -> Hand:
        """The pile, oldest card first."""
        return tuple(self._pile)

    @property
    def removed(self) -> Hand:
        """The cards that left play with faulted seats."""
        return tuple(self._removed)

    @property
    def pile_size(self) -> int:
        """How many cards lie on the pile, an open play included."""
        return len(self._pile)

    @property
    def hand_sizes(self) -> list[int | None]:
        """How many cards each seat holds; None: it is out."""
        sizes: list[int | None] = [None] * self.seats
        for seat in self.active:
            sizes[seat] = len(self._hands[seat])
        return sizes

    @property
    def sizes_before_claim(self) -> list[int | None]:
        """`hand_sizes` as they stood before the open play; the same if none is open."""
        sizes = self.hand_sizes
        if self.claim is not None:
            claimant = self.claim.seat
            sizes[claimant] = len(self._hands[claimant]) + len(self.claim.cards)
        return sizes

    @property
    def pile_before_claim(self) -> int:
        """`pile_size` as it stood before the open play; the same if none is open."""
        return len(self._pile) - (len(self.claim.cards) if self.claim is not None else 0)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats asked in the open window, clockwise from the claimant; nobody if none is open."""
        return self._asked

    @property
    def legal_ranks(self) -> tuple[Rank, ...]:
        """The ranks that may be claimed in the play that is due, from the ace up; none unless one is."""
        if self.phase is not Phase.PLAY:
            return ()
        return legal_ranks(self.rules.order, self.turn, self._last_claim)

    # What the game comes to

    @property
    def places(self) -> tuple[int, ...]:
        """Places by seat, as in Ended. Raises ValueError while the game is not over."""
        return self._verdict.places

    @property
    def winner(self) -> int | None:
        """The seat that has won, if any. Raises ValueError while the game is not over."""
        return self._verdict.winner

    @property
    def reason(self) -> Reason:
        """Why the game is over. Raises ValueError while it is not."""
        return self._verdict.reason

    @property
    def _verdict(self) -> Ended:
        if self.ended is None:
            raise ValueError("the game is not over")
        return self.ended

    def opening(self) -> Dealt:
        """The event before the first action."""
        return Dealt(self._dealt)

    def record(self) -> "Record":
        """The finished game as its deal and its actions. Raises ValueError while it is not over."""
        from arena.cheat.record import Record  # that file replays games, so it imports this one

        end = self._verdict
        return Record(
            rules=self.rules,
            hands=self._dealt,
            actions=tuple(self._actions),
            places=end.places,
            winner=end.winner,
            reason=end.reason,
            turns=self.turns,
        )

    # What can be done

    def why_illegal(self, play: Play | Pass) -> str | None:
        """Why this play or pass is not allowed now, in one sentence for people; None: it is."""
        if self.phase is not Phase.PLAY:
            return self._why_not_now()
        if play.seat != self.seat_to_play:
            return f"it is the turn of seat {self.seat_to_play}, not of seat {play.seat}"
        if isinstance(play, Pass):
            return why_not_pass(self.rules)
        ranks = legal_ranks(self.rules.order, self.turn, self._last_claim)
        return why_not_play(play, self.rules, self._hands[play.seat], ranks, self._in_play)

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do one action and give what came of it, in order. Raises IllegalAction and changes nothing."""
        if isinstance(action, Play):
            return self._play(action)
        if isinstance(action, Answers):
            return self._close_window(action)
        if isinstance(action, Pass):
            return self._pass(action)
        return self._leave(action)

    def _play(self, play: Play) -> tuple[Event, ...]:
        if (wrong := self.why_illegal(play)) is not None:
            raise IllegalAction(wrong)
        seat = play.seat
        cards = tuple(in_order(play.cards))
        rest = list(self._hands[seat])
        for card in cards:
            rest.remove(card)
        self._hands[seat] = tuple(rest)
        self._pile += cards
        self._actions.append(play if cards == play.cards else msgspec.structs.replace(play, cards=cards))
        self.claim = Played(self.turn, seat, cards, play.rank, play.count)
        self._last_claim = play.rank
        self._asked = clockwise(self.active, seat)
        self.turns += 1
        self.phase = Phase.WINDOW
        return (self.claim,)

    def _pass(self, action: Pass) -> tuple[Event, ...]:
        if (wrong := self.why_illegal(action)) is not None:
            raise IllegalAction(wrong)
        self._actions.append(action)
        self.turns += 1
        passed = Passed(self.turn, action.seat)
        return (passed, *self._next_turn())

    def _close_window(self, answers: Answers) -> tuple[Event, ...]:
        claim = self.claim
        if claim is None:
            raise IllegalAction(self._why_not_now())
        if (wrong := why_not_answers(answers, self._asked)) is not None:
            raise IllegalAction(wrong)
        callers, faulted = answers.callers, self._in_turn(answers.faulted)
        if self.rules.callers == "seat_order":
            callers = self._in_turn(callers)
        self._actions.append(Answers(callers, faulted))

        events: list[Event] = [self._resolve(claim, callers)]
        self.claim = None
        self._asked = ()
        # only now is an empty hand a win: a lie that was called has filled it again
        if not self._hands[claim.seat]:
            events.append(self._go_out(claim.seat))
        if faulted:
            events += self._remove(faulted, self.turn)
        events += self._next_turn()
        return tuple(events)

    def _resolve(self, claim: Played, callers: tuple[int, ...]) -> Resolved:
        if not callers:
            return Resolved(self.turn, claim.seat, claim.rank, claim.count, (), None, (), None, None, ())
        challenger = callers[0]
        true = is_true(claim)
        taker = challenger if true else claim.seat
        taken = tuple(in_order(self._pile))
        self._hands[taker] = tuple(in_order(self._hands[taker] + taken))
        self._pile.clear()
        return Resolved(
            turn=self.turn,
            claimant=claim.seat,
            rank=claim.rank,
            count=claim.count,
            callers=callers,
            challenger=challenger,
            shown=claim.cards,
            true=true,
            taker=taker,
            taken=taken,
        )

    def _go_out(self, seat: int) -> Out:
        self._finished.append(seat)
        self.active = tuple(other for other in self.active if other != seat)
        return Out(self.turn, seat, place=len(self._finished), fault=False, removed=())

    def _leave(self, fault: Fault) -> tuple[Event, ...]:
        if self.phase is not Phase.PLAY:
            raise IllegalAction(self._why_not_now())
        opening = not self._actions
        if (wrong := why_not_fault(fault, self.active, self.seat_to_play, opening)) is not None:
            raise IllegalAction(wrong)
        seats = tuple(sorted(fault.seats))
        self._actions.append(Fault(seats))
        # Before the first turn is turn 0; a seat asked to play leaves on the turn it was asked.
        events = self._remove(seats, self.turn if seats == (self.seat_to_play,) else 0)
        if (end := self._end(at_cap=False)) is not None:
            return (*events, end)
        # the turn stays: whoever is next plays the rank that was due
        if self.seat_to_play not in self.active:
            self.seat_to_play = clockwise(self.active, self.seat_to_play)[0]
        return tuple(events)

    def _remove(self, seats: tuple[int, ...], turn: int) -> list[Event]:
        """Faulted seats leave together, with their hands."""
        events: list[Event] = []
        for seat in seats:
            hand = self._hands[seat]
            self._hands[seat] = ()
            self._removed += hand
            self._in_play -= len(hand)
            events.append(Out(turn, seat, place=None, fault=True, removed=hand))
        self._faults.append(seats)
        self.active = tuple(seat for seat in self.active if seat not in seats)
        return events

    def _next_turn(self) -> tuple[Event, ...]:
        """The turn is done: the game ends, or the next active seat clockwise is to play."""
        if (end := self._end(at_cap=self.turn >= self.cap)) is not None:
            return (end,)
        self.turn += 1
        self.seat_to_play = clockwise(self.active, self.seat_to_play)[0]
        self.phase = Phase.PLAY
        return ()

    def _end(self, at_cap: bool) -> Ended | None:
        # with two seats, playing on until two are left is to stop at the first who goes out
        play_on = self.rules.play_on and self.seats > 2
        reason = why_over(len(self._finished), len(self.active), play_on, at_cap)
        if reason is None:
            return None
        winner = self._finished[0] if self._finished else None
        if reason == "alone":
            winner = self.active[0]
        sizes = {seat: len(self._hands[seat]) for seat in self.active}
        self.phase = Phase.OVER
        self.ended = Ended(self.turn, places(self._finished, sizes, self._faults), winner, reason)
        return self.ended

    def _in_turn(self, seats: Iterable[int]) -> tuple[int, ...]:
        """Asked seats in the order of their turns after the claimant."""
        return tuple(sorted(seats, key=self._asked.index))

    def _why_not_now(self) -> str:
        if self.phase is Phase.OVER:
            return "the game is over"
        if self.phase is Phase.WINDOW:
            return f"the challenge window over the play of seat {self.seat_to_play} is open"
        return f"no challenge window is open: it is the turn of seat {self.seat_to_play}"


def clockwise(seats: tuple[int, ...], after: int) -> tuple[int, ...]:
    """The seats (ascending) other than `after`, in the order in which their turns come after it."""
    return seats[bisect_right(seats, after) :] + seats[: bisect_left(seats, after)]


def is_true(claim: Played) -> bool:
    """Whether the cards are what was claimed, every one of them and as many."""
    return claim.count == len(claim.cards) and all(card[0] == claim.rank for card in claim.cards)
