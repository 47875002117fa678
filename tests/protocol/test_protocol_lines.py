"""The lines to a bot, byte for byte, and who is sent which."""

import json
from dataclasses import asdict, replace

import pytest

from arena.cheat.actions import Answers, Fault, Play
from arena.cheat.events import Dealt, Ended, Out, Passed, Played
from arena.cheat.game import Game
from arena.cheat.presets import PRESETS
from arena.protocol.lines import (
    GOODBYE,
    challenge_line,
    event_lines,
    hello_line,
    play_line,
    seconds_told,
    start_line,
)

SUITED = [["A", "4", "7", "T", "K"], ["2", "5", "8", "J"], ["3", "6", "9", "Q"]]
HANDS = [[rank + suit for rank in ranks for suit in "CDHS"] for ranks in SUITED]
RULES = PRESETS["classic"]


def table(rules=RULES) -> Game:
    """Three seats: seat 0 holds every A 4 7 T K, seat 1 every 2 5 8 J, seat 2 every 3 6 9 Q."""
    return Game(rules, HANDS)


def test_hello():
    line = hello_line("0a1b", RULES, 3, 10, 1, 5)
    assert line == (
        b'{"type":"hello","id":"0a1b","protocol":1,"seats":3,"rules":{"name":"classic","min_players":2,'
        b'"max_players":10,"decks":1,"second_deck_from":5,"deal":"singly","first_player":"dealer_left",'
        b'"next_game":"deal_moves","order":"up","max_cards":4,"passing":false,"wrong_count":false,'
        b'"callers":"seat_order","play_on":false,"turn_cap":1000},'
        b'"limits":{"start":10.0,"move":1.0,"bank":5.0}}\n'
    )


@pytest.mark.parametrize("name", PRESETS)
def test_hello_states_every_knob_and_settles_decks_and_turn_cap_for_the_table(name):
    rules = PRESETS[name]
    for seats in range(rules.min_players, rules.max_players + 1):
        told = json.loads(hello_line("x", rules, seats, 10, 1, 5))["rules"]
        expected = asdict(rules) | {"decks": rules.decks_for(seats), "turn_cap": rules.cap_for(seats)}
        assert told == expected
        assert list(told) == list(expected)


def test_start_shows_the_own_hand_and_only_the_sizes_of_the_others():
    line = start_line(table(), 1, "00112233445566ff", 77)
    hand = ",".join(f'"{card}"' for card in HANDS[1])
    assert line.decode() == (
        '{"type":"start","game":"00112233445566ff","seat":1,"seats":3,'
        f'"hand":[{hand}],"hand_sizes":[20,16,16],"first":0,"seed":77}}\n'
    )


def test_names_are_told_only_where_they_are_given():
    assert "names" not in json.loads(start_line(table(), 1, "0", 7))
    told = json.loads(start_line(table(), 1, "0", 7, ["ann", "böb", "cy\x1b"]))
    assert told["names"] == ["ann", "böb", "cy\x1b"]
    assert b"\x1b" not in start_line(table(), 1, "0", 7, ["ann", "bob", "cy\x1b"])


def test_play():
    game = table()
    game.apply(Play(0, ("AC", "AD"), "A", 2))
    game.apply(Answers())
    hand = ",".join(f'"{card}"' for card in HANDS[1])
    assert play_line(game, 1, "0a1b", 1, 4.98765).decode() == (
        '{"type":"play","id":"0a1b","turn":2,"seat":1,"active":[0,1,2],"ranks":["2"],'
        f'"hand":[{hand}],"hand_sizes":[18,16,16],"pile":2,"seconds":1.0,"bank":4.988}}\n'
    )


def test_challenge_shows_the_sizes_from_before_the_play():
    game = table()
    game.apply(Play(0, ("KC", "KD", "KH"), "A", 3))
    hand = ",".join(f'"{card}"' for card in HANDS[2])
    assert challenge_line(game, 2, "0a1b", 1, 5).decode() == (
        '{"type":"challenge","id":"0a1b","turn":1,"seat":2,"active":[0,1,2],"claimant":0,"rank":"A","count":3,'
        f'"hand":[{hand}],"hand_sizes":[20,16,16],"pile":0,"seconds":1.0,"bank":5.0}}\n'
    )


def test_a_challenge_without_an_open_window_is_an_error():
    with pytest.raises(ValueError, match="no challenge window"):
        challenge_line(table(), 1, "x", 1, 5)


def test_a_seat_that_is_out_has_no_size_and_is_not_active():
    game = table()
    game.apply(Fault((0,)))
    told = json.loads(play_line(game, 1, "x", 1, 5))
    assert told["active"] == [1, 2]
    assert told["hand_sizes"] == [None, 16, 16]
    assert told["ranks"] == ["A"]


def test_a_true_play_that_is_called_shows_the_pile_to_its_taker_alone():
    game = table()
    game.apply(Play(0, ("AC",), "A", 1))
    (outcome,) = game.apply(Answers((2, 1)))
    first, second, third = event_lines(outcome, 3)
    assert first == (
        b'{"type":"outcome","turn":1,"claimant":0,"rank":"A","count":1,"callers":[1,2],"challenger":1,'
        b'"shown":["AC"],"true":true,"taker":1,"taken":1}\n'
    )
    assert second == first.replace(b'"taken":1}', b'"taken":1,"picked_up":["AC"]}')
    assert third is first


def test_a_play_that_nobody_called_shows_nothing():
    game = table()
    game.apply(Play(0, ("KC",), "A", 1))
    (outcome,) = game.apply(Answers())
    assert set(event_lines(outcome, 3)) == {
        b'{"type":"outcome","turn":1,"claimant":0,"rank":"A","count":1,"callers":[],"challenger":null,'
        b'"shown":[],"true":null,"taker":null,"taken":0}\n'
    }


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Passed(7, 2), b'{"type":"passed","turn":7,"seat":2}\n'),
        (Out(7, 2, 1, False, ()), b'{"type":"out","turn":7,"seat":2,"place":1,"fault":false,"removed":0}\n'),
        (
            Out(0, 1, None, True, ("AC", "2C")),
            b'{"type":"out","turn":0,"seat":1,"place":null,"fault":true,"removed":2}\n',
        ),
        (
            Ended(9, (1, 2, 2), 0, "won"),
            b'{"type":"end","turn":9,"places":[1,2,2],"winner":0,"reason":"won"}\n',
        ),
        (
            Ended(9, (1, 1, 1), None, "nobody"),
            b'{"type":"end","turn":9,"places":[1,1,1],"winner":null,"reason":"nobody"}\n',
        ),
    ],
)
def test_these_events_tell_all_seats_the_same(event, line):
    assert event_lines(event, 3) == (line, line, line)


def test_the_deal_and_an_open_play_tell_nobody_anything():
    assert event_lines(Dealt((("AC",), ("2C",))), 2) == (None, None)
    assert event_lines(Played(1, 0, ("AC",), "A", 1), 4) == (None, None, None, None)


def test_goodbye():
    assert GOODBYE == b'{"type":"goodbye"}\n'


@pytest.mark.parametrize("seconds", [0, 5, 0.0004, 1.0005, 4.99812, 3.14159, 1e6 + 1 / 3])
def test_seconds_are_told_to_the_millisecond_and_stay_so(seconds):
    told = seconds_told(seconds)
    assert abs(told - seconds) <= 0.0005 + 1e-9
    assert seconds_told(told) == told
    assert isinstance(told, float)


def test_equal_positions_give_equal_bytes():
    lines = []
    for _ in range(2):
        game = table(replace(RULES, play_on=True))
        game.apply(Play(0, ("AD", "AC"), "A", 2))
        lines.append([challenge_line(game, seat, "x", 1, 5) for seat in (1, 2)])
    assert lines[0] == lines[1]


def test_no_line_holds_a_newline_but_at_its_end():
    rules = replace(RULES, name="my rules")
    for line in (
        hello_line("x\n", rules, 3, 10, 1, 5),
        start_line(table(), 0, "g\n", 1, ["a\nb", "\r", "\u2028"]),
    ):
        assert line.count(b"\n") == 1
        assert line.endswith(b"}\n")
