"""Re-judging a series: one table game after game, each led by whom the rules say after the one before."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from arena.cheat.series import first_leader, next_leader, seating
from arena.tournament.difference import Difference, difference, row_name
from arena.tournament.header import GUEST, BotRow, Header
from arena.tournament.pairing import SERIES
from arena.tournament.verify_course import Recorded

_ALWAYS: Final[Mapping[str, object]] = MappingProxyType(
    {"games_per_block": 1, "fresh": True, "bench": 0, "precision": None, "time": None, "part": None}
)
"""Fields of the header that are the same in every series."""
_OF_A_GUEST: Final[Mapping[str, str | None]] = MappingProxyType(
    {"name": GUEST, "command": GUEST, "author": None, "version": None, "said": None}
)
"""Columns of the row that is a person's, but for its digest, which is empty."""


def why_no_series(header: Header, bots: Sequence[BotRow]) -> Iterator[Difference]:
    """Why no series of these can have had this header; a person takes part in nothing else."""
    if header.schedule != SERIES:
        if header.person is not None:
            yield difference("header", "person", header.person, None)
        if header.person_timed:
            yield difference("header", "person_timed", True, False)
        return
    for field, value in _ALWAYS.items():
        if (said := getattr(header, field)) != value:
            yield difference("header", field, said, value)
    if header.seats != len(bots):
        yield difference("header", "seats", header.seats, len(bots))
    ended = header.ended
    if ended is not None and ended.by == "left" and ended.planned is None:
        yield difference("header", "ended: planned", None, "the games that were to be played")
    yield from _why_no_guest(header, bots)


def _why_no_guest(header: Header, bots: Sequence[BotRow]) -> Iterator[Difference]:
    """A person is who the header says, and nobody else: every other row is of a program."""
    guests = [number for number, bot in enumerate(bots) if not bot.digest]
    if header.person not in guests and (header.person is not None or guests):
        yield difference("header", "person", header.person, guests[0] if guests else None)
        return
    for number in guests:
        if number != header.person:
            yield difference(row_name("bot", number), "content", "", "the digest of a program")
            continue
        for field, value in _OF_A_GUEST.items():
            if (said := getattr(bots[number], field)) != value:
                yield difference(row_name("bot", number), field, said, value)
    if header.person is None and header.person_timed:
        yield difference("header", "person_timed", True, False)


def judge_series(header: Header, bots: int, stored: Recorded) -> list[Difference]:
    """Follow the series game by game, as far as it can be followed, and compare the file with it."""
    return list(_followed(header, bots, stored))


def _followed(header: Header, bots: int, stored: Recorded) -> Iterator[Difference]:
    rules = header.rules
    leader: int | None = first_leader(rules, bots, header.terms.seed)
    games = len(stored.blocks)
    due = header.blocks if stored.complete else min(games, header.blocks)
    for number in range(due):
        block = stored.blocks.get(number)
        if block is None:
            yield difference(f"block {number}", "row", None, "played")
            leader = None
            continue
        if block.state != "played":
            yield difference(f"block {number}", "state", block.state, "played")
        if block.voided and header.person is not None:
            # Nobody plays the same hand a second time.
            yield difference(f"block {number}", "voided", block.voided, ())
        if leader is not None and block.seatings and block.seatings != (seating(leader, bots),):
            yield difference(f"block {number}", "seatings", block.seatings, [seating(leader, bots)])
        # Who led is what is recorded, so that one wrong leader is one difference.
        led = block.seatings[0][0] if block.seatings else leader
        known = led is not None and len(block.left) == 1 and len(block.left[0]) == bots
        leader = next_leader(rules, led, block.left[0]) if known and led is not None else None
    for number in sorted(set(stored.blocks) - set(range(due))):
        yield difference(f"block {number}", "number", number, "a block that the series has not")
    for point, kind in sorted(stored.decisions):
        yield difference(f"decision {point}", f"until, {kind}", stored.decisions[point, kind], None)
    counted_to = next(header.pairing.points(bots, header.seats))
    if stored.counted_to != counted_to:
        yield difference("file", "counted_to", stored.counted_to, counted_to)
