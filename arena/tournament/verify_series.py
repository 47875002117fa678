"""Re-judging a series: one table game after game, each led by whom the rules say after the one before."""

from collections.abc import Iterator

from arena.cheat.series import first_leader, next_leader, seating
from arena.tournament.difference import Difference, difference
from arena.tournament.header import Header
from arena.tournament.pairing import SERIES
from arena.tournament.verify_course import Recorded


def why_no_series(header: Header, bots: int) -> Iterator[Difference]:
    """Why no series can have had this header; a person takes part in nothing else."""
    if header.schedule != SERIES:
        if header.person is not None:
            yield difference("header", "person", header.person, None)
        return
    if header.games_per_block != 1:
        yield difference("header", "games_per_block", header.games_per_block, 1)
    if header.seats != bots:
        yield difference("header", "seats", header.seats, bots)
    if header.part is not None:
        yield difference("header", "part", header.part, None)
    if header.person is not None and not 0 <= header.person < bots:
        yield difference("header", "person", header.person, f"0 to {bots - 1}, or none")


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
