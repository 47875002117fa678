"""What the helpers tell the author of a bot that answers nothing, or wrongly: one sentence."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from positions import told

from arena import bot as helper
from arena.bot import Bot
from arena.cheat.presets import PRESETS
from arena.roster.templates import TEMPLATES


def asked_all(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    """What a bot says to everything that a seat is told, all at once."""
    lines = b"".join(told(PRESETS["classic"], 4, 1)).decode()
    there = {**os.environ, "PYTHONPATH": str(Path(helper.__file__).parents[1])}
    return subprocess.run(command, input=lines, capture_output=True, text=True, env=there)


def mistaken(text: str, folder: Path) -> tuple[int, list[str]]:
    """A bot of this text that is asked: its exit code, and what it says on stderr."""
    (folder / "mine.py").write_text("from arena.bot import *\n" + text)
    done = asked_all([sys.executable, folder / "mine.py"])
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "class Mine(Bot):\n    def play(self, ask): ask.hand[:1]\nMine().run()",
            "play of mine.py, line 3, returned None; it must return a list of cards, Lay(...) or PASS",
        ),
        ("run(lambda ask: 7)", "line 2, returned 7; it must return a list of cards, Lay(...) or PASS"),
        ("run(lambda ask: 'AS')", "returned 'AS'; it must return a list of cards, Lay(...) or PASS"),
        ("run(lambda ask: [1])", "returned [1]; it must return a list of cards, Lay(...) or PASS"),
        ("run(lambda ask: Lay(ask.hand[:1], count=True))", "a count of True is not possible, but a whole"),
        ("run(lambda ask: Lay(ask.hand[:1], count=1.0))", "a count of 1.0 is not possible, but a whole"),
        (
            "class Mine(Bot):\n    version = 1.0\n    def play(self, ask): return ask.hand[:1]\nMine().run()",
            "version of Mine is 1.0; it must be a text",
        ),
        ("run(lambda ask: Lay(ask.hand[:1], 'X'))", "'X'), which cannot be played: X may not be claimed now"),
        ("run(None, lambda ask: None)", "returned None; it must return True or False"),
        (
            "def mine(ask):\n    return 'yes'\nrun(challenge=mine)",
            "mine of mine.py, line 2, returned 'yes'; it must return True or False",
        ),
        ("run(challenge=lambda ask: 2)", "returned 2; it must return True or False"),
        (
            "class Mine(Bot):\n    def on_end(self, end): pass\n    def paly(self, ask): pass\nMine().run()",
            "Mine has neither play nor challenge, but on_end, paly; paly is no method of Bot: is play meant?",
        ),
        ("class Mine(Bot): pass\nMine().run()", "Mine has neither play nor challenge, but no method"),
    ],
)
def test_a_mistake_of_the_author_is_told_in_one_line_and_nothing_else(text, said, tmp_path):
    code, lines = mistaken(text, tmp_path)
    assert code == 1
    (line,) = lines
    assert said in line


def test_a_method_that_seems_misspelt_is_told_once_and_plays_on(tmp_path):
    text = "class Mine(Bot):\n    def play(self, ask): return self.player(ask)\n"
    text += (
        "    def player(self, ask): return ask.hand[:1]\n    def on_outcom(self, event): pass\nMine().run()"
    )
    assert mistaken(text, tmp_path) == (0, ["Mine: on_outcom is no method of Bot: is on_outcome meant?"])


def test_an_exception_ends_in_the_code_of_the_author_and_keeps_its_whole_way_there(tmp_path):
    text = "class Mine(Bot):\n    def play(self, ask):\n        return self.think(ask)\n"
    text += "    def think(self, ask):\n        return held(None, 'A')\nMine().run()"
    code, lines = mistaken(text, tmp_path)
    assert code == 1
    assert lines[-1].startswith("TypeError: ")
    frames = [re.sub(r".*/", "", line) for line in lines if line.startswith("  File ")]
    assert [frame for frame in frames if frame.startswith("mine.py")] == [
        'mine.py", line 7, in <module>',
        'mine.py", line 4, in play',
        'mine.py", line 6, in think',
    ]
    assert frames[-1].startswith("mine.py")
    assert len(frames) == 4  # and the one that raises it again


@pytest.mark.parametrize("answer", [True, 1, numpy.bool_(True)])
def test_what_equals_a_bool_is_an_answer_to_challenge_as_a_bool(answer):
    bot = Bot()
    bot.challenge = lambda ask: answer
    replies = [bot.reply_to(line) for line in told(PRESETS["classic"], 4, 1)]
    called = [json.loads(reply).get("challenge") for reply in replies if reply]
    assert set(called) == {None, True}


def test_an_author_may_change_the_lists_of_a_request(tmp_path):
    assert mistaken("run(lambda ask: [ask.hand.pop()])", tmp_path) == (0, [])


# The helpers in other languages.


def answered_by_javascript(given, folder):
    """What a bot does that gives this to the helper."""
    shutil.copy(TEMPLATES / "javascript" / "helper" / "arena_bot.mjs", folder)
    (folder / "bot.mjs").write_text(f'import {{ run }} from "./arena_bot.mjs";\nrun({{ {given} }});\n')
    return asked_all(["node", folder / "bot.mjs"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("play() {}", 'play returned undefined; it must return { cards: ["AS", ...] } or { pass: true }'),
        ("play: (ask) => ask.hand", '; it must return { cards: ["AS", ...] } or { pass: true }'),
        ("async play(ask) { return { cards: [ask.hand[0]] }; }", "play returned a promise; it must return"),
        (
            "play: () => ({ cards: [null] })",
            'play returned {"cards":[null]}; it must return { cards: ["AS", ...] } or { pass: true }',
        ),
        (
            "play: (ask) => ({ cards: [ask.hand[0]], rank: 'X' })",
            "which cannot be played: X may not be claimed now, but ",
        ),
        ("play: () => ({ pass: true })", "which cannot be played: there is no passing in these rules"),
        ("challenge() {}", "challenge returned undefined; it must return true or false"),
        ("challenge: () => 'yes'", 'challenge returned "yes"; it must return true or false'),
        (
            "about: { version: 1.5 }, play: (ask) => ({ cards: [ask.hand[0]] })",
            "about.version is 1.5; it must be a string",
        ),
        ("paly() {}", "run was given neither play nor challenge, but paly"),
    ],
)
def test_a_mistake_in_javascript_is_told_in_one_line_and_nothing_else(given, said, tmp_path, lacking):
    if shutil.which("node") is None:
        lacking("node is not installed")
    done = answered_by_javascript(given, tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert said in line


def test_an_author_in_javascript_may_change_the_lists_of_a_request(tmp_path, lacking):
    if shutil.which("node") is None:
        lacking("node is not installed")
    done = answered_by_javascript("play: (ask) => ({ cards: [ask.hand.pop()] })", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ("ask->laid = 0;", "play laid 0 cards (none ...) as "),
        ("arena_lay(ask, 0); arena_lay(ask, 0);", "a card is laid more often than it is held"),
        ("arena_lay(ask, 0); ask->claim = 'X';", "the rank is none of ask->ranks"),
        ("for (int i = 0; i < 5; i++) arena_lay(ask, i);", "more than ask->most cards may not be laid"),
        ("arena_lay(ask, 99);", "play called arena_lay(ask, 99) with 0 cards laid, which cannot be played: "),
        ("for (;;) arena_lay(ask, 0);", "the hand has no more cards"),
    ],
)
def test_a_mistake_in_c_is_told_in_one_line_and_leaves_no_half_of_an_answer(play, said, tmp_path, lacking):
    if shutil.which("cc") is None:
        lacking("cc is not installed")
    shutil.copy(TEMPLATES / "c" / "helper" / "arena_bot.h", tmp_path)
    (tmp_path / "bot.c").write_text(
        f'#include "arena_bot.h"\nstatic void play(arena_ask *ask) {{ {play} }}\n'
        "int main(void) { return arena_run(play, arena_impossible); }\n"
    )
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", "bot", "bot.c"], cwd=tmp_path, check=True)
    done = asked_all([tmp_path / "bot"])
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert said in line
    assert all(json.loads(answer)["id"] for answer in done.stdout.splitlines())
