"""Importing: what no export can have written is refused with the number of its line, and nothing is left."""

import errno
import json
import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pretended import pretend

from arena.errors import BadInput
from arena.tournament import exported_line, rows
from arena.tournament.exporting import exported_lines
from arena.tournament.header import FORMAT
from arena.tournament.importing import import_lines
from arena.tournament.newfile import new_file
from arena.tournament.store import Store

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """An export: line 1 the header, 2 to 6 bots, 7 a block, 8 to 11 its games, the same again, 17 the end."""
    path = tmp_path_factory.mktemp("lines") / "a.db"
    pretend(path, blocks=2, faulty=(3,))
    with Store.open(path) as store:
        return list(exported_lines(store))


def refused(lines: Iterable[bytes], folder: Path) -> str:
    """Import what must be refused; the message. Nothing is there afterwards."""
    with pytest.raises(BadInput) as caught:
        import_lines(lines, "a.jsonl", folder / "new.db")
    assert list(folder.iterdir()) == []
    message = str(caught.value)
    assert "\n" not in message
    return message


def changed(lines: list[bytes], number: int, change: Callable[[dict[str, Any]], object]) -> list[bytes]:
    """The lines with the object in one of them, counted from 1, changed."""
    found = json.loads(lines[number - 1])
    change(found)
    return [*lines[: number - 1], json.dumps(found).encode() + b"\n", *lines[number:]]


def to(**values: object) -> Callable[[dict[str, Any]], object]:
    return lambda found: found.update(values)


def without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda found: found.pop(name)


def event(index: int, **values: object) -> Callable[[dict[str, Any]], object]:
    return lambda found: found["events"][index].update(values)


def fault(**values: object) -> Callable[[dict[str, Any]], object]:
    return lambda found: found["faults"][0].update(values)


HEADER, BOT, BLOCK, GAME, END = 1, 2, 7, 8, 17


def test_the_lines_are_where_these_tests_think(lines: list[bytes]) -> None:
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds == ["header", *["bot"] * 5, *["block", *["game"] * 4] * 2, "end"]
    assert json.loads(lines[GAME - 1])["faults"]


@pytest.mark.parametrize(
    ("number", "change", "says"),
    [
        (HEADER, to(export=2), 'it has layout "2" and this arena reads 1; use the version that wrote it'),
        (HEADER, without("export"), "the header has no export"),
        (HEADER, without("state"), "the header has no state"),
        (HEADER, without("seats"), "the header: Object missing required field `seats`"),
        (HEADER, to(seats="4"), "the header: Expected `int`, got `str` - at `$.seats`"),
        (HEADER, to(colour=1), 'the header has a field "colour" that is none of its own'),
        (HEADER, to(format=99), f"the results file had layout 99 and this arena writes {FORMAT}"),
        (HEADER, to(seed=None), "the seed is hidden, because deals were still to come from it"),
        (HEADER, to(seed="winter"), "the seed is not 32 hexadecimal digits, the letters small"),
        (HEADER, to(seed="AB" * 16), "the seed is not 32 hexadecimal digits, the letters small"),
        (HEADER, to(seed="ab" * 16), "seed_sha256 is not the SHA-256 of the seed"),
        (HEADER, to(seats=11), "the header: classic takes 2 to 10 seats, not 11"),
        (HEADER, to(state=[]), "the state has no number counted_to"),
        (HEADER, to(state={"complete": True, "counted_to": "16"}), "the state has no number counted_to"),
        (
            HEADER,
            to(state={"complete": True, "counted_to": 16, "header": 1}),
            "the state holds something besides",
        ),
        (HEADER, to(state={"counted_to": 16}), "the state is not complete, and yet the seed is shown"),
        (HEADER, lambda found: found["rules"].update(decks=9), "the header: decks must be a whole number"),
        (BOT, to(number=1), "the bots must come in order, number 0 next, not 1"),
        (BOT, to(name="bot 0", number=-1), "Expected `int` >= 0 - at `$.number`"),
        (BOT, to(name=7), "Expected `str`, got `int` - at `$.name`"),
        (BOT, to(colour=7), "Object contains unknown field `colour`"),
        (BOT, without("command"), "Object missing required field `command`"),
        (BOT + 1, to(name="bot 0"), 'there are two bots called "bot 0"'),
        (BLOCK, to(seatings=[]), "block 0 has no game"),
        (BLOCK, to(seatings=[[0, 1, 2, 5]]), "[0, 1, 2, 5] does not seat 4 of the 5 bots"),
        (BLOCK, to(seatings=[[0, 1, 2, 2]]), "[0, 1, 2, 2] does not seat 4 of the 5 bots"),
        (BLOCK, to(seatings=[[0, 1, 2]]), "[0, 1, 2] does not seat 4 of the 5 bots"),
        (BLOCK, to(state="ahead"), "Invalid enum value 'ahead' - at `$.state`"),
        (BLOCK, to(tier="docker"), "Invalid enum value 'docker' - at `$.tier`"),
        (BLOCK, to(requests=77), "block 0 was changed: its digest is that of another"),
        (BLOCK, to(digest="x"), "Expected `str` matching regex"),
        (BLOCK + 5, to(number=0), "block 0 cannot follow block 0"),
        (GAME, to(block=1), "is of block 1, and does not stand behind it"),
        (GAME, to(game=1), "game 1 of block 0 is not the one that comes next"),
        (GAME, to(id="0" * 16), "the seed gives game 0 of block 0 another id than 0000000000000000"),
        (GAME, to(id="winner"), "Expected `str` matching regex"),
        (GAME, to(seats=[0, 1, 2, 3]), "is seated or run otherwise than its block says"),
        (GAME, to(tier="ns"), "is seated or run otherwise than its block says"),
        (GAME, to(turns=9), "announces another end than its events come to"),
        (GAME, to(winner=None), "announces another end than its events come to"),
        (GAME, to(reason="bored"), "Invalid enum value 'bored' - at `$.reason`"),
        (GAME, to(seconds=-1.0), "Expected `float` >= 0.0 - at `$.seconds`"),
        (GAME, to(seconds=7.5), "was changed: its digest is that of another"),
        (GAME, to(events=[]), "the events: a log of events begins with the deal and closes with the end"),
        (GAME, event(0, type="dealed"), 'the events: line 1 of the log: there is no event of type "dealed"'),
        (GAME, event(0, colour=1), "the events: line 1 of the log has a field too many, or a wrong value"),
        (GAME, event(1, seat=4), "names a seat that its table of 4 does not have"),
        (GAME, event(-1, turn="9"), "the log: Expected `int`, got `str` - at `$.turn`"),
        (GAME, lambda found: found["events"][0]["hands"].pop(), "a seat that its table of 4 does not have"),
        (GAME, lambda found: found["events"][0]["hands"][0].reverse(), "its digest is that of another"),
        (GAME, fault(colour=1), "Object contains unknown field `colour` - at `$.faults[0]`"),
        (GAME, fault(code="boredom"), "Invalid enum value 'boredom' - at `$.faults[0].code`"),
        (GAME, fault(seat=7), "names a seat that its table of 4 does not have"),
        (GAME, to(forfeited=[9]), "names a seat that its table of 4 does not have"),
        (GAME, to(timing=[[1, 0, 5.0, 0.25, 1]]), "Expected `array` of at most length 4"),
        (GAME, to(debug=[{"turn": 1, "seat": 0}]), "Object missing required field `text` - at `$.debug[0]`"),
        (END, to(games=7), "it counts 7 games, and 8 stand before it"),
        (END, to(bots=4), "it counts 4 bots, and 5 stand before it"),
        (END, to(content="0" * 64), "the lines together are not those exported"),
        (END, to(content=None), "the lines together are not those exported"),
    ],
)
def test_a_line_that_no_export_has_written_is_named(
    lines: list[bytes], tmp_path: Path, number: int, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    message = refused(changed(lines, number, change), tmp_path)
    assert message.startswith(f"line {number} of a.jsonl: ")
    assert says in message


def test_a_change_that_only_the_sum_knows_of_is_named_at_the_end(lines: list[bytes], tmp_path: Path) -> None:
    for number, change in ((HEADER, to(bank=9.0)), (BOT, to(name="renamed")), (BOT, to(said=None))):
        message = refused(changed(lines, number, change), tmp_path)
        assert message == (
            "line 17 of a.jsonl: the lines together are not those exported: "
            "header, bots or decisions were changed"
        )


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda whole: [], "line 1 of a.jsonl: the line of type end is missing: the file is cut off"),
        (
            lambda whole: whole[:-1],
            "line 17 of a.jsonl: the line of type end is missing: the file is cut off",
        ),
        (
            lambda whole: whole[1:],
            "line 1 of a.jsonl: here stands a line of type bot where header must follow",
        ),
        (
            lambda whole: [*whole, whole[-1]],
            "line 18 of a.jsonl: here stands a line of type end where nothing",
        ),
        (lambda whole: [*whole, b"\n"], "line 18 of a.jsonl: it is empty"),
        (lambda whole: whole[:9] + whole[10:], "line 10 of a.jsonl: game 3 of block 0 is not the one that"),
        (
            lambda whole: whole[:10] + whole[11:],
            "line 11 of a.jsonl: game 3 of block 0 is missing before this",
        ),
        (
            lambda whole: whole[:15] + whole[16:],
            "line 16 of a.jsonl: game 3 of block 1 is missing before this",
        ),
        (
            lambda whole: whole[:11] + whole[16:],
            "line 12 of a.jsonl: it counts 2 blocks, and 1 stand before it",
        ),
        (lambda whole: whole[:6] + whole[7:], "line 7 of a.jsonl: here stands a line of type game where"),
        (lambda whole: [whole[0], *whole], "line 2 of a.jsonl: here stands a line of type header where bot"),
        (lambda whole: [b"\xff\n"], "line 1 of a.jsonl: it is not JSON: "),
        (lambda whole: [b"[1]\n"], "line 1 of a.jsonl: it is not a JSON object"),
        (lambda whole: [b"{}\n"], "line 1 of a.jsonl: it has no type"),
        (lambda whole: [b'{"type":7}\n'], "line 1 of a.jsonl: it has no type"),
        (lambda whole: [b'{"type":"gmae"}\n'], 'there is no line of type "gmae"; did you mean game?'),
        (
            lambda whole: [b'{"type":"dealt"}\n'],
            'of type "dealt"; there are header, bot, decision, change, block, game',
        ),
        (lambda whole: [b"[" * 100_000], "line 1 of a.jsonl: it is not JSON: "),
        (lambda whole: [*whole[:7], whole[7][:90]], "line 8 of a.jsonl: "),
    ],
)
def test_lines_that_are_missing_out_of_place_or_no_lines_are_named(
    lines: list[bytes], tmp_path: Path, made: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    assert says in refused(made(lines), tmp_path)


def test_decisions_reach_forward_and_stand_before_blocks(lines: list[bytes], tmp_path: Path) -> None:
    decision = {"type": "decision", "point": 16, "kind": "bench", "until": 16, "value": [1]}
    told = json.dumps(decision).encode()
    message = refused([*lines[:6], told, *lines[6:]], tmp_path)
    assert message == "line 7 of a.jsonl: a decision at 16 cannot reach to 16 only"
    wide = json.dumps(decision | {"until": 1 << 63}).encode()
    assert "Expected `int` <= 9223372036854775807 - at `$.until`" in refused(
        [*lines[:6], wide, *lines[6:]], tmp_path
    )
    message = refused([*lines[:16], told, *lines[16:]], tmp_path)
    assert "a line of type decision where game or block or end must follow" in message


def test_a_line_without_end_does_not_fill_the_memory(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exported_line, "LONGEST", 2000)
    assert refused(lines, tmp_path) == "line 8 of a.jsonl: it is longer than 2,000 bytes"


@settings(max_examples=120)
@given(data=st.data())
def test_a_byte_changed_anywhere_is_refused_or_changes_nothing(
    lines: list[bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = bytearray(b"".join(lines))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    folder = tmp_path_factory.mktemp("byte")
    try:
        import_lines(bytes(whole).splitlines(keepends=True), "a.jsonl", folder / "new.db")
        says = None
    except BadInput as error:
        says = str(error)
    if says is not None:
        assert says.startswith("line ")
        assert list(folder.iterdir()) == []
    else:
        # A space for another, or the digest of the exported file, which is only told.
        with Store.open(folder / "new.db") as store:
            assert list(exported_lines(store)) == lines


def test_logs_packed_by_another_library_are_no_change(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "_LEVEL", 1)
    exported = import_lines(lines, "a.jsonl", tmp_path / "new.db")
    with Store.open(tmp_path / "new.db") as store:
        assert store.digest != exported
        again = list(exported_lines(store))
    assert again[:-1] == lines[:-1]
    assert json.loads(again[-1])["content"] == json.loads(lines[-1])["content"]
    assert zlib.compress(b"a" * 999, 1) != zlib.compress(b"a" * 999, 6)


# The new file: whole or not at all.


def test_nothing_is_written_over(lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "taken.db").write_text("my thesis")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name, says in (("taken.db", "exists already"), ("folder", "is a folder"), ("link", "exists already")):
        with pytest.raises(BadInput, match=f"{name} {says}.*; give a name that is free"):
            import_lines(lines, "a.jsonl", tmp_path / name)
    with pytest.raises(BadInput, match=r"there is no folder .*absent to write new\.db in"):
        import_lines(lines, "a.jsonl", tmp_path / "absent" / "new.db")
    assert (tmp_path / "taken.db").read_text() == "my thesis"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "link", "taken.db"]


def somebody_is_faster(path: Path) -> None:
    with new_file(path) as draft:
        draft.write_text("mine")
        path.write_text("theirs")


def test_a_file_that_came_meanwhile_is_kept(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="exists already"):
        somebody_is_faster(tmp_path / "new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["new"]
    assert (tmp_path / "new").read_text() == "theirs"


def test_a_file_system_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with new_file(tmp_path / "new") as draft:
        draft.write_text("mine")
    assert (tmp_path / "new").read_text() == "mine"
    with pytest.raises(BadInput, match="exists already"):
        somebody_is_faster(tmp_path / "other")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["new", "other"]
    assert (tmp_path / "other").read_text() == "theirs"
