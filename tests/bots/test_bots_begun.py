"""Each bot that `arena new` makes plays legally at once, reads any JSON, and is short and on its own."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from begun_bots import ALL, HELPED, in_place, make_all
from positions import SEEDS, asked, run, told, wrong
from shipped_bots import HELLOS, made_up_game, programs, runs_here

from arena.cheat.presets import PRESETS
from arena.roster.templates import TEMPLATES
from arena.tournament.store import Store

MODELS = {False: "python_bot", True: "python_with_helper"}
"""Whose answers all others must give: those of the bots without helpers, and with."""
LONGEST = 60
LONGEST_HELPER = 195
GAMES_EACH = max(50, round(500 * float(os.environ.get("ARENA_SOAK", "0.1"))))
USES = {
    # Language: what names a library, and those that come with the language.
    "python": (r"^(?:import|from) (\w+)", {"json", "sys", "arena_bot"}),
    "javascript": (r"""(?:require\(|from )["']([^"']+)["']""", {"node:readline", "./arena_bot.mjs"}),
    "typescript": (r"""(?:require\(|from )["']([^"']+)["']""", set()),
    "ruby": (r"""^require(?:_relative)? ["'](.+)["']""", {"json"}),
    "lua": (r"\b(?:require|dofile|loadfile)\b", set()),
    "perl": (r"^\s*(?:use|require) ([\w:]+)", {"strict", "warnings", "JSON::PP"}),
    "php": (r"^\s*(?:require|include|use)\w* (.+);", set()),
    "tcl": (r"^\s*(package require .*|source .*)", set()),
    "shell": (r"^\s*(?:\.|source) (.+)", set()),
    "c": (
        r'#include\s*[<"]([^>"]+)',
        {"stdint.h", "stdio.h", "stdlib.h", "string.h", "unistd.h", "arena_bot.h"},
    ),
    "cpp": (r'#include\s*[<"]([^>"]+)', {"iostream", "map", "sstream", "string", "vector"}),
    "rust": (r"\b(?:use|extern crate) (\w+)", {"std"}),
    "go": (r'^\s+"([\w/.]+)"$', {"encoding/json", "os"}),
    "java": (r"^import ([\w.]+)", {"java.io.", "java.util.", "java.util.function.Function"}),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, Path]:
    return make_all(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def bots(made):
    with in_place(made) as found:
        yield found


def sources() -> list[Path]:
    return sorted(
        path for path in TEMPLATES.rglob("*.*") if path.is_file() and "__pycache__" not in path.parts
    )


@pytest.mark.parametrize(("name", "seats"), [("british-pass", 5), ("chinese-free", 3), ("cheat", 4)])
def test_every_bot_reads_any_json_and_answers_legally_as_that_of_every_other_language(name, seats, bots):
    rules = PRESETS[name]
    lines = told(rules, seats, 1)
    others = [other_json(json.loads(line)) for line in lines]
    for helped, model in MODELS.items():
        heard = run(bots[model].argv, lines, bots[model].folder)
        expected = [json.loads(line) for line in heard]
        for bot in bots:
            if helped == bot.endswith("_with_helper"):
                said = run(bots[bot].argv, others, bots[bot].folder)
                assert [json.loads(line) for line in said] == expected, bot
        heard.pop(0)
        for seed in SEEDS:
            for game, _ in made_up_game(rules, seats, seed):
                if kind := asked(game, 1):
                    assert wrong(game, 1, kind, heard.pop(0)) is None, (model, seed, game.turn)


def other_json(line: dict) -> bytes:
    """The same with white space, the keys from the last to the first, and fields of a later version."""
    later = {
        "later": {"type": "x", "id": "no", "hand": ['"hand":[', "]"], "rank": "Q", "rules": {"decks": 9}},
        "note": 'says "rank": "K" and ends in \\',
    }
    text = json.dumps(dict(reversed((line | later).items())))
    assert json.loads(text) == line | later
    return text.encode() + b"\n"


@pytest.fixture
def tournament(made, tmp_path):
    """Games of all of them, and of other bots, in one `arena run`: the games of each, and all faults."""

    def play(*options: str, others: Sequence[Path] = ()) -> tuple[dict[str, int], list]:
        out = tmp_path / "new.db"
        command = [sys.executable, "-m", "arena", "run", "--json", "--quiet", "--out", str(out), *options]
        done = subprocess.run(
            [*command, "--bots", *map(str, [*made.values(), *others])], stdout=subprocess.PIPE, check=True
        )
        with Store.open(out) as store:
            faults = [fault for _, game in store.games() for fault in game.faults]
        return {row["bot"]: row["games"] for row in json.loads(done.stdout)["standings"]}, faults

    return play


def test_every_bot_plays_in_a_tournament_without_a_fault(made, tournament):
    games, faults = tournament("--games", "20", "--seed", "3" * 32)
    assert faults == []
    assert games.keys() == made.keys()
    assert min(games.values()) >= 4


@pytest.mark.soak
def test_every_bot_and_every_hello_bot_plays_fifty_games_and_more_without_a_fault(made, tournament):
    hellos = {path.stem: path for path in programs() if path.stem in HELLOS and runs_here(path)}
    number = str((len(made) + len(hellos)) * (GAMES_EACH + 6) // 4)
    games, faults = tournament("--games", number, "--seed", "4" * 32, others=list(hellos.values()))
    assert faults == []
    assert games.keys() == made.keys() | hellos.keys()
    assert min(games.values()) >= GAMES_EACH


def test_a_bot_and_a_helper_can_be_read_in_one_sitting():
    for path in sources():
        lines = path.read_text().splitlines()
        assert len(lines) <= (LONGEST_HELPER if path.stem == "arena_bot" else LONGEST), path
        assert max(map(len, lines)) <= 115, path


@pytest.mark.parametrize("language", ALL)
def test_a_bot_asks_for_nothing_that_does_not_come_with_its_language(language):
    pattern, known = USES[language]
    for path in sources():
        if path.is_relative_to(TEMPLATES / language) and path.suffix != ".toml":
            assert set(re.findall(pattern, path.read_text(), re.MULTILINE)) <= known, path


def test_the_bot_in_shell_needs_no_other_program():
    lines = told(PRESETS["classic"], 4, 1)
    script = str(TEMPLATES / "shell" / "bot.sh")
    with_none = subprocess.run(
        ["/bin/sh", script], input=b"".join(lines), capture_output=True, env={"PATH": ""}
    )
    assert with_none.stderr == b""
    assert with_none.stdout.splitlines() == run(["/bin/sh", script], lines)


def test_what_is_decided_stands_in_a_function_of_its_own():
    for language in ALL:
        (text,) = [
            path.read_text() for path in (TEMPLATES / language).glob("[bB]ot.*") if path.suffix != ".toml"
        ]
        assert len(re.findall(r"\bdecide\b", text)) >= 3, language  # named at the top, made, called


@pytest.mark.soak
def test_what_is_built_compiles_without_a_warning(made, tmp_path):
    strict = {"cc": "-Wall -Wextra -Werror", "c++": "-Wall -Wextra -Werror", "rustc": "-D warnings"}
    strict |= {"javac": "-Xlint:all -Werror"}
    built = 0
    for folder in made.values():
        if folder.is_dir() and "build" in (table := tomllib.loads((folder / "bot.toml").read_text())):
            compiler, *words = table["build"].split()
            if compiler in strict:
                command = [compiler, *strict[compiler].split(), *words]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                assert (done.returncode, done.stderr) == (0, ""), folder
                built += 1
    assert built >= 1


def test_each_helper_is_there():
    assert set(HELPED) == {"python", "javascript", "c"}
    assert {path.parent.parent.name for path in sources() if path.parent.name == "helper"} == set(HELPED)
