"""Joining the parts of one tournament into a results file of the whole."""

import heapq
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape, quoted
from arena.roster.content import shortened
from arena.tournament.bench import Streaks
from arena.tournament.changes import CHANGEABLE
from arena.tournament.header import BotRow, Ended, Header
from arena.tournament.newfile import new_file
from arena.tournament.part import Part
from arena.tournament.rows import COLUMNS, Value, as_json
from arena.tournament.schedule import Course
from arena.tournament.store import Store

_MAY_DIFFER: Final = frozenset(("arena", "created", "seed_given", "part", "ended", "folder", "root_bots"))
"""What the headers of parts need not have in common."""
_CALLED: Final[Mapping[str, str]] = MappingProxyType(
    {
        **CHANGEABLE,
        "seats": "--seats",
        "blocks": "the number of blocks",
        "games_per_block": "--games-per-block",
        "schedule": "--format",
    }
)
"""What people call a field of the header."""
_NUMBER: Final = COLUMNS["blocks"].index("number")
_GAME: Final = (COLUMNS["games"].index("block"), COLUMNS["games"].index("game"))
_MOST_NAMED: Final = 5


@dataclass(frozen=True)
class Merged:
    """What was joined."""

    parts: int
    blocks: int
    games: int
    bench: int
    """After how many blocks with faults running a whole tournament would have benched a bot; 0 never."""
    would_be_benched: Mapping[str, int]
    """The bots that benching would have left out, each with the decision point, in order."""


@dataclass(frozen=True)
class _Piece:
    """A file that was given, and what it says."""

    store: Store
    header: Header
    part: Part
    bots: tuple[BotRow, ...]

    @property
    def name(self) -> str:
        return escape(os.fspath(self.store.path), 200)


def merge_parts(paths: Sequence[Path], path: Path) -> Merged:
    """Join the files of all parts of one tournament at `path`, as if it had been played in one, unbenched.

    Raises BadInput for what does not belong together, naming the files and the difference, and for a path
    that is taken; StoreError for a file that cannot be read. Then no file is there.
    """
    with ExitStack() as stack:
        pieces = [_piece(stack.enter_context(Store.open(one))) for one in paths]
        _check_together(pieces)
        for piece in pieces:
            _check_blocks(piece)
        with new_file(path) as draft:
            Store.of_rows(draft, _rows(pieces)).close()
        blocks = pieces[0].header.blocks
        return Merged(
            parts=len(pieces),
            blocks=blocks,
            games=blocks * pieces[0].header.games_per_block,
            bench=pieces[0].part.bench,
            would_be_benched=MappingProxyType(_would_be_benched(pieces)),
        )


def _piece(store: Store) -> _Piece:
    header = store.header
    if header.part is None:
        raise BadInput(
            f"{escape(os.fspath(store.path), 200)} is no part of a tournament: it was not run with --part"
        )
    if store.changes:
        raise BadInput(
            f"{escape(os.fspath(store.path), 200)} was changed on the way (--changed), and the parts of a "
            "tournament are played alike; play this part again as the others were"
        )
    return _Piece(store, header, header.part, store.bots)


def _check_together(pieces: Sequence[_Piece]) -> None:
    first = pieces[0]
    for other in pieces[1:]:
        _check_headers(first, other)
        _check_bots(first, other)
    seen: dict[int, _Piece] = {}
    for piece in pieces:
        number = piece.part.number
        if number in seen:
            raise BadInput(f"part {piece.part} is given twice, in {seen[number].name} and in {piece.name}")
        seen[number] = piece
    missing = [number for number in range(1, first.part.of + 1) if number not in seen]
    if missing:
        named = ", ".join(f"{number}/{first.part.of}" for number in missing[:_MOST_NAMED])
        more = "" if len(missing) <= _MOST_NAMED else f" and {len(missing) - _MOST_NAMED} more"
        what = "part" if len(missing) == 1 else "parts"
        raise BadInput(f"the files lack {what} {named}{more}; give all parts of the tournament")
    for piece in pieces:
        if not piece.store.complete:
            # Unfinished, it may still hold every block: the run was ended before it could say so.
            done = sum(state != "begun" for _, state in piece.store.blocks())
            raise BadInput(
                f"part {piece.part} in {piece.name} is not finished: it holds {done} of its "
                f"{piece.header.own_blocks} blocks; play it to its end first"
            )


def _check_headers(first: _Piece, other: _Piece) -> None:
    both = f"{first.name} and {other.name} are not of one tournament"
    if first.header.seed != other.header.seed:
        raise BadInput(f"{both}: their seeds differ")
    if first.part.of != other.part.of:
        raise BadInput(f"{both}: one is part {first.part}, the other part {other.part}")
    if first.part.bench != other.part.bench:
        raise BadInput(f"{both}: --bench differs ({first.part.bench} and {other.part.bench})")
    if first.header.rules != other.header.rules:
        raise BadInput(f"{both}: their rules differ ({_rules_apart(first.header, other.header)})")
    for field in Header.__struct_fields__:
        ours, theirs = getattr(first.header, field), getattr(other.header, field)
        if ours != theirs and field not in _MAY_DIFFER:
            raise BadInput(f"{both}: {_CALLED.get(field, field)} differs ({_word(ours)} and {_word(theirs)})")


def _rules_apart(first: Header, other: Header) -> str:
    ours, theirs = msgspec.to_builtins(first.rules), msgspec.to_builtins(other.rules)
    knob = next(knob for knob in ours if ours[knob] != theirs[knob])
    return f"{knob}: {_word(ours[knob])} and {_word(theirs[knob])}"


def _word(value: Any) -> str:
    return as_json(value) if not isinstance(value, str) else escape(value, 60)


def _check_bots(first: _Piece, other: _Piece) -> None:
    both = f"{first.name} and {other.name} do not have the same bots"
    if len(first.bots) != len(other.bots):
        raise BadInput(f"{both}: {len(first.bots)} and {len(other.bots)} of them")
    for ours, theirs in zip(first.bots, other.bots, strict=True):
        if ours.name != theirs.name:
            raise BadInput(f"{both}, or not in the same order: {quoted(ours.name)} and {quoted(theirs.name)}")
        if ours.digest != theirs.digest:
            raise BadInput(
                f"{both}: {quoted(ours.name)} has other content, "
                f"its digest is {shortened(ours.digest)} and {shortened(theirs.digest)}"
            )


def _check_blocks(piece: _Piece) -> None:
    """Each file holds its own blocks as the schedule has them, no other and all of them."""
    header = piece.header
    course = Course.of(header, len(piece.bots))
    found = {block.number: (block, state) for block, state in piece.store.blocks()}
    for _ in range(header.blocks):
        block = course.next()
        if not piece.part.owns(block.number):
            continue
        stored, state = found.pop(block.number, (None, ""))
        if stored is None:
            raise BadInput(f"{piece.name} lacks block {block.number}, which is of part {piece.part}")
        if stored != block or state != "played":
            raise BadInput(f"block {block.number} in {piece.name} is not that of the tournament's schedule")
    for number in sorted(found):
        raise BadInput(f"{piece.name} holds block {number}, which is not of part {piece.part}")


def _rows(pieces: Sequence[_Piece]) -> Iterator[tuple[str, list[Value]]]:
    """The rows of the whole, in the order in which one run would have stored them."""
    yield from _tournament_rows(pieces)
    for rows in zip(*(_checked(piece, "bots") for piece in pieces), strict=True):
        yield "bots", _bot_row(rows)
    blocks = (_checked(piece, "blocks") for piece in pieces)
    for row in heapq.merge(*blocks, key=lambda row: _whole(row[_NUMBER])):
        yield "blocks", row
    games = (_checked(piece, "games") for piece in pieces)
    for row in heapq.merge(*games, key=lambda row: tuple(_whole(row[place]) for place in _GAME)):
        yield "games", row


def _tournament_rows(pieces: Sequence[_Piece]) -> Iterator[tuple[str, list[Value]]]:
    given = [piece.header.seed_given for piece in pieces if piece.header.seed_given is not None]
    header = msgspec.structs.replace(
        min((piece.header for piece in pieces), key=lambda header: header.created),
        part=None,
        ended=Ended(by="games"),
        seed_given=given[0] if given else None,
    )
    changed: dict[Value, Any] = {
        "header": header,
        "counted_to": max(piece.store.counted_to for piece in pieces),
    }
    # The other rows are checked as well, though the first file's are taken.
    for piece in pieces[1:]:
        list(_checked(piece, "tournament"))
    for key, value in _checked(pieces[0], "tournament"):
        yield "tournament", [key, as_json(changed[key]) if key in changed else value]


def _bot_row(rows: Sequence[list[Value]]) -> list[Value]:
    """The first file's row, with the name the bot gave itself wherever it first did."""
    said = COLUMNS["bots"].index("said")
    row = list(rows[0])
    row[said] = next((other[said] for other in rows if other[said] is not None), None)
    return row


def _checked(piece: _Piece, table: str) -> Iterator[list[Value]]:
    for values, _ in piece.store.sound_rows(table):
        yield values


def _would_be_benched(pieces: Sequence[_Piece]) -> dict[str, int]:
    """Who had faults in so many blocks running at a decision point, the schedule going on all the same."""
    header, bots = pieces[0].header, pieces[0].bots
    owners = {piece.part.number - 1: piece for piece in pieces}
    streaks = Streaks(pieces[0].part.bench)
    course = Course.of(header, len(bots))
    groups = [(list(group), needed) for group, needed in course.groups]
    found: dict[str, int] = {}
    passed = 0
    for point in takewhile(lambda point: point <= header.blocks, course.points()):
        for number in range(passed, point):
            brief = owners[number % len(pieces)].store.brief(number)
            assert brief is not None
            streaks.follow([(brief.block.table, brief.faulted)])
        passed = point
        due = streaks.due(groups)
        groups = [([bot for bot in group if bot not in due], needed) for group, needed in groups]
        found |= {bots[bot].name: point for bot in sorted(due)}
    return found


def _whole(value: Value) -> int:
    assert isinstance(value, int)
    return value
