"""What is typed at the table: every legal action can be, and all else is answered with a sentence."""

import dataclasses
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cheat.actions import Play
from arena.cheat.cards import ONE_DECK, RANKS, in_order
from arena.cheat.legality import why_not_play
from arena.cheat.order import FORCED, legal_ranks
from arena.cheat.presets import PRESETS, preset
from arena.cli.cardwords import Look, rank_word
from arena.cli.entry import Wish, help_lines, read_call, read_play, why_these_ranks
from arena.protocol.messages import ChallengeReply, PlayReply, PlayRequest

LOOK = Look()
HAND = ("AS", "2C", "2H", "7C", "7D", "7H", "8D", "TD", "TS", "KC", "KD")
CLASSIC, PASSING, FREE = preset("classic"), preset("british-pass"), preset("up-or-down")
LOOSE = dataclasses.replace(CLASSIC, name="loose", wrong_count=True, order="free")


def asked(hand=HAND, ranks=("7",), turn=7):
    sizes = (len(hand), 20, None, 9)
    return PlayRequest("id", turn, 0, (0, 1, 3), tuple(ranks), tuple(hand), sizes, 5, 1.0, 5.0)


def read(text, rules=CLASSIC, **more):
    return read_play(text, asked(**more), rules, LOOK)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("2 7s", "7C 7D"),
        ("7 7", "7C 7D"),
        ("77", "7C 7D"),
        ("2x7", "7C 7D"),
        ("2X7S", "7C 7D"),
        ("3 7s", "7C 7D 7H"),
        ("7h 7d", "7D 7H"),
        ("7H7D", "7D 7H"),
        ("7h, 7d", "7D 7H"),
        ("7♥ 7♦", "7D 7H"),
        ("7", "7C"),
        ("1 7", "7C"),
        ("7h 7", "7C 7H"),
        ("2 7s 8", "7C 7D 8D"),
        ("2 kings", "KC KD"),
        ("2 ks", "KC KD"),
        ("king ace", "AS KC"),
        ("as", "AS"),
        ("10", "TD"),
        ("10s", "TS"),
        ("ts td", "TD TS"),
        ("2 10s", "TD TS"),
        ("  7h   = 7 ", "7H"),
        ("7h = 7s", "7H"),
        ("8d = 1 7", "8D"),
        ("2 7", "? is that two 7s (2 7s), or one 2 and one 7? For the latter name the suits"),
        ("2h 7d", "2H 7D"),
        ("7 8", "7C 8D"),
    ],
)
def test_an_entry_lays_these_cards(text, cards):
    found = read(text)
    if cards.startswith("? "):
        assert found == cards[2:]
    else:
        laid = tuple(cards.split())
        assert found == PlayReply(tuple(in_order(laid)), "7", len(laid))


def test_a_number_and_a_rank_that_can_mean_one_thing_mean_it():
    hand = ("2C", "7C", "7D", "KC")
    assert read("3 7", hand=hand) == "you hold no 3s"
    assert read("2 k", hand=hand) == PlayReply(("2C", "KC"), "7", 2)
    assert read("2 7", hand=hand[1:]) == PlayReply(("7C", "7D"), "7", 2)


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        ("", CLASSIC, "lay at least one card, such as 2 7s or 7h 9d; ? says more"),
        ("= 7", CLASSIC, "lay at least one card, such as 2 7s or 7h 9d; ? says more"),
        ("7s", CLASSIC, "you do not hold 7S; 7 lays any of your 7s"),
        ("9h", CLASSIC, "you do not hold 9H"),
        ("7h 7h", CLASSIC, "you name 7H twice and hold it once"),
        ("4 7s", CLASSIC, "you hold three 7s, not four"),
        ("7h 3 7s", CLASSIC, "you hold two 7s more, not three"),
        ("2 7s 2 2s 8", CLASSIC, "a play lays at most 4 cards, and these are 5"),
        ("h7", CLASSIC, '"h7": the rank stands first, 7h'),
        ("7x", CLASSIC, '"7x" is no card: a card is its rank and its suit, such as 7h or 10s; ? says more'),
        ("12", CLASSIC, "12 of what? 12 is no rank; two 7s are 2 7s"),
        ("7h = 8", CLASSIC, "8s may not be claimed now: claims go up turn by turn, and turn 7 is for 7s"),
        ("7h = 2 7s", CLASSIC, "you would lay 1 and claim 2: the number claimed must be true in classic"),
        ("7h =", CLASSIC, "behind = stands the rank that you claim, such as = 8; there is nothing"),
        ("7h = x", CLASSIC, 'behind = stands the rank that you claim, such as = 8; there is "x"'),
        ("p", CLASSIC, "you cannot pass: there is no passing in classic: lay at least one card"),
        ("c", CLASSIC, "there is nothing to call: it is your turn to lay cards"),
        ("7h" * 600, CLASSIC, "an entry has at most 1000 characters"),
        ("7h = 9 7s", LOOSE, "the count claimed must be from 1 to 4, not 9"),
    ],
)
def test_a_wrong_entry_explains_itself(text, rules, sentence):
    assert read(text, rules) == sentence


def test_where_ranks_are_free_the_truth_is_claimed_unless_another_rank_is_named():
    def near(text):
        return read(text, FREE, ranks=("6", "8"))

    assert near("8d") == PlayReply(("8D",), "8", 1)
    assert near("7h = 8") == PlayReply(("7H",), "8", 1)
    assert near("7h") == "as what do you lay them? Add the rank that you claim, such as = 6 (one of 6 8)"
    assert near("8d = 7") == (
        "7s may not be claimed now: it is the rank above or below the last claim: 6s or 8s"
    )
    first = "8s may not be claimed now: the first claim is of aces"
    assert read("7h = 8", FREE, ranks=("A",), turn=1) == first


def test_wishes_passes_and_counts_that_are_lies():
    assert read("?") is Wish.HELP
    assert read("QUIT") is Wish.LEAVE
    assert read("p", PASSING) == PlayReply(passing=True)
    assert read("7h = 3 8s", LOOSE, ranks=RANKS) == PlayReply(("7H",), "8", 3)
    assert any("p  " in line for line in help_lines(PASSING, to_play=True))
    assert not any("p  " in line for line in help_lines(CLASSIC, to_play=True))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *((text, ChallengeReply(True)) for text in ("c", "C", "!", "call", " bs ", "y")),
        *((text, ChallengeReply(False)) for text in ("", "  ", "n", "no")),
        ("?", Wish.HELP),
        ("quit", Wish.LEAVE),
        ("7h", '"7h" is no answer here: c calls it a lie, Enter lets it go'),
    ],
)
def test_a_claim_is_called_or_let_go(text, answer):
    assert read_call(text) == answer


RULES = st.sampled_from([*map(preset, PRESETS), LOOSE])
HANDS = st.lists(st.sampled_from(ONE_DECK * 2), min_size=1, max_size=30).map(
    lambda hand: tuple(in_order(hand))
)
TYPED = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from([*"123456789 a2s♥=,x!?", "10", "7h", "kings", " 2 7s", " = 8", "77", "ts", "p"]),
        max_size=12,
    ).map("".join),
)


@given(TYPED, RULES, HANDS, st.sets(st.sampled_from(RANKS), min_size=1))
def test_any_text_is_a_legal_action_or_a_sentence(text, rules, hand, ranks):
    request = asked(hand, [rank for rank in RANKS if rank in ranks])
    found = read_play(text, request, rules, LOOK)
    if isinstance(found, PlayReply) and not found.passing:
        play = Play(0, found.cards, found.rank, found.count)
        in_play = request.pile + sum(size or 0 for size in request.hand_sizes)
        assert why_not_play(play, rules, hand, request.ranks, in_play) is None
    elif isinstance(found, PlayReply):
        assert rules.passing
    else:
        assert isinstance(found, Wish) or (found and found.isprintable())
    called = read_call(text)
    assert isinstance(called, ChallengeReply | Wish) or (called and called.isprintable())


@given(st.data(), RULES, HANDS)
def test_every_legal_play_can_be_typed(data, rules, hand):
    ranks = data.draw(st.lists(st.sampled_from(RANKS), min_size=1, unique=True))
    most = min(len(hand), rules.max_cards or len(hand))
    where = st.sets(st.integers(0, len(hand) - 1), min_size=1, max_size=most)
    cards = tuple(hand[place] for place in sorted(data.draw(where)))
    rank = data.draw(st.sampled_from(ranks))
    count = data.draw(st.integers(1, min(rules.max_cards or 9, 9))) if rules.wrong_count else len(cards)
    gap = data.draw(st.sampled_from(["", " ", ", "]))
    names = gap.join(card.lower().replace("t", "10") if gap else card for card in cards)
    text = f"{names} = {count} {'10' if rank == 'T' else rank}s"
    request = asked(hand, [one for one in RANKS if one in ranks])
    assert read_play(text, request, rules, LOOK) == PlayReply(cards, rank, count)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_sentence_about_the_ranks_names_those_that_may_be_claimed_and_no_others(rules):
    words = {rank_word(rank, 2): rank for rank in RANKS}
    for turn, last in itertools.product(range(1, 28), (None, *RANKS)):
        legal = legal_ranks(rules.order, turn, last)
        sentence = why_these_ranks(asked(ranks=legal, turn=turn), rules)
        named = {words[word] for word in re.findall(r"\w+", sentence) if word in words}
        assert (set(RANKS) if "any rank" in sentence else named) == set(legal)
        assert ("the first claim" in sentence) == (len(legal) == 1 and rules.order not in FORCED)
        assert ("the last claim" in sentence) == (1 < len(legal) < len(RANKS))
        assert ("the rank of the last claim" in sentence) == ("last" in sentence and last in legal)
        assert (f"turn {turn} is for" in sentence) == (rules.order in FORCED)
