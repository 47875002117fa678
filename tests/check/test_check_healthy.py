"""Bots with nothing wrong pass, whatever their language, and what an author may want to know is noted."""

import shutil
from pathlib import Path

import msgspec
import pytest
from broken_bots import RIGHT, Broken, answering
from checking import TERMS, checked

from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.check.report import STEPS, Report

SHIPPED = Path(__file__).parents[2] / "bots"
LANGUAGES = {"careful.py": None, "dumper.mjs": "node", "liar.pl": "perl", "honest_random": "cc"}


ODD = (
    RIGHT
    + """def say(one):
    one.pop("rank", None)
    sys.stdout.write("\\r\\n" + json.dumps(one) + "\\r\\n")
    sys.stdout.flush()
while True:
    ask = json.loads(sys.stdin.readline())
    if "id" in ask: say(answer(ask))
"""
)
"""Blank lines, line ends of Windows, no rank, and an exception at the end of stdin."""
DICE = answering("import os; one['challenge'] = os.urandom(1)[0] < 128", "challenge")
TOML = 'run = "bot.py"\nmemory = "64M"\n'
TIGHT = Rules(name="tight", min_players=2, max_players=2, decks=4, turn_cap=1, order="free", max_cards=1)
RULES = {"tight": TIGHT, "wrong-count": PRESETS["wrong-count"], "cheat-short": PRESETS["cheat-short"]}
"""Each with a copy of a shipped bot of its own."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, Report]:
    folder = tmp_path_factory.mktemp("noted")
    shipped = {
        name: SHIPPED / name for name, needs in LANGUAGES.items() if needs is None or shutil.which(needs)
    }
    own = {"odd": (ODD, TOML), "dice": (DICE, "")}
    made = {
        name: Broken(source, "", "", "", "", toml=toml).put(folder / name)
        for name, (source, toml) in own.items()
    }
    copies = {name: shutil.copy(SHIPPED / "honest.py", folder / f"{name}.py") for name in RULES}
    terms = {name: msgspec.structs.replace(TERMS, rules=rules) for name, rules in RULES.items()}
    return checked(shipped | made | copies, terms)


def step(report: Report, name: str):
    return next(step for step in report.steps if step.name == name)


@pytest.mark.parametrize("name", [*LANGUAGES, "odd", "dice", *RULES])
def test_a_bot_with_nothing_wrong_passes_every_step(reports, name, lacking):
    if name not in reports:
        lacking(f"{LANGUAGES[name]} is not installed")
    report = reports[name]
    assert report.ok, report
    assert report.not_tried == ()
    assert tuple(one.name for one in report.steps) == STEPS
    assert all(one.explanation is None for one in report.steps)


def test_the_margin_stands_with_the_start_and_the_slowest_answer(reports):
    assert step(reports["careful.py"], "starts").message.endswith(" of 10 s")
    assert " of 1 s" in step(reports["careful.py"], "plays").message


def test_line_ends_of_windows_and_blank_lines_are_noted(reports):
    notes = step(reports["odd"], "speaks").notes
    assert any("\\r\\n" in note for note in notes)
    assert any("blank lines" in note for note in notes)


def test_a_bot_that_throws_its_own_dice_is_told_so_and_passes(reports):
    assert step(reports["dice"], "repeats").message.startswith("not the same again: request ")
    assert step(reports["careful.py"], "repeats").message.startswith("the same ")


def test_trouble_under_other_presets_is_a_note(reports):
    variants = step(reports["odd"], "variants")
    assert variants.ok
    assert any(note.startswith("by the rules chinese-free it fails, bad-shape: ") for note in variants.notes)
    assert not any("fails" in note for note in step(reports["careful.py"], "variants").notes)


def test_a_bot_that_falls_over_the_end_of_stdin_leaves_and_is_told_how(reports):
    leaves = step(reports["odd"], "leaves")
    assert leaves.ok
    assert any("exit code 1" in note and "JSONDecodeError" in note for note in leaves.notes)


def test_the_memory_stands_with_its_limit(reports):
    assert step(reports["odd"], "memory").message.endswith("of 64 MiB")
    assert step(reports["careful.py"], "memory").message.endswith("no limit is set")
