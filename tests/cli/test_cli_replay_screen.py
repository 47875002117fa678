"""The screen of a replay: a known one to the letter, any within its bounds, and nothing too early on it."""

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay_stories import HOSTILE, fault_of, random_story, result_of, screen, sitters_of, text_of
from rich.cells import cell_len

from arena.cheat.actions import Answers, Fault, Play
from arena.cheat.cards import ONE_DECK
from arena.cheat.game import Game
from arena.cheat.rules import Rules
from arena.cli.gamewords import Sitters
from arena.cli.spans import plain
from arena.cli.stepping import Reel, Stand, press
from arena.cli.telling import told
from arena.protocol.views import EVERYTHING, PUBLIC, View
from arena.referee.block import Debug
from arena.referee.story import story_of

HANDS = [list(ONE_DECK[seat::3]) for seat in range(3)]
"""0: AC AS 2H ..., 1: AD 2C 2S ..., 2: AH 2D 3C ..."""
CALLED = """\
Game 0.0                                                        view: everything
seat         cards  A 2 3 4[5]6 7 8 9 10 J Q K  last claim  now
  0 an          19  1 2 2 2 1 1 2 1 1  2 1 1 2  1 x 4 LIE   calls too
> 1 bo          17  2 1 1 1 2 1 1 2 1  1 2 1 1  1 x 5 LIE   takes 2
  2 cy          16  1 1 1 1 1 2 1 1 2  1 1 2 1  1 x 3 true  CALLS
  pile           0
--------------------------------------------------------------------------------
     5 ~ bo (1) claims one 5, laying A♦: a lie
     5 ! cy (2) calls (so does an (0)): A♦, a lie; bo (1) takes 2 cards: A♦ A♠
         an (0) says: a lie for sure
         bo (1) says: I dare

before, the latest first:
     4   nobody calls
     4 ~ an (0) claims one 4, laying A♠: a lie
     3 ! an (0) calls: 3♣, the truth; an (0) takes 3 cards: A♣ 2♣ 3♣
     3   cy (2) claims one 3, laying 3♣: the truth
     2   nobody calls
     2   bo (1) claims one 2, laying 2♣: the truth
     1   nobody calls
     1   an (0) claims one ace, laying A♣: the truth
         the cards are dealt: an (0) leads

space next  left back  l c f jump  g turn  e t 0-9 view  d more  ? help  q leave
"""
SEAT_2 = """\
Game 0.0                                                        view: seat 2: cy
seat         cards  A 2 3 4[5]6 7 8 9 10 J Q K  last claim  now
  0 seat 0      19                              1 x 4       calls too
> 1 seat 1      17                              1 x 5 LIE   takes 2
  2 cy          16  1 1 1 1 1 2 1 1 2  1 1 2 1  1 x 3 true  CALLS
  pile           0
--------------------------------------------------------------------------------
     5   seat 1 claims one 5
     5 ~ cy (2) calls (so does seat 0): A♦, a lie; seat 1 takes 2 cards

before, the latest first:
     4   nobody calls
     4   seat 0 claims one 4
     3 ! seat 0 calls: 3♣, the truth; seat 0 takes 3 cards
     3   cy (2) claims one 3, laying 3♣: the truth
"""


def known():
    """A game of six turns in which there is one of everything."""
    game = Game(Rules(turn_cap=6), HANDS)
    events = [game.opening()]

    def lay(card, *callers, faulted=()):
        events.extend(game.apply(Play(game.seat_to_play, (card,), game.legal_ranks[0], 1)))
        events.extend(game.apply(Answers(callers, faulted)))

    lay("AC")
    lay("2C")
    lay("3C", 0)
    lay("AS")
    lay("AD", 2, 0)
    events.extend(game.apply(Fault((2,))))
    lay("2H")
    debug = [Debug(5, 0, "a lie for sure"), Debug(5, 1, "I dare"), Debug(6, 2, "what?")]
    late = fault_of(1, 6, "idle", effective=False, stderr="Traceback\nthe end\n")
    return story_of(result_of(game, events, debug, [fault_of(2, 6), late]))


def at(reel, *keys, view=EVERYTHING):
    stand = Stand(view)
    for key in keys:
        stand = press(reel, stand, key)
    return stand


NAMES = ("an", "bo", "cy")


def shown(lines):
    """The lines as text, without the spaces at their ends."""
    return "\n".join(plain(line).rstrip() for line in lines) + "\n"


@pytest.fixture(scope="module")
def reel():
    return Reel(known())


def test_a_known_screen_is_as_it_is(reel):
    there = at(reel, "g", "5", "enter", " ")
    assert shown(screen(reel, there, names=NAMES)) == CALLED
    mine = shown(screen(reel, press(reel, there, "2"), names=NAMES, named=False))
    assert mine.splitlines()[:15] == SEAT_2.splitlines()


def test_lies_calls_and_faults_are_told_apart_by_words_and_marks(reel):
    claim = text_of(screen(reel, at(reel, "l", "l"), names=NAMES))
    assert "     5 ~ bo (1) claims one 5, laying A♦: a lie\n         bo (1) says: I dare\n" in claim
    assert "1 x 5 LIE   claims" in claim
    called = text_of(screen(reel, at(reel, "c"), names=NAMES))
    assert "CALLS takes 3" in called
    assert "3 ! an (0) calls: 3♣, the truth;" in called
    fault = text_of(screen(reel, at(reel, "f"), names=NAMES))
    assert "6 x cy (2) leaves by a fault, and 16 cards with that hand" in fault
    assert "FAULT, left" in fault
    assert "illegal: Rank '3' may not be claimed by seat 2." in fault
    assert 'it printed: {"id": "x", "rank": "3"}' in fault
    assert "cy (2) says: what?" in fault
    end = text_of(screen(reel, at(reel, "end"), names=NAMES))
    assert "place 3, fault" in end
    assert "bo (1) did wrong after its last request, without effect" in end


def test_words_and_faults_are_seen_in_everything_and_by_their_own_seat(reel):
    for view, own in (
        (EVERYTHING, {0, 1, 2}),
        (PUBLIC, set()),
        (View(0), {0}),
        (View(1), {1}),
        (View(2), {2}),
    ):
        seen = ""
        for moment in reel.moments(view):
            stand = Stand(view, moment.scene.beat)
            for page in ("table", "more"):
                seen += text_of(screen(reel, replace(stand, page=page), 100, 40, NAMES))
        assert {seat for seat in range(3) if f"by seat {seat}." in seen} == own - {0}
        words = {0: "a lie for sure", 1: "I dare", 2: "what?"}
        assert {seat for seat, said in words.items() if said in seen} == own
        assert ("Traceback" in seen) == (1 in own)


def test_all_that_is_kept_of_a_fault_is_on_its_page(reel):
    text = text_of(screen(reel, at(reel, "end", "d"), 80, 40, NAMES))
    for part in (
        "bo (1): illegal",
        "without",
        "effect: no request followed",
        "rule     Rank '3'",
        "mend     ",
        "stderr   Traceback",
        "the end",
    ):
        assert part in text
    short = at(reel, "end", "d")
    assert "more below (down)" in text_of(screen(reel, short, 80, 18, NAMES))
    for _ in range(9):
        short = press(reel, short, "pagedown")
    assert "the end" in text_of(screen(reel, short, 80, 18, NAMES))


def test_a_bot_that_was_not_there_saw_nothing():
    game = Game(Rules(turn_cap=1), HANDS)
    events = [game.opening(), *game.apply(Fault((1,)))]
    events += [*game.apply(Play(0, ("AC",), "A", 1)), *game.apply(Answers())]
    story = story_of(result_of(game, events, forfeited=(1,)))
    reel = Reel(story)
    assert "bo (1) is not there, and its 17 cards leave play" in text_of(
        screen(reel, at(reel, " "), names=NAMES)
    )
    own = text_of(screen(reel, at(reel, "end", view=View(1)), names=NAMES))
    assert "bo (1) was not there: it had forfeited the game by faults before it" in own
    assert "17 cards" in own
    assert "wins" not in own
    lines = list(told(story, sitters_of(story, NAMES), View(1)))
    assert len(lines) == 2
    # Why it left is not told to the others.
    assert "leaves by a fault" in text_of(screen(reel, at(reel, " ", view=View(0)), names=NAMES))


def fit_to_show(text):
    return all(unicodedata.category(one) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for one in text)


@pytest.mark.parametrize("page", ["table", "more", "help"])
def test_ten_seats_of_hostile_bots_fit_any_screen_and_stay_harmless(page):
    names = [f"{HOSTILE}{seat}" for seat in range(10)]
    reel = Reel(random_story(10, 4, Rules(turn_cap=30), faults=0.01, text=HOSTILE * 9))
    for number, size in enumerate([(80, 24), (72, 18), (100, 30), (211, 60)]):
        for view in (EVERYTHING, PUBLIC, View(number)):
            for moment in reel.moments(view)[:: 3 if size == (80, 24) else 17]:
                stand = Stand(view, moment.scene.beat, page, scroll=number)
                lines = screen(reel, stand, *size, names=names)
                assert len(lines) == size[1]
                for line in lines:
                    assert cell_len(plain(line)) <= size[0]
                    assert all(fit_to_show(text) for text, _ in line)
    everything = screen(reel, Stand(beat=5), names=names)
    assert [plain(line)[2] for line in everything[2:12]] == list("0123456789")
    assert plain(everything[-1]).endswith("q leave")


@given(st.integers(0, 300), st.integers(0, 80), st.sampled_from(["table", "more", "help"]))
@settings(max_examples=40)
def test_any_size_is_kept_to(width, height, page):
    reel = Reel(known())
    lines = screen(reel, Stand(beat=7, page=page), width, height)
    assert len(lines) == height
    assert all(cell_len(plain(line)) <= width for line in lines)


def test_numbers_that_are_not_told_are_not_drawn():
    reel = Reel(random_story(4, 8, Rules(wrong_count=True, turn_cap=9)))
    claims = [one for one in reel.moments(PUBLIC) if one.scene.claim and not one.scene.pile.exact]
    assert claims
    for moment in claims:
        text = text_of(screen(reel, Stand(PUBLIC, moment.scene.beat)))
        assert re.search(r"^[> ] \d bot\d +<\d+ ", text, re.MULTILINE)
        assert re.search(r"^  pile +>\d+ ", text, re.MULTILINE)


@pytest.mark.parametrize("view", [EVERYTHING, PUBLIC, View(1)])
def test_what_is_to_come_makes_no_difference(view):
    story = random_story(4, 6, faults=0.01)
    reel = Reel(story)
    for cut in range(1, len(story.beats), 5):
        begun = Reel(
            replace(story, beats=story.beats[:cut], said=story.said[:cut], faults=story.faults[:cut])
        )
        if any(beat.fault for beat in story.beats[cut : cut + 6]):
            continue  # Whether a seat hears of an outcome hangs on whether it leaves in that window.
        last = begun.moments(view)[-1].scene.beat
        for page in ("table", "more"):
            stand = Stand(view, last, page)
            assert screen(reel, stand) == screen(begun, stand)


def test_names_are_those_that_the_seat_was_told(reel):
    sitters = Sitters(("an", "bo", "cy"), named=False)
    assert sitters.seen_by(View(1)) == ["seat 0", "bo (1)", "seat 2"]
    assert sitters.seen_by(PUBLIC) == sitters.seen_by(EVERYTHING) == ["an (0)", "bo (1)", "cy (2)"]
    long = Sitters(("x" * 100,), named=True).seen_by(EVERYTHING)
    assert long == [f"{'x' * 37}... (0)"]
