"""Running a tournament here: tables side by side, blocks stored as they end, decisions at fixed points."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from arena.referee.block import Block, BlockResult, Contestant, Terms
from arena.referee.machine import Machine
from arena.referee.play import BlockVoid, play_block
from arena.tournament.bench import Streaks, faulted_in
from arena.tournament.points import decision_points
from arena.tournament.schedule import Course
from arena.tournament.store import Store, StoreError

TRIES: Final = 3
"""How often a block is played before its verdicts stand although the host was disturbed."""


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    terms: Terms
    contestants: Sequence[Contestant]
    """By number."""
    blocks: int
    """How many blocks count in the end."""
    jobs: int
    """Tables that play at the same time."""
    bench: int
    """Blocks with faults in a row that bench a bot; 0 never."""
    games_per_block: int


@dataclass
class Progress:
    """How far a tournament is; the same object is handed out again and again."""

    games_planned: int
    blocks_planned: int
    games_done: int = 0
    blocks_done: int = 0
    faults: int = 0
    requests: int = 0
    voids: int = 0
    """Blocks that were played again because the host had disturbed them."""
    contended: int = 0
    """Blocks whose verdicts stand although it had done so every time."""
    wins: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    """Games by bot number."""
    benched: dict[int, int] = field(default_factory=dict)
    """By bot number: the decision point at which it was benched."""
    too_few: bool = False
    """Benching left fewer bots than a table needs, so that the tournament ended early."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Since the first block began."""
        return time.perf_counter() - self.began


async def run_tournament(
    plan: Plan, store: Store, machine: Machine, on_progress: Callable[[Progress], None]
) -> Progress:
    """Play the plan and store every block as it ends. Cancelled, it keeps every block that has ended.

    Raises StoreError, after all tables were broken off, when the results cannot be stored.
    """
    run = _Run(plan, store, machine, on_progress)
    failure: StoreError | None = None
    try:
        async with trio.open_nursery() as tables:
            for _ in range(plan.jobs):
                tables.start_soon(run.play_blocks)
    except* StoreError as errors:
        failure = StoreError(*_first(errors).args)
    if failure is not None:
        raise failure
    store.finish()
    return run.progress


def _first(errors: BaseExceptionGroup[StoreError]) -> StoreError:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, StoreError)
    return error


class _Run:
    """The state of one run: the course, the blocks that are out, and what the next decision waits for."""

    def __init__(
        self, plan: Plan, store: Store, machine: Machine, on_progress: Callable[[Progress], None]
    ) -> None:
        self.progress = Progress(plan.blocks * plan.games_per_block, plan.blocks)
        self.progress.wins = [0] * len(plan.contestants)
        self.progress.played = [0] * len(plan.contestants)
        self._plan = plan
        self._store = store
        self._machine = machine
        self._on_progress = on_progress
        self._contestants = dict(enumerate(plan.contestants))
        self._one_writer = trio.CapacityLimiter(1)
        bots, terms = len(plan.contestants), plan.terms
        self._course = Course(terms.seed, bots, terms.seats, plan.games_per_block)
        self._at_point = self._course
        """The course as it was when it reached the next point; what a decision there changes."""
        self._points = decision_points(bots)
        self._point, self._horizon = next(self._points), next(self._points)
        """The next point, and the one after it: no block from there on is begun before the next is passed."""
        self._streaks = Streaks(plan.bench)
        self._left = plan.blocks
        """Blocks still to be begun."""
        self._out: dict[int, trio.CancelScope] = {}
        self._done: dict[int, BlockResult] = {}
        """Stored blocks that no point was passed for yet."""
        self._news = trio.Event()

    async def play_blocks(self) -> None:
        """One table: plays a block after another until none is left."""
        while True:
            block = await self._next()
            if block is None:
                return
            number = block.number
            with self._out[number]:
                result, tries = await self._play(block)
                # Once it is played it is stored, whatever else ends meanwhile.
                await self._write(self._store.add_block, result, tries)
                if number in self._out:
                    self._count(result)
            # Gone from here already if a decision has excluded it.
            self._out.pop(number, None)
            await self._pass_points()

    async def _next(self) -> Block | None:
        while True:
            if self._left and self._course.number < self._horizon:
                if self._course.number == self._point:
                    self._at_point = self._course.copy()
                self._left -= 1
                block = self._course.next()
                self._out[block.number] = trio.CancelScope()
                return block
            if not self._left and not self._may_change():
                return None
            await self._news.wait()

    def _may_change(self) -> bool:
        """Whether a decision is still to come that could ask for more blocks."""
        return bool(self._out) and self._course.number > self._point

    async def _play(self, block: Block) -> tuple[BlockResult, int]:
        for tries in range(1, TRIES + 1):
            try:
                result = await play_block(
                    block, self._contestants, self._plan.terms, self._machine, stands=tries == TRIES
                )
            except BlockVoid:
                self.progress.voids += 1
                continue
            return result, tries
        raise AssertionError("the last try stands")

    def _count(self, result: BlockResult) -> None:
        self._done[result.block.number] = result
        self._tally(result, 1)
        self._on_progress(self.progress)

    def _tally(self, result: BlockResult, sign: int) -> None:
        progress = self.progress
        progress.blocks_done += sign
        progress.games_done += sign * len(result.games)
        progress.requests += sign * result.requests
        progress.contended += sign * result.contended
        for game in result.games:
            progress.faults += sign * sum(fault.effective for fault in game.faults)
            for bot in game.seating:
                progress.played[bot] += sign
            if game.record.winner is not None:
                progress.wins[game.seating[game.record.winner]] += sign

    async def _pass_points(self) -> None:
        """Decide at every point whose blocks are all in, from those blocks alone."""
        while self._course.number >= self._point and min(self._out, default=self._point) >= self._point:
            point = self._point
            before = sorted(number for number in self._done if number < point)
            finished = [self._done.pop(number) for number in before]
            benched = self._streaks.follow((one.block.table, faulted_in(one)) for one in finished)
            self._point, self._horizon = self._horizon, next(self._points)
            if benched:
                until = self._point
                # All of this run changes before anything is awaited; the file follows, in this order.
                self._go_on_without(benched, point, until)
                await self._write(self._store.decide, point, until, "bench", sorted(benched))
        self._news.set()
        self._news = trio.Event()

    def _go_on_without(self, benched: frozenset[int], point: int, until: int) -> None:
        """Leave these bots out from the point on: whatever was begun beyond it is broken off or dropped."""
        course = self._at_point if self._course.number > point else self._course
        self._left += self._course.number - point
        for number in [number for number in self._out if number >= point]:
            self._out.pop(number).cancel()
        for number in [number for number in self._done if number >= point]:
            self._tally(self._done.pop(number), -1)
        self.progress.benched.update(dict.fromkeys(benched, point))
        if len(course.bots) - len(benched) < self._plan.terms.seats:
            self.progress.too_few = True
            self._left = 0
            return
        # The numbers up to the next point are not used again: no two blocks ever share a deal.
        self._course = course.without(benched, until)
        self._point, self._horizon = self._horizon, next(self._points)

    async def _write(self, job: Callable[..., None], *words: object) -> None:
        """Do this to the file in a thread, where waiting for the disk makes no bot wait; in this order."""
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(job, *words, limiter=self._one_writer)
