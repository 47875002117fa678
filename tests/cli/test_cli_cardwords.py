"""Cards, hands and events in words: what is shown, what is not known, what a narrow screen makes of it."""

import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cheat.cards import ONE_DECK
from arena.cheat.events import Dealt, Ended, Out, Passed, Played, Resolved
from arena.cli.cardwords import Look, Wording, claim_words, folded, width_of
from arena.protocol.lines import event_lines
from arena.protocol.messages import End, Outcome, OutEvent, PassedEvent

PLAIN, FULL = Look(), Look(symbols=True, colour=True)
NAMES = ("ann", "bob", "carl", "dan")
LIE = Played(7, 1, ("7H", "KS"), "7", 2)
CALLED = Resolved(7, 1, "7", 2, (2, 3), 2, ("7H", "KS"), False, 1, ("2C", "7H", "TD", "KS"))
TRUE = Resolved(8, 2, "8", 1, (0,), 0, ("8C",), True, 0, ("8C",))
LET_GO = Resolved(9, 3, "9", 1, (), None, (), None, None, ())
WENT_OUT, LEFT = Out(9, 3, 1, False, ()), Out(4, 1, None, True, ("2C",))
WON, CAPPED = Ended(9, (3, 4, 2, 1), 3, "won"), Ended(500, (1, 3, 1, 4), None, "capped")


def test_a_card_has_its_symbol_and_colour_where_they_can_be_shown():
    assert [PLAIN.card("TD"), Look(symbols=True).card("TD"), FULL.card("AS")] == ["10D", "10♦", "A♠"]
    assert FULL.card("7H") == "\x1b[31m7♥\x1b[0m"


def test_a_hand_is_sorted_and_grouped_by_rank():
    assert PLAIN.hand(["KS", "5H", "AC", "5D", "TD", "5H"]) == "AC   5D 5H 5H   10D   KS"
    assert PLAIN.hand([]) == ""


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    def look(kind=Terminal, encoding="utf-8"):
        return Look.of(kind(io.BytesIO(), encoding=encoding))

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look() == FULL
    assert look(io.TextIOWrapper) == Look(symbols=True)
    assert look(encoding="ascii") == Look(colour=True)
    assert look(encoding="latin-1") == Look(colour=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look() == Look(symbols=True)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert look() == Look(symbols=True)


@pytest.mark.parametrize(
    ("own", "known", "event", "line"),
    [
        (None, (), LIE, "bob claims two 7s"),
        (None, (1,), LIE, "bob claims two 7s, laying 7H KS: a lie"),
        (1, (1,), LIE, "you claim two 7s, laying 7H KS: a lie"),
        (0, (0,), LIE, "bob claims two 7s"),
        (None, (2,), Played(8, 2, ("8C",), "8", 1), "carl claims one 8, laying 8C: the truth"),
        (None, (2,), Played(8, 2, ("8C",), "8", 2), "carl claims two 8s, laying 8C: a lie"),
        (None, (), CALLED, "carl calls (so does dan): 7H KS, a lie; bob takes 4 cards"),
        (3, (), CALLED, "carl calls (so do you): 7H KS, a lie; bob takes 4 cards"),
        (1, (1,), CALLED, "carl calls (so does dan): 7H KS, a lie; you take 4 cards: 2C 7H 10D KS"),
        (0, (), TRUE, "you call: 8C, the truth; you take 1 card"),
        (None, (), LET_GO, "nobody calls"),
        (None, (), Passed(3, 0), "ann passes"),
        (0, (), Passed(3, 0), "you pass"),
        (None, (), WENT_OUT, "dan has no cards left: place 1"),
        (3, (), WENT_OUT, "you have no cards left: place 1"),
        (None, (), LEFT, "bob leaves by a fault, and 1 card with that hand"),
        (None, (), WON, "the game is over: dan wins (1. dan, 2. carl, 3. ann, 4. bob)"),
        (3, (), WON, "the game is over: you win (1. you, 2. carl, 3. ann, 4. bob)"),
        (0, (), CAPPED,
         "the game is over, the turn limit is reached: nobody wins (1. you, 1. carl, 3. bob, 4. dan)"),
        (2, (), Dealt((("AC",), ("2C",), ("3C", "4C"))), "the cards are dealt: ann 1, bob 1, you 2"),
    ],
)  # fmt: skip
def test_each_event_is_one_line_for_who_knows_so_much(own, known, event, line):
    assert Wording(PLAIN, NAMES, own).event(event, known) == line


KINDS = Outcome | PassedEvent | OutEvent | End


@pytest.mark.parametrize("event", [CALLED, TRUE, LET_GO, Passed(3, 0), WENT_OUT, LEFT, WON, CAPPED])
def test_a_line_of_the_protocol_reads_as_the_event_does_to_that_seat(event):
    for seat, line in enumerate(event_lines(event, 4)):
        wording = Wording(PLAIN, NAMES, seat)
        assert wording.notice(msgspec.json.decode(line, type=KINDS)) == wording.event(event, (seat,))


def test_a_claim_is_said_as_people_say_it():
    said = [claim_words(count, rank) for count, rank in ((1, "A"), (2, "6"), (4, "T"), (3, "K"), (12, "Q"))]
    assert said == ["one ace", "two 6s", "four 10s", "three kings", "12 queens"]


def test_a_name_cannot_move_the_cursor():
    assert "\x1b" not in Wording(PLAIN, ("a\x1b[2J", "b")).event(Passed(1, 0))


@given(st.lists(st.sampled_from(ONE_DECK), max_size=60), st.integers(20, 100), st.sampled_from([PLAIN, FULL]))
def test_a_folded_line_keeps_its_words_and_the_width(cards, width, look):
    lines = list(folded(f"your hand:  {look.hand(cards)}", width))
    assert all(width_of(line) <= width for line in lines)
    in_order = map(look.card, sorted(cards, key=ONE_DECK.index))
    assert " ".join(lines).split() == ["your", "hand:", *in_order]
