"""Whatever stands in a column of a results file, every command that reads it says so, without a traceback."""

import json
import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from cli_command import arena, inside

SHARE = float(os.environ.get("ARENA_SOAK", "0.1"))
COMMANDS = (
    ("standings",),
    ("faults",),
    ("replay", "0.0"),
    ("verify",),
    ("export", "-o", "a.jsonl"),
    ("export", "-o", "a.csv"),
    ("standings", "--json"),
    ("standings", "--crosstable"),
)
COLUMNS = {
    "tournament": ("value",),
    "bots": ("name", "content", "command", "author", "version", "said"),
    "blocks": ("seatings", "state", "tier", "contended", "voided", "started", "seconds", "requests"),
    "games": (
        *("id", "seats", "places", "winner", "reason", "turns", "forfeited", "conduct"),
        *("windows", "tier", "seconds", "faults", "log", "debug", "timing"),
    ),
}
ROWS = {
    "tournament": "key = 'header'",
    "bots": "number = 1",
    "blocks": "number = 0",
    "games": "block = 0 AND game = 0",
}
FEW = (7, '["a"]')
MANY = ("[-1,9,9,9]", -1, 2.5, "x", "[]", "{}", "null", "[[]]", b"\x00\xff", 2**62, *FEW)


@pytest.fixture
def damaged(played, tmp_path, monkeypatch):
    """Makes a copy of the results with one column of one row changed; None where that changes nothing."""
    monkeypatch.chdir(tmp_path)

    def make(table, column, value):
        file = shutil.copy(played[0], tmp_path / "damaged.db")
        with closing(sqlite3.connect(file)) as database, database:
            query = f"SELECT {column} FROM {table} WHERE {ROWS[table]}"
            before = database.execute(query).fetchone()
            try:
                database.execute(f"UPDATE {table} SET {column} = ? WHERE {ROWS[table]}", (value,))
            except sqlite3.IntegrityError:
                return None
            return None if database.execute(query).fetchone() == before else file

    return make


def must_say(file, commands):
    for command, *words in commands:
        for left in file.parent.glob("a.*"):
            left.unlink()
        # In this process: what is no message is raised.
        done = inside(command, file, *words)
        assert done.returncode in (0, 2, 3, 74), (command, done)
        if done.returncode in (2, 74):
            assert done.stderr.startswith("arena: ")
            assert done.stderr.count("\n") == 1
            assert done.stderr.rstrip("\n").isprintable()
        if command == "verify":
            assert done.returncode in (3, 74), done


ALL_COLUMNS = [(table, column) for table, columns in COLUMNS.items() for column in columns]


@pytest.mark.parametrize(("table", "column"), ALL_COLUMNS)
def test_a_column_of_the_wrong_kind_is_one_message(damaged, table, column):
    for value in FEW:
        if (file := damaged(table, column, value)) is not None:
            must_say(file, COMMANDS[:6])


@pytest.mark.soak
@pytest.mark.parametrize(("table", "column"), ALL_COLUMNS)
def test_a_column_of_any_kind_is_one_message_of_every_command(damaged, table, column):
    for value in MANY[: max(1, round(len(MANY) * SHARE))]:
        if (file := damaged(table, column, value)) is not None:
            must_say(file, COMMANDS)


def test_a_header_with_a_key_of_the_wrong_kind_is_one_message(played, damaged):
    with closing(sqlite3.connect(played[0])) as database:
        (text,) = database.execute("SELECT value FROM tournament WHERE key = 'header'").fetchone()
    header = json.loads(text)
    for key in header:
        for value in (["x"], -1):
            if (file := damaged("tournament", "value", json.dumps(header | {key: value}))) is not None:
                must_say(file, COMMANDS[:6])


@pytest.mark.parametrize("command", ["standings", "replay", "rerun", "run --resume", "export --csv"])
@pytest.mark.parametrize("change", [{"seed": "zz" * 16}, {"part": {"number": 1, "of": 0, "bench": 5}}])
def test_a_header_that_cannot_be_is_damage_and_no_traceback(played, tmp_path, command, change):
    file = shutil.copy(played[0], tmp_path / "it.db")
    with closing(sqlite3.connect(file)) as store, store:
        (text,) = store.execute("SELECT value FROM tournament WHERE key = 'header'").fetchone()
        text = json.dumps(json.loads(text) | change)
        store.execute("UPDATE tournament SET value = ? WHERE key = 'header'", (text,))
    done = arena(*command.split(), file, *(["0.0"] if command in ("replay", "rerun") else []))
    assert done.returncode == 74, done
    (said,) = done.stderr.splitlines()
    assert "is damaged" in said
