"""`arena verify`: what it prints of a sound file, of one that was changed, and of one that is damaged."""

import json
import re
import shutil
import sqlite3
from contextlib import closing

import pytest
from cli_command import FOUR, QUICK, arena, inside

from arena.tournament.store import Store


@pytest.fixture
def copy(played, tmp_path):
    """A copy of the results of 40 games, to be changed."""
    return shutil.copy(played[0], tmp_path / "copy.db")


def change(file, statement, *values):
    with closing(sqlite3.connect(file)) as database, database:
        assert database.execute(statement, values).rowcount > 0


def test_a_sound_file_is_counted_and_its_digest_printed(played):
    file, _ = played
    done = arena("verify", file)
    with Store.open(file) as store:
        assert done.stdout == f"{file}: 40 games verified, digest {store.digest}\n"
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(inside("verify", file, "--json").stdout)
    assert found.pop("digest") in done.stdout
    assert found == {
        "file": str(file),
        "ok": True,
        "games": 40,
        "games_dropped": 0,
        "blocks": 10,
        "complete": True,
        "differences": [],
    }


def test_what_was_changed_is_named_a_line_each(copy):
    change(copy, "UPDATE games SET places = '[4,4,4,4]' WHERE block = 3 AND game = 1")
    change(copy, "UPDATE bots SET name = 'me' WHERE number = 2")
    change(copy, "DELETE FROM games WHERE block = 5 AND game = 0")
    done = arena("verify", copy)
    assert (done.returncode, done.stderr) == (3, "")
    *lines, end = done.stdout.splitlines()
    assert all(re.fullmatch(r"[a-z]+[^:]*: [^:]+: recorded .+, re-judged .+", line) for line in lines)
    assert end == f"{copy}: {len(lines)} differences in a file of 39 games"
    for wanted in (
        r"game 3\.1 \([0-9a-f]{16}\): places: recorded \[4,4,4,4\], re-judged \[\d,\d,\d,\d\]",
        r"bot 2: digest: recorded \"[0-9a-f]{64}\", re-judged .*",
        r"block 5: games: recorded \[1,2,3\], re-judged \[0,1,2,3\]",
        r"file: digest: recorded .*",
    ):
        assert any(re.fullmatch(wanted, line) for line in lines), wanted
    found = json.loads(inside("verify", copy, "--json").stdout)
    assert not found["ok"]
    assert len(found["differences"]) == len(lines)
    assert set(found["differences"][0]) == {"where", "field", "recorded", "judged"}


def test_what_cannot_be_read_is_what_is_recorded(copy):
    change(copy, "UPDATE games SET log = x'00ff' WHERE block = 7 AND game = 0")
    said = inside("verify", copy).stdout
    assert re.search(
        r"^game 7\.0 \(\S+\): log: recorded 2 bytes, not readable \([^\n]+\)$", said, re.MULTILINE
    )


def test_as_json_what_differs_is_plain_json_and_no_text_of_it(copy):
    change(copy, "UPDATE games SET places = '[4,4,4,4]' WHERE block = 3 AND game = 1")
    change(copy, "UPDATE games SET timing = 'x' WHERE block = 4 AND game = 1")
    change(copy, "DELETE FROM games WHERE block = 5 AND game = 0")
    change(copy, "UPDATE games SET log = x'00ff' WHERE block = 7 AND game = 0")
    found = json.loads(inside("verify", copy, "--json").stdout)["differences"]
    by_field = {(one["where"].split(" (")[0], one["field"]): one for one in found}
    places = by_field["game 3.1", "places"]
    assert places["recorded"] == [4, 4, 4, 4]
    # Seats that are left in the game at its end share a place where they hold equally many cards.
    assert (len(places["judged"]), min(places["judged"])) == (4, 1)
    assert by_field["game 4.1", "timing"]["recorded"] == "x"
    assert by_field["game 4.1", "timing"]["judged"].startswith("not readable (")
    games = by_field["block 5", "games"]
    assert (games["recorded"], games["judged"]) == ([1, 2, 3], [0, 1, 2, 3])
    assert by_field["game 7.0", "log"]["recorded"] == "2 bytes"
    digest = by_field["file", "digest"]
    assert all(re.fullmatch("[0-9a-f]{64}", digest[key]) for key in ("recorded", "judged"))


def test_what_is_no_results_file_or_damaged_is_one_message(copy, tmp_path):
    (tmp_path / "text.db").write_text("no database")
    whole = copy.read_bytes()
    (tmp_path / "torn.db").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "flipped.db").write_bytes(whole[:4096] + b"\xff" * 64 + whole[4160:])
    for name, code in (("text.db", 2), ("absent.db", 2), ("torn.db", 74), ("flipped.db", 74)):
        done = arena("verify", tmp_path / name)
        assert (done.returncode, done.stdout) == (code, ""), name
        assert re.fullmatch(r"arena: [^\n]+\n", done.stderr)
        assert name in done.stderr


def test_parts_their_whole_and_what_was_exported_and_read_again_are_sound(tmp_path):
    common = ("--bots", *FOUR, "--games", 32, "--seed", "00" * 16, "--quiet", *QUICK)
    for part in ("1", "2"):
        done = arena("run", *common, "--part", f"{part}/2", "--out", f"{part}.db", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert arena("merge", "1.db", "2.db", "-o", "whole.db", cwd=tmp_path).returncode == 0
    assert arena("export", "whole.db", "--jsonl", "-o", "whole.jsonl", cwd=tmp_path).returncode == 0
    assert arena("import", "whole.jsonl", "-o", "again.db", cwd=tmp_path).returncode == 0
    digests = {}
    for name, games in (("1.db", 16), ("2.db", 16), ("whole.db", 32), ("again.db", 32)):
        done = inside("verify", tmp_path / name)
        assert done.returncode == 0, done.stdout
        assert done.stdout.startswith(f"{tmp_path / name}: {games} games verified, digest ")
        digests[name] = done.stdout.split()[-1]
    assert digests["whole.db"] == digests["again.db"]


def test_a_tournament_that_is_not_complete_is_said_to_be_none(copy):
    change(copy, "UPDATE tournament SET value = 'false' WHERE key = 'complete'")
    ended = "json_set(value, '$.ended', json('null'))"
    change(copy, f"UPDATE tournament SET value = {ended} WHERE key = 'header'")
    from arena.tournament.rows import COLUMNS, MODULUS, digest_of

    with closing(sqlite3.connect(copy)) as database, database:
        for row in database.execute("SELECT key, value FROM tournament").fetchall():
            database.execute("UPDATE tournament SET digest = ? WHERE key = ?", (digest_of(row), row[0]))
        rows = [own for table in COLUMNS for (own,) in database.execute(f"SELECT digest FROM {table}")]
        total = sum(int(own, 16) for own in rows) % MODULUS
        database.execute("UPDATE whole SET digest = ?", (f"{total:064x}",))
    done = inside("verify", copy)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "the tournament is not complete: 10 blocks so far"
