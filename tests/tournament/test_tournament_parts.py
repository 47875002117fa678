"""Parts: together they are the whole tournament, and what does not belong together is refused."""

import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_blocks import SEED
from pretended import pretend
from small_tournaments import comparable, header_for

from arena.cheat.presets import preset
from arena.errors import BadInput
from arena.referee.block import Contestant
from arena.referee.machine import open_machine
from arena.tournament.agenda import Agenda
from arena.tournament.bench import Streaks
from arena.tournament.brief import Brief
from arena.tournament.header import BotRow
from arena.tournament.merge import merge_parts
from arena.tournament.part import Part
from arena.tournament.run import Plan, run_tournament
from arena.tournament.schedule import Course
from arena.tournament.standings import benched, standings_of
from arena.tournament.store import Store, StoreError
from arena.tournament.verify import verify


def parts_of(folder: Path, count: int, *, bench: int = 5, blocks: int = 40, **more: Any) -> list[Path]:
    paths = [folder / f"{number}.db" for number in range(1, count + 1)]
    for number, path in enumerate(paths, 1):
        part = Part(number=number, of=count, bench=bench)
        pretend(path, bench=0, blocks=blocks, part=part, **more)
    return paths


@settings(max_examples=25)
@given(bots=st.integers(2, 5), of=st.integers(1, 50), blocks=st.integers(0, 50), tables=st.integers(1, 5))
def test_every_block_is_of_one_part_and_no_point_makes_a_part_wait(
    bots: int, of: int, blocks: int, tables: int
) -> None:
    played = []
    for number in range(1, of + 1):
        part = Part(number=number, of=of, bench=5)
        course = Course(SEED, bots, 2, 2)
        agenda = Agenda(course, blocks, Streaks(0), part)
        own: list[int] = []
        out: list[Any] = []
        while out or not agenda.over:
            block = agenda.next_block() if len(out) < tables else None
            if block is not None:
                out.append(block)
            elif out:
                own.append(out[0].number)
                block = out.pop(0)
                assert agenda.ended(Brief(block, len(block.seatings), (), frozenset(), 0, 0, False))
            else:
                # With nothing at the tables a point must be there to pass, or the part would hang.
                assert agenda.pass_point() is not None
            while agenda.pass_point() is not None:
                pass
        assert own == [block for block in range(blocks) if part.owns(block)]
        assert len(own) == part.share(blocks)
        played += own
    assert sorted(played) == list(range(blocks))


def test_merged_parts_are_the_tournament_without_benching(tmp_path: Path) -> None:
    whole = tmp_path / "whole.db"
    pretend(whole, 6, jobs=1, faulty=(1, 4), blocks=40, bench=0, seed_given="winter")
    for count in (1, 3):
        folder = tmp_path / str(count)
        folder.mkdir()
        paths = parts_of(folder, count, bots=6, faulty=(1, 4), seed_given="winter")
        merged = merge_parts(paths[::-1], folder / "merged.db")
        assert (merged.parts, merged.blocks, merged.games) == (count, 40, 160)
        with Store.open(folder / "merged.db") as one, Store.open(whole) as other:
            assert comparable(one) == comparable(other)
            assert standings_of(one)[1] == standings_of(other)[1]
            assert one.header == other.header
            assert one.counted_to == other.counted_to
            assert one.bots == other.bots
            assert list(one.blocks()) == list(other.blocks())
            assert one.complete
            # With one table and made-up times even the rows are the same, so the digests are.
            assert one.digest == other.digest
        assert sorted(path.name for path in folder.iterdir()) == sorted(
            [*(f"{n}.db" for n in range(1, count + 1)), "merged.db"]
        )


def test_who_would_have_been_benched_is_said(tmp_path: Path) -> None:
    paths = parts_of(tmp_path, 2, bots=6, faulty=(1, 4), bench=3)
    merged = merge_parts(paths, tmp_path / "merged.db")
    assert merged.bench == 3
    pretend(tmp_path / "whole.db", 6, faulty=(1, 4), blocks=40, bench=3)
    with Store.open(tmp_path / "whole.db") as whole:
        first = {bot: point for bot, point in benched(whole).items() if point == 16}
    assert dict(merged.would_be_benched) == {"bot 1": 16, "bot 4": 16}
    assert first == {1: 16, 4: 16}
    for path in paths:
        with Store.open(path) as store:
            assert store.decisions() == {}
    (tmp_path / "never").mkdir()
    never = parts_of(tmp_path / "never", 2, bots=6, faulty=(1,), bench=0)
    assert merge_parts(never, tmp_path / "never.db").would_be_benched == {}


def test_parts_of_real_games_and_the_whole_verify(
    contestant: Callable[..., Contestant], tmp_path: Path
) -> None:
    bots = [contestant("honest"), contestant("quits", "exits_zero"), contestant("adapts", "adapts")]
    paths = [tmp_path / "1.db", tmp_path / "2.db"]
    for number, path in enumerate(paths, 1):
        part = Part(number=number, of=2, bench=5)
        header = header_for(bench=0, blocks=5, seats=2, games_per_block=2, part=part)
        plan = Plan(header.terms, bots, header.blocks, 2, header.bench, header.games_per_block, part)
        rows = [BotRow(name=bot.name, digest=bot.digest, command="bot.py") for bot in bots]
        with Store.create(path, header, rows) as store:
            trio.run(played, plan, store)
    merge_parts(paths, tmp_path / "whole.db")
    for path, blocks in zip((*paths, tmp_path / "whole.db"), (3, 2, 5), strict=True):
        with Store.open(path) as store:
            found = verify(store)
            assert (found.differences, found.blocks, found.complete) == ((), blocks, True)


async def played(plan: Plan, store: Store) -> None:
    async with open_machine() as machine:
        await run_tournament(plan, store, machine, lambda progress: None)


def test_a_part_that_was_broken_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    paths = parts_of(tmp_path, 2, jobs=1)
    pretend(tmp_path / "broken.db", bench=0, blocks=40, part=Part(number=2, of=2, bench=5), until=7)
    with Store.open(tmp_path / "broken.db") as store:
        done = len(list(store.blocks()))
    assert 7 <= done < 20
    with pytest.raises(
        BadInput, match=rf"part 2/2 in .*broken\.db is not finished: it holds {done} of its 20 blocks"
    ):
        merge_parts([paths[0], tmp_path / "broken.db"], tmp_path / "new.db")


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({"seed": "ff" * 16}, "are not of one tournament: their seeds differ"),
    (
        {"part": Part(number=2, of=3, bench=5)},
        "are not of one tournament: one is part 1/2, the other part 2/3",
    ),
    ({"part": Part(number=2, of=2, bench=4)}, "are not of one tournament: --bench differs (5 and 4)"),
    ({"rules": replace(preset("classic"), max_cards=6)}, "their rules differ (max_cards: 4 and 6)"),
    ({"rules": replace(preset("classic"), name="mine")}, "their rules differ (name: classic and mine)"),
    ({"seats": 3, "games_per_block": 6}, "--seats differs (4 and 3)"),
    ({"start_time": 9.0}, "--start-time differs (20.0 and 9.0)"),
    ({"move_time": 9.0}, "--move-time differs (5.0 and 9.0)"),
    ({"bank": 9.0}, "--bank differs (5.0 and 9.0)"),
    ({"forfeit": 0}, "--forfeit differs (3 and 0)"),
    ({"fresh": True}, "--fresh differs (false and true)"),
    ({"names": True}, "--names differs (false and true)"),
    ({"tier": "ns"}, "--sandbox differs (bare and ns)"),
    ({"memory": 2**30}, "--memory differs (null and 1073741824)"),
    ({"blocks": 6}, "the number of blocks differs (4 and 6)"),
    ({"games_per_block": 8}, "--games-per-block differs (4 and 8)"),
    ({"schedule": "gauntlet"}, "--format differs (round-robin and gauntlet)"),
    ({"bots": 6}, "do not have the same bots: 5 and 6 of them"),
    (
        {"digests": "1"},
        'do not have the same bots: "bot 0" has other content, its digest is 000000000000 and',
    ),
]


@pytest.mark.parametrize(("changes", "says"), OTHERS)
def test_files_of_two_tournaments_are_refused_with_the_difference(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    usual: dict[str, Any] = {"bench": 0, "blocks": 4, "until": 1, "jobs": 1}
    pretend(tmp_path / "1.db", part=Part(number=1, of=2, bench=5), **usual)
    pretend(tmp_path / "2.db", **({"part": Part(number=2, of=2, bench=5)} | usual | changes))
    message = refused([tmp_path / "1.db", tmp_path / "2.db"], tmp_path)
    assert says in message
    assert "1.db and " in message
    assert header_for().seed not in message


def refused(paths: list[Path], folder: Path) -> str:
    before = sorted(folder.iterdir())
    with pytest.raises(BadInput) as caught:
        merge_parts(paths, folder / "new.db")
    assert sorted(folder.iterdir()) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_may_differ_between_machines_is_no_difference(tmp_path: Path) -> None:
    one, two = parts_of(tmp_path, 2, blocks=4)
    two.unlink()
    pretend(
        two,
        bench=0,
        blocks=4,
        part=Part(number=2, of=2, bench=5),
        arena="9",
        created="2025-01-01 00:00:00",
        seed_given="winter",
    )
    merge_parts([one, two], tmp_path / "new.db")
    with Store.open(tmp_path / "new.db") as store:
        assert (store.header.created, store.header.seed_given) == ("2025-01-01 00:00:00", "winter")
        assert store.header.part is None


def test_a_bot_under_another_name_or_in_another_order_is_named(tmp_path: Path) -> None:
    one, two = parts_of(tmp_path, 2, blocks=4)
    edit(two, "UPDATE bots SET name = 'renamed' WHERE number = 2")
    message = refused([one, two], tmp_path)
    assert message.endswith('do not have the same bots, or not in the same order: "bot 2" and "renamed"')


def test_parts_that_are_missing_or_given_twice_are_named(tmp_path: Path) -> None:
    paths = parts_of(tmp_path, 9, blocks=9)
    assert "the files lack part 9/9; give all parts" in refused(paths[:8], tmp_path)
    assert "the files lack parts 3/9, 5/9; give all" in refused(
        [p for p in paths if p.stem not in "35"], tmp_path
    )
    assert "lack parts 2/9, 3/9, 4/9, 5/9, 6/9 and 3 more; give" in refused(paths[:1], tmp_path)
    message = refused([*paths, paths[4]], tmp_path)
    assert re.search(r"part 5/9 is given twice, in .*5\.db and in .*5\.db", message)


def test_a_tournament_that_was_run_in_one_is_no_part(tmp_path: Path) -> None:
    pretend(tmp_path / "whole.db", blocks=2)
    assert "whole.db is no part of a tournament" in refused([tmp_path / "whole.db"], tmp_path)


def edit(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM blocks WHERE number = 3", "2.db lacks block 3, which is of part 2/2"),
        ("UPDATE blocks SET number = 8 WHERE number = 3", "2.db lacks block 3, which is of part 2/2"),
        ("INSERT INTO blocks SELECT 8, seatings, state, tier, contended, voided, started, seconds, requests, "
         "change, digest FROM blocks WHERE number = 3", "2.db holds block 8, which is not of part 2/2"),
        ("UPDATE blocks SET seatings = '[[0,1,2,3]]' WHERE number = 3", "block 3 in 2.db is not that of the"),
        ("UPDATE blocks SET state = 'dropped' WHERE number = 1", "block 1 in 2.db is not that of the"),
    ],
)  # fmt: skip
def test_blocks_that_are_not_the_part_s_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, says: str
) -> None:
    parts_of(tmp_path, 2, blocks=6)
    edit(tmp_path / "2.db", statement)
    monkeypatch.chdir(tmp_path)
    assert says in refused([Path("1.db"), Path("2.db")], tmp_path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET turns = 3 WHERE block = 1 AND game = 0",
        "UPDATE blocks SET requests = 3 WHERE number = 1",
        "UPDATE bots SET said = 'x' WHERE number = 1",
        "UPDATE tournament SET digest = 'x' WHERE key = 'complete'",
    ],
)
def test_a_damaged_part_is_not_merged(tmp_path: Path, statement: str) -> None:
    paths = parts_of(tmp_path, 2, blocks=4)
    edit(paths[1], statement)
    with pytest.raises(StoreError, match=r"2\.db is damaged: .* is not what was written"):
        merge_parts(paths, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1", "--part takes I/N, such as 1/4 for the first of four, and '1' is none"),
        ("1/2/3", "--part takes I/N"),
        ("-1/2", "--part takes I/N"),
        ("a/b", "--part takes I/N"),
        ("1/9999999", "--part takes I/N"),
        ("0/2", "--part 0/2: parts of 2 are numbered 1 to 2"),
        ("3/2", "--part 3/2: parts of 2 are numbered 1 to 2"),
        ("0/0", "--part 0/0: a tournament has 1 to 1000 parts"),
        ("1/1001", "--part 1/1001: a tournament has 1 to 1000 parts"),
    ],
)
def test_a_part_that_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        Part.of_text(text, 5)


def test_a_part_reads_as_it_is_written() -> None:
    assert Part.of_text(" 2/3 ", 4) == Part(number=2, of=3, bench=4)
    assert str(Part(number=2, of=3, bench=4)) == "2/3"
    assert msgspec.json.decode(msgspec.json.encode(Part(number=1, of=1, bench=0)), type=Part).of == 1
