"""Exporting: what goes out comes back the same, nobody is told a seed too soon, and the document is right."""

import csv
import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from made_up_blocks import made_up, renumbered
from pretended import pretend
from small_tournaments import contestant, header_for, play

from arena.protocol.faults import FaultRecord
from arena.protocol.schema import schema
from arena.ratings import Table
from arena.referee.block import Contestant, Debug
from arena.tournament.exported import BlockLine, BotLine, DecisionLine, EndLine, GameLine
from arena.tournament.exporting import exported_lines
from arena.tournament.header import Header
from arena.tournament.importing import import_lines
from arena.tournament.part import Part
from arena.tournament.schedule import Course
from arena.tournament.seat_rows import HEADS, seat_rows
from arena.tournament.standings import standings_of
from arena.tournament.store import Store, StoreError
from arena.tournament.verify import verify

Make = Callable[..., Contestant]
ROOT = Path(__file__).parents[2]
FAULTS_FROM_THE_START = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), 1)\n"
SAYS_WHY = (
    "from decent import say, serve\nserve(lambda line, reply: say(reply | {'debug': 'so \u2665'}), 3)\n"
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of games that processes have played: with faults, forfeits, debug, and a bot that is benched."""
    folder = tmp_path_factory.mktemp("real")
    make = contestant.__wrapped__(folder)  # type: ignore[attr-defined]
    bots = [
        make("says", source=SAYS_WHY),
        make("adapts", "adapts"),
        make("quits", source=FAULTS_FROM_THE_START),
        make("chatters", "reply_and_junk"),
    ]
    play(folder / "a.db", bots, 3, blocks=18, bench=3, forfeit=1, seats=2, games_per_block=2)[0].close()
    return folder / "a.db"


def lines_of(path: Path) -> list[bytes]:
    with Store.open(path) as store:
        return list(exported_lines(store))


def objects_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(path)]


def seen(path: Path) -> tuple[str, Table, list[tuple[list[object], str]]]:
    """All there is to compare of two files."""
    with Store.open(path) as store:
        tables = ("tournament", "bots", "blocks", "games", "decisions")
        rows = [(list(values), digest) for table in tables for values, digest in store.rows(table)]
        return store.digest, standings_of(store)[1], rows


def test_what_was_exported_and_imported_is_the_same_file_and_verifies(real: Path, tmp_path: Path) -> None:
    lines = lines_of(real)
    assert import_lines(lines, "a.jsonl", tmp_path / "b.db") == seen(real)[0]
    assert seen(tmp_path / "b.db") == seen(real)
    assert lines_of(tmp_path / "b.db") == lines
    with Store.open(tmp_path / "b.db") as store:
        assert verify(store).differences == ()
        assert store.complete
    kinds = {json.loads(line)["type"] for line in lines}
    assert kinds == {"header", "bot", "decision", "block", "game", "end"}
    games = [json.loads(line) for line in lines if line.startswith(b'{"type":"game"')]
    assert any(game["faults"] for game in games)
    assert any(game["forfeited"] for game in games)
    assert any(game["debug"] for game in games)


def test_dropped_blocks_and_decisions_come_back_as_they_were(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", 6, jobs=9, faulty=(1, 4), blocks=40, bench=3)
    lines = lines_of(tmp_path / "a.db")
    states = [line["state"] for line in map(json.loads, lines) if line["type"] == "block"]
    assert set(states) == {"played", "dropped"}
    import_lines(lines, "a.jsonl", tmp_path / "b.db")
    assert seen(tmp_path / "b.db") == seen(tmp_path / "a.db")


def test_a_file_without_a_game_goes_there_and_back(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", blocks=0)
    lines = lines_of(tmp_path / "a.db")
    assert [json.loads(line)["type"] for line in lines] == ["header", *["bot"] * 5, "end"]
    import_lines(lines, "a.jsonl", tmp_path / "b.db")
    assert seen(tmp_path / "b.db") == seen(tmp_path / "a.db")


def test_lines_laid_out_anew_mean_the_same(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", blocks=2, faulty=(3,))
    relaid = [
        json.dumps(line, indent=None, sort_keys=True).encode() + b"\r\n"
        for line in objects_of(tmp_path / "a.db")
    ]
    import_lines(relaid, "a.jsonl", tmp_path / "b.db")
    assert seen(tmp_path / "b.db") == seen(tmp_path / "a.db")


@pytest.mark.parametrize("seed_given", [None, "winter"])
def test_a_seed_is_shown_when_no_deal_is_to_come_from_it(tmp_path: Path, seed_given: str | None) -> None:
    seed = header_for().seed
    pretend(tmp_path / "over.db", blocks=4, seed_given=seed_given)
    pretend(tmp_path / "broken.db", blocks=12, jobs=1, until=2, seed_given=seed_given)
    pretend(
        tmp_path / "part.db", blocks=4, bench=0, part=Part(number=1, of=2, bench=5), seed_given=seed_given
    )
    for name, shown in (("over", True), ("broken", False), ("part", False)):
        text = b"".join(lines_of(tmp_path / f"{name}.db"))
        head, end = json.loads(text.splitlines()[0]), json.loads(text.splitlines()[-1])
        assert head["seed_sha256"] == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
        assert (seed.encode() in text) == shown
        assert (b"winter" in text) == (shown and seed_given is not None)
        # What the digests are made of holds the seed, and a short one could be tried out on them.
        assert (end["content"] is not None) == (end["digest"] is not None) == shown


def test_what_a_run_adds_meanwhile_is_not_in_it(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", blocks=12, jobs=1, until=3)
    with Store.open(tmp_path / "a.db", write=True) as writer, Store.open(tmp_path / "a.db") as store:
        writer.go_on(writer.header)
        with closing(exported_lines(store)) as lines:
            before = [next(lines) for _ in range(3)]
            writer.add(renumbered(made_up(Course(bytes(range(16)), 5, 4, 4).next()), 9))
            rest = [json.loads(line) for line in lines]
        after = [json.loads(line) for line in exported_lines(store)]
    assert len(before) == 3
    assert after[-1]["blocks"] == rest[-1]["blocks"] + 1 == 4
    assert sum(line["type"] == "game" for line in rest) == rest[-1]["games"] == 12


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE games SET turns = 1 WHERE block = 1 AND game = 2", "is not what was written"),
        (
            "UPDATE bots SET name = 'x' WHERE number = 0",
            "bots: the row with number 0 is not what was written",
        ),
        (
            "UPDATE tournament SET value = '1' WHERE key = 'counted_to'",
            "'counted_to' is not what was written",
        ),
        ("DELETE FROM blocks WHERE number = 1", "is of a block that is not there"),
    ],
)
def test_a_damaged_file_is_not_exported(tmp_path: Path, change: str, says: str) -> None:
    pretend(tmp_path / "a.db", blocks=2)
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute(change)
    database.close()
    with pytest.raises(StoreError, match=re.escape(says)):
        lines_of(tmp_path / "a.db")


@pytest.mark.parametrize(
    "change",
    [
        "games SET winner = (winner + 1) % 4 WHERE block = 1 AND game = 2",
        "games SET seconds = 0.0 WHERE block = 0 AND game = 0",
        "bots SET name = 'x' WHERE number = 0",
        "blocks SET state = 'dropped' WHERE number = 0",
        "tournament SET value = '1' WHERE key = 'counted_to'",
    ],
)
def test_a_file_that_was_changed_is_no_csv_either(tmp_path: Path, change: str) -> None:
    pretend(tmp_path / "a.db", blocks=2)
    with Store.open(tmp_path / "a.db") as store:
        assert len(list(seat_rows(store))) == 1 + 2 * 4 * 4
    with closing(sqlite3.connect(tmp_path / "a.db")) as database, database:
        assert database.execute(f"UPDATE {change}").rowcount == 1
    with Store.open(tmp_path / "a.db") as store, pytest.raises(StoreError, match="is not what was written"):
        list(seat_rows(store))


def test_every_event_is_of_the_log_schema_of_the_protocol(real: Path) -> None:
    whole = schema()
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/log", "$defs": whole["$defs"]})
    games = [line for line in objects_of(real) if line["type"] == "game"]
    for event in games[0]["events"] + games[-1]["events"]:
        validator.validate(event)
    assert {event["type"] for game in games for event in game["events"]} >= {
        "dealt",
        "played",
        "resolved",
        "ended",
    }


def test_the_document_tells_of_every_field_of_every_line() -> None:
    document = (ROOT / "docs" / "formats.md").read_text()

    def fields(title: str) -> list[str]:
        section = document.split(f"### {title}\n")[1].split("\n#")[0]
        return [
            name
            for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", row)
        ]

    envelope = ["type", "export", "seed_sha256", "state"]
    assert sorted(fields("header")) == sorted([*envelope, *Header.__struct_fields__])
    for kind in (BotLine, DecisionLine, BlockLine, GameLine, EndLine):
        tag = kind.__struct_config__.tag
        assert fields(str(tag)) == list(kind.__struct_fields__)
    assert fields("A fault") == list(FaultRecord.__struct_fields__)
    assert fields("debug") == list(Debug.__struct_fields__)
    assert fields("CSV") == list(HEADS)


def test_csv_has_a_row_for_every_seat_of_the_games_that_count(real: Path) -> None:
    with Store.open(real) as store:
        text = "".join(seat_rows(store))
        games = list(store.games())
        names = [bot.name for bot in store.bots]
    assert "\r\n" in text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == HEADS
    by_game = [rows[at : at + 2] for at in range(0, len(rows), 2)]
    assert len(by_game) == len(games)
    for found, (block, game) in zip(by_game, games, strict=True):
        for seat, row in enumerate(found):
            assert (row["id"], row["block"], row["game"], row["seat"]) == (
                game.id,
                str(block),
                str(game.game),
                str(seat),
            )
            assert row["bot"] == names[game.seating[seat]]
            assert row["place"] == str(game.record.places[seat])
            assert row["won"] == str(int(game.record.winner == seat))
            assert (row["reason"], row["turns"]) == (game.record.reason, str(game.record.turns))
            assert row["fault"] == next((f.code for f in game.faults if f.effective and f.seat == seat), "")
            assert row["forfeited"] == str(int(seat in game.forfeited))
            thought = sum(timing.used for timing in game.timings if timing.seat == seat)
            assert float(row["thought"]) == pytest.approx(thought, abs=1e-6)
    plays = sum(int(row["plays"]) for row in rows)
    assert plays == sum(game.record.turns for _, game in games)
    assert 0 < sum(int(row["lies"]) for row in rows) < plays
    assert any(row["fault"] for row in rows)


def test_csv_leaves_out_what_does_not_count(tmp_path: Path) -> None:
    pretend(tmp_path / "a.db", 6, jobs=9, faulty=(1, 4), blocks=40, bench=3)
    with Store.open(tmp_path / "a.db") as store:
        rows = list(csv.DictReader(io.StringIO("".join(seat_rows(store)), newline="")))
        counted = [block.number for block, state in store.blocks() if state == "played"]
        assert len(counted) < len(list(store.blocks()))
    assert sorted({int(row["block"]) for row in rows}) == counted
