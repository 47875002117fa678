"""The counted games of a results file as CSV, one row a game and seat."""

import csv
import io
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from arena.protocol.faults import FaultRecord
from arena.referee.block import Timing
from arena.tournament.conduct import Conduct
from arena.tournament.rows import COLUMNS, UNREADABLE, unpacked
from arena.tournament.store import Store, StoreError

HEADS: Final = (
    *("id", "block", "game", "seat", "bot", "place", "won", "reason", "turns", "fault", "forfeited"),
    *Conduct.__struct_fields__,
    *("thought", "seconds"),
)
"""The columns; docs/formats.md tells what they mean."""
_COLUMNS: Final = (
    *("id", "block", "game", "seats", "places", "winner", "reason", "turns", "faults", "forfeited"),
    *("conduct", "timing", "seconds"),
)
_Whole: Final = msgspec.json.Decoder(tuple[int, ...])
_Faults: Final = msgspec.json.Decoder(tuple[FaultRecord, ...])
_Conduct: Final = msgspec.json.Decoder(tuple[Conduct, ...])
_Timings: Final = msgspec.json.Decoder(tuple[Timing, ...])


def seat_rows(store: Store) -> Iterator[str]:
    """Lines of CSV (RFC 4180), the heads first.

    Raises StoreError for a file that cannot be read or that was changed behind arena's back.
    """
    with store.unchanging():
        for table in ("tournament", "bots", "blocks"):
            deque(store.sound_rows(table), 0)
        names = [bot.name for bot in store.bots]
        counted = {block.number for block, state in store.blocks() if state == "played"}
        yield _line(HEADS)
        for values, _ in store.sound_rows("games"):
            columns = dict(zip(COLUMNS["games"], values, strict=True))
            if columns["block"] not in counted:
                continue
            try:
                yield from _rows_of([columns[name] for name in _COLUMNS], names)
            except (*UNREADABLE, IndexError) as error:
                raise StoreError(f"{store.path} is damaged: game {values[0]!r}: {error}") from error


def _rows_of(row: Sequence[object], names: list[str]) -> Iterator[str]:
    id, block, game, seats, places, winner, reason, turns, faults, forfeited, conduct, timing, seconds = row
    if not isinstance(timing, bytes):
        raise TypeError("timing holds no bytes")
    place, out = _Whole.decode(_text(places)), _Whole.decode(_text(forfeited))
    codes = {fault.seat: fault.code for fault in _Faults.decode(_text(faults)) if fault.effective}
    acts = _Conduct.decode(_text(conduct))
    thought = [0.0] * len(place)
    for request in _Timings.decode(unpacked(timing)):
        thought[request.seat] += request.used
    for seat, bot in enumerate(_Whole.decode(_text(seats))):
        yield _line(
            (
                *(id, block, game, seat, names[bot], place[seat], int(seat == winner), reason, turns),
                *(codes.get(seat, ""), int(seat in out)),
                *msgspec.structs.astuple(acts[seat]),
                *(f"{thought[seat]:.6f}", f"{seconds:.6f}"),
            )
        )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a column of JSON holds no text")
    return value


def _line(fields: tuple[object, ...]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(fields)
    return text.getvalue()
