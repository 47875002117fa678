"""arena.bot, the helper for authors: it counts and orders ranks as the game does, and keeps stdout clean."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
import trio
from positions import SEEDS, asked, made_up_game, tables, told
from scipy.stats import hypergeom

from arena import bot as helper
from arena.bot import Bot, Challenge, Lay, Play, Rules
from arena.cheat import actions
from arena.cheat.game import Game
from arena.cheat.order import FORCED, STEPS, legal_ranks
from arena.cheat.presets import PRESETS
from arena.errors import BadInput
from arena.protocol.lines import challenge_line, hello_line, play_line
from arena.protocol.schema import schema
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from arena.referee.tiers import choose_tier
from arena.roster.discovery import find_bots
from arena.roster.staging import staged
from arena.roster.templates import TEMPLATES

TABLES = [("classic", 4), ("british-pass", 5), ("wrong-count", 4), ("chinese-free", 3), ("cheat", 4)]


def asks(name: str, seats: int, seat: int = 1) -> list[tuple[Game, Play | Challenge]]:
    """Every request of made-up games as the helper gives it to a bot, with the position it is from."""
    rules, found = PRESETS[name], []
    for seed in SEEDS:
        heard = _Listener()
        heard.reply_to(hello_line("hello", rules, seats, 10, 1, 5))
        heard.game = helper.Start({"seed": seed})
        for game, _ in made_up_game(rules, seats, seed):
            if kind := asked(game, seat):
                line = (play_line if kind == "play" else challenge_line)(game, seat, "id", 1, 5)
                heard.reply_to(line)
                found.append((game, heard.last))
    return found


class _Listener(Bot):
    last: Play | Challenge

    def play(self, ask):
        self.last = ask
        return super().play(ask)

    def challenge(self, ask):
        self.last = ask
        return super().challenge(ask)


@pytest.mark.parametrize(("name", "seats"), tables())
def test_what_the_helper_calls_legal_the_game_does_and_what_illegal_too(name, seats):
    dice = random.Random(name)
    judged = {True: 0, False: 0}
    # One game is played on while it is looked at: what a position allows is asked at once.
    rules = PRESETS[name]
    heard = _Listener()
    heard.reply_to(hello_line("hello", rules, seats, 10, 1, 5))
    heard.game = helper.Start({"seed": 1})
    for game, _ in made_up_game(rules, seats, 1):
        if asked(game, 1) != "play":
            continue
        heard.reply_to(play_line(game, 1, "id", 1, 5))
        ask = heard.last
        tried = [*islice(helper.legal_plays(ask), 40), *helper.true_plays(ask)]
        assert all(helper.why_illegal(ask, lay) is None for lay in tried)
        pack = [rank + suit for rank in helper.RANKS for suit in helper.SUITS]
        for _ in range(20):
            cards = dice.choices([*ask.hand, *dice.sample(pack, 1)], k=dice.randint(1, 6))
            tried.append(Lay(cards, dice.choice(helper.RANKS), dice.choice([None, 1, 2, 5])))
        for lay in tried:
            count = len(lay.cards) if lay.count is None else lay.count
            why = game.why_illegal(actions.Play(1, tuple(lay.cards), lay.rank, count))
            assert (helper.why_illegal(ask, lay) is None) == (why is None), (lay, why)
            judged[why is None] += 1
    assert min(judged.values()) > 10


def test_legal_plays_are_all_that_there_are():
    ask = Play({"hand": ["AS", "2C", "2D"], "ranks": ["K", "A"], "hand_sizes": [1, 3], "pile": 0})
    ask.rules = Rules({"max_cards": 2, "decks": 1, "wrong_count": False})
    plays = [(*lay.cards, lay.rank) for lay in helper.legal_plays(ask)]
    assert len(plays) == len(set(plays)) == (3 + 3) * 2
    assert [lay.cards for lay in helper.true_plays(ask)] == [["AS"]]


def test_no_count_beyond_the_cards_in_play_can_be_claimed():
    ask = Play({"hand": ["AS"], "ranks": ["A"], "hand_sizes": [1, None, 3], "pile": 2})
    ask.rules = Rules({"max_cards": None, "decks": 1, "wrong_count": True})
    assert helper.why_illegal(ask, Lay(["AS"], "A", 6)) is None
    assert helper.why_illegal(ask, Lay(["AS"], "A", 7)).startswith("a count of 7 is not possible")


def test_the_ranks_that_are_due_and_to_come_are_those_of_the_game():
    for order in (*FORCED, *STEPS):
        for turn in range(1, 40):
            due = helper.due(order, turn)
            assert due == (legal_ranks(order, turn, None)[0] if order in FORCED else None)


@pytest.mark.parametrize("name", ["classic", "descending", "descending-king"])
def test_the_turns_and_ranks_to_come_are_those_that_this_seat_is_asked_for(name):
    checked = 0
    found = [ask for _, ask in asks(name, 3)]
    for number, ask in enumerate(found):
        coming = helper.coming_turns(ask, 3)
        later = (one for one in found[number + 1 :] if one.start is ask.start and isinstance(one, Play))
        if (play := next(later, None)) is not None and len(play.active) == 3:
            assert play.turn == coming[0]
            assert play.ranks == helper.coming_ranks(ask, 3)[:1]
            checked += 1
    assert checked > 20
    assert helper.coming_ranks(asks("chinese-free", 3)[0][1], 3) == []


def test_chances_are_those_of_cards_dealt_at_random():
    looked = 0
    for name, seats in TABLES:
        for _, ask in asks(name, seats):
            if isinstance(ask, Challenge):
                cards = 52 * ask.rules.decks - len(ask.hand)
                of_rank = 4 * ask.rules.decks - sum(card[0] == ask.rank for card in ask.hand)
                size = ask.hand_sizes[ask.claimant]
                expected = hypergeom.sf(ask.count - 1, cards, of_rank, size)
                assert helper.chance_held(ask) == pytest.approx(expected, abs=1e-12)
                assert helper.unseen(ask, ask.rank) == of_rank
                assert helper.impossible(ask) == (ask.count > of_rank)
                looked += 1
    assert looked > 100


def test_the_fields_of_each_line_are_those_of_the_schema():
    lines = schema()["$defs"]["to_bot"]["$defs"]
    own = {"rules", "start", "debug", "_random"}
    for kind, cls in {
        "start": helper.Start,
        "play": Play,
        "challenge": Challenge,
        "outcome": helper.Outcome,
        "passed": helper.Passed,
        "out": helper.Out,
        "end": helper.End,
    }.items():
        fields = {name for part in cls.__mro__ for name in vars(part).get("__annotations__", ())}
        assert fields - own == set(lines[kind]["properties"]) - {"type"}, kind
    hello = lines["hello"]["properties"]
    assert set(Rules.__annotations__) == set(hello["rules"]["properties"])
    assert set(helper.Limits.__annotations__) == set(hello["limits"]["properties"])


PROGRAM = """
import sys
print("before the referee is listened to")
from arena.bot import PASS, Bot, Lay, run
import os
class Mine(Bot):
    name, version, author = "Mine", "1.0", "N. N."
    def play(self, ask):
        print("dice", ask.start.random.random(), flush=True)
        os.system("echo another program")
        ask.debug = "\\udcff" + "é" * 3000
        return PLAYS
Mine().run()
print("after")
"""


def started(plays: str, rules: str = "wrong-count") -> subprocess.CompletedProcess:
    lines = told(PRESETS[rules], 4, 1)
    program = PROGRAM.replace("PLAYS", plays)
    # As a bot is started: of the settings of whoever runs the tests one would have Python write at once.
    there = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(helper.__file__).parents[1])}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, input=b"".join(lines), capture_output=True, env=there)


@pytest.mark.parametrize(
    ("plays", "rules", "said"),
    [
        ("ask.hand[:1]", "wrong-count", {}),
        ("Lay(ask.hand[:2], count=1)", "wrong-count", {"count": 1}),
        ("PASS", "british-pass", {"pass": True}),
    ],
)
def test_stdout_has_answers_alone_whatever_prints(plays, rules, said):
    done = started(plays, rules)
    assert done.returncode == 0, done.stderr
    hello, *replies = map(json.loads, done.stdout.splitlines())
    assert hello == {"id": "hello", "name": "Mine", "version": "1.0", "author": "N. N."}
    played = [reply for reply in replies if "challenge" not in reply]
    assert len(played) > 5
    assert all(said.items() <= reply.items() for reply in played)
    assert {reply["debug"] for reply in played} == {"?" + "é" * 1023}
    heard = done.stderr.decode().splitlines()
    assert heard.count("another program") == len(played)
    assert {"before the referee is listened to", "after"} <= set(heard)
    assert started(plays, rules).stderr == done.stderr  # the dice fall the same


@pytest.mark.parametrize(
    ("plays", "rule"),
    [
        ("['AS', 'AS']", "and laid 2 times"),
        ("[]", "cards may be laid, not 0"),
        ("Lay(ask.hand[:1], count=2)", "is not the number of cards, 1"),
        ("Lay(ask.hand[:1], 'X')", "X may not be claimed now, but "),
        ("PASS", "there is no passing in these rules"),
    ],
)
def test_an_answer_that_would_be_a_fault_ends_in_an_error_that_names_the_rule(plays, rule):
    done = started(plays, "classic")
    assert done.returncode == 1
    assert rule in done.stderr.decode().splitlines()[-1]


def test_two_functions_are_a_bot_and_so_is_none():
    lines = told(PRESETS["classic"], 4, 1)
    program = "from arena.bot import run\nrun({})"
    given = ["", "challenge=lambda ask: True", "lambda ask: ask.hand[-1:]"]
    answers = []
    for words in given:
        command = [sys.executable, "-c", program.format(words)]
        done = subprocess.run(command, input=b"".join(lines), capture_output=True, check=True)
        answers.append([json.loads(line) for line in done.stdout.splitlines()])
    usual, calling, last = answers
    assert {reply.get("challenge") for reply in calling} == {None, True}
    assert sum("cards" in reply for reply in usual) > 5
    assert {len(reply["cards"]) for reply in last if "cards" in reply} == {1}


def test_importing_it_loads_nothing_else_of_arena_and_nothing_slow():
    program = "import sys\nimport arena.bot\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", program], **_with_arena(), check=True)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.split(".")[0] == "arena"} == {"arena", "arena.bot"}
    assert not loaded & {"typing", "dataclasses", "inspect", "random", "asyncio", "subprocess"}


def _with_arena() -> dict:
    root = str(Path(helper.__file__).parents[1])
    return {"capture_output": True, "text": True, "env": {**os.environ, "PYTHONPATH": root}}


def played(text: str, tier: str, folder: Path) -> GameResult | None:
    """A game of a bot of this text against itself; None where the tier is not to be had."""
    (folder / "mine.py").write_text(text)

    async def play(bots: tuple[Contestant, ...]) -> BlockResult | None:
        try:
            chosen = await choose_tier(tier, bots, allow_root_bots=True)
        except BadInput:
            return None
        async with open_machine(tier=chosen.tier) as machine:
            terms = Terms(PRESETS["classic"], 2, b"sixteen bytes...")
            return await play_block(Block(0, ((0, 1),)), dict(enumerate(bots)), terms, machine)

    mine = shlex.quote(str(folder / "mine.py"))
    with staged(find_bots([], [f"a={mine}", f"b={mine}"])) as bots:
        result = trio.run(play, bots)
    return result and result.games[0]


@pytest.mark.parametrize("tier", ["bwrap", "ns", "bare"])
def test_a_bot_of_one_file_can_import_it_in_every_tier(tier, tmp_path, lacking):
    game = played("from arena.bot import run\nrun()\n", tier, tmp_path)
    if game is None:
        lacking(f"{tier} is not to be had here")
    assert game.faults == ()
    assert game.record.winner is not None


def examples() -> dict[str, str]:
    """The programs of the document on bots."""
    text = (Path(helper.__file__).parents[1] / "docs" / "bots.md").read_text("utf-8")
    return dict(re.findall(r"^```python ([^\n]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", ["helped", "two functions"])
def test_the_examples_of_the_document_play_without_a_fault(name, tmp_path):
    game = played(examples()[name], "auto", tmp_path)
    assert game is not None
    assert game.faults == ()
    assert bool(game.debug) == (name == "helped")


@pytest.mark.soak
def test_the_types_of_the_example_of_the_document_are_right(tmp_path):
    (tmp_path / "mine.py").write_text(examples()["helped"])
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "mine.py"]
    done = subprocess.run(command, cwd=tmp_path, **_with_arena())
    assert done.returncode == 0, done.stdout


def test_the_document_names_everything_that_the_helper_has():
    text = (Path(helper.__file__).parents[1] / "docs" / "bots.md").read_text("utf-8")
    offered = {
        name
        for name, thing in vars(helper).items()
        if getattr(thing, "__module__", "") == "arena.bot" and not name.startswith("_")
    }
    lines = {cls.__name__ for cls in helper.Line.__subclasses__()} | {"Line", "Ask", "Pass"}
    assert {name for name in offered - lines if not re.search(rf"`{name}\b|, {name}\b", text)} == set()


# The helpers in other languages.


def test_the_helper_in_javascript_counts_as_that_in_python(tmp_path, lacking):
    if shutil.which("node") is None:
        lacking("node is not installed")
    shutil.copy(TEMPLATES / "javascript" / "helper" / "arena_bot.mjs", tmp_path)
    (tmp_path / "try.mjs").write_text(
        'import * as bot from "./arena_bot.mjs";\n'
        'import { readFileSync } from "node:fs";\n'
        'for (const line of readFileSync(0, "utf8").trim().split("\\n")) {\n'
        "  const ask = JSON.parse(line);\n"
        "  const chance = ask.type === 'play' ? null : bot.chanceHeld(ask);\n"
        "  const why = ask.type === 'play' ? bot.whyIllegal(ask, ask.tried) === null : null;\n"
        "  console.log(JSON.stringify([bot.comingTurns(ask, 3), bot.comingRanks(ask, 3), chance, why]));\n"
        "}\n"
    )
    dice = random.Random(5)
    lines, expected = [], []
    for name, seats in TABLES:
        for _, ask in asks(name, seats):
            playing = isinstance(ask, Play)
            tried = Lay(dice.choices([*ask.hand, "AS"], k=dice.randint(1, 5)), dice.choice("A2345"), None)
            fields = {key: value for key, value in vars(ask).items() if key not in ("rules", "start")}
            fields |= {"type": "play" if playing else "challenge", "rules": vars(ask.rules)}
            fields["tried"] = {"cards": tried.cards, "rank": tried.rank}
            lines.append(json.dumps(fields))
            chance = None if playing else pytest.approx(helper.chance_held(ask), abs=1e-9)
            why = helper.why_illegal(ask, tried) is None if playing else None
            expected.append([helper.coming_turns(ask, 3), helper.coming_ranks(ask, 3), chance, why])
    done = subprocess.run(
        ["node", "try.mjs"], cwd=tmp_path, input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected


def test_the_helper_in_c_counts_as_that_in_python(tmp_path, lacking):
    if shutil.which("cc") is None:
        lacking("cc is not installed")
    shutil.copy(TEMPLATES / "c" / "helper" / "arena_bot.h", tmp_path)
    (tmp_path / "try.c").write_text(
        '#include "arena_bot.h"\n'
        "static void play(arena_ask *ask) {\n"
        '    fprintf(stderr, "%d\\n", arena_turns_to(ask, arena_due(ask->order, ask->turn)));\n'
        "    arena_lay(ask, 0);\n}\n"
        "static int challenge(const arena_ask *ask) {\n"
        '    fprintf(stderr, "%.12f %d\\n", arena_chance_held(ask), arena_turns_to(ask, ask->rank));\n'
        "    return arena_impossible(ask);\n}\n"
        "int main(void) { return arena_run(play, challenge); }\n"
    )
    subprocess.run(["cc", "-o", "try", "try.c"], cwd=tmp_path, check=True)
    for name, seats in TABLES:
        lines = b"".join(told(PRESETS[name], seats, 1))
        done = subprocess.run([tmp_path / "try"], input=lines, capture_output=True)
        expected = []
        for _, ask in asks(name, seats):
            rank = helper.due(ask.rules.order, ask.turn) if isinstance(ask, Play) else ask.rank
            coming = helper.coming_turns(ask, 13)
            ranks = [helper.due(ask.rules.order, turn) for turn in coming]
            turns = coming[ranks.index(rank)] - ask.turn if rank and rank in ranks else 0
            chance = [] if isinstance(ask, Play) else [pytest.approx(helper.chance_held(ask), abs=1e-9)]
            expected.append([*chance, turns])
        assert [[float(word) for word in line.split()] for line in done.stderr.splitlines()] == expected
        called = [json.loads(line).get("challenge") for line in done.stdout.splitlines()[1:]]
        assert called == [
            helper.impossible(ask) if isinstance(ask, Challenge) else None for _, ask in asks(name, seats)
        ]
