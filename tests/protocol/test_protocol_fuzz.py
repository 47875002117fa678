"""Whatever a bot sends, decoding gives a reply or a fault, without an error and within its time."""

import json
import os
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.cards import is_card
from arena.protocol.decode import decode_reply
from arena.protocol.faults import MEANING, Violation
from arena.protocol.framing import LineReader
from arena.protocol.messages import MAX_DEBUG, MAX_LINE, ChallengeReply, HelloReply, PlayReply

ID = "9e3779b97f4a"
SPENT = "0123456789ab"
KINDS = {"hello": HelloReply, "play": PlayReply, "challenge": ChallengeReply}
SOAK = float(os.environ.get("ARENA_SOAK", "0.1"))


def check(line: bytes, kind) -> HelloReply | PlayReply | ChallengeReply | Violation:
    """Decode; hold what must be so of every result."""
    reply = decode_reply(line, kind, ID, {ID, SPENT})
    if isinstance(reply, Violation):
        assert reply.code in MEANING
        assert reply.code in {"bad-json", "bad-type", "bad-shape", "wrong-id", "unsolicited"}
        assert reply.rule.isprintable()
        assert len(reply.rule) < 400
        assert reply.at is None or 0 <= reply.at <= len(line)
        return reply
    assert type(reply) is KINDS[kind]
    assert reply.debug is None or len(reply.debug.encode()) <= MAX_DEBUG
    if isinstance(reply, PlayReply):
        assert all(is_card(card) for card in reply.cards)
        assert not (reply.passing and reply.cards)
        assert reply.count is None or type(reply.count) is int
    return reply


kinds = st.sampled_from(list(KINDS))
numbers = (
    st.integers() | st.floats(allow_nan=True) | st.sampled_from([2**53, 2**53 + 1, 10**400, 1e308, -0.0])
)
words = st.text(max_size=8) | st.sampled_from(
    ["AS", "TD", "10S", "as", ID, SPENT, "A", "K", "\ud800", "\\ud800"]
)
values = st.recursive(
    st.none() | st.booleans() | numbers | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    ["id", "cards", "rank", "count", "pass", "challenge", "name", "debug", "version", "x"]
)
replies = st.dictionaries(names, values | st.lists(st.sampled_from(["AS", "2C", "KH"]), max_size=4)).map(
    lambda fields: {"id": ID} | fields
)


@given(st.binary(max_size=300), kinds)
def test_any_bytes(line, kind):
    check(line, kind)


@given(st.text(alphabet='{}[]",:\\ud8c0019.eE+-truefalsn\ttaA ', max_size=200), kinds)
def test_any_text_of_the_letters_of_json(text, kind):
    check(text.encode(), kind)


@given(replies, kinds, st.booleans())
def test_any_object_as_json_dumps_writes_it(fields, kind, ascii_only):
    line = json.dumps(fields, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    reply = check(line, kind)
    if not isinstance(reply, Violation):
        # What is taken must be plain JSON to a stricter reader too, and mean the same.
        assert json.loads(line.decode())["id"] == ID


@given(
    replies, kinds, st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=4)), min_size=1, max_size=4)
)
@settings(max_examples=200)
def test_any_object_with_some_bytes_changed(fields, kind, changes):
    line = bytearray(json.dumps(fields).encode())
    for place, new in changes:
        line[place : place + len(new)] = new
    check(bytes(line), kind)


@given(st.integers(1, 40), st.sampled_from([("[", "]"), ('{"a":', "}"), ('[{"b":', "}]")]), kinds)
def test_nesting_is_measured_exactly(depth, brackets, kind):
    left, right = brackets
    inside = left * depth + "1" + right * depth
    levels = depth * (2 if left == '[{"b":' else 1) + 1
    fields = {"hello": "", "play": '"cards": ["AS"], ', "challenge": '"challenge": true, '}[kind]
    reply = check(f'{{"id": "{ID}", {fields}"z": {inside}}}'.encode(), kind)
    assert isinstance(reply, Violation) == (levels > 16)


@given(st.text(max_size=60), st.booleans())
def test_every_text_without_lone_surrogates_survives_either_way_of_writing_it(text, ascii_only):
    line = json.dumps({"id": ID, "debug": text}, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    reply = check(line, "hello")
    if any("\ud800" <= character <= "\udfff" for character in text):
        assert isinstance(reply, Violation)
        assert reply.code == "bad-json"
    else:
        assert reply == HelloReply(debug=text)


def filled(
    unit: bytes, before: bytes = b'{"id":"9e3779b97f4a","cards":["AS"],"z":[', after: bytes = b"]}"
) -> bytes:
    """A line of 64 KiB full of this unit."""
    times = (MAX_LINE - 1 - len(before) - len(after)) // (len(unit) + 1)
    return before + b",".join([unit] * times) + after


WORST = {
    "integers": filled(b"1"),
    "floats": filled(b"1e1"),
    "objects": filled(b"{}"),
    "objects with a key": filled(b'{"":1}'),
    "lists": filled(b"[]"),
    "lists nested 14 deep": filled(b"[" * 14 + b"]" * 14),
    "lists nested 17 deep": filled(b"[" * 17 + b"]" * 17),
    "short strings": filled(b'""'),
    "escapes": filled(b'"\\u0041\\ud83c\\udca1"'),
    "one long string of escapes": b'{"id":"x","z":"' + b"\\ud83c\\udca1" * 5400 + b'"}',
    "a lone surrogate at the end": b'{"id":"x","z":"' + b"\\ud83c\\udca1" * 5400 + b'\\ud800"}',
    "escaped quotes, never closed": b'"' + b'\\"' * 32_700,
    "backslashes": b'"' + b"\\" * 65_000,
    "brackets in open strings": b'"[{' * 21_800,
    "only opening brackets": b"[" * 65_535,
    "turned brackets": b"][" * 32_767,
    "different keys": b'{"id":"x",' + b",".join(b'"%d":1' % key for key in range(7400)) + b"}",
    "one key twice at the end": b"{" + b",".join(b'"%d":1' % key for key in range(7400)) + b',"0":1}',
    "one key over and over": b"{" + b",".join([b'"a":1'] * 10_900) + b"}",
    "cards": filled(b'"AS"', b'{"id":"9e3779b97f4a","cards":[', b"]}"),
    "a bad card at the end": filled(b'"AS"', b'{"id":"9e3779b97f4a","cards":[', b',"1S"]}'),
    "an object as the last card": filled(b'"AS"', b'{"id":"9e3779b97f4a","cards":[', b",{}]}"),
    "a long debug": b'{"id":"9e3779b97f4a","challenge":true,"debug":"' + "é".encode() * 32_000 + b'"}',
    "a long id": b'{"id":"' + "é".encode() * 32_000 + b'"}',
    "an error at the end": filled(b"1")[:-1],
    "an error after much that is not ASCII": b'{"id":"' + "é".encode() * 32_000 + b'" x}',
    "digits": b'{"id":"x","z":' + b"7" * 65_000 + b"}",
    "decimals": b'{"id":"x","z":0.' + b"7" * 65_000 + b"}",
    "an exponent": b'{"id":"x","z":1e' + b"7" * 65_000 + b"}",
    "spaces": b" " * 65_000 + b"{}",
    "zero bytes": b"\x00" * 65_535,
    "bad UTF-8 at the end": b'{"id":"' + b"x" * 65_000 + b"\xff",
    "combining marks": b'{"id":"' + "\u0301".encode() * 32_000 + b'"}',
}


@pytest.mark.parametrize("case", WORST)
def test_the_worst_line_of_64_kib_is_judged_in_20_ms_of_cpu(case):
    line = WORST[case]
    assert 60_000 < len(line) < MAX_LINE

    def once() -> float:
        start = time.process_time()
        check(line, "play")
        check(line, "challenge")
        return (time.process_time() - start) / 2

    assert min(once() for _ in range(3)) < 0.020


def mutants(rng: random.Random):
    """Lines without end: answers that bots really send, with something changed in most."""
    pieces = [
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"\\u",
        b"\\ud800",
        b"\\",
        b",",
        b":",
        b"1e999",
        b"NaN",
        b"\xff",
        b"\xef\xbb\xbf",
    ]
    pieces += [
        b"9" * 20,
        b"null",
        b"true",
        b"1.0",
        b"-",
        b'"id"',
        b'"AS"',
        b"\x00",
        b"\r",
        b" ",
        "é".encode(),
        b"[[[[[[",
    ]
    while True:
        kind = rng.choice(list(KINDS))
        fields: dict[str, object] = {"id": rng.choice([ID] * 9 + [SPENT, "other", 1])}
        if kind == "play":
            fields["cards"] = rng.choices(["AS", "2C", "TD", "KH", "8H", "10H"], k=rng.randint(0, 4))
            fields.update(rng.choice([{}, {"rank": "A"}, {"count": 2}, {"pass": True}, {"debug": "x" * 40}]))
        elif kind == "challenge":
            fields["challenge"] = rng.choice([True, False, False, 1])
        line = bytearray(json.dumps(fields).encode())
        for _ in range(rng.choice([0, 0, 1, 1, 3])):
            place = rng.randrange(len(line) + 1)
            line[place : place + rng.choice([0, 0, 1, 3])] = rng.choice(pieces)
        yield kind, bytes(line)


def run_lines(count: int, seed: int) -> int:
    """Frame and decode this many; how many were taken."""
    taken = 0
    for (kind, line), _ in zip(mutants(random.Random(seed)), range(count), strict=False):
        reader = LineReader()
        reader.feed(line + b"\n")
        while (framed := reader.next_line()) is not None:
            assert isinstance(framed, bytes)
            taken += not isinstance(check(framed, kind), Violation)
    return taken


def test_thousands_of_changed_answers():
    assert 1_000 < run_lines(5_000, 1) < 4_000


@pytest.mark.soak
def test_a_million_changed_answers():
    count = int(1_000_000 * SOAK)
    assert count / 5 < run_lines(count, 2) < count * 4 / 5
