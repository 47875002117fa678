"""Setting a table up and playing at it in few words, and rules drawn at random."""

import random
from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.cards import RANKS, in_order, pack
from arena.cheat.deal import deal
from arena.cheat.game import Game, Phase
from arena.cheat.rules import CHOICES, RANGES, Rules

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For properties on machines that are busy with other things."""


def seated(rules, *hands):
    """A game in which the seats hold just these cards ("AC 9D"), and a seat given as "..." all the rest."""
    held = [hand.split() if hand != "..." else [] for hand in hands]
    rest = Counter(pack(rules.decks_for(len(hands)))) - Counter(card for hand in held for card in hand)
    filled = [
        in_order(rest.elements()) if hand == "..." else have for hand, have in zip(hands, held, strict=True)
    ]
    return Game(rules, filled)


def filled_up(rules, *hands):
    """A game in which the seats hold at least these cards, filled up evenly from what is left of the pack."""
    held = [hand.split() for hand in hands]
    rest = list(
        (
            Counter(pack(rules.decks_for(len(hands)))) - Counter(card for hand in held for card in hand)
        ).elements()
    )
    while rest:
        min(held, key=len).append(rest.pop())
    return Game(rules, held)


def dealt(rules, seats, number=0):
    """A game from a shuffled pack."""
    return Game(rules, deal(rules, seats, number.to_bytes(32, "big")))


def lay(game, cards, rank=None, count=None):
    """The seat to play lays these cards, as the (first) due rank and as many as they are unless told."""
    named = tuple(cards.split())
    play = Play(game.seat_to_play, named, rank or game.legal_ranks[0], len(named) if count is None else count)
    return game.apply(play)


def close(game, *callers, faulted=()):
    """The window closes: these seats called."""
    return game.apply(Answers(tuple(callers), tuple(faulted)))


def lay_quietly(game, cards, rank=None, count=None):
    """Lay, and nobody calls."""
    lay(game, cards, rank, count)
    return close(game)


def quiet_turns(game, turns):
    """So many turns in which the seat to play lays the last card of its hand and nobody calls."""
    for _ in range(turns):
        lay_quietly(game, game.hands[game.seat_to_play][-1])


def passed(game):
    """The seat to play passes."""
    return game.apply(Pass(game.seat_to_play))


def faults(game, *seats):
    """These seats leave outside a window; without any, the seat to play."""
    return game.apply(Fault(seats or (game.seat_to_play,)))


def sensible(game, rng, fault_rate=0.0, call_rate=0.1):
    """Some legal action, drawn from `rng`."""
    if game.phase is Phase.WINDOW:
        kinds = rng.choices(
            ("quiet", "call", "fault"), (1 - call_rate, call_rate, fault_rate), k=len(game.asked)
        )
        mixed = rng.sample(game.asked, len(game.asked))
        answer = dict(zip(mixed, kinds, strict=True))
        return Answers(
            tuple(seat for seat in mixed if answer[seat] == "call"),
            tuple(seat for seat in mixed if answer[seat] == "fault"),
        )
    if rng.random() < fault_rate:
        if not game.turns and len(game.active) == game.seats:
            return Fault(tuple(rng.sample(game.active, rng.randint(1, game.seats))))
        return Fault((game.seat_to_play,))
    if game.rules.passing and rng.random() < 0.2:
        return Pass(game.seat_to_play)
    hand = game.hands[game.seat_to_play]
    rank = rng.choice(game.legal_ranks)
    true = [card for card in hand if card[0] == rank]
    chosen = true if true and rng.random() < 0.5 else hand
    cap = game.rules.max_cards or rng.choice((2, 4, 104))
    cards = tuple(rng.sample(chosen, rng.randint(1, min(cap, len(chosen)))))
    count = len(cards)
    if game.rules.wrong_count and rng.random() < 0.5:
        in_play = sum(map(len, game.hands)) + game.pile_size
        count = rng.randint(1, min(cap, in_play))
    return Play(game.seat_to_play, cards, rank, count)


def play_out(game, seed, fault_rate=0.0, call_rate=0.1):
    """Plays to the end at random; every event, the deal first."""
    rng = random.Random(seed)
    events = [game.opening()]
    while game.phase is not Phase.OVER:
        events += game.apply(sensible(game, rng, fault_rate, call_rate))
    return events


@st.composite
def any_rules(draw):
    """Rules with every knob drawn, for any number of seats."""
    choices = {knob: draw(st.sampled_from(words)) for knob, words in CHOICES.items()}
    low, high = RANGES["turn_cap"]
    return Rules(
        name="drawn",
        **choices,
        decks=draw(st.none() | st.integers(*RANGES["decks"])),
        second_deck_from=draw(st.none() | st.integers(*RANGES["second_deck_from"])),
        max_cards=draw(st.sampled_from([None, 1, 2, 4, 8, 208])),
        passing=draw(st.booleans()),
        wrong_count=draw(st.booleans()),
        play_on=draw(st.booleans()),
        turn_cap=draw(st.none() | st.integers(low, 250) | st.just(high)),
    )


def rank_after(rank, steps):
    """The rank so many steps up from this one, kings before aces."""
    return RANKS[(RANKS.index(rank) + steps) % 13]
