"""Whatever is changed in a results file is found and named."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tampering import NAIVE, ROWS, WHOLE, content, opened
from tampering_games import OF_GAMES
from tampering_whole import OF_THE_WHOLE
from verify_files import verified

from arena.tournament.store import StoreError

TAMPERING = OF_GAMES | OF_THE_WHOLE


@pytest.mark.parametrize(
    ("name", "care"),
    [
        *((name, care) for name in TAMPERING for care in (NAIVE, WHOLE)),
        *((name, ROWS) for name in ("a debug text", "a bot's hash", "the sandbox", "when a block began")),
    ],
)
def test_tampering_is_found_and_named(copy: Callable[[str], Path], name: str, care: str) -> None:
    file, change, named, whatever_care = TAMPERING[name]
    path = copy(file)
    before = content(path)
    with opened(path, care) as database:
        change(database)  # type: ignore[operator]
    if content(path) == before:
        assert care == WHOLE or "digest" in name
        assert not whatever_care
        return
    lines = [str(found) for found in verified(path).differences]
    if care == WHOLE and not whatever_care:
        assert lines == []
        return
    assert lines, "nothing was found"
    assert all(
        re.fullmatch(r"[^\n]+: recorded [^\n]*, (re-judged [^\n]*|not readable [^\n]*)", line)
        for line in lines
    )
    if care == NAIVE or whatever_care:
        assert any(re.search(named, line) for line in lines), lines
    if care != WHOLE and "digest" not in name:
        assert any(": digest: " in line for line in lines)


def test_a_trigger_or_a_view_in_the_file_is_no_results_file(copy: Callable[[str], Path]) -> None:
    for statement in (
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        "CREATE TABLE more (x)",
        "ALTER TABLE games ADD COLUMN more",
        "DROP VIEW counted_games",
    ):
        path = copy("table")
        with opened(path, NAIVE) as database:
            database.execute(statement)
        with pytest.raises(StoreError, match="not those of a results file"):
            verified(path)
