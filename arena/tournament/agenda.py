"""Which block may be begun now, and what is decided at a point: a tournament's order, without playing it."""

from dataclasses import dataclass

from arena.referee.block import Block
from arena.tournament.bench import Streaks
from arena.tournament.brief import Brief
from arena.tournament.part import Part
from arena.tournament.schedule import Course


@dataclass(frozen=True, slots=True)
class Passing:
    """A decision point is passed: all blocks before it are in."""

    point: int
    counted_to: int
    """Blocks before this number count from now on: it is the next point."""
    benched: frozenset[int]
    """Bots that play no more."""
    until: int
    """If somebody is benched, the numbers from the point to before this one are given up."""
    broken_off: tuple[int, ...]
    """Blocks of those numbers that are being played."""
    given_up: tuple[Brief, ...]
    """Blocks of those numbers that had ended."""
    before: Course | None = None
    """If somebody is benched, the course from the point on as it was with everybody."""


class Agenda:
    """Blocks in schedule order, begun in any number at once and ended in any order.

    Blocks may run ahead of a point that is not passed, up to the one after it. If bots are benched at a
    point, whatever ran ahead of it is given up and the course goes on from the point without them, under
    numbers that were not used yet. So the blocks that count hang on the schedule and on what was played
    before each point, never on how many tables play at once.
    """

    def __init__(
        self,
        course: Course,
        blocks: int,
        streaks: Streaks,
        part: Part | None = None,
        *,
        ahead: bool = True,
    ) -> None:
        """The agenda of so many blocks, or of a part's; without `ahead` none of it runs ahead of a point.

        None does either where the course hangs on the games so far, as in a Swiss.
        """
        self._course = course
        self._part = part
        self._points = course.points()
        self._left = blocks if part is None else part.share(blocks)
        """Blocks still to be begun."""
        self._streaks = streaks
        self._point, self._until = next(self._points), next(self._points)
        self._ahead = ahead and not course.looks_at_results
        self._last: int | None = None
        """Once it is closed, no block beyond this number is begun."""
        self._at_point = course
        """The course as it reached the point, for the case that the point changes it."""
        self._out: set[int] = set()
        self._ended: dict[int, Brief] = {}
        """Blocks that have ended and that no point was passed for yet."""

    @property
    def bots(self) -> tuple[int, ...]:
        """The bots still in play."""
        return self._course.bots

    @property
    def over(self) -> bool:
        """Nothing is left to begin, and no decision to come can change that."""
        return not self._more and not (self._out and self._course.number > self._point)

    @property
    def _more(self) -> bool:
        """Whether there are blocks to begin, now or later."""
        return bool(self._left) and (self._last is None or self._course.number <= self._last)

    def close(self, last: int) -> None:
        """No block beyond this number, which is stored already, is begun any more."""
        self._last = last

    def next_block(self) -> Block | None:
        """Begin the next block; None if there is none to begin before the next point is passed."""
        horizon = self._until if self._ahead else self._point
        while self._more and self._course.number < horizon:
            if self._course.number == self._point:
                self._at_point = self._course.copy()
            block = self._course.next()
            if self._part is None or self._part.owns(block.number):
                self._left -= 1
                self._out.add(block.number)
                return block
        return None

    def ended(self, brief: Brief) -> bool:
        """A block has ended; whether it is one that still may count."""
        if brief.block.number not in self._out:
            return False
        self._out.remove(brief.block.number)
        self._ended[brief.block.number] = brief
        return True

    def pass_point(self) -> Passing | None:
        """Pass the next point if all blocks before it are in. Ask again until it gives None."""
        point, until = self._point, self._until
        if self._course.number < point or min(self._out, default=point) < point:
            return None
        in_order = [self._ended.pop(number) for number in sorted(self._ended) if number < point]
        self._streaks.follow((brief.block.table, brief.faulted) for brief in in_order)
        course = self._at_point if self._course.number > point else self._course
        benched = self._streaks.due(course.groups)
        course.learn(in_order)
        self._point, self._until = until, next(self._points)
        if not benched:
            return Passing(point, until, benched, until, (), ())
        self._left += self._course.number - point
        broken_off = tuple(sorted(self._out))
        given_up = tuple(self._ended.values())
        self._out.clear()
        self._ended.clear()
        # No two blocks ever share a deal: these numbers are not used again.
        self._course = course.without(benched, until)
        # Nothing new is known at the end of what was given up; that point is passed with this one.
        self._point, self._until = self._until, next(self._points)
        return Passing(point, self._point, benched, until, broken_off, given_up, course)
