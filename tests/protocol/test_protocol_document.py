"""protocol.md says what is so: its examples, tables, bot, faults, links and deal."""

import hashlib
import itertools
import json
import random
import re
import subprocess
import sys
from typing import get_args

import jsonschema
import pytest
from protocol_document import DOCUMENT, TEXT, block, blocks, play_document_game, tables
from protocol_games import random_game
from protocol_games import tables as all_tables

from arena.cheat.deal import bot_seed, deal, deal_key, game_id, random_words, seed_bytes, shuffled
from arena.cheat.order import legal_ranks
from arena.cheat.presets import PRESETS
from arena.cheat.rules import CHOICES, Rules
from arena.protocol.decode import decode_reply
from arena.protocol.faults import MEANING, MEND, FaultCode, anchor
from arena.protocol.messages import MAX_INTEGER, MAX_LINE, MAX_NESTING, PROTOCOL, ChallengeReply, PlayReply
from arena.protocol.schema import schema

CODES = get_args(FaultCode)


@pytest.fixture(scope="module")
def game():
    """The game of the examples, played anew by the document's own bot."""
    return play_document_game()


def section(heading: str) -> str:
    """The text below a heading, down to the next one."""
    match = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert match, heading
    return match[1]


def headings() -> list[str]:
    outside = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ (.*)$", outside, re.MULTILINE)


def anchor_of(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# Examples.


def test_every_block_is_marked_so_that_a_test_looks_at_it():
    fences = re.findall(r"^```(.+)$", TEXT, re.MULTILINE)
    assert set(fences) == {
        "python bot",
        "python deal",
        "json to-bot",
        "json from-bot",
        "json deal-vectors",
        "text fault",
        "text rule",
    }
    assert len(fences) == len(blocks())
    assert TEXT.count("```") == 2 * len(fences)


def test_every_example_is_a_line_of_the_game(game):
    for example in blocks("to-bot"):
        assert example.text.removesuffix("\n").encode() in game.to_bots, example.text
    for example in blocks("from-bot"):
        assert example.text.removesuffix("\n").encode() in game.answers, example.text


def test_every_line_there_is_has_an_example_in_its_own_chapter():
    for group, mark in (("to_bot", "to-bot"), ("from_bot", "from-bot")):
        for type in schema()["$defs"][group]["$defs"]:
            assert f"```json {mark}\n" in section(type), type


def test_every_example_is_as_the_schema_says():
    definitions = schema()
    for mark, group in (("to-bot", "to_bot"), ("from-bot", "from_bot")):
        whole = jsonschema.Draft202012Validator({**definitions, "anyOf": [{"$ref": f"#/$defs/{group}"}]})
        for example in blocks(mark):
            whole.validate(json.loads(example.text))


def test_the_answers_answer_the_requests_shown_before_them():
    shown = [json.loads(example.text) for example in blocks() if example.mark in {"to-bot", "from-bot"}]
    requests = {line["id"]: line for line in shown if "type" in line and "id" in line}
    answered = [line["id"] for line in shown if "type" not in line]
    assert set(requests) <= set(answered)


def test_the_fault_shown_is_that_of_the_game_with_the_rule_it_was_told(game):
    line = block("fault").removesuffix("\n").encode()
    assert line in game.answers
    assert block("rule") == game.violation.rule + "\n"
    assert game.violation.code == "bad-json"
    assert "```text fault" in section("bad-json")


def test_the_programs_of_the_game_end_well_after_goodbye(game):
    assert game.exit_codes == [0, 0, 0, 0]


# Tables.


@pytest.mark.parametrize(("name", "table"), list(tables()))
def test_the_tables_of_fields_are_those_of_the_schema(name, table):
    chapters = {"limits": "hello", "rules": "The rules in hello"}
    chapter = section(chapters.get(name) or name.split()[-1])
    assert table in chapter, f"protocol.md must have this table for {name}:\n{table}"


def test_the_limits_it_names_are_those_of_the_code():
    strictly = " ".join(section("What is read strictly").split())
    assert f"{MAX_LINE:,} bytes" in strictly
    assert f"nested at most {MAX_NESTING} deep" in strictly
    assert MAX_INTEGER == 2**53
    assert "beyond 2^53" in strictly
    assert f"This is version {PROTOCOL}." in TEXT


def test_every_value_of_order_is_told_with_its_ranks():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section("The rules in hello"), re.MULTILINE)[-6:])
    assert set(rows) == set(CHOICES["order"])
    for order in ("up", "down_from_ace", "down_from_king"):
        ranks = " ".join(legal_ranks(order, turn, None)[0] for turn in range(1, 14))
        assert ranks in rows[order]


# The bot.


def test_the_bot_has_at_most_twelve_lines():
    lines = block("bot").splitlines()
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 110
    assert ";" not in block("bot")


ODD_RULES = [
    Rules(name="one card", max_cards=1),
    Rules(
        name="everything", order="free", passing=True, wrong_count=True, play_on=True, max_cards=None, decks=4
    ),
]


@pytest.mark.parametrize("rules", [*PRESETS.values(), *ODD_RULES], ids=lambda rules: rules.name)
def test_the_bot_answers_every_request_of_a_game_legally_and_nothing_else(rules):
    rng = random.Random(rules.name)
    seats = max(rules.min_players, 4)
    played = random_game(rules, seats, rng)
    for seat in range(2):
        asked = [request for request in played.requests if request.seat == seat]
        done = subprocess.run(
            [sys.executable, "-c", block("bot")],
            input=b"".join(played.told[seat]),
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        answers = done.stdout.splitlines()
        assert len(answers) == len(asked)
        for request, answer in zip(asked, answers, strict=True):
            reply = decode_reply(answer, request.kind, request.id, set())
            ask = json.loads(request.line)
            if request.kind == "play":
                assert isinstance(reply, PlayReply)
                assert 1 <= len(reply.cards) <= (rules.max_cards or 208)
                assert all(reply.cards.count(card) <= ask["hand"].count(card) for card in reply.cards)
                assert reply.rank in ask["ranks"]
                assert reply.count is None
            elif request.kind == "challenge":
                assert isinstance(reply, ChallengeReply)
                own = [card[0] for card in ask["hand"]].count(ask["rank"])
                assert reply.challenge == (ask["count"] + own > 4 * rules.decks_for(seats))


# Faults and links.


def test_every_fault_has_a_meaning_a_mend_and_a_chapter():
    assert tuple(MEANING) == tuple(MEND) == CODES
    assert [heading for heading in headings() if heading in CODES] == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_chapter_of_a_fault_says_what_it_means_what_causes_it_and_its_mend(code):
    meaning, *cause, mend = [part for part in section(code).split("\n\n") if part.strip()]
    assert meaning.strip() == f"{MEANING[code][0].upper()}{MEANING[code][1:]}."
    assert mend.strip() == f"**Mend:** {MEND[code]}."
    assert len(" ".join(cause)) > 60
    page, _, place = anchor(code).partition("#")
    assert page == DOCUMENT.name
    assert place == anchor_of(code)


def test_every_link_leads_somewhere():
    anchors = [anchor_of(heading) for heading in headings()]
    assert len(set(anchors)) == len(anchors)
    links = re.findall(r"\]\(([^)]*)\)", TEXT)
    assert len(links) > 30
    for link in links:
        page, _, place = link.partition("#")
        assert not page or (DOCUMENT.parent / page).is_file(), link
        assert not place or place in anchors, link


def test_lines_of_prose_are_not_too_wide():
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert [line for line in prose.splitlines() if len(line) > 110 and not line.startswith("|")] == []


# The deal.


@pytest.fixture(scope="module")
def program():
    """The document's program for the deal, which knows nothing of arena."""
    names: dict[str, object] = {}
    exec(block("deal"), names)
    assert "arena" not in block("deal").replace('b"arena"', "")
    return names


VECTORS = json.loads(block("deal-vectors"))


def test_at_least_five_vectors_are_printed_and_all_are_the_published_ones():
    published = json.loads((DOCUMENT.parent / "tests/cheat/deal_vectors.json").read_text())
    assert len(VECTORS) >= 5
    assert all(vector in published for vector in VECTORS)
    assert {vector["deal"] for vector in VECTORS} == {"singly", "bicycle"}
    assert {vector["decks"] for vector in VECTORS} == {1, 2}
    assert any(not vector["text"].isascii() for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_program_of_the_document_gives_the_vectors(program, vector):
    seed = program["seed_of"](vector["text"])
    assert seed.hex() == vector["seed"].lower()
    block, game = vector["block"], vector["game"]
    assert program["game_name"](seed, block, game) == vector["id"]
    seeds = [program["own_seed"](seed, block, game, seat) for seat in range(vector["seats"])]
    assert seeds == vector["bot_seeds"]
    key = program["derived"](seed, f"deal:{block}:{game}")
    hands = program["hands"](key, vector["seats"], vector["decks"], vector["deal"])
    assert [" ".join(hand) for hand in hands] == vector["hands"]


def test_the_program_of_the_document_deals_as_arena_does(program):
    rng = random.Random(12)
    for rules, seats in all_tables(dict(PRESETS)):
        seed, block, game = rng.randbytes(16), rng.randrange(10**6), rng.randrange(120)
        key = deal_key(seed, block, game)
        assert program["derived"](seed, f"deal:{block}:{game}") == key
        assert [
            tuple(hand) for hand in program["hands"](key, seats, rules.decks_for(seats), rules.deal)
        ] == list(deal(rules, seats, key))
        assert program["game_name"](seed, block, game) == game_id(seed, block, game)
        assert program["own_seed"](seed, block, game, seats - 1) == bot_seed(seed, block, game, seats - 1)


@pytest.mark.parametrize("text", ["", "F" * 32, "g" * 32, "٣" * 32])
def test_the_program_of_the_document_reads_seeds_as_arena_does(program, text):
    assert program["seed_of"](text) == seed_bytes(text)


def test_the_steps_shown_of_the_first_vector_are_right():
    key = deal_key(seed_bytes(VECTORS[0]["text"]), VECTORS[0]["block"], VECTORS[0]["game"])
    assert f"| key | `{key.hex()}` |" in TEXT
    first = int.from_bytes(hashlib.sha256(key + bytes(8)).digest()[:4], "big")
    words = list(itertools.islice(random_words(key), 4))
    assert words[0] == first
    assert "| first words | " + ", ".join(f"`{word}`" for word in words) + " |" in TEXT
    assert "| first cards of the shuffled pack | " + " ".join(shuffled(key, 1)[:13]) + " |" in TEXT


def test_the_examples_are_of_the_first_vector(game):
    start = next(json.loads(example.text) for example in blocks("to-bot") if '"type":"start"' in example.text)
    assert start["game"] == VECTORS[0]["id"]
    assert " ".join(start["hand"]) == VECTORS[0]["hands"][start["seat"]]
    assert start["seed"] == VECTORS[0]["bot_seeds"][start["seat"]]
