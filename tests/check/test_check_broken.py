"""Whatever is wrong with a bot, the first thing its author reads is what that is, and the mend fits."""

import shutil
from pathlib import Path

import pytest
from broken_lives import LIVES
from broken_speech import SPEECH
from checking import HASTY, checked

from arena.check.report import Report

BROKEN = {**SPEECH, **LIVES}


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, Report]:
    folder = tmp_path_factory.mktemp("broken")
    paths = {name: bot.put(folder / name.replace(" ", "-")) for name, bot in BROKEN.items()}
    # Those whose language is not here sit out.
    needed = {".pl": "perl", ".js": "node"}
    paths = {name: path for name, path in paths.items() if shutil.which(needed.get(Path(path).suffix, "sh"))}
    silent = {name: HASTY[bot.code] for name, bot in BROKEN.items() if bot.code in HASTY}
    return checked(paths, silent, until_it_fails=True)


@pytest.mark.parametrize("name", BROKEN)
def test_the_first_failure_says_what_is_wrong_and_how_to_mend_it(reports, name, lacking):
    if name not in reports:
        lacking("its language is not installed")
    bot, report = BROKEN[name], reports[name]
    assert not report.ok
    failed = next(step for step in report.steps if not step.ok)
    told = failed.explanation
    assert told is not None
    assert failed.name in bot.step.split("/"), told
    assert told.code in bot.code.split("/"), told
    assert bot.headline in told.headline, told
    assert failed.message == told.headline
    assert bot.mend in told.mend, told
    assert told.rule.endswith(".")
    if bot.caret:
        assert told.received is not None
        assert told.caret is not None
        assert told.received[told.caret :].startswith(bot.caret), told


def test_a_fault_in_a_later_game_of_a_process_says_in_which(reports):
    for name in ("an exception in the third game", "an exit code in the third game"):
        told = next(step.explanation for step in reports[name].steps if step.explanation)
        assert ", in game 3 of this process, or at the end of game 2" in told.where
    told = next(step.explanation for step in reports["exception"].steps if step.explanation)
    assert "in game" not in told.where
