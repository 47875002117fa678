"""Whatever a bot answers, it is explained: with a place in what came, and a reply that the referee takes."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cheat.actions import Play
from arena.cheat.deal import deal
from arena.cheat.game import Game
from arena.cheat.presets import PRESETS
from arena.check.excerpt import excerpt
from arena.check.explain import explained
from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.valid import valid_reply
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.lines import challenge_line, hello_line, play_line
from arena.protocol.messages import PlayReply
from arena.referee.ask import Trouble
from arena.referee.ruling import ruled_by_line

ORIGIN = Origin(("/usr/bin/python3", "bot.py"), Path("/nowhere"), frozenset({"bot.py"}), True)
RULES = PRESETS["classic"]
ID = "0123456789ab"


def requests(rules=RULES):
    """A request of each kind."""
    game = Game(rules, deal(rules, 4, b"explained"))
    play = play_line(game, 0, ID, 1, 5)
    game.apply(Play(0, game.hands[0][:1], game.legal_ranks[0], 1))
    return {
        "hello": hello_line(ID, rules, 4, 10, 1, 5),
        "play": play,
        "challenge": challenge_line(game, 1, ID, 1, 5),
    }


REQUESTS = requests()
words = st.text(max_size=5) | st.sampled_from(["AS", "10S", "as", ID])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
fields = st.sampled_from(["id", "cards", "rank", "count", "pass", "challenge", "debug", "name"])
lines = st.one_of(
    st.binary(max_size=60),
    values.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(fields, values).map(lambda value: json.dumps({"id": ID, **value}).encode()),
    st.dictionaries(fields, values).map(lambda value: repr({"id": ID, **value}).encode()),
    st.dictionaries(fields, values).map(lambda value: json.dumps({"id": ID, **value}, indent=1).encode()),
)


@given(
    st.sampled_from(["hello", "play", "challenge"]),
    lines,
    st.sampled_from([b"", b"\r\n", b"{}\n"]),
    st.booleans(),
)
def test_any_answer_that_is_refused_is_explained(kind, line, more, with_events):
    line = line.split(b"\n")[0]
    sent = REQUESTS[kind].rstrip(b"\n")
    verdict = decode_reply(line, kind, ID, {ID})
    if isinstance(verdict, PlayReply):
        verdict = ruled_by_line(verdict, RULES, sent)
    if not isinstance(verdict, Violation | Trouble):
        return
    mishap = Mishap(
        code=verdict.code,
        rule=verdict.rule,
        kind=kind,
        id=ID,
        sent=sent,
        events=(b'{"type":"start"}\n',) if with_events else (),
        given=frozenset({ID}),
        received=line + b"\n" + more,
        answer=line,
    )
    told = explained(mishap, ORIGIN, RULES)
    assert told.headline
    assert told.mend
    assert told.received is not None
    assert told.headline.isprintable()
    assert told.received.isascii()
    assert told.received.isprintable()
    assert told.caret is None or 0 <= told.caret <= len(told.received)
    if verdict.code in ("bad-type", "bad-shape", "wrong-id", "illegal"):
        assert told.caret is not None


@pytest.mark.parametrize("preset", PRESETS)
def test_the_valid_reply_is_taken_by_the_referee(preset):
    rules = PRESETS[preset]
    for kind, line in requests(rules).items():
        reply = decode_reply(valid_reply(kind, ID, line, rules).encode(), kind, ID, {ID})
        assert not isinstance(reply, Violation)
        if isinstance(reply, PlayReply):
            assert not isinstance(ruled_by_line(reply, rules, line), Trouble)


@given(st.binary(max_size=1000), st.integers(0, 1000))
def test_an_excerpt_has_the_place_in_it(data, at):
    at = min(at, len(data))
    text, column = excerpt(data, at)
    assert text.isascii()
    assert text.isprintable() or not text
    assert column is not None
    if at < len(data):
        assert text[column:].startswith(excerpt(data[at : at + 1], None)[0])
