"""The event log: games there and back, and bytes that are no log."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_games import random_game, tables

from arena.cheat.events import Dealt, Ended, Out, Passed, Played, Resolved
from arena.cheat.presets import PRESETS
from arena.cheat.record import record_of, replay
from arena.protocol.log import LogError, decode_log, encode_log

EVERY_EVENT = [
    Dealt((("AC", "KS"), ("2D",))),
    Played(1, 0, ("AC",), "A", 1),
    Resolved(1, 0, "A", 1, (), None, (), None, None, ()),
    Passed(2, 1),
    Resolved(3, 0, "3", 1, (1,), 1, ("KS",), False, 0, ("AC", "KS")),
    Out(3, 1, None, True, ("2D",)),
    Ended(3, (1, 2), 0, "alone"),
]


def test_each_event_is_one_line_of_json():
    assert encode_log(EVERY_EVENT).decode().splitlines() == [
        '{"type":"dealt","hands":[["AC","KS"],["2D"]]}',
        '{"type":"played","turn":1,"seat":0,"cards":["AC"],"rank":"A","count":1}',
        '{"type":"resolved","turn":1,"claimant":0,"rank":"A","count":1,"callers":[],"challenger":null,'
        '"shown":[],"true":null,"taker":null,"taken":[]}',
        '{"type":"passed","turn":2,"seat":1}',
        '{"type":"resolved","turn":3,"claimant":0,"rank":"3","count":1,"callers":[1],"challenger":1,'
        '"shown":["KS"],"true":false,"taker":0,"taken":["AC","KS"]}',
        '{"type":"out","turn":3,"seat":1,"place":null,"fault":true,"removed":["2D"]}',
        '{"type":"ended","turn":3,"places":[1,2],"winner":0,"reason":"alone"}',
    ]


def test_the_events_of_games_come_back_equal_and_replay_to_themselves():
    rng = random.Random(3)
    for rules, seats in tables(dict(PRESETS)):
        events = random_game(rules, seats, rng, faults=0.01).events
        log = encode_log(events)
        back = decode_log(log)
        assert back == events
        assert encode_log(back) == log
        assert replay(record_of(rules, back)) == events


def test_an_empty_log_is_no_events():
    assert encode_log([]) == b""
    assert decode_log(b"") == []


GOOD = encode_log(EVERY_EVENT).splitlines()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"", "line 2"),
        (b"{", "line 2"),
        (b"[]", "line 2"),
        (b"null", "line 2"),
        (b"\xff", "line 2"),
        (b'{"turn":2,"seat":1}', "type"),
        (b'{"type":"fled","turn":2,"seat":1}', '"fled"'),
        (b'{"type":["passed"],"turn":2,"seat":1}', "line 2"),
        (b'{"type":"passed","turn":2}', "seat"),
        (b'{"type":"passed","turn":2,"seat":"1"}', "seat"),
        (b'{"type":"passed","turn":true,"seat":1}', "turn"),
        (b'{"type":"passed","turn":2.5,"seat":1}', "turn"),
        (b'{"type":"played","turn":1,"seat":0,"cards":["SA"],"rank":"A","count":1}', '"SA"'),
        (b'{"type":"played","turn":1,"seat":0,"cards":["AS"],"rank":"10","count":1}', '"10"'),
        (b'{"type":"played","turn":1,"seat":0,"cards":["AS"],"rank":"","count":1}', '""'),
        (b'{"type":"played","turn":1,"seat":0,"cards":["AS"],"rank":"A2","count":1}', '"A2"'),
        (b'{"type":"dealt","hands":[["AC"],["1C"]]}', '"1C"'),
        (GOOD[4].replace(b'"shown":["KS"]', b'"shown":["SK"]'), '"SK"'),
        (GOOD[4].replace(b'"taken":["AC","KS"]', b'"taken":["AC","SK"]'), '"SK"'),
        (b'{"type":"out","turn":3,"seat":1,"place":null,"fault":1,"removed":[]}', "fault"),
        (b'{"type":"out","turn":3,"seat":1,"place":null,"fault":true,"removed":["\\u001b"]}', "\\x1b"),
        (b'{"type":"ended","turn":3,"places":[1,2],"winner":0,"reason":"luck"}', "reason"),
        (b'{"type":"passed","turn":2,"seat":1,"z":' + b"[" * 100_000, "line 2"),
        (b'{"type":"passed","turn":' + b"9" * 5000 + b',"seat":1}', "line 2"),
    ],
)
def test_a_line_that_is_no_event_is_named(line, word):
    with pytest.raises(LogError, match="line 2 of the log") as error:
        decode_log(GOOD[0] + b"\n" + line + b"\n" + GOOD[2] + b"\n")
    assert word in str(error.value)
    assert str(error.value).isprintable()


def test_a_log_that_is_cut_off_is_refused():
    log = encode_log(EVERY_EVENT)
    for end in range(1, len(log)):
        if log[end - 1 : end] == b"\n":
            assert decode_log(log[:end]) == EVERY_EVENT[: log[:end].count(b"\n")]
        else:
            with pytest.raises(LogError, match="cut off"):
                decode_log(log[:end])


@given(st.binary(max_size=200) | st.lists(st.sampled_from([*GOOD, b'"', b"{}"]), max_size=5).map(b"\n".join))
def test_any_bytes_are_events_or_a_log_error(log):
    try:
        events = decode_log(log)
    except LogError:
        return
    assert decode_log(encode_log(events)) == events


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=3))
def test_a_log_with_some_bytes_changed_is_events_or_a_log_error(place, new):
    log = bytearray(encode_log(EVERY_EVENT))
    place %= len(log)
    log[place : place + len(new)] = new
    try:
        events = decode_log(bytes(log))
    except LogError:
        return
    assert decode_log(encode_log(events)) == events
