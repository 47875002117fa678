"""What holds in every game, under rules drawn at random: legality, conservation, the end, and secrets."""

import os
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement

import msgspec
import pytest
from cheat_book import Book
from cheat_table import UNHURRIED, any_rules, dealt, play_out, sensible
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.cards import RANKS, in_order, pack
from arena.cheat.events import Dealt, Ended, Out, Passed, Played, Resolved
from arena.cheat.game import Game, IllegalAction, Phase
from arena.cheat.rules import CHOICES, Rules

SEEDS = st.integers(0, 2**32)
FAULT_RATES = st.sampled_from([0.0, 0.01, 0.2])
CALL_RATES = st.sampled_from([0.0, 0.05, 0.3, 1.0])


def wild(game, rng):
    """Something a confused player might try: a sensible action with a thing or two changed, or any other."""
    seat = rng.choice((game.seat_to_play, game.seat_to_play, rng.randint(-1, game.seats)))
    some_seats = tuple(rng.choices(range(-1, game.seats + 1), k=rng.randint(0, 3)))
    kind = rng.random()
    if kind < 0.15:
        return Pass(seat)
    if kind < 0.3:
        return Answers(some_seats, tuple(rng.choices(range(game.seats), k=rng.randint(0, 1))))
    if kind < 0.4:
        return Fault(some_seats)
    hand = game.hands[game.seat_to_play]
    source = rng.choice((hand, hand, hand, pack(1), ("XX", "", "AS", "10S")))
    cards = tuple(rng.choices(source, k=rng.choice((0, 1, 1, 2, 2, 3, 5, 9)))) if source else ()
    rank = rng.choice((*(game.legal_ranks or "A"), rng.choice(RANKS), "1"))
    return Play(seat, cards, rank, rng.choice((len(cards), len(cards), 0, -1, 1, 2, 5, 60, 300)))


def whole_state(game):
    return (
        *(
            getattr(game, name)
            for name in ("phase", "turn", "turns", "seat_to_play", "active", "asked", "claim")
        ),
        *(game.hands, game.pile, game.removed, game.legal_ranks, game.hand_sizes, game.ended),
    )


def agrees(game, book):
    """The game stands as the book says it does."""
    assert [Counter(hand) for hand in game.hands] == book.hands
    assert all(list(hand) == in_order(hand) for hand in game.hands)
    assert Counter(game.pile) == book.pile
    assert Counter(game.removed) == book.removed
    assert list(game.active) == book.playing()
    assert (game.phase is Phase.OVER) == bool(book.ending())
    if book.ending():
        assert (game.reason, game.places, game.winner) == (book.ending(), book.ranking(), book.winner())
        return
    assert game.seat_to_play == book.at_turn
    assert game.turn == len(book.taken_turns) + 1
    if book.open is None:
        assert (game.phase, game.claim, game.asked) == (Phase.PLAY, None, ())
        assert game.legal_ranks == tuple(rank for rank in RANKS if rank in book.due())
    else:
        assert game.phase is Phase.WINDOW
        assert list(game.asked) == book.left_of(book.open.seat)


def conserved(game, decks):
    cards = Counter(card for hand in (*game.hands, game.pile, game.removed) for card in hand)
    assert cards == Counter(pack(decks))


def followed_by_the_book(rules, seats, seed, fault_rate, call_rate, wildness):
    """Plays a game at random beside the book, trying what is not allowed on the way."""
    rng = random.Random(seed)
    game = dealt(rules, seats, seed)
    book = Book(rules, game.hands)
    decks = rules.decks_for(seats)
    steps = 0
    while game.phase is not Phase.OVER:
        action = wild(game, rng) if rng.random() < wildness else sensible(game, rng, fault_rate, call_rate)
        if isinstance(action, Play | Pass):
            assert (game.why_illegal(action) is None) == book.allows(action), action
        if book.allows(action):
            game.apply(action)
            book.do(action)
            steps += 1
            agrees(game, book)
            conserved(game, decks)
        else:
            before = whole_state(game)
            with pytest.raises(IllegalAction):
                game.apply(action)
            assert whole_state(game) == before
    assert game.turns <= game.cap
    assert steps <= 2 * game.cap + seats
    return game


@settings(UNHURRIED, max_examples=300)
@given(any_rules(), st.integers(2, 10), SEEDS, FAULT_RATES, CALL_RATES, st.sampled_from([0.0, 0.3]))
def test_what_the_book_allows_is_accepted_all_else_is_refused_and_the_table_stands_as_it_says(
    rules, seats, seed, fault_rate, call_rate, wildness
):
    cap = min(rules.cap_for(seats), 150)
    followed_by_the_book(replace(rules, turn_cap=cap), seats, seed, fault_rate, call_rate, wildness)


@pytest.mark.soak
def test_many_whole_games_go_by_the_book():
    rng = random.Random(20)
    for _ in range(int(400 * float(os.environ.get("ARENA_SOAK", "0.1")))):
        rules = Rules(
            **{knob: rng.choice(words) for knob, words in CHOICES.items()},
            decks=rng.choice((None, 1, 2, 3, 4)),
            max_cards=rng.choice((None, 1, 4, 10)),
            **{knob: rng.random() < 0.4 for knob in ("passing", "wrong_count", "play_on")},
        )
        followed_by_the_book(rules, rng.randint(2, 10), rng.getrandbits(32), rng.choice((0, 0.01)), 0.1, 0.1)


@settings(UNHURRIED, max_examples=25)
@given(
    st.sampled_from(CHOICES["order"]),
    st.sampled_from([None, 1, 2, 4]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 25),
    SEEDS,
)
def test_the_plays_accepted_are_exactly_those_the_book_lists(order, cap, wrong_count, passing, turns, seed):
    rules = Rules(order=order, max_cards=cap, wrong_count=wrong_count, passing=passing, second_deck_from=None)
    rng = random.Random(seed)
    game = dealt(rules, 10, seed)
    book = Book(rules, game.hands)
    for _ in range(turns):
        seat = game.seat_to_play
        play = Play(seat, game.hands[seat][:1], rng.choice(game.legal_ranks), 1)
        for action in [Pass(seat)] if passing and rng.random() < 0.2 else [play, Answers()]:
            game.apply(action)
            book.do(action)
    hand = game.hands[game.seat_to_play]
    others = sorted(set(pack(1)) - set(hand))
    cards = [*hand[:5], *rng.sample(others, 2), "ZZ"]
    accepted = {
        play
        for size in range(4)
        for laid in combinations_with_replacement(cards, size)
        for rank in (*RANKS, "1")
        for count in range(5)
        if game.why_illegal(play := Play(game.seat_to_play, laid, rank, count)) is None
    }
    listed = {play for play in book.plays() if len(play.cards) < 4 and play.count < 5}
    assert accepted == {play for play in listed if set(play.cards) <= set(cards)}
    assert accepted


def test_the_book_lists_no_play_of_hands_it_does_not_see():
    game = dealt(Rules(max_cards=1), 4)
    assert {play.cards for play in Book(game.rules, game.hands).plays()} == {
        (card,) for card in game.hands[0]
    }


# Events alone


@settings(UNHURRIED, max_examples=40)
@given(any_rules(), st.integers(2, 10), SEEDS, FAULT_RATES, CALL_RATES)
def test_after_every_event_the_cards_told_of_are_exactly_the_decks(rules, seats, seed, fault_rate, call_rate):
    game = dealt(replace(rules, turn_cap=min(rules.cap_for(seats), 300)), seats, seed)
    decks = Counter(pack(rules.decks_for(seats)))
    hands, pile, removed = {}, Counter(), Counter()
    for event in play_out(game, seed, fault_rate, call_rate):
        if isinstance(event, Dealt):
            hands = {seat: Counter(hand) for seat, hand in enumerate(event.hands)}
        elif isinstance(event, Played):
            laid = Counter(event.cards)
            assert laid <= hands[event.seat]
            hands[event.seat] -= laid
            pile += laid
        elif isinstance(event, Resolved) and event.taker is not None:
            assert Counter(event.taken) == pile
            assert Counter(event.shown) <= pile
            hands[event.taker] += pile
            pile = Counter()
        elif isinstance(event, Out):
            assert Counter(event.removed) == hands[event.seat]
            assert event.fault == (event.place is None)
            removed += hands.pop(event.seat)
        assert sum(hands.values(), Counter()) + pile + removed == decks


@settings(UNHURRIED, max_examples=40)
@given(any_rules(), st.integers(2, 10), SEEDS, FAULT_RATES, CALL_RATES)
def test_every_game_ends_once_by_its_cap_and_its_events_are_in_order(
    rules, seats, seed, fault_rate, call_rate
):
    game = dealt(replace(rules, turn_cap=min(rules.cap_for(seats), 300)), seats, seed)
    events = play_out(game, seed, fault_rate, call_rate)
    assert isinstance(events[0], Dealt)
    assert [event for event in events if isinstance(event, Ended)] == [events[-1]] == [game.ended]
    turns = [event for event in events if isinstance(event, Played | Passed)]
    assert [event.turn for event in turns] == list(range(1, len(turns) + 1))
    assert game.turns == len(turns) <= game.cap
    assert [event.turn for event in events[1:]] == sorted(event.turn for event in events[1:])
    places = sorted(game.places)
    assert all(place == places.index(place) + 1 for place in places)
    outs = [event for event in events if isinstance(event, Out)]
    assert len({out.seat for out in outs}) == len(outs)
    for out in outs:
        if out.place is not None:
            assert game.places[out.seat] == out.place
        else:
            stayed = [
                game.places[seat] for seat in range(seats) if seat not in {o.seat for o in outs if o.fault}
            ]
            assert all(game.places[out.seat] > place for place in stayed)


# What is hidden


def told(game):
    """What the table may know: everything but the faces of cards that were not shown."""
    claim = game.claim
    return (
        *(game.phase, game.turn, game.turns, game.seat_to_play, game.active, game.asked, game.legal_ranks),
        *(tuple(game.sizes_before_claim), game.pile_before_claim, game.ended),
        (claim.turn, claim.seat, claim.rank, claim.count) if claim is not None else None,
        (tuple(game.hand_sizes), game.pile_size) if claim is None else None,
    )


def played_for_a_while(rules, hands, actions):
    game = Game(rules, hands)
    shown, views = set(), [told(game)]
    for action in actions:
        for event in game.apply(action):
            if isinstance(event, Resolved):
                shown.update(event.shown)
        views.append(told(game))
    return views, shown


@settings(UNHURRIED, max_examples=60)
@given(any_rules(), st.integers(2, 10), SEEDS, st.sampled_from([0.0, 0.02, 0.1]), st.integers(1, 80))
def test_cards_that_were_never_shown_change_nothing_that_is_told(rules, seats, seed, call_rate, steps):
    rng = random.Random(seed)
    game = dealt(rules, seats, seed)
    hands, actions = game.hands, []
    while game.phase is not Phase.OVER and len(actions) < steps:
        actions.append(sensible(game, rng, 0.01, call_rate))
        game.apply(actions[-1])
    views, shown = played_for_a_while(rules, hands, actions)

    hidden = [card for card in pack(1) if card not in shown]
    other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def exchanged(cards):
        return tuple(in_order(other.get(card, card) for card in cards))

    exchanged_actions = [
        msgspec.structs.replace(action, cards=exchanged(action.cards)) if isinstance(action, Play) else action
        for action in actions
    ]
    assert played_for_a_while(rules, [exchanged(hand) for hand in hands], exchanged_actions)[0] == views


@settings(UNHURRIED, max_examples=30)
@given(any_rules(), st.integers(2, 10), SEEDS, st.integers(0, 30))
def test_an_open_window_tells_nothing_of_how_many_cards_were_laid(rules, seats, seed, turns):
    rules = replace(rules, wrong_count=True, max_cards=None, turn_cap=100)
    views = set()
    for laid in (1, 2, 3):
        rng = random.Random(seed)
        game = dealt(rules, seats, seed)
        for _ in range(2 * turns):
            if len(game.hands[game.seat_to_play]) > 3 or game.phase is Phase.WINDOW:
                game.apply(sensible(game, rng, 0, 0.05))
        if game.phase is Phase.WINDOW:
            game.apply(Answers())
        hand = game.hands[game.seat_to_play]
        if game.phase is Phase.PLAY and len(hand) >= laid:
            game.apply(Play(game.seat_to_play, hand[:laid], game.legal_ranks[-1], 2))
            views.add(told(game))
    assert len(views) <= 1
