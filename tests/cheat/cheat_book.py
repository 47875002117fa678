"""The rules of Cheat told once more, plainly and slowly, and with none of the code's own parts.

What it keeps is a history; everything is worked out from that anew each time it is asked.
"""

from collections import Counter
from itertools import combinations

from arena.cheat.actions import Answers, Fault, Pass, Play

ACES_UP = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]


class Book:
    """A table where somebody looks everything up in the rule book."""

    def __init__(self, rules, hands):
        self.rules = rules
        self.seats = len(hands)
        self.hands = [Counter(hand) for hand in hands]
        self.pile = Counter()
        self.removed = Counter()
        self.open = None  # the play that may be challenged
        self.taken_turns = []  # the seat of each turn so far
        self.claims = []  # the ranks claimed so far
        self.went_out = []
        self.faulted = []  # groups, earliest first
        self.begun = False
        self.at_turn = 0  # the seat to play

    # What the book says

    def playing(self):
        gone = {*self.went_out, *(seat for group in self.faulted for seat in group)}
        return [seat for seat in range(self.seats) if seat not in gone]

    def left_of(self, seat):
        """Those still playing, in the order met going clockwise round the table from a seat."""
        round_the_table = [(seat + step) % self.seats for step in range(1, self.seats)]
        return [other for other in round_the_table if other in self.playing()]

    def due(self):
        turns = len(self.taken_turns)
        if self.rules.order == "up":
            return {ACES_UP[turns % 13]}
        if self.rules.order == "down_from_ace":
            return {ACES_UP[-turns % 13]}
        if self.rules.order == "down_from_king":
            return {ACES_UP[(12 - turns) % 13]}
        if self.rules.order == "free":
            return set(ACES_UP)
        if not self.claims:
            return {"A"}
        last = ACES_UP.index(self.claims[-1])
        due = {ACES_UP[(last + 1) % 13], ACES_UP[(last - 1) % 13]}
        return due | {self.claims[-1]} if self.rules.order == "same_up_down" else due

    def cards_in_play(self):
        return sum(map(Counter.total, self.hands)) + self.pile.total()

    def ending(self):
        """The reason for which the game is over, or None."""
        playing = len(self.playing())
        if self.went_out:
            if not self.rules.play_on or self.seats == 2:
                return "won"
            if playing <= 2:
                return "placed"
        elif playing <= 1:
            return ("nobody", "alone")[playing]
        if self.open is None and len(self.taken_turns) >= self.most_turns():
            return "capped"
        return None

    def most_turns(self):
        if self.rules.turn_cap:
            return self.rules.turn_cap
        one_deck = self.cards_in_play() + self.removed.total() == 52
        if one_deck and not self.rules.play_on:
            return 500 if self.seats == 2 else 1000
        return 2000

    def ranking(self):
        """Places by seat: one more than the number of seats that did better."""

        def merit(seat):
            if seat in self.went_out:
                return (3, -self.went_out.index(seat))
            if seat in self.playing():
                return (2, -self.hands[seat].total())
            return (1, next(when for when, group in enumerate(self.faulted) if seat in group))

        merits = [merit(seat) for seat in range(self.seats)]
        return tuple(1 + sum(other > own for other in merits) for own in merits)

    def winner(self):
        if self.went_out:
            return self.went_out[0]
        return self.playing()[0] if self.ending() == "alone" else None

    def allows(self, action):
        if self.ending():
            return False
        if isinstance(action, Answers):
            return self.allows_answers(action)
        if self.open is not None:
            return False
        if isinstance(action, Fault):
            return self.allows_fault(action)
        if action.seat != self.at_turn:
            return False
        if isinstance(action, Pass):
            return self.rules.passing
        return self.allows_play(action)

    def allows_answers(self, answers):
        if self.open is None:
            return False
        answered = [*answers.callers, *answers.faulted]
        others = set(self.playing()) - {self.open.seat}
        return set(answered) <= others and len(set(answered)) == len(answered)

    def allows_fault(self, fault):
        if list(fault.seats) == [self.at_turn]:
            return True
        named = set(fault.seats)
        return (
            bool(named) and not self.begun and named <= set(self.playing()) and len(named) == len(fault.seats)
        )

    def allows_play(self, play):
        laid = Counter(play.cards)
        most = self.rules.max_cards or 10**9
        return (
            1 <= laid.total() <= most
            and laid <= self.hands[play.seat]
            and play.rank in self.due()
            and (
                1 <= play.count <= min(most, self.cards_in_play())
                if self.rules.wrong_count
                else play.count == laid.total()
            )
        )

    def plays(self):
        """Every play allowed now, cards in the order of a fresh pack; for small hands."""
        hand = sorted(self.hands[self.at_turn].elements(), key=lambda card: (ACES_UP.index(card[0]), card[1]))
        most = min(self.rules.max_cards or 10**9, len(hand))
        choices = {cards for size in range(1, most + 1) for cards in combinations(hand, size)}
        return {
            Play(self.at_turn, cards, rank, count)
            for cards in choices
            for rank in self.due()
            for count in (range(1, self.cards_in_play() + 1) if self.rules.wrong_count else [len(cards)])
            if self.rules.max_cards is None or count <= self.rules.max_cards
        }

    # What happens

    def do(self, action):
        if isinstance(action, Play):
            self.hands[action.seat] -= Counter(action.cards)
            self.pile += Counter(action.cards)
            self.claims.append(action.rank)
            self.open = action
        elif isinstance(action, Pass):
            self.turn_over()
        elif isinstance(action, Answers):
            play, self.open = self.open, None
            if action.callers:
                self.challenged(play, action.callers)
            if not self.hands[play.seat]:
                self.went_out.append(play.seat)
            self.leave(action.faulted)
            self.turn_over()
        else:
            self.leave(action.seats)
            if self.at_turn not in self.playing() and self.playing():
                self.at_turn = self.left_of(self.at_turn)[0]
        self.begun = True

    def challenged(self, play, callers):
        challenger = callers[0]
        if self.rules.callers == "seat_order":
            challenger = next(seat for seat in self.left_of(play.seat) if seat in callers)
        honest = len(play.cards) == play.count and {card[0] for card in play.cards} == {play.rank}
        loser = challenger if honest else play.seat
        self.hands[loser] += self.pile
        self.pile = Counter()

    def turn_over(self):
        self.taken_turns.append(self.at_turn)
        if self.left_of(self.at_turn):
            self.at_turn = self.left_of(self.at_turn)[0]

    def leave(self, seats):
        for seat in seats:
            self.removed += self.hands[seat]
            self.hands[seat] = Counter()
        if seats:
            self.faulted.append(tuple(seats))
