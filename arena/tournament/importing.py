"""Exported lines back into a results file; every line is checked against the others and its own digest."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

import msgspec

from arena.cheat.deal import game_id
from arena.cheat.record import Record, RecordError, record_of
from arena.errors import BadInput
from arena.protocol.escape import escape, quoted
from arena.referee.block import GameResult
from arena.tournament.exported import (
    EXPORT,
    BlockLine,
    BotLine,
    ChangeLine,
    DecisionLine,
    EndLine,
    GameLine,
    content_digest,
)
from arena.tournament.exported_line import (
    KINDS,
    BadLine,
    events_in,
    kind_of,
    object_in,
    parsed_line,
    seats_in,
)
from arena.tournament.header import FORMAT, Header
from arena.tournament.newfile import new_file
from arena.tournament.rows import MODULUS, Value, as_json, digest_of, game_row
from arena.tournament.store import Store

Row = tuple[str, list[Value]]
_AFTER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "": ("header",),
        "header": ("bot",),
        "bot": ("bot", "decision", "change", "block", "end"),
        "decision": ("decision", "change", "block", "end"),
        "change": ("change", "block", "end"),
        "block": ("game",),
        "game": ("game", "block", "end"),
        "end": (),
    }
)
"""Which kinds of lines may follow one of each kind."""
_OF_THE_EXPORT: Final = ("type", "export", "seed_sha256", "state")
"""Fields of the header line that are none of the tournament's header."""


def import_lines(lines: Iterable[bytes], name: str, path: Path) -> str:
    """Make a results file at `path` of exported lines; `name` is what messages call them.

    Returns the digest that the exported file had. Raises BadInput, naming the line, for anything that no
    export can have written, and for a path that is taken; then no file is there.
    """
    reader = _Reader(name)
    with new_file(path) as draft:
        Store.of_rows(draft, reader.rows(lines)).close()
    return reader.digest


class _Reader:
    """Turns lines into rows, and remembers what later lines are checked against."""

    def __init__(self, name: str) -> None:
        self.digest = ""
        self._name = escape(name, 200)
        self._number = 0
        self._total = 0
        self._counts = dict.fromkeys(("bots", "decisions", "changes", "blocks", "games"), 0)
        self._header: Header
        self._names: set[str] = set()
        self._block: BlockLine | None = None
        self._next_game = 0

    def rows(self, lines: Iterable[bytes]) -> Iterator[Row]:
        """The rows of a results file, in the order of the lines. Raises BadInput."""
        last = ""
        for line in lines:
            self._number += 1
            try:
                kind = kind_of(line)
                if kind not in _AFTER[last]:
                    wanted = " or ".join(_AFTER[last]) or "nothing"
                    raise BadLine(f"here stands a line of type {kind} where {wanted} must follow")
                yield from self._rows_of(kind, line)
                last = kind
            except BadLine as wrong:
                self._refuse(str(wrong))
        if last != "end":
            self._number += 1
            self._refuse("the line of type end is missing: the file is cut off")

    def _refuse(self, what: str) -> NoReturn:
        raise BadInput(f"line {self._number} of {self._name}: {what}") from None

    def _rows_of(self, kind: str, line: bytes) -> Iterator[Row]:
        if kind == "header":
            rows = self._header_rows(line)
        else:
            parsed = parsed_line(line, KINDS[kind])
            if isinstance(parsed, BotLine):
                rows = [self._bot_row(parsed)]
            elif isinstance(parsed, DecisionLine):
                rows = [self._decision_row(parsed)]
            elif isinstance(parsed, ChangeLine):
                rows = [self._change_row(parsed)]
            elif isinstance(parsed, BlockLine):
                rows = [self._block_row(parsed)]
            elif isinstance(parsed, GameLine):
                rows = [self._game_row(parsed)]
            else:
                assert isinstance(parsed, EndLine)
                self._check_end(parsed)
                rows = []
        for table, values in rows:
            if table in self._counts:
                self._counts[table] += 1
            self._total += int(content_digest(values), 16)
            yield table, values

    def _header_rows(self, line: bytes) -> list[Row]:
        fields = object_in(line)
        for name in _OF_THE_EXPORT:
            if name not in fields:
                raise BadLine(f"the header has no {name}")
        if fields["export"] != EXPORT:
            version = quoted(str(fields["export"]))
            raise BadLine(
                f"it has layout {version} and this arena reads {EXPORT}; use the version that wrote it"
            )
        own = {key: value for key, value in fields.items() if key not in _OF_THE_EXPORT}
        for name in own:
            if name not in Header.__struct_fields__:
                raise BadLine(f"the header has a field {quoted(name)} that is none of its own")
        if own.get("seed", "") is None:
            raise BadLine(
                "the seed is hidden, because deals were still to come from it when this was exported; "
                "play the tournament to its end and export it again"
            )
        try:
            header = msgspec.convert(own, Header)
        except msgspec.ValidationError as error:
            raise BadLine(f"the header: {error}") from None
        self._check_header(header, fields["seed_sha256"], fields["state"])
        self._header = header
        state: dict[str, Any] = {"header": header, **fields["state"]}
        return [("tournament", [key, as_json(value)]) for key, value in state.items()]

    def _check_header(self, header: Header, seed_digest: object, state: object) -> None:
        if header.format != FORMAT:
            raise BadLine(
                f"the results file had layout {header.format} and this arena writes {FORMAT}; "
                "use the version that wrote it"
            )
        try:
            seed = bytes.fromhex(header.seed)
        except ValueError:
            seed = b""
        if len(seed) != 16 or header.seed != seed.hex():
            raise BadLine("the seed is not 32 hexadecimal digits, the letters small")
        if seed_digest != hashlib.sha256(seed).hexdigest():
            raise BadLine("seed_sha256 is not the SHA-256 of the seed")
        try:
            header.rules.check_seats(header.seats)
        except ValueError as error:
            raise BadLine(f"the header: {error}") from None
        if not isinstance(state, dict) or type(state.get("counted_to")) is not int or state["counted_to"] < 0:
            raise BadLine("the state has no number counted_to")
        if state.get("complete") is not True:
            raise BadLine("the state is not complete, and yet the seed is shown")
        if set(state) != {"counted_to", "complete"}:
            raise BadLine("the state holds something besides counted_to and complete")

    def _bot_row(self, line: BotLine) -> Row:
        if line.number != self._counts["bots"]:
            raise BadLine(
                f"the bots must come in order, number {self._counts['bots']} next, not {line.number}"
            )
        if line.name in self._names:
            raise BadLine(f"there are two bots called {quoted(line.name)}")
        self._names.add(line.name)
        values: list[Value] = [line.number, line.name, line.digest]
        return "bots", [*values, line.command, line.author, line.version, line.said]

    def _decision_row(self, line: DecisionLine) -> Row:
        if line.until <= line.point:
            raise BadLine(f"a decision at {line.point} cannot reach to {line.until} only")
        return "decisions", [line.point, line.kind, line.until, as_json(line.value)]

    def _change_row(self, line: ChangeLine) -> Row:
        if line.number != self._counts["changes"] + 1:
            raise BadLine(f"the changes must come in order, not number {line.number} here")
        return "changes", [line.number, line.made, line.arena, line.block, as_json(line.altered)]

    def _block_row(self, line: BlockLine) -> Row:
        self._check_block_is_whole()
        if self._block is not None and line.number <= self._block.number:
            raise BadLine(f"block {line.number} cannot follow block {self._block.number}")
        bots, seats = self._counts["bots"], self._header.seats
        if not line.seatings:
            raise BadLine(f"block {line.number} has no game")
        for seating in line.seatings:
            if len(seating) != seats or len(set(seating)) != seats or max(seating) >= bots:
                raise BadLine(f"{list(seating)} does not seat {seats} of the {bots} bots")
        values: list[Value] = [
            *(line.number, as_json(line.seatings), line.state, line.tier, int(line.contended)),
            *(as_json(line.voided), line.started, line.seconds, line.requests, line.change),
        ]
        if digest_of(values) != line.digest:
            raise BadLine(f"block {line.number} was changed: its digest is that of another")
        self._block, self._next_game = line, 0
        return "blocks", values

    def _game_row(self, line: GameLine) -> Row:
        block = self._block
        if block is None or line.block != block.number:
            raise BadLine(f"game {line.id} is of block {line.block}, and does not stand behind it")
        if line.game != self._next_game or line.game >= len(block.seatings):
            raise BadLine(f"game {line.game} of block {line.block} is not the one that comes next")
        seed = bytes.fromhex(self._header.seed)
        if line.id != game_id(seed, line.block, line.game):
            raise BadLine(f"the seed gives game {line.game} of block {line.block} another id than {line.id}")
        if line.seats != block.seatings[line.game] or line.tier != block.tier:
            raise BadLine(f"game {line.id} is seated or run otherwise than its block says")
        values = self._values_of(line)
        if content_digest(values) != line.digest:
            raise BadLine(f"game {line.id} was changed: its digest is that of another")
        self._next_game += 1
        return "games", values

    def _values_of(self, line: GameLine) -> list[Value]:
        events = events_in(line.events)
        try:
            record = record_of(self._header.rules, events)
        except RecordError as error:
            raise BadLine(f"the events: {error}") from None
        seats = len(line.seats)
        named = [fault.seat for fault in line.faults] + [said.seat for said in line.debug]
        named += [*line.forfeited, *(timing.seat for timing in line.timing)]
        if len(record.hands) != seats or any(not 0 <= seat < seats for seat in named + seats_in(events)):
            raise BadLine(f"game {line.id} names a seat that its table of {seats} does not have")
        announced = Record(
            record.rules, record.hands, record.actions, line.places, line.winner, line.reason, line.turns
        )
        if announced != record:
            raise BadLine(f"game {line.id} announces another end than its events come to")
        return game_row(
            line.block,
            line.tier,
            GameResult(
                game=line.game,
                id=line.id,
                seating=line.seats,
                record=record,
                events=tuple(events),
                faults=line.faults,
                forfeited=line.forfeited,
                debug=line.debug,
                timings=line.timing,
                seconds=line.seconds,
            ),
        )

    def _check_block_is_whole(self) -> None:
        if self._block is None or (self._block.state == "dropped" and self._next_game):
            # It may have been begun, and no more, when it was dropped.
            return
        if self._next_game < len(self._block.seatings):
            missing = f"game {self._next_game} of block {self._block.number}"
            raise BadLine(f"{missing} is missing before this line")

    def _check_end(self, line: EndLine) -> None:
        self._check_block_is_whole()
        for name, count in self._counts.items():
            if getattr(line, name) != count:
                raise BadLine(f"it counts {getattr(line, name)} {name}, and {count} stand before it")
        if line.content != f"{self._total % MODULUS:064x}" or line.digest is None:
            raise BadLine("the lines together are not those exported: header, bots or decisions were changed")
        self.digest = line.digest
