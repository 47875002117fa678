"""Going through a replay: what each key does, in a known game and, with any keys pressed, in any game."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay_stories import random_story

from arena.cheat.rules import Rules
from arena.cli.keys import Keys
from arena.cli.stepping import KEYS, Reel, Stand, at_turn, press
from arena.protocol.views import EVERYTHING, PUBLIC, View

SENT = {
    b"\x1b[A": "up", b"\x1b[B": "down", b"\x1bOC": "right", b"\x1b[D": "left", b"\x1b[1;2C": "shift-right",
    b"\x1b[H": "home", b"\x1bOF": "end", b"\x1b[4~": "end", b"\x1b[5~": "pageup", b"\r": "enter",
    b"\x7f": "backspace", b"q": "q", b"?": "?", b" ": " ", "ä漢".encode(): "ä漢",
}  # fmt: skip
UNKNOWN = [b"\x1b[Z", b"\x1b[200~", b"\x1b[15;5~", b"\x01", b"\x1bx", b"\xff", b"\t"]


@pytest.fixture(scope="module")
def reel():
    return Reel(random_story(4, 3, faults=0.01))


def pressed(reel, stand, *keys):
    for key in keys:
        stand = press(reel, stand, key)
    return stand


@given(st.lists(st.sampled_from([*SENT, *UNKNOWN])), st.data())
def test_keys_are_the_same_in_whatever_pieces_their_bytes_come(sent, data):
    whole = b"".join(sent)
    cuts = data.draw(st.lists(st.integers(0, len(whole))).map(sorted))
    ends = [*cuts, len(whole)]
    keys, got = Keys(), []
    for start, end in zip([0, *cuts], ends, strict=True):
        got += keys.feed(whole[start:end])
    assert "".join(got + keys.settle()) == "".join(SENT.get(one, "") for one in sent)


@given(st.binary())
def test_any_bytes_are_keys_or_nothing(data):
    keys = Keys()
    for key in [*keys.feed(data), *keys.settle()]:
        assert key.isprintable()
    assert not keys.unsure


def test_escape_alone_is_a_key_once_nothing_follows():
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.unsure
    assert keys.settle() == ["escape"]
    assert keys.feed(b"\x1b\x1b[A") == ["escape", "up"]
    assert not keys.unsure


def test_every_lie_call_and_fault_is_come_to_once_forwards_and_backwards(reel):
    for view in (EVERYTHING, PUBLIC, View(0), View(3)):
        moments = reel.moments(view)
        for key, marked in (
            ("l", [one.scene.beat for one in moments if one.lie]),
            ("c", [one.scene.beat for one in moments if one.called]),
            ("f", [one.scene.beat for one in moments if one.fault]),
            ("n", [one.scene.beat for one in moments if one.lie or one.called or one.fault]),
        ):
            stand, found = Stand(view), []
            while not (stand := press(reel, stand, key)).note:
                found.append(stand.beat)
            assert found == marked
            stand, found = pressed(reel, stand, "end"), []
            if moments[-1].scene.beat in marked:
                found.append(stand.beat)
            while not (stand := press(reel, stand, key.upper())).note:
                found.append(stand.beat)
            assert found == marked[::-1]
            assert "before this" in stand.note


def test_beats_and_turns_forwards_and_backwards(reel):
    moments = reel.moments(EVERYTHING)
    stand, beats = Stand(), [0]
    while not (stand := press(reel, stand, "right")).note:
        beats.append(stand.beat)
    assert beats == list(range(len(moments)))
    assert stand.note == "This is the end."
    back = []
    while not (stand := press(reel, stand, "left")).note:
        back.append(stand.beat)
    assert back == beats[-2::-1]
    assert stand.note == "This is the beginning."
    turns = [moment.scene.turn for moment in moments]
    first = [turns.index(turn) for turn in sorted(set(turns))]
    found = [0]
    while not (stand := press(reel, stand, "down")).note:
        found.append(stand.beat)
    assert found == sorted({*first, len(moments) - 1})
    # From within a turn to its own beginning.
    stand = pressed(reel, Stand(), "down", "down", " ", "up")
    assert stand.beat == first[2]


def test_a_turn_is_gone_to_by_its_number(reel):
    stand = pressed(reel, Stand(), "g", "1", "x", "3", "backspace", "2")
    assert stand.typed == "12"
    stand = press(reel, stand, "enter")
    assert (stand.typed, stand.note) == (None, "")
    assert reel.past(stand)[-1].scene.turn == 12
    assert reel.past(stand)[-2].scene.turn == 11
    assert pressed(reel, stand, "g", "4", "escape") == stand
    assert pressed(reel, stand, "g", "enter") == stand
    late = pressed(reel, stand, "g", *"999999999", "enter")
    assert late.beat == len(reel.moments(EVERYTHING)) - 1
    assert late.note == "There is no turn 999999 here; this is the last."
    assert at_turn(reel, Stand(), 0).beat == 0


def test_another_view_is_of_the_same_beat_or_of_the_last_that_it_knows():
    reel = Reel(random_story(4, 2, Rules(play_on=True, turn_cap=300), calls=0.05))
    everything = reel.moments(EVERYTHING)
    gone = next(
        number for number, one in enumerate(everything) if getattr(one.scene.happening, "place", None)
    )
    seat = everything[gone].scene.happening.seat
    assert gone + 4 < len(everything)
    stand = replace(Stand(), beat=gone + 3)
    own = press(reel, stand, str(seat))
    assert reel.past(own)[-1].scene.beat == gone
    assert press(reel, own, "e").beat == stand.beat
    # The next thing it is told of is the end.
    assert reel.past(press(reel, own, " "))[-1].scene.beat == len(everything) - 1


def test_pages_open_over_the_table_and_close_again(reel):
    stand = pressed(reel, Stand(), "l", "?")
    assert (stand.page, press(reel, stand, "down").scroll) == ("help", 1)
    assert pressed(reel, stand, "up", "up").scroll == 0
    for key in ("?", "escape", "q", "enter"):
        closed = press(reel, stand, key)
        assert (closed.page, closed.left, closed.beat) == ("table", False, stand.beat)
    assert pressed(reel, stand, "q", "q").left
    # On a page, a jump shows the page of where it leads.
    assert press(reel, press(reel, Stand(), "d"), "l").page == "more"


def test_a_key_that_does_nothing_says_which_key_lists_the_others(reel):
    stand = pressed(reel, Stand(), " ", "x")
    assert stand == replace(press(reel, Stand(), " "), note="? shows the keys.")
    assert pressed(reel, Stand(), "z", "redraw", " ").note == ""
    assert press(reel, Stand(), "redraw") == Stand()


def test_a_seat_that_is_not_there_is_said(reel):
    stand = press(reel, Stand(), "7")
    assert (stand.view, stand.note) == (EVERYTHING, "The seats are 0 to 3.")


@given(
    st.integers(2, 5), st.integers(0, 50), st.sampled_from([0.0, 0.05]),
    st.lists(st.sampled_from(sorted({*KEYS, "x", "escape", "redraw"})), max_size=60),
)  # fmt: skip
@settings(max_examples=60)
def test_whatever_is_pressed_there_is_something_to_show_and_nothing_of_the_future(seats, seed, faults, keys):
    reel = Reel(random_story(seats, seed, Rules(passing=True, turn_cap=12), faults=faults))
    stand = Stand()
    for key in keys:
        stand = press(reel, stand, key)
        past = reel.past(stand)
        assert past
        assert past[-1].scene.beat <= stand.beat < len(reel.story.beats)
        if key.isdigit() and stand.typed is None and int(key) < seats:
            assert stand.view == View(int(key))
