"""Re-judging a file's blocks as a whole: none is missing, none is too many, and every decision was due."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.referee.block import Block
from arena.tournament.agenda import Agenda, Passing
from arena.tournament.bench import Streaks
from arena.tournament.brief import Brief
from arena.tournament.difference import Difference, difference
from arena.tournament.header import Header
from arena.tournament.schedule import Course
from arena.tournament.verify_block import Judged

MOST_MISSING: Final = 1024
"""So many blocks may be missing; beyond that the schedule is followed no further."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the file says of its course."""

    blocks: Mapping[int, Judged]
    decisions: Mapping[tuple[int, str], tuple[int, object]]
    """By point and kind: until where numbers are given up, and the value."""
    counted_to: int
    complete: bool


def judge_course(header: Header, bots: int, stored: Recorded) -> list[Difference]:
    """Play the schedule over with what the blocks came to, and compare the file with it."""
    course = _Course(header, bots, stored)
    course.follow()
    return [*course.differences, *course.remaining()]


class _Course:
    """The schedule of a file, followed block by block, point by point."""

    def __init__(self, header: Header, bots: int, stored: Recorded) -> None:
        self.differences: list[Difference] = []
        self._stored = stored
        schedule = Course.of(header, bots)
        streaks = Streaks(header.bench if header.part is None else 0)
        self._agenda = Agenda(schedule, header.blocks, streaks, header.part)
        self._passed_to = next(schedule.points())
        self._in_before = 0
        """All blocks before this number must be in, or no point could have been passed."""
        self._seen: set[int] = set()
        self._missing: dict[int, Block] = {}
        """Blocks that the file does not have, or not whole, and that no decision has excluded."""
        self._dropped: set[int] = set()
        self._decided: set[tuple[int, str]] = set()

    def follow(self) -> None:
        """Go as far as the file goes."""
        while True:
            block = self._agenda.next_block()
            if block is not None:
                self._look_at(block)
            elif not self._stored.complete and self._passed_to >= self._stored.counted_to:
                # A run that was broken off may have been about to pass the next point, and has not.
                return
            elif (passing := self._agenda.pass_point()) is not None:
                self._pass(passing)
            elif not self._go_on_without_the_missing():
                return

    def _look_at(self, block: Block) -> None:
        stored = self._stored.blocks.get(block.number)
        if stored is None:
            self._missing[block.number] = block
            return
        self._compare(block)
        if stored.state == "begun":
            self._missing[block.number] = block
            return
        self._agenda.ended(_brief(block, stored.faulted, stored.winners))

    def _compare(self, block: Block) -> None:
        """A block of the schedule that is stored."""
        stored = self._stored.blocks[block.number]
        self._seen.add(block.number)
        if stored.seatings and stored.seatings != block.seatings:
            where = f"block {block.number}"
            self.differences.append(difference(where, "seatings", stored.seatings, block.seatings))

    def _compare_ahead(self, passing: Passing, numbers: Sequence[int]) -> None:
        """What had run ahead and was given up: it may be more than was to be played in the end."""
        if passing.before is None or self._seen.issuperset(numbers):
            return
        course = passing.before.copy()
        while course.number <= max(numbers):
            block = course.next()
            if block.number in numbers and block.number not in self._seen:
                self._compare(block)

    def _pass(self, passing: Passing) -> None:
        self._passed_to, self._in_before = passing.counted_to, passing.point
        where = f"decision {passing.point}"
        recorded = self._stored.decisions.get((passing.point, "bench"))
        self._decided.add((passing.point, "bench"))
        judged = (passing.until, sorted(passing.benched)) if passing.benched else None
        if recorded != judged:
            self.differences.append(difference(where, "until, benched", recorded, judged))
        if passing.benched:
            given_up = range(passing.point, passing.until)
            self._dropped.update(given_up)
            for number in given_up:
                self._missing.pop(number, None)
            self._compare_ahead(passing, [number for number in given_up if number in self._stored.blocks])

    def _go_on_without_the_missing(self) -> bool:
        """Where blocks are missing before a point, pass it as if they had been without a fault."""
        beyond = self._passed_to < self._stored.counted_to or len(self._seen) < len(self._stored.blocks)
        if not beyond or len(self._missing) > MOST_MISSING:
            return False
        missing = [_brief(block, frozenset()) for block in self._missing.values()]
        # All of them, and not only up to the first that changes something.
        return sum(map(self._agenda.ended, missing)) > 0

    def remaining(self) -> Iterator[Difference]:
        """What is wrong once the schedule has been followed."""
        stored = self._stored
        due = {number for number in self._missing if stored.complete or number < self._in_before}
        for number, block in sorted(stored.blocks.items()):
            state = "dropped" if number in self._dropped else "played"
            if number in self._missing and number not in due:
                state = "begun"
            if number not in self._seen:
                yield difference(f"block {number}", "number", number, "a block that the schedule has not")
            elif block.state != state:
                yield difference(f"block {number}", "state", block.state, state)
        for first, last in _runs(sorted(due - stored.blocks.keys())):
            where = f"block {first}" if first == last else f"blocks {first} to {last}"
            yield difference(where, "row", None, "played")
        for point, kind in sorted(set(stored.decisions) - self._decided):
            recorded = stored.decisions[point, kind]
            yield difference(f"decision {point}", f"until, {kind}", recorded, None)
        if stored.counted_to != self._passed_to:
            yield difference("file", "counted_to", stored.counted_to, self._passed_to)


def _brief(block: Block, faulted: frozenset[int], winners: tuple[int, ...] = ()) -> Brief:
    """A block played to its end, as far as decisions hang on it."""
    return Brief(block, len(block.seatings), winners, faulted, len(faulted), 0, False)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of numbers that follow one another."""
    first = last = None
    for number in numbers:
        if last is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = number
    if first is not None and last is not None:
        yield first, last
