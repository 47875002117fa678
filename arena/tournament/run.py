"""Running a tournament here: tables side by side, blocks stored as they end, decisions at fixed points."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import trio

from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import Machine
from arena.referee.play import play_block
from arena.referee.retrace import failed_starts
from arena.tournament.agenda import Agenda, Passing
from arena.tournament.bench import Streaks
from arena.tournament.brief import Brief, brief_of
from arena.tournament.excuses import unexcused
from arena.tournament.header import EndedBy, own_blocks
from arena.tournament.pairing import EVERYBODY, Pairing
from arena.tournament.part import Part
from arena.tournament.progress import Progress
from arena.tournament.schedule import Course
from arena.tournament.stopping import Judge
from arena.tournament.store import Store, StoreError
from arena.tournament.tries import Play, play_on


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
    part: Part | None = None
    """Only the blocks of this part are played, and nobody is benched."""
    pairing: Pairing = EVERYBODY
    judge: Judge | None = None
    """What ends it at a decision point."""
    seconds: float | None = None
    """After so many from now no block is begun any more; those at the tables are played to their end."""


async def run_tournament(
    plan: Plan,
    store: Store,
    machine: Machine,
    on_progress: Callable[[Progress], None],
    *,
    play: Play = play_block,
) -> Progress:
    """Play the plan and store every block as it ends, or under `fresh` every game.

    Cancelled, it keeps what was stored. What the store holds already is not played again: the tournament
    goes on from there.

    Raises StoreError, after all tables were broken off, when the results cannot be stored, or when
    those in the store are not of this plan.
    """
    with ExitStack() as stack:
        # A view of its own on what was there before: the store's connection belongs to the writing thread.
        earlier = stack.enter_context(Store.open(store.path)) if store.last_block is not None else None
        run = _Run(plan, store, earlier, machine, on_progress, play)
        failure: BaseException | None = None
        try:
            async with trio.open_nursery() as tables:
                for _ in range(plan.jobs):
                    tables.start_soon(run.play_blocks)
                if plan.seconds is not None:
                    tables.start_soon(run.end_after, plan.seconds)
        except BaseExceptionGroup as group:
            # What broke it off is told as itself, whatever else was ended by it or came with it.
            failure = _reason(group)
            if failure is None:
                raise
        finally:
            run.note_time_left()
        if failure is not None:
            # Out here, so that the group it was in is not behind it.
            raise failure
    store.finish(*run.end)
    return run.progress


def _reason(group: BaseExceptionGroup) -> BaseException | None:
    """Why tables were broken off: a fault of the store before all else; None if they were only cancelled."""
    leaves = [leaf for leaf in _leaves(group) if not isinstance(leaf, trio.Cancelled)]
    leaves.sort(key=lambda leaf: not isinstance(leaf, StoreError))
    return next(iter(leaves), None)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


class _Run:
    """The tables of one run."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        earlier: Store | None,
        machine: Machine,
        on_progress: Callable[[Progress], None],
        play: Play,
    ) -> None:
        bots, terms = len(plan.contestants), plan.terms
        blocks = own_blocks(plan.blocks, plan.part)
        self.progress = Progress(None if blocks is None else blocks * plan.games_per_block)
        self.progress.wins = [0] * bots
        self.progress.played = [0] * bots
        self._plan = plan
        self._store = store
        self._earlier = earlier
        self._known_to = -1 if store.last_block is None else store.last_block
        self._passed_to = store.counted_to
        """To here the store knows already what was decided."""
        self._decided = {point: kinds.get("bench") for point, kinds in store.decisions().items()}
        self._machine = machine
        self._on_progress = on_progress
        self._play_games = play
        self._contestants = dict(enumerate(plan.contestants))
        course = Course(terms.seed, bots, terms.seats, plan.games_per_block, plan.pairing)
        streaks = Streaks(plan.bench if plan.part is None else 0)
        # Whoever may stop at a point plays nothing beyond it that would then be for nothing.
        ahead = plan.judge is None
        self._agenda = Agenda(course, plan.blocks, streaks, plan.part, ahead=ahead)
        self._one_writer = trio.CapacityLimiter(1)
        self._playing: dict[int, trio.CancelScope] = {}
        self._begun: dict[int, Brief] = {}
        """Of the blocks that are being played, what is in the store and in the progress already."""
        self._news = trio.Event()
        self._over = trio.Event()
        self._begins = trio.Event()
        """The first block that is not there yet begins."""
        self._deciding = False
        """Whether it ends at the point that was just passed: till that is known nothing is begun."""
        self._closed: EndedBy | None = None
        """What has ended it, other than that its budget was played."""

    @property
    def end(self) -> tuple[EndedBy, int | None]:
        """What has ended it, and after how many blocks, where that is not its budget."""
        played = self.progress.blocks_done
        if self._closed is None or (self._closed == "time" and played == self._plan.blocks):
            return "games", None
        return self._closed, played

    async def play_blocks(self) -> None:
        """One table: plays a block after another until none is left."""
        while True:
            block = None if self._deciding else self._agenda.next_block()
            if block is not None:
                await self._have(block)
            elif self._deciding:
                await self._news.wait()
            elif self._agenda.over:
                self._over.set()
                self._begins.set()
                return
            elif not await self._pass_points():
                await self._news.wait()

    async def end_after(self, seconds: float) -> None:
        """Begin no block after so long; ends with the last table."""
        # To look through what was played before takes no time from what is to come.
        await self._begins.wait()
        self.progress.began = time.perf_counter()
        self.progress.ends_after = seconds
        with trio.move_on_after(seconds):
            await self._over.wait()
            return
        self._close("time")

    def note_time_left(self) -> None:
        """Where it was broken off, what is left of its time is kept for the run that goes on."""
        left = self.progress.ends_after
        if left is not None and not self._over.is_set() and self._closed is None:
            with suppress(StoreError):
                self._store.keep_time(max(1.0, math.ceil(left - self.progress.seconds)))

    def _close(self, by: EndedBy) -> None:
        self._closed = self._closed or by
        self._agenda.close(self._known_to)
        self._tell()

    async def _have(self, block: Block) -> None:
        """See to it that this block is in the store, then see what follows from it."""
        brief, games = self._found(block)
        if brief is not None:
            self.progress.games_found += brief.games
            self.progress.voids.update(brief.voided)
            self._tell_progress(brief)
        with trio.CancelScope() as scope:
            self._playing[block.number] = scope
            while brief is None or not brief.whole:
                self._begins.set()
                result, voided = await play_on(
                    *(block, self._contestants, self._plan.terms, self._machine, games),
                    play=self._play_games,
                    unexcused=self._unexcused,
                    on_void=self._voided,
                )
                # Once it is played it is stored, whatever else ends meanwhile.
                await self._write(self._store.add, result, voided)
                if scope.cancel_called:
                    break
                games += result.games
                self._note_failed_starts(result)
                more = brief_of(result)
                brief = more if brief is None else brief.and_then(more)
                self._tell_progress(brief)
        self._playing.pop(block.number, None)
        if brief is not None and brief.whole:
            self._agenda.ended(brief)
        await self._pass_points()
        self._tell()
        # A long list of blocks that are there already holds nobody up.
        await trio.lowlevel.checkpoint()

    async def _pass_points(self) -> bool:
        """Pass what points can be passed; whether there was one. A part may have no block before a point."""
        passed = False
        while (passing := self._agenda.pass_point()) is not None:
            passed = True
            await self._pass(passing)
        if passed:
            self._tell()
        return passed

    def _tell(self) -> None:
        """Let waiting tables look again."""
        self._news.set()
        self._news = trio.Event()

    def _found(self, block: Block) -> tuple[Brief | None, tuple[GameResult, ...]]:
        """What an earlier run has stored of the block; the games themselves if there are more to come."""
        if self._earlier is None or block.number > self._known_to:
            return None, ()
        brief = self._earlier.brief(block.number)
        if brief is not None and brief.block != block:
            raise StoreError(
                f"{self._store.path}: block {block.number} is not of this tournament's schedule; "
                "it was made with another seed, other bots or another version of arena"
            )
        if brief is None or brief.whole:
            return brief, ()
        stored = self._earlier.block(block.number)
        return brief, () if stored is None else stored[1]

    def _note_failed_starts(self, result: BlockResult) -> None:
        for game in result.games:
            for seat, fault in failed_starts(game).items():
                self.progress.failed_starts.setdefault(game.seating[seat], fault)

    def _voided(self, bot: int) -> None:
        self.progress.voids[bot] += 1

    def _unexcused(self) -> frozenset[int]:
        return unexcused(self.progress.voids, self.progress.played, self._plan.games_per_block)

    def _tell_progress(self, brief: Brief) -> None:
        """A block has come so far, in the store too."""
        number = brief.block.number
        if (before := self._begun.pop(number, None)) is not None:
            self._tally(before, -1)
        self._tally(brief, 1)
        if not brief.whole:
            self._begun[number] = brief
        self._on_progress(self.progress)

    async def _pass(self, passing: Passing) -> None:
        # All of this run changes before anything is awaited; the file follows, in this order.
        # An earlier run has not ended at a point beyond which it has stored a block.
        judge = self._plan.judge
        due = judge is not None and judge.looks_at(passing.point)
        self._deciding = due and passing.point > self._known_to
        for number in passing.broken_off:
            self._playing[number].cancel()
            if (begun := self._begun.pop(number, None)) is not None:
                self._tally(begun, -1)
        for brief in passing.given_up:
            self._tally(brief, -1)
        self.progress.benched.update(dict.fromkeys(passing.benched, passing.point))
        benched = sorted(passing.benched)
        if passing.counted_to <= self._passed_to:
            if self._decided.get(passing.point, []) != benched:
                raise StoreError(
                    f"{self._store.path}: its blocks do not bear out what it says of benched bots"
                )
        elif benched:
            words = (passing.point, passing.until, "bench", benched, passing.counted_to)
            await self._write(self._store.decide, *words)
        else:
            await self._write(self._store.pass_point, passing.counted_to)
        if self._deciding:
            assert judge is not None
            await self._decide_the_end(judge, passing.point)
            self._deciding = False
            self._tell()

    async def _decide_the_end(self, judge: Judge, point: int) -> None:
        said = await trio.to_thread.run_sync(judge.judge, self._store.path, point, self._agenda.bots)
        self.progress.known = said.words
        self.progress.games_expected = (
            None if said.blocks is None else said.blocks * self._plan.games_per_block
        )
        self._on_progress(self.progress)
        if said.ends:
            self._close(judge.by)

    def _tally(self, brief: Brief, sign: int) -> None:
        progress, games = self.progress, brief.games
        progress.blocks_done += sign * brief.whole
        progress.games_done += sign * games
        progress.requests += sign * brief.requests
        progress.contended += sign * brief.contended
        progress.faults += sign * brief.faults
        for bot in brief.block.table:
            progress.played[bot] += sign * games
        for bot in brief.winners:
            progress.wins[bot] += sign

    async def _write(self, job: Callable[..., None], *words: object) -> None:
        """Do this to the file in a thread, where waiting for the disk makes no bot wait; in this order."""
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(job, *words, limiter=self._one_writer)
