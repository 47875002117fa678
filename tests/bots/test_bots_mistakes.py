"""What the helpers tell the author of a bot that answers nothing, or wrongly: one sentence that says where."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from positions import told

from arena import bot as helper
from arena.bot import Bot
from arena.cheat.presets import PRESETS


def mistaken(text: str, folder: Path) -> tuple[int, list[str]]:
    """A bot of this text that is asked: its exit code, and what it says on stderr."""
    (folder / "mine.py").write_text("from arena.bot import *\n" + text)
    lines = b"".join(told(PRESETS["classic"], 4, 1)).decode()
    there = {**os.environ, "PYTHONPATH": str(Path(helper.__file__).parents[1])}
    command = [sys.executable, folder / "mine.py"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, env=there)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "class Mine(Bot):\n    def play(self, ask): ask.hand[:1]\nMine().run()",
            "play of mine.py, line 3, returned None; it must return cards, Lay(...) or PASS",
        ),
        ("run(lambda ask: 7)", "line 2, returned 7; it must return cards, Lay(...) or PASS"),
        ("run(lambda ask: 'AS')", "returned 'AS'; it must return cards, Lay(...) or PASS"),
        ("run(lambda ask: [1, None])", "returned [1, None], which cannot be played: 1 is held 0 times"),
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
