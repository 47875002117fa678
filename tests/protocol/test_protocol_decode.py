"""One line of a bot: what is taken, which fault each wrong line is, and what the bot's author is told."""

import json

import pytest

from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.messages import MAX_DEBUG, MAX_NAME, ChallengeReply, HelloReply, PlayReply

ID = "9e3779b97f4a"
SPENT = "0123456789ab"


def decoded(line: bytes | str, kind="play"):
    raw = line.encode() if isinstance(line, str) else line
    return decode_reply(raw, kind, ID, {SPENT, ID})


def said(kind="play", **fields):
    return decoded(json.dumps({"id": ID, **fields}), kind)


def fault(reply, code, *words):
    assert isinstance(reply, Violation), reply
    assert reply.code == code, reply
    for word in words:
        assert word in reply.rule, reply.rule
    assert reply.rule.endswith("."), reply.rule
    assert "\n" not in reply.rule
    assert len(reply.rule) < 300


# What is taken.


def test_cards_alone_are_a_play():
    assert said(cards=["AS", "TD"]) == PlayReply(cards=("AS", "TD"))


def test_rank_and_count_are_kept_apart_from_the_cards():
    assert said(cards=["AS"], rank="K", count=3) == PlayReply(cards=("AS",), rank="K", count=3)


def test_a_card_may_be_named_twice():
    assert said(cards=["AS", "AS"]) == PlayReply(cards=("AS", "AS"))


def test_a_play_of_no_cards_is_well_formed():
    assert said(cards=[]) == PlayReply()


def test_a_pass():
    assert said(**{"pass": True}) == PlayReply(passing=True)
    assert said(**{"pass": True, "cards": []}) == PlayReply(passing=True)


def test_pass_false_is_no_pass():
    assert said(**{"pass": False, "cards": ["2C"]}) == PlayReply(cards=("2C",))


@pytest.mark.parametrize("call", [True, False])
def test_a_challenge(call):
    assert said("challenge", challenge=call) == ChallengeReply(call)


def test_hello_needs_nothing_but_the_id():
    assert said("hello") == HelloReply()


def test_hello_may_say_who_the_bot_is():
    reply = said("hello", name="Nora", version="1.2", author="N. N.")
    assert reply == HelloReply(name="Nora", version="1.2", author="N. N.")


def test_what_hello_says_is_cut_where_it_is_long():
    assert said("hello", name="é" * 5000) == HelloReply(name="é" * MAX_NAME)


@pytest.mark.parametrize("kind", ["hello", "play", "challenge"])
def test_unknown_fields_are_ignored_whatever_they_hold(kind):
    needed = {"hello": {}, "play": {"cards": ["AS"]}, "challenge": {"challenge": True}}[kind]
    assert said(kind, **needed, mood=None, more={"id": "x", "list": [1, 2.5, {}]}) == said(kind, **needed)


def test_the_fields_of_other_answers_are_unknown_fields():
    assert said("challenge", challenge=True, cards=None, count="x") == ChallengeReply(True)
    assert said("hello", challenge=1, rank=4) == HelloReply()
    assert said("play", cards=["AS"], challenge=0, name=1) == PlayReply(cards=("AS",))


@pytest.mark.parametrize("kind", ["hello", "play", "challenge"])
def test_debug_is_kept_up_to_its_limit_and_cut_between_characters(kind):
    needed = {"hello": {}, "play": {"cards": ["AS"]}, "challenge": {"challenge": True}}[kind]
    assert said(kind, **needed, debug="sure").debug == "sure"
    assert said(kind, **needed, debug="x" * 5000).debug == "x" * MAX_DEBUG
    assert said(kind, **needed, debug="é" * 600).debug == "é" * 512
    assert said(kind, **needed, debug="a" + "é" * 600).debug == "a" + "é" * 511
    assert said(kind, **needed, debug="🂡" * 256).debug == "🂡" * 256
    assert said(kind, **needed, debug="ab" + "🂡" * 256).debug == "ab" + "🂡" * 255


def test_white_space_around_and_inside_is_json():
    assert decoded(f' \t{{ "id" :\t"{ID}" , "cards":[ "AS" ] }} \r') == PlayReply(cards=("AS",))


def test_escapes_are_read_as_the_characters_they_are():
    line = f'{{"\\u0069d": "\\u0039{ID[1:]}", "cards": ["\\u0041S"], "debug": "\\ud83c\\udca1 \\\\ud800"}}'
    assert decoded(line) == PlayReply(cards=("AS",), debug="🂡 \\ud800")


def test_nesting_of_sixteen_is_taken():
    deep = "[" * 15 + "]" * 15
    assert decoded(f'{{"id": "{ID}", "cards": [], "z": {deep}}}') == PlayReply()
    fault(decoded(f'{{"id": "{ID}", "cards": [], "z": [{deep}]}}'), "bad-json", "16 deep")


def test_brackets_in_strings_are_no_nesting():
    line = json.dumps({"id": ID, "cards": [], "z": "[" * 500 + '\\"[{' * 20})
    assert decoded(line) == PlayReply()


def test_many_lists_side_by_side_are_no_nesting():
    assert said(cards=[], z=[[], {}] * 1000) == PlayReply()


def test_the_largest_integers_are_taken():
    assert said(cards=["AS"], count=2**53).count == 2**53
    assert said(cards=["AS"], count=-(2**53)).count == -(2**53)


def test_numbers_of_unknown_fields_may_be_any_double():
    assert decoded(f'{{"id": "{ID}", "cards": [], "z": [1e308, -1E-400, 0.1, -0, 1e16]}}') == PlayReply()


# bad-json: not strict JSON.

BAD_JSON = {
    "empty": (b"", "empty"),
    "not UTF-8": (b'{"id": "\xff"}', "UTF-8", "byte 8", "\\xff"),
    "not UTF-8 in a field that is ignored": (b'{"id": "9e3779b97f4a", "cards": [], "z": "\xc3("}', "UTF-8"),
    "an overlong form": (b'{"id": "\xc0\xaf"}', "UTF-8"),
    "a surrogate in UTF-8": (b'{"id": "\xed\xa0\x80"}', "UTF-8"),
    "UTF-16": ('{"id": "x"}'.encode("utf-16"), "UTF-8"),
    "a byte order mark": (b'\xef\xbb\xbf{"id": "9e3779b97f4a"}', "byte order mark (BOM)"),
    "NaN": (b'{"id": "9e3779b97f4a", "count": NaN}', "NaN"),
    "Infinity": (b'{"id": "9e3779b97f4a", "z": Infinity}', "Infinity"),
    "-Infinity": (b'{"id": "9e3779b97f4a", "z": [-Infinity]}', "-Infinity"),
    "1e999": (b'{"id": "9e3779b97f4a", "z": 1e999}', "double", "1e999"),
    "-1e999": (b'{"id": "9e3779b97f4a", "z": {"y": -1e999}}', "double", "-1e999"),
    "a key twice": (b'{"id": "9e3779b97f4a", "cards": ["AS"], "cards": ["2S"]}', '"cards"', "twice"),
    "a key twice, deep": (b'{"id": "9e3779b97f4a", "z": [{"y": {"a": 1, "b": 2, "a": 1}}]}', '"a"', "twice"),
    "a key twice, once escaped": (b'{"id": "9e3779b97f4a", "\\u0069d": "x"}', '"id"', "twice"),
    "half a surrogate pair": (b'{"id": "9e3779b97f4a", "debug": "\\ud83c"}', "surrogate", "\\ud83c"),
    "the other half": (b'{"id": "9e3779b97f4a", "debug": "\\udca1 \\ud83c"}', "surrogate", "\\udca1"),
    "halves in the wrong order": (b'{"id": "9e3779b97f4a", "z": "\\udca1\\ud83c"}', "surrogate"),
    "a lone surrogate as a key": (b'{"id": "9e3779b97f4a", "\\uDBFF": 1}', "surrogate", "\\uDBFF"),
    "a lone surrogate after a backslash": (b'{"id": "9e3779b97f4a", "z": "\\\\\\ud800"}', "surrogate"),
    "an integer over 2**53": (
        b'{"id": "9e3779b97f4a", "count": 9007199254740993}',
        "2**53",
        "9007199254740993",
    ),
    "an integer under -2**53": (b'{"id": "9e3779b97f4a", "z": -9007199254740993}', "2**53"),
    "an integer of 5000 digits": (b'{"id": "9e3779b97f4a", "z": ' + b"7" * 5000 + b"}", "2**53", "777..."),
    "nesting of 17": (b'{"id": "9e3779b97f4a", "z": ' + b"[" * 16 + b"]" * 16 + b"}", "16 deep"),
    "nesting of 30000": (b"[" * 30_000 + b"]" * 30_000, "16 deep"),
    "nesting that never closes": (b'{"a":' * 10_000, "16 deep"),
    "printed Python": (b"{'id': '9e3779b97f4a', 'challenge': True}", "double quotes", "json.dumps"),
    "Python's True": (b'{"id": "9e3779b97f4a", "challenge": True}', "true", "True}"),
    "Python's None": (b'{"id": "9e3779b97f4a", "rank": None}', "null"),
    "a comma too many": (b'{"id": "9e3779b97f4a", "cards": ["AS",]}', "JSON"),
    "no comma": (b'{"id": "9e3779b97f4a" "cards": []}', "delimiter", "byte 22", '"cards": []}'),
    "a comment": (b'{"id": "9e3779b97f4a"} // mine', "one JSON object", "// mine"),
    "two objects": (b'{"id": "9e3779b97f4a"}{"id": "9e3779b97f4a"}', "one JSON object"),
    "an object cut off": (b'{"id": "9e3779b97f4a", "cards": [', "ends inside"),
    "a string cut off": (b'{"id": "9e3779', "ends inside"),
    "an object over several lines": (b"{", "one line"),
    "a greeting": (b"Hello, I am ready", "stderr", "Hello, I am ready"),
    "a control character in a string": (b'{"id": "a\tb"}', "JSON"),
    "a zero byte": (b'\x00{"id": "x"}', "\\x00"),
    "a number with a leading zero": (b'{"id": "9e3779b97f4a", "count": 01}', "JSON"),
    "a number with a plus": (b'{"id": "9e3779b97f4a", "count": +1}', "JSON"),
    "a hexadecimal number": (b'{"id": "9e3779b97f4a", "count": 0x1}', "JSON"),
    "digits of another script": ('{"id": "9e3779b97f4a", "count": ٣}'.encode(), "JSON"),
    "a space that is not JSON's": ('{"id":\u00a0"9e3779b97f4a"}'.encode(), "JSON", "\\xa0"),
}


@pytest.mark.parametrize("kind", ["hello", "play", "challenge"])
@pytest.mark.parametrize("case", BAD_JSON)
def test_what_is_not_strict_json_is_bad_json_and_the_rule_says_why(case, kind):
    line, *words = BAD_JSON[case]
    fault(decoded(line, kind), "bad-json", *words)


def test_places_count_bytes_and_not_characters():
    reply = decoded('{"id": "éé"; }'.encode())
    assert isinstance(reply, Violation)
    assert reply.at == 13
    assert b'{"id": "\xc3\xa9\xc3\xa9"; }'[reply.at :] == b"; }"


def test_where_the_lone_surrogate_stands_is_known():
    line = '{"é": "\\ud83c\\udca1", "z": "ab\\ud800"}'.encode()
    reply = decoded(line)
    assert isinstance(reply, Violation)
    assert line[reply.at :].startswith(b"\\ud800")


# bad-shape and bad-type.


@pytest.mark.parametrize("line", ["[]", '"x"', "1", "1.5", "null", "true", "[[]]"])
def test_a_line_that_is_no_object_is_bad_shape(line):
    fault(decoded(line), "bad-shape", "JSON object")


@pytest.mark.parametrize("kind", ["hello", "play", "challenge"])
def test_a_reply_without_an_id_is_bad_shape_and_is_told_the_id(kind):
    fault(decoded('{"cards": ["AS"]}', kind), "bad-shape", '"id"', ID, 'it has "cards"')
    fault(decoded("{}", kind), "bad-shape", '"id"', "empty")


@pytest.mark.parametrize(
    ("id", "shown"), [(None, "null"), (1, "1"), (True, "true"), ([ID], "a list of 1"), ({}, "an object")]
)
def test_an_id_that_is_no_string_is_bad_type(id, shown):
    fault(said(id=id), "bad-type", '"id"', shown)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"ok": true}', "bad-shape"),
        ("{}", "bad-shape"),
        ("true", "bad-shape"),
        ('{"id": null}', "bad-type"),
        ('{"id": ""}', "wrong-id"),
    ],
)
def test_whoever_answers_without_an_id_is_told_that_events_want_no_answer(line, code):
    fault(decoded(line), code, 'Lines from arena without an "id" are events and want no answer.')
    told = decoded('{"id": "made up", "cards": ["AS"]}')
    assert "events" not in told.rule


WRONG_TYPES = [
    ("play", {"cards": "AS"}, '"cards" must be a list', 'the string "AS"'),
    ("play", {"cards": None}, '"cards" must be a list', "null"),
    ("play", {"cards": {"AS": 1}}, '"cards" must be a list', "an object"),
    ("play", {"cards": 1}, '"cards" must be a list', "is 1"),
    ("play", {"cards": None, "pass": True}, '"cards" must be a list', "null"),
    ("play", {"cards": ["AS", 2]}, '"cards" must be strings', "number 1", "is 2"),
    ("play", {"cards": [None]}, '"cards" must be strings', "null"),
    ("play", {"cards": [["AS"]]}, '"cards" must be strings', "a list of 1"),
    ("play", {"cards": [{}]}, '"cards" must be strings', "an object"),
    ("play", {"cards": ["AS"], "count": True}, '"count" must be an integer', "true"),
    ("play", {"cards": ["AS"], "count": 1.0}, '"count" must be an integer', "1.0"),
    ("play", {"cards": ["AS"], "count": "1"}, '"count" must be an integer', 'the string "1"'),
    ("play", {"cards": ["AS"], "count": None}, '"count" must be an integer', "null"),
    ("play", {"cards": ["AS"], "rank": 4}, '"rank" must be a string', "is 4"),
    ("play", {"cards": ["AS"], "rank": None}, '"rank" must be a string', "null"),
    ("play", {"cards": ["AS"], "pass": 0}, '"pass" must be true or false', "is 0"),
    ("play", {"pass": 1}, '"pass" must be true or false', "is 1"),
    ("play", {"pass": None}, '"pass" must be true or false', "null"),
    ("play", {"pass": True, "count": "x"}, '"count" must be an integer'),
    ("play", {"cards": ["AS"], "debug": 1}, '"debug" must be a string', "is 1"),
    ("play", {"cards": ["AS"], "debug": None}, '"debug" must be a string', "null"),
    ("challenge", {"challenge": 1}, '"challenge" must be true or false', "is 1"),
    ("challenge", {"challenge": 0}, '"challenge" must be true or false', "is 0"),
    ("challenge", {"challenge": None}, '"challenge" must be true or false', "null"),
    ("challenge", {"challenge": "true"}, '"challenge" must be true or false', 'the string "true"'),
    ("challenge", {"challenge": [True]}, '"challenge" must be true or false', "a list of 1"),
    ("challenge", {"challenge": True, "debug": []}, '"debug" must be a string', "a list of 0"),
    ("hello", {"name": None}, '"name" must be a string', "null"),
    ("hello", {"version": 1.2}, '"version" must be a string', "1.2"),
    ("hello", {"author": ["N. N."]}, '"author" must be a string', "a list of 1"),
    ("hello", {"debug": {}}, '"debug" must be a string', "an object"),
]


@pytest.mark.parametrize(
    ("kind", "fields", "words"), [(kind, fields, words) for kind, fields, *words in WRONG_TYPES]
)
def test_a_known_field_of_the_wrong_json_type_is_bad_type(kind, fields, words):
    fault(said(kind, **fields), "bad-type", *words)


WRONG_SHAPES = [
    ("play", {}, '"cards"', "pass", '"id"'),
    ("play", {"pass": False}, '"cards"'),
    ("play", {"card": "AS", "rank": "A"}, '"cards"', '"card", "rank"'),
    ("play", {"challenge": True}, '"cards"', '"challenge"'),
    ("play", {"pass": True, "cards": ["AS"]}, '"pass": true', "1"),
    ("play", {"cards": ["AS", "1S"]}, "number 1", '"1S"'),
    ("play", {"cards": ["10S"]}, '"10S"', "ten is T"),
    ("play", {"cards": ["as"]}, '"as"', "in capitals: AS"),
    ("play", {"cards": ["SA"]}, '"SA"', "rank first: AS"),
    ("play", {"cards": ["A♠"]}, '"A♠"'),
    ("play", {"cards": [""]}, '""'),
    ("play", {"cards": ["AS "]}, '"AS "'),
    ("play", {"cards": ["\u0391S"]}, "A23456789TJQK"),
    ("play", {"cards": ["AS"], "rank": "10"}, '"rank"', "ten is T"),
    ("play", {"cards": ["AS"], "rank": "a"}, '"rank"', '"a"'),
    ("play", {"cards": ["AS"], "rank": "AS"}, '"rank"', '"AS"'),
    ("play", {"cards": ["AS"], "rank": ""}, '"rank"', '""'),
    ("play", {"cards": ["AS"], "rank": "A2"}, '"rank"', '"A2"'),
    ("play", {"cards": ["AS"], "rank": "Ace"}, '"rank"', '"Ace"'),
    ("challenge", {}, '"challenge"', "true or false"),
    ("challenge", {"call": True}, '"challenge"', '"call"'),
    ("challenge", {"cards": ["AS"]}, '"challenge"', '"cards"'),
]


@pytest.mark.parametrize(
    ("kind", "fields", "words"), [(kind, fields, words) for kind, fields, *words in WRONG_SHAPES]
)
def test_a_missing_field_or_a_word_that_does_not_exist_is_bad_shape(kind, fields, words):
    fault(said(kind, **fields), "bad-shape", *words)


# The id.


@pytest.mark.parametrize("kind", ["hello", "play", "challenge"])
def test_an_id_given_before_is_unsolicited(kind):
    fault(said(kind, id=SPENT, cards=["AS"], challenge=True), "unsolicited", SPENT, ID)


@pytest.mark.parametrize("id", ["", "x", ID.upper(), ID + " ", ID[:-1], "\u0000", "\u202e", "é" * 3000])
def test_an_id_never_given_is_wrong_id(id):
    fault(said(id=id, cards=["AS"]), "wrong-id", ID)


def test_the_id_is_judged_before_the_fields_and_json_before_the_id():
    fault(said(id="x", cards=None), "wrong-id")
    fault(decoded('{"id": "x", "z": NaN}'), "bad-json")
    fault(decoded('{"id": 1, "cards": ["10S"]}'), "bad-type", '"id"')


def test_what_is_shown_of_a_reply_cannot_disturb_a_terminal():
    for reply in (
        said(id="\x1b[2J\u202e"),
        said(cards=["\x1b]0;x\x07"]),
        said(cards=["\x1b[31m", 1]),
        said(cards=["AS"], rank="\u200b\x9b"),
        said(**{"\x1b[2J": 1}),
        decoded(b"\x1b[2J\xe2\x80\xae"),
        decoded('{"a\x1b": 1, "a\x1b": 2}'),
        decoded('{"\\u001b": 1, "\\u001b": 2}'),
    ):
        assert isinstance(reply, Violation)
        assert reply.rule.isprintable(), reply.rule
        assert "\x1b" not in reply.rule
        assert "\u202e" not in reply.rule
