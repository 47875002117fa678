"""Verifying: a file as it was written passes, nothing makes it crash, and it is quick."""

import dataclasses
import random
import re
import shutil
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tournaments import header_for, play, run_in
from tampering import KEY, WHOLE, content, in_log, opened, put
from verify_files import ILLEGAL, SHORT, verified

from arena.cheat.deal import seed_bytes
from arena.cheat.events import Dealt, Ended, Out, Passed, Played, Resolved
from arena.cheat.presets import preset
from arena.errors import BadInput
from arena.referee.block import Contestant
from arena.tournament.header import BotRow
from arena.tournament.rows import COLUMNS
from arena.tournament.store import Store, StoreError
from arena.tournament.verify import verify

Make = Callable[..., Contestant]


# What was written passes.


def test_a_file_as_it_was_written_passes(files: dict[str, Path]) -> None:
    for name, games in (("table", 16), ("benched", 40)):
        found = verified(files[name])
        assert found.differences == ()
        assert found.complete
        assert found.games >= games
        with Store.open(files[name]) as store:
            assert found.digest == store.digest


def test_the_files_of_these_tests_have_everything_in_them(files: dict[str, Path]) -> None:
    with Store.open(files["table"]) as store:
        games = [game for _, game in store.games()]
        phases = {fault.phase for game in games for fault in game.faults}
        assert phases == {"hello", "play", "challenge", "idle"}
        assert any(game.forfeited for game in games)
        assert any(game.debug for game in games)
    with Store.open(files["benched"]) as store:
        assert store.decisions() == {16: {"bench": [3]}}
        assert "dropped" in {state for _, state in store.blocks()}


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": dataclasses.replace(preset("classic"), turn_cap=30, callers="first")},
        {"rules": dataclasses.replace(preset("classic"), turn_cap=60, play_on=True), "fresh": True},
        {"rules": dataclasses.replace(preset("british-pass"), turn_cap=30), "forfeit": 0, "seed_given": "x"},
        {"rules": SHORT, "seats": 3, "games_per_block": 12, "move_time": 0.0005, "blocks": 1},
    ],
    ids=["first to call", "played on, fresh processes", "passing, no forfeits", "into the bank"],
)
def test_other_conditions_pass_too(
    make_four: list[Contestant], tmp_path: Path, changes: dict[str, object]
) -> None:
    if "seed_given" in changes:
        changes = changes | {"seed": seed_bytes("x").hex()}
    store, _ = play(tmp_path / "a.db", make_four, **({"blocks": 2} | changes))
    with store:
        assert verify(store).differences == ()


@pytest.fixture
def make_four(contestant: Make) -> list[Contestant]:
    return [
        contestant("honest"),
        contestant("adapts", "adapts"),
        contestant("chatters", "reply_and_junk"),
        contestant("illegal", source=ILLEGAL),
    ]


def test_a_file_that_is_being_written_and_one_that_was_broken_off_pass(
    make_four: list[Contestant], tmp_path: Path
) -> None:
    path = tmp_path / "a.db"
    header = header_for(blocks=40, rules=SHORT, seats=2, games_per_block=2, bench=3)
    rows = [BotRow(name=bot.name, digest=bot.digest, command="") for bot in make_four]
    seen: list[int] = []
    with Store.create(path, header, rows) as store:
        assert verified(path).differences == ()

        def until(progress: object) -> bool:
            found = verified(path)
            assert found.differences == ()
            seen.append(found.blocks)
            return len(seen) == 21

        assert run_in(store, make_four, 3, until=until) is None
    found = verified(path)
    assert found.differences == ()
    assert not found.complete
    assert seen == sorted(seen)
    assert found.blocks >= seen[-1] > 16


# Nothing makes it crash.


@pytest.fixture(scope="module")
def small(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a file of one block."""
    path = tmp_path_factory.mktemp("small") / "small.db"
    shutil.copy(files["table"], path)
    with opened(path, WHOLE) as database:
        database.execute("DELETE FROM games WHERE block > 0")
        database.execute("DELETE FROM blocks WHERE number > 0")
        database.execute("UPDATE tournament SET value = 'false' WHERE key = 'complete'")
        database.execute(
            "UPDATE tournament SET value = json_set(value, '$.ended', json('null')) WHERE key = 'header'"
        )
        database.execute("VACUUM")
    assert verified(path).differences == ()
    return path.read_bytes()


def outcome(path: Path) -> str:
    try:
        return "differs" if verified(path).differences else "passes"
    except (BadInput, StoreError) as error:
        message = str(error)
    assert path.name in message
    assert "\n" not in message
    return "damaged"


def test_one_changed_byte_is_found_wherever_it_changes_what_the_file_says(
    small: bytes, tmp_path: Path
) -> None:
    draw = random.Random(5)
    whole, path = tmp_path / "whole.db", tmp_path / "flipped.db"
    whole.write_bytes(small)
    before = content(whole)
    found = dict.fromkeys(("differs", "damaged", "passes"), 0)
    for _ in range(200):
        place = draw.randrange(len(small))
        other = small[place] ^ (1 << draw.randrange(8))
        path.write_bytes(small[:place] + bytes([other]) + small[place + 1 :])
        verdict = outcome(path)
        found[verdict] += 1
        if verdict == "passes":
            assert content(path) == before
    assert found["differs"] > 10
    assert found["damaged"] > 5


def test_a_torn_file_never_passes(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "torn.db"
    for size in [*range(0, len(small), max(1, len(small) // 40)), len(small) - 1]:
        path.write_bytes(small[:size])
        assert outcome(path) != "passes"


VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.binary(max_size=20),
    st.sampled_from(
        ["[]", "{}", "[[]]", "[0]", "null", "1e999", "[[[0,1,2,3]]]", "[" * 5000, "-1", "[-1,99]"]
    ),
    st.sampled_from(
        ["bare", "played", "[0,1,2,3]", "[1,2,3,4]", "true", "16", '[{"seat":0}]', "[[1,0,5,0]]"]
    ),
)
CELLS = [(table, column) for table, columns in COLUMNS.items() for column in columns]


@settings(max_examples=150)
@given(cell=st.sampled_from(CELLS), value=VALUES, row=st.integers(0, 7), packed=st.booleans())
def test_any_value_in_any_cell_is_judged_without_a_crash(
    small: bytes,
    tmp_path_factory: pytest.TempPathFactory,
    cell: tuple[str, str],
    value: object,
    row: int,
    packed: bool,
) -> None:
    table, column = cell
    path = tmp_path_factory.getbasetemp() / "any.db"
    path.write_bytes(small)
    before = content(path)
    if packed and isinstance(value, str):
        value = zlib.compress(value.encode())
    with opened(path, WHOLE) as database:
        keys = [key for (key,) in database.execute(f"SELECT {KEY[table]} FROM {table}")]
        if not keys:
            return
        try:
            database.execute(
                f"UPDATE {table} SET {column} = ? WHERE {KEY[table]} = ?", (value, keys[row % len(keys)])
            )
        except sqlite3.IntegrityError:
            return
    if content(path) == before:
        assert outcome(path) == "passes"
    else:
        outcome(path)


@settings(max_examples=40)
@given(st.data())
def test_no_event_can_be_taken_out_doubled_or_moved(
    small: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "events.db"
    path.write_bytes(small)

    def edit(events: list[object]) -> None:
        place = data.draw(st.integers(0, len(events) - 1))
        how = data.draw(st.sampled_from(["out", "double", "move"]))
        event = events.pop(place)
        if how == "double":
            events[place:place] = [event, event]
        elif how == "move":
            events.insert(data.draw(st.integers(0, len(events)).filter(lambda to: to != place)), event)

    game = data.draw(st.integers(0, 3))
    with opened(path, WHOLE) as database:
        in_log(f"game = {game}", edit)(database)
    assert any(f"game 0.{game} " in str(found) for found in verified(path).differences)


def test_a_column_that_unpacks_without_end_is_refused(
    small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.rows.MAX_UNPACKED", 1 << 20)
    path = tmp_path / "bomb.db"
    path.write_bytes(small)
    with opened(path, WHOLE) as database:
        put("games", "debug", zlib.compress(bytes(1 << 21)), "game = 0")(database)
    assert any("too many" in str(found) for found in verified(path).differences)


# What the document says of the file.


def test_the_document_names_every_column_in_the_order_of_the_digests() -> None:
    text = (Path(__file__).parents[2] / "docs" / "results.md").read_text()
    rows = {
        match[1]: re.findall(r"`(\w+)`", match[2])
        for match in re.finditer(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    }
    for table, columns in COLUMNS.items():
        named = [word for word in rows[table] if word in columns]
        assert named == list(columns), table
    events = {
        "dealt": Dealt,
        "played": Played,
        "resolved": Resolved,
        "passed": Passed,
        "out": Out,
        "ended": Ended,
    }
    for name, event in events.items():
        (line,) = re.findall(rf"^\| `{name}` \| ([^|]+) \|", text, re.MULTILINE)
        assert re.findall(r"`(\w+)`", line) == [field.name for field in msgspec.structs.fields(event)]


# How long it takes.


def test_ten_thousand_games_take_less_than_a_minute_of_two_cores(files: dict[str, Path]) -> None:
    def cost(path: Path) -> Iterator[float]:
        for _ in range(3):
            before = time.process_time()
            found = verified(path)
            yield (time.process_time() - before) / found.games

    assert min(cost(files["table"])) * 10_000 < 2 * 60
