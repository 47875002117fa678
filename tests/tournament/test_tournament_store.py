"""The results file: what is stored is read back, and no file of anybody's is harmed."""

import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_blocks import made_up, renumbered
from made_up_files import BOTS, blocks, made
from small_tournaments import damage, header_for

from arena.cheat.record import rejudge
from arena.errors import BadInput
from arena.referee.block import Block
from arena.tournament.brief import brief_of
from arena.tournament.database import APPLICATION_ID
from arena.tournament.part import Part
from arena.tournament.rows import digest_of
from arena.tournament.schedule import Course
from arena.tournament.standings import tally_of
from arena.tournament.store import Store, StoreError

# What is stored is read back.


def test_what_is_stored_is_read_back(tmp_path: Path) -> None:
    played = blocks(3)
    made(tmp_path / "a.db").close()
    with Store.open(tmp_path / "a.db") as again:
        assert again.header == header_for()
        assert again.bots == tuple(
            msgspec.structs.replace(bot, said=f"bot {number}") for number, bot in enumerate(BOTS)
        )
        expected = [(result.block.number, game) for result in played for game in result.games]
        assert list(again.games()) == expected
        assert list(again.blocks()) == [(result.block, "played") for result in played]
        assert again.game(expected[5][1].id) == expected[5]
        assert again.game("no such game") is None
        assert [again.brief(number) for number in range(4)] == [*map(brief_of, played), None]
        assert again.requests() == 300
        assert again.last_block == 2
        assert not again.complete
        for _, game in again.games():
            assert rejudge(again.header.rules, game.events) == game.record


@settings(deadline=None, max_examples=12)
@given(st.permutations(range(6)), st.sets(st.integers(0, 4), max_size=2), st.integers(0, 400))
def test_blocks_come_back_in_schedule_order_whatever_the_order_they_ended_in(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], faulted: set[int], first: int
) -> None:
    course = Course(bytes(16), 5, 4, 4)
    played = [made_up(course.next(), faulted, first + number) for number in range(6)]
    with Store.create(tmp_path_factory.mktemp("order") / "a.db", header_for(), BOTS) as store:
        for number in order:
            store.add(played[number], voided=played[number].block.table[: number % 3])
        assert list(store.games()) == [
            (number, game) for number, result in enumerate(played) for game in result.games
        ]
        assert damage(store) == []
        in_order = store.digest
    with Store.create(tmp_path_factory.mktemp("order") / "b.db", header_for(), BOTS) as store:
        for number in range(6):
            store.add(played[number], voided=played[number].block.table[: number % 3])
        assert store.digest == in_order


def test_a_block_is_there_once(tmp_path: Path) -> None:
    with made(tmp_path / "a.db") as store:
        before = store.digest, list(store.games())
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add(blocks(2)[1])
        # Nor may a game be in two blocks; and nothing of a block that failed is left.
        moved = Block(7, blocks(2)[1].block.seatings)
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add(msgspec.structs.replace(blocks(2)[1], block=moved))
        assert (store.digest, list(store.games())) == before


# What counts.


def test_a_block_counts_when_the_points_before_it_are_passed(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for number in (15, 16, 33):
            store.add(renumbered(blocks(1)[0], number))
        assert store.counted_to == 16
        assert [number for number, _ in store.games()] == [15] * 4
        assert [state for _, state in store.blocks()] == ["played", "ahead", "ahead"]
        store.pass_point(32)
        assert [number for number, _ in store.games()] == [15] * 4 + [16] * 4
        assert tally_of(store).results.games == 8
        assert store.requests() == 200
        store.decide(32, 64, "bench", [4], 128)
        assert [state for _, state in store.blocks()] == ["played", "played", "dropped"]
        assert len(list(store.games())) == 8
        assert len(list(store.games(dropped=True))) == 12
        # One of the numbers given up that ends only now is dropped from the first.
        store.add(renumbered(blocks(1)[0], 40))
        store.add(renumbered(blocks(1)[0], 64))
        assert [state for _, state in store.blocks()] == ["played", "played", "dropped", "dropped", "played"]
        assert store.decisions() == {32: {"bench": [4]}}
        assert damage(store) == []


def test_the_views_for_other_programs_show_what_counts(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for number in (0, 15, 16, 33):
            store.add(renumbered(blocks(1)[0], number))
        store.decide(32, 64, "bench", [4], 128)
    database = sqlite3.connect(tmp_path / "a.db")
    counted = database.execute("SELECT number FROM counted_blocks ORDER BY number").fetchall()
    assert counted == [(0,), (15,), (16,)]
    assert database.execute("SELECT COUNT(*), COUNT(DISTINCT block) FROM counted_games").fetchone() == (12, 3)
    database.close()


# Digests.


def test_the_digest_tells_kinds_and_borders_apart() -> None:
    rows = [["ab", "c"], ["a", "bc"], ["1", "c"], [1, "c"], [1.0, "c"], [b"1", "c"], [None, "c"], ["", "c"]]
    assert len({digest_of(row) for row in rows}) == len(rows)


def test_the_digest_is_what_the_schema_says_it_is() -> None:
    # Made by other hands: printf 'i2:16s5:bench' | sha256sum
    assert digest_of([16, "bench"]) == "edfe0c8b8bfa3765ede474497990494844492fbb76545b9addaa714932a8c30b"
    assert digest_of([None, 0.5, b"\x00", "\u2665"]) == (
        # printf 'n0:f3:0.5b1:\\0s3:\\xe2\\x99\\xa5' | sha256sum
        "98beaaca61555d6e5c8ad881ae33c9b1407dbbb617c339e6b7b62b27871ca75b"
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET winner = 1 - winner WHERE rowid = 3",
        "UPDATE games SET log = (SELECT log FROM games WHERE rowid = 2) WHERE rowid = 3",
        "UPDATE blocks SET state = 'dropped' WHERE number = 1",
        "UPDATE bots SET name = 'z' WHERE number = 2",
        "UPDATE decisions SET value = '[]'",
        "UPDATE tournament SET value = replace(value, '0001', '0002') WHERE key = 'header'",
        "DELETE FROM games WHERE rowid = 5",
        "DELETE FROM decisions",
        "UPDATE whole SET digest = 'x' || substr(digest, 2)",
    ],
)
def test_whatever_is_changed_in_the_file_no_longer_fits_its_digests(tmp_path: Path, change: str) -> None:
    store = made(tmp_path / "a.db")
    store.decide(16, 32, "bench", [4], 64)
    assert damage(store) == []
    store.close()
    database = sqlite3.connect(tmp_path / "a.db")
    assert database.execute(change).rowcount == 1
    database.commit()
    database.close()
    table = change.split()[1 if change.startswith("UPDATE") else 2]
    with Store.open(tmp_path / "a.db") as again:
        if change.startswith("UPDATE") and table != "whole":
            assert damage(again) == [table, "whole"]
        else:
            assert damage(again) == ["whole"]


# Nobody's file is harmed.


@pytest.mark.parametrize("what", ["results", "text", "empty", "folder", "link"])
def test_a_file_that_is_there_is_never_written_over(tmp_path: Path, what: str) -> None:
    path = tmp_path / "taken.db"
    if what == "results":
        Store.create(path, header_for(), BOTS).close()
    elif what == "folder":
        path.mkdir()
    elif what == "link":
        path.symlink_to(tmp_path / "nowhere")
    else:
        path.write_text("" if what == "empty" else "my thesis")
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(BadInput, match="exists already"):
        Store.create(path, header_for(), BOTS)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert not (tmp_path / "taken.db.lock").exists()


def test_a_folder_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        Store.create(tmp_path / "no such folder" / "a.db", header_for(), BOTS)


def test_what_is_no_results_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look at")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.close()
    newer = sqlite3.connect(tmp_path / "newer.db")
    newer.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 99;")
    newer.close()
    for name, reason in (
        ("text.db", "not a results file"),
        ("other.db", "not a results file"),
        ("newer.db", "layout 99"),
        ("absent.db", "does not exist"),
        (".", "not a file"),
    ):
        before = (tmp_path / name).read_bytes() if (tmp_path / name).is_file() else None
        for write in (False, True):
            with pytest.raises(BadInput, match=reason):
                Store.open(tmp_path / name, write=write)
        assert ((tmp_path / name).read_bytes() if before is not None else None) == before
    assert not list(tmp_path.glob("*.lock"))


def test_reading_changes_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    made(tmp_path / "a.db").close()
    before = (tmp_path / "a.db").read_bytes()
    with Store.open(tmp_path / "a.db") as store:
        list(store.games())
        with pytest.raises(StoreError):
            store.add(blocks(4)[3])
    assert (tmp_path / "a.db").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


def test_closed_it_is_one_file_without_a_log_of_its_own(tmp_path: Path) -> None:
    made(tmp_path / "a.db").close()
    # Bytes 18 and 19 of a SQLite file: 1 is a file that is read without any other, 2 one with a log.
    assert (tmp_path / "a.db").read_bytes()[18:20] == b"\x01\x01"


def test_only_its_owner_reads_it_until_the_tournament_is_over(tmp_path: Path) -> None:
    def mode() -> int:
        return stat.S_IMODE((tmp_path / "a.db").stat().st_mode)

    store = made(tmp_path / "a.db")
    assert mode() == 0o600
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in tmp_path.glob("a.db-*"))
    store.close()
    assert mode() == 0o600
    usual = tmp_path / "usual"
    usual.touch()
    with Store.open(tmp_path / "a.db", write=True) as again:
        again.finish()
        assert again.complete
    assert mode() == stat.S_IMODE(usual.stat().st_mode)


def test_the_file_of_a_part_stays_its_owners_for_others_deal_from_its_seed(tmp_path: Path) -> None:
    part = Part(number=1, of=2, bench=5)
    with Store.create(tmp_path / "a.db", header_for(part=part), BOTS) as store:
        store.finish()
    assert stat.S_IMODE((tmp_path / "a.db").stat().st_mode) == 0o600
