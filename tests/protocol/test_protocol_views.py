"""Views: a seat's is what follows from the lines it was sent, and hidden cards make no difference to it."""

import json
import random
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_games import random_play
from two_worlds import course_of, events_of, other_faces

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.beats import beats_of
from arena.cheat.cards import in_order
from arena.cheat.deal import deal
from arena.cheat.events import Ended, Out, Played
from arena.cheat.game import Game, Phase, is_true
from arena.cheat.presets import PRESETS
from arena.protocol.lines import challenge_line, event_lines, play_line, start_line
from arena.protocol.messages import Outcome
from arena.protocol.views import EVERYTHING, PUBLIC, Claim, Deal, Size, View, scenes


@dataclass
class Witnessed:
    """A game with the lines to each seat, as the referee writes them: events wait for the next request."""

    rules: object
    seats: int
    events: list = field(default_factory=list)
    known: list = field(default_factory=list)
    """By seat: pairs of a beat and a line that the process did get, or an action of its own."""
    absent: set = field(default_factory=set)
    idle: set = field(default_factory=set)
    waiting: list = field(default_factory=list)

    def tell(self, seat, line):
        self.waiting[seat].append((len(self.events) - 1, line))

    def ask(self, seat, line):
        self.known[seat] += [*self.waiting[seat], (len(self.events) - 1, line)]
        self.waiting[seat].clear()


def witnessed(rules, seats, rng, faults=0.0):
    game = Game(rules, deal(rules, seats, rng.randbytes(32)))
    seen = Witnessed(rules, seats, [game.opening()], [[] for _ in range(seats)])
    seen.waiting = [[] for _ in range(seats)]
    following, gone_well = set(range(seats)), set(range(seats))

    def apply(action):
        for event in game.apply(action):
            seen.events.append(event)
            for seat, line in enumerate(event_lines(event, seats)):
                told = gone_well if isinstance(event, Ended) else following
                if line is not None and seat in told:
                    seen.tell(seat, line)
            if isinstance(event, Out):
                following.discard(event.seat)
                if event.fault:  # its process is ended without a further word
                    seen.waiting[event.seat].clear()
                    gone_well.discard(event.seat)

    if faults and seats > 2 and rng.random() < 0.2:
        seen.absent = set(rng.sample(range(seats), rng.randint(1, seats - 2)))
        following -= seen.absent
    for seat in following:
        seen.tell(seat, start_line(game, seat, "0" * 16, 7))
    if seen.absent:
        apply(Fault(tuple(sorted(seen.absent))))

    def does_wrong(seat):
        """Whether it does, and then whether before it was asked."""
        wrong = rng.random() < faults
        if wrong and rng.random() < 0.5:
            seen.idle.add(seat)
        return wrong

    while game.phase is not Phase.OVER:
        if game.phase is Phase.PLAY:
            seat = game.seat_to_play
            wrong = does_wrong(seat)
            if seat not in seen.idle:
                seen.ask(seat, play_line(game, seat, "p", 1, 5))
            action = Fault((seat,)) if wrong else random_play(game, rng)
            apply(action)
            if not wrong:
                at = next(number for number in reversed(range(len(seen.events)))
                          if getattr(seen.events[number], "seat", None) == seat
                          and type(seen.events[number]).__name__ in ("Played", "Passed"))  # fmt: skip
                seen.known[seat].append((at, action))
            continue
        faulted = tuple(seat for seat in game.asked if does_wrong(seat))
        for seat in game.asked:
            if seat not in seen.idle:
                seen.ask(seat, challenge_line(game, seat, "c", 1, 5))
        callers = [seat for seat in game.asked if seat not in faulted and rng.random() < 0.12]
        apply(Answers(tuple(callers), faulted))
    for seat in range(seats):
        seen.known[seat] += seen.waiting[seat]
    return seen


class Witness:
    """One seat that keeps its own account of the game, from nothing but its lines and its own plays."""

    def __init__(self, seat, rules):
        self.seat, self.rules = seat, rules
        self.hand, self.sizes, self.pile, self.mine = None, None, None, ()
        self.claims, self.open, self.gone, self.asked = {}, None, False, None

    def hears(self, line):
        if isinstance(line, Play):
            return self.plays(line)
        if isinstance(line, Pass):
            return self.counts(self.asked)
        ask = json.loads(line)
        return getattr(self, ask["type"])(ask)

    def counts(self, ask):
        self.hand = tuple(ask["hand"])
        self.sizes = [None if size is None else Size(size) for size in ask["hand_sizes"]]
        self.pile = Size(ask.get("pile", 0))

    def start(self, ask):
        self.counts(ask)

    def play(self, ask):
        self.asked = ask

    def plays(self, play):
        self.counts(self.asked)
        cards, hand = tuple(in_order(play.cards)), list(self.hand)
        for card in cards:
            hand.remove(card)
        self.hand, self.mine = tuple(hand), self.mine + cards
        self.sizes[self.seat] = Size(len(hand))
        self.pile = Size(self.pile.cards + len(cards))
        true = all(card[0] == play.rank for card in cards) and len(cards) == play.count
        self.open = Claim(self.asked["turn"], self.seat, play.rank, play.count, cards, true)
        self.claims[self.seat] = self.open

    def challenge(self, ask):
        self.counts(ask)
        seat, count = ask["claimant"], 0 if self.rules.wrong_count else ask["count"]
        self.sizes[seat] = Size(self.sizes[seat].cards - count, not self.rules.wrong_count)
        self.pile = Size(self.pile.cards + count, not self.rules.wrong_count)
        self.open = self.claims[seat] = Claim(ask["turn"], seat, ask["rank"], ask["count"])

    def outcome(self, ask):
        if not ask["callers"]:
            return
        claimant, taker, shown = ask["claimant"], ask["taker"], tuple(ask["shown"])
        if not self.sizes[claimant].exact:
            self.sizes[claimant] = Size(self.sizes[claimant].cards - len(shown))
        self.sizes[taker] = Size(self.sizes[taker].cards + ask["taken"])
        self.pile, self.mine = Size(0), ()
        self.open = self.claims[claimant] = replace(self.open, cards=shown, true=ask["true"])
        if taker == self.seat:
            self.hand = tuple(in_order((*self.hand, *ask["picked_up"])))

    def passed(self, ask):
        pass

    def out(self, ask):
        self.sizes[ask["seat"]] = None
        self.leaves(ask["seat"])

    def leaves(self, seat):
        if seat == self.seat:
            self.gone, self.hand = True, None

    def end(self, ask):
        if self.gone:
            self.sizes, self.pile, self.mine = [None] * len(self.sizes), None, ()

    def agrees_with(self, scene):
        open = self.open if self.open is not None and self.open.turn == scene.turn else None
        assert scene.claim == open
        assert [place.size for place in scene.places] == self.sizes
        assert (scene.pile, scene.pile_cards) == (self.pile, self.mine)
        hands = [place.hand for place in scene.places]
        assert hands == [self.hand if seat == self.seat else None for seat in range(len(hands))]
        assert {seat: place.claim for seat, place in enumerate(scene.places) if place.claim} == self.claims


def check_seat(seen, beats, seat):
    """The view of a seat, scene by scene, against the account that the seat itself could keep."""
    view = {scene.beat: scene for scene in scenes(beats, seen.rules, View(seat), seen.absent, seen.idle)}
    told = seen.known[seat]
    witness = Witness(seat, seen.rules)
    if not told:
        # Nothing was ever sent: neither are hands and numbers seen.
        assert all(place.hand is None for place in view[0].places)
        assert set(view) <= {
            0,
            *(number for number, beat in enumerate(beats) if beat.fault or beat.event is beats[-1].event),
        }
        return 0
    seen_of = 0
    for number, scene in sorted(view.items()):
        event = beats[number].event
        lines = [line for at, line in told if at == number]
        own_fault = isinstance(event, Out) and event.fault and event.seat == seat
        if own_fault:
            witness.sizes[seat] = None
            witness.leaves(seat)
        if isinstance(event, Ended) and not lines:
            # Its process was gone; how the game ended is no secret of it.
            assert witness.gone
            witness.end({})
        assert lines or own_fault or isinstance(event, Ended), (event, "was never told to this seat")
        for line in lines:
            witness.hears(line)
        witness.agrees_with(scene)
        seen_of += 1
    missed = {at for at, _ in told} - set(view)
    assert not missed, "something that was told is not shown"
    return seen_of


def small(rules):
    return replace(rules, turn_cap=60)


@pytest.mark.parametrize("name", PRESETS)
def test_a_seat_s_view_is_what_its_lines_tell_in_any_preset(name):
    rng = random.Random(name)
    rules = small(PRESETS[name])
    shown = 0
    for faults in (0.0, 0.0, 0.02, 0.05):
        seats = rng.randint(rules.min_players, rules.max_players)
        seen = witnessed(rules, seats, rng, faults)
        beats = beats_of(seen.events)
        shown += sum(check_seat(seen, beats, seat) for seat in range(seats))
    assert shown > 100


@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 2**32), st.sampled_from([0.0, 0.03, 0.3]))
@settings(max_examples=60)
def test_every_view_sees_each_lie_call_and_fault_once_and_never_early(name, seed, faults):
    rng = random.Random(seed)
    rules = small(PRESETS[name])
    seen = witnessed(rules, rng.randint(rules.min_players, min(6, rules.max_players)), rng, faults)
    beats = beats_of(seen.events)
    lies = [number for number, beat in enumerate(beats) if beat.lie]
    calls = [number for number, beat in enumerate(beats) if beat.called]
    out = [number for number, beat in enumerate(beats) if beat.fault]
    everything = scenes(beats, rules, EVERYTHING)
    assert [scene.beat for scene in everything] == list(range(len(beats)))
    assert [scene.beat for scene in everything if scene.lie] == lies
    for view in (EVERYTHING, PUBLIC):
        seen_by = scenes(beats, rules, view)
        assert [scene.beat for scene in seen_by if scene.called] == calls
        assert [scene.beat for scene in seen_by if scene.fault] == out
    # Beside the table a lie is seen when it is turned up, and no card before.
    shown = [number for number in calls if beats[number].event.true is False]
    assert [scene.beat for scene in scenes(beats, rules, PUBLIC) if scene.lie] == shown
    for seat in range(seen.seats):
        own = scenes(beats, rules, View(seat), seen.absent, seen.idle)
        told = [scene.beat for scene in own]
        assert told == sorted(set(told))
        assert told[0] == 0
        mine = {number for number in lies if beats[number].event.seat == seat}
        others = {number for number in shown if beats[number].event.claimant != seat}
        assert [scene.beat for scene in own if scene.lie] == sorted((mine | others) & set(told))
        for scene in own:
            if isinstance(scene.happening, Outcome):
                assert isinstance(scene.happening.picked_up, tuple) == (scene.happening.taker == seat)


def test_the_views_of_everything_and_of_the_table_hold_all_cards_and_none():
    rng = random.Random(5)
    seen = witnessed(small(PRESETS["wrong-count"]), 4, rng)
    beats = beats_of(seen.events)
    for scene, beat in zip(scenes(beats, seen.rules, EVERYTHING), beats, strict=True):
        held = [place.hand for place in scene.places if place.hand is not None]
        assert held == [beat.after.hands[seat] for seat in beat.after.active]
        assert all(place.left or place.size == Size(len(place.hand)) for place in scene.places)
        assert scene.pile_cards == beat.after.pile
        if isinstance(beat.event, Played):
            assert (scene.claim.cards, scene.claim.true) == (beat.event.cards, is_true(beat.event))
    guessed = 0
    for scene in scenes(beats, seen.rules, PUBLIC):
        assert all(place.hand is None for place in scene.places)
        assert scene.pile_cards == ()
        if isinstance(scene.happening, Claim):
            assert scene.happening.cards is scene.happening.true is None
            guessed += not scene.pile.exact
        if isinstance(scene.happening, Deal):
            assert scene.happening.hands == (None,) * 4
    assert guessed > 10


def beats_in(course, faces, after):
    return beats_of(
        [event for events in events_of(course.rules, faces, course.steps[:after]) for event in events]
    )


@pytest.mark.parametrize("name", PRESETS)
def test_cards_that_a_seat_has_not_seen_make_no_difference_to_its_view(name):
    rng = random.Random(name)
    rules = PRESETS[name]
    changed = 0
    for _ in range(12):
        seats = rng.randint(rules.min_players, rules.max_players)
        observer = rng.randrange(seats)
        course = course_of(rules, seats, observer, rng, rng.choice([10, 40, 120]))
        after = rng.randint(1, len(course.steps))
        other = other_faces(course, after, rng)
        mine, theirs = (beats_in(course, faces, after) for faces in (course.faces, other))
        changed += scenes(mine, rules, EVERYTHING) != scenes(theirs, rules, EVERYTHING)
        assert scenes(mine, rules, View(observer)) == scenes(theirs, rules, View(observer))
    assert changed > 8
