"""Every line of over a thousand games against the schema, in both directions, and what it must refuse."""

import json
import random
from itertools import islice

import jsonschema
import jsonschema_rs
import pytest
from protocol_games import Request, random_game, tables

from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.log import encode_log
from arena.protocol.messages import (
    ChallengeReply,
    ChallengeRequest,
    End,
    Goodbye,
    Hello,
    HelloReply,
    Outcome,
    OutEvent,
    PassedEvent,
    PlayReply,
    PlayRequest,
    Start,
)
from arena.protocol.schema import schema

SCHEMA = schema()
SETS = ("to_bot", "from_bot", "log")


def one(group: str, type: str) -> dict[str, object]:
    """The schema of one line of a group."""
    return {"$schema": SCHEMA["$schema"], "$ref": f"#/$defs/{group}/$defs/{type}", "$defs": SCHEMA["$defs"]}


# jsonschema is the reference and takes a millisecond a line; jsonschema_rs takes microseconds. Every line
# goes through the fast one, and what both say of a sample must be the same.
FAST = {
    (group, type): jsonschema_rs.validator_for(one(group, type))
    for group in SETS
    for type in SCHEMA["$defs"][group]["$defs"]
}
REFERENCE = {key: jsonschema.Draft202012Validator(one(*key)) for key in FAST}


def why_not(group: str, type: str, line: bytes, *, reference: bool = False) -> str | None:
    """What the schema has against a line; None: nothing."""
    value = json.loads(line)
    wrong = next((error.message for error in FAST[group, type].iter_errors(value)), None)
    if reference:
        assert REFERENCE[group, type].is_valid(value) == (wrong is None), (line, wrong)
    return wrong


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_each_call_gives_a_schema_of_its_own():
    first = schema()
    first["$defs"]["to_bot"]["$defs"]["play"]["properties"].clear()
    assert schema() == SCHEMA


@pytest.mark.parametrize("group", SETS)
def test_every_field_and_every_line_says_what_it_means(group):
    for type, line in SCHEMA["$defs"][group]["$defs"].items():
        assert line["description"].endswith("."), type
        for name, field in line["properties"].items():
            if name != "type":
                assert field.get("description"), f"{type}.{name}"


@pytest.mark.parametrize(
    ("type", "struct"),
    [
        ("hello", Hello),
        ("start", Start),
        ("play", PlayRequest),
        ("challenge", ChallengeRequest),
        ("outcome", Outcome),
        ("passed", PassedEvent),
        ("out", OutEvent),
        ("end", End),
        ("goodbye", Goodbye),
    ],
)
def test_the_schema_has_the_fields_of_the_messages_in_their_order(type, struct):
    assert list(SCHEMA["$defs"]["to_bot"]["$defs"][type]["properties"]) == ["type", *struct.__struct_fields__]


@pytest.mark.parametrize(
    ("type", "struct"), [("hello", HelloReply), ("play", PlayReply), ("challenge", ChallengeReply)]
)
def test_the_schema_has_the_fields_of_the_answers(type, struct):
    fields = {"pass" if field == "passing" else field for field in struct.__struct_fields__} | {"id"}
    assert set(SCHEMA["$defs"]["from_bot"]["$defs"][type]["properties"]) == fields


def test_hello_has_every_knob():
    knobs = SCHEMA["$defs"]["to_bot"]["$defs"]["hello"]["properties"]["rules"]
    assert list(knobs["properties"]) == list(Rules.__dataclass_fields__)


def answer(request: Request, said: dict[str, object], rng: random.Random) -> bytes:
    """An answer as bots of many languages write it."""
    extra: dict[str, object] = {}
    if rng.random() < 0.2:
        extra["debug"] = "♠ thinking " * rng.randint(0, 3)
    if rng.random() < 0.1:
        extra["mood"] = rng.choice([None, 1.5, [], {"a": 1}])
    fields = list({"id": request.id, **said, **extra}.items())
    rng.shuffle(fields)
    spaces = rng.choice([(",", ":"), (", ", ": ")])
    return json.dumps(dict(fields), ensure_ascii=rng.random() < 0.5, separators=spaces).encode()


ROUNDS = 8


@pytest.mark.parametrize("part", range(ROUNDS))
def test_every_line_of_every_game_is_as_the_schema_says(part):
    """One game of each preset at each number of seats a round: over a thousand games in all."""
    rng = random.Random(part)
    games = 0
    seen: dict[tuple[str, str], set[bytes]] = {key: set() for key in FAST}
    for rules, seats in tables(dict(PRESETS)):
        names = tuple(f"bot {seat}" for seat in range(seats)) if games % 5 == 0 else None
        played = random_game(
            rules, seats, rng, calls=rng.choice([0.1, 0.25, 0.5]), names=names, answer=answer
        )
        games += 1
        for told in played.told:
            for line in told:
                seen["to_bot", line[9 : line.index(b'"', 9)].decode()].add(line)
        given = {request.id for request in played.requests}
        for request in played.requests:
            if request.answer:
                seen["from_bot", request.kind].add(request.answer)
                reply = decode_reply(request.answer, request.kind, request.id, given)
                assert not isinstance(reply, Violation), (request.answer, reply)
        for line in encode_log(played.events).splitlines():
            seen["log", line[9 : line.index(b'"', 9)].decode()].add(line)
    assert games * ROUNDS >= 1000
    for key, lines in seen.items():
        assert lines, key
        for line in lines:
            assert why_not(*key, line) is None, line
        for line in islice(lines, 5):
            assert why_not(*key, line, reference=True) is None


# What it must refuse.


def line_of(type: str) -> dict[str, object]:
    """A good line of this type, from a game."""
    rng = random.Random(5)
    while True:
        played = random_game(PRESETS["british-pass"], 4, rng, calls=1.0, faults=0.02)
        for line in played.told[0]:
            value = json.loads(line)
            if value["type"] == type and value.get("challenger", 0) is not None:
                return value


TYPES = list(SCHEMA["$defs"]["to_bot"]["$defs"])


@pytest.mark.parametrize("type", TYPES)
def test_a_line_to_a_bot_without_a_field_or_with_one_more_is_refused(type):
    good = line_of(type)
    assert why_not("to_bot", type, json.dumps(good).encode(), reference=True) is None
    for field in good:
        if field != "picked_up":
            less = {name: value for name, value in good.items() if name != field}
            assert why_not("to_bot", type, json.dumps(less).encode(), reference=True), field
    assert why_not("to_bot", type, json.dumps({**good, "secret": 1}).encode(), reference=True)


WRONG = [
    ("play", "turn", 0),
    ("play", "seat", 10),
    ("play", "ranks", []),
    ("play", "ranks", ["10"]),
    ("play", "hand", []),
    ("play", "hand", ["SA"]),
    ("play", "hand_sizes", [1]),
    ("play", "hand_sizes", [0, 1]),
    ("play", "pile", -1),
    ("play", "seconds", 0),
    ("play", "bank", -0.1),
    ("play", "active", [1, 1]),
    ("challenge", "count", 0),
    ("challenge", "rank", "a"),
    ("challenge", "id", ""),
    ("start", "seed", 2**53),
    ("start", "game", "abc"),
    ("outcome", "true", None),
    ("outcome", "challenger", None),
    ("outcome", "callers", []),
    ("outcome", "taken", 0),
    ("outcome", "shown", []),
    ("outcome", "taker", None),
    ("out", "place", 0),
    ("end", "reason", "because"),
    ("hello", "protocol", 2),
    ("hello", "rules", {}),
    ("hello", "limits", {"start": 1, "move": 1}),
]


@pytest.mark.parametrize(("type", "field", "value"), WRONG)
def test_a_line_to_a_bot_with_a_value_out_of_its_range_is_refused(type, field, value):
    assert why_not("to_bot", type, json.dumps({**line_of(type), field: value}).encode(), reference=True)


ANSWERS = [
    ("hello", {}),
    ("hello", {"id": 1}),
    ("hello", {"id": "x", "name": None}),
    ("play", {"id": "x"}),
    ("play", {"cards": ["AS"]}),
    ("play", {"id": "x", "cards": "AS"}),
    ("play", {"id": "x", "cards": ["10S"]}),
    ("play", {"id": "x", "cards": ["AS"], "rank": 4}),
    ("play", {"id": "x", "cards": ["AS"], "rank": "10"}),
    ("play", {"id": "x", "cards": ["AS"], "count": True}),
    ("play", {"id": "x", "cards": ["AS"], "count": 1.5}),
    ("play", {"id": "x", "cards": ["AS"], "pass": True}),
    ("play", {"id": "x", "pass": False}),
    ("play", {"id": "x", "pass": 1}),
    ("play", {"id": "x", "cards": ["AS"], "debug": 1}),
    ("challenge", {"id": "x"}),
    ("challenge", {"id": "x", "challenge": 1}),
    ("challenge", {"id": "x", "challenge": None}),
]


@pytest.mark.parametrize(("kind", "said"), ANSWERS)
def test_schema_and_decoder_refuse_the_same_answers(kind, said):
    line = json.dumps(said).encode()
    assert why_not("from_bot", kind, line, reference=True)
    assert isinstance(decode_reply(line, kind, "x", set()), Violation)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("hello", {"id": "x", "name": "n", "version": "1", "author": "a", "more": [None]}),
        ("play", {"id": "x", "cards": [], "more": 1}),
        ("play", {"id": "x", "pass": True}),
        ("play", {"id": "x", "pass": True, "cards": []}),
        ("play", {"id": "x", "pass": False, "cards": ["AS", "AS"], "rank": "K", "count": 9}),
        ("challenge", {"id": "x", "challenge": False, "debug": "d", "cards": 1}),
    ],
)
def test_schema_and_decoder_take_the_same_answers(kind, said):
    line = json.dumps(said).encode()
    assert why_not("from_bot", kind, line, reference=True) is None
    assert not isinstance(decode_reply(line, kind, "x", set()), Violation)
