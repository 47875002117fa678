"""What all tables of a run share: the thinking limit, the limit on starts, the register of processes."""

import contextlib
import gc
import os
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import trio

from arena.referee import tree
from arena.referee.aftermath import Register, clean_up, new_scratch, remove_scratch
from arena.referee.bare import Bare
from arena.referee.block import Contestant
from arena.referee.cgroup import Group, open_groups
from arena.referee.guardian import Guardian
from arena.referee.lag import Histogram, LagMeter
from arena.referee.launch import Limits, Tier, most_tasks
from arena.referee.memory import address_space
from arena.referee.spawn import HostTrouble, Process, cannot_start, remove_traces, start
from arena.referee.thinking import Thinking
from arena.referee.usage import CpuUsage

END_LIMIT: Final = 2.0
"""Seconds after a kill in which a process must be gone; the kernel gives no better promise."""
_LOOK_AGAIN: Final = 0.002
_FEWEST_LOOKS: Final = 100


class Machine:
    """One run's hold on the machine it plays on. Made by `open_machine`."""

    def __init__(self, thinking: int, starts: int, scratch: Path, tier: Tier) -> None:
        self.thinking = Thinking(thinking)
        self.starts = trio.CapacityLimiter(starts)
        self.scratch = scratch
        self.tier = tier
        self.clock_offset = trio.current_time() - time.perf_counter()
        """Add it to a reading of perf_counter for the same instant on trio's clock."""
        self._spawning = trio.Lock()
        """Held while a process is spawned, which stops the loop: so it stops for one at a time, and answers
        that came meanwhile are read before the next."""
        self.lag = LagMeter()
        self.usage = CpuUsage()
        self.overhead = Histogram()
        """Seconds the referee took for a request: from the last answer in to the next request out, for each
        of the requests that went out together."""
        self.unkillable = 0
        self._run = secrets.token_hex(8)
        self._register = Register(scratch, self._run)
        self._groups = open_groups(self._run)
        self._started = 0
        self._live: dict[int, Process] = {}
        self._guardian = Guardian(self._run)
        self._before = set(tree.children_of(os.getpid()))

    async def start(self, bot: Contestant, memory: int | None = None, tier: Tier | None = None) -> Process:
        """Start a process of a bot and remember it until `end`.

        `memory`: bytes that it may use with all it starts, None for no limit; `tier`: another than the run's.
        Raises CannotStart, and HostTrouble where no bot could be started.
        """
        self._started += 1
        number, tier = self._started, tier or self.tier
        token = f"{self._run}-{number}."
        # The kernel may take 30 ms to make a control group (measured): the loop need not stand still for it.
        # Cancelled meanwhile, the thread still brings its group back.
        limits, group = await trio.to_thread.run_sync(self._limits, number, bot, memory)
        try:
            async with self._spawning:
                process = start(bot, tier, self.scratch, token, limits, group)
        except BaseException:
            if group is not None:
                group.remove()
            raise
        self._live[process.pid] = process
        try:
            self._register.add(process.pid)
        except OSError as error:
            # It is among those that are ended with the run.
            raise cannot_start("the register of processes could not be written", error) from error
        self.usage.watch(process.pid)
        return process

    def _limits(self, number: int, bot: Contestant, memory: int | None) -> tuple[Limits, Group | None]:
        """How a bot is held: by control groups where they can be made, else by the limits of a process."""
        group = None
        if self._groups is not None:
            try:
                group = self._groups.make(number, memory, most_tasks())
            except OSError as error:
                raise HostTrouble(
                    f"the machine cannot make a control group for a bot now: {error.strerror}"
                ) from error
        space = None
        if memory is not None and (group is None or group.memory is None):
            space = address_space(bot.argv[0], memory)
        counted = group is not None and group.tasks is not None
        return Limits(most_tasks(), space, group.folders if group else (), counted), group

    async def end(self, process: Process) -> None:
        """End the process and everything it started, and wait (at most END_LIMIT) until all of it is gone.

        Does not wait for the end of its output: a descendant may hold that open for ever.
        """
        deadline = time.perf_counter() + END_LIMIT
        looks = 0
        with trio.CancelScope(shield=True):
            killed = self._kill(process)
            while not self._is_gone(process, killed):
                looks += 1
                # A referee that was kept from looking is no reason to give a process up.
                if looks > _FEWEST_LOOKS and time.perf_counter() > deadline:
                    self.unkillable += 1
                    break
                await trio.sleep(_LOOK_AGAIN)
                killed |= self._kill(process)
        self._live.pop(process.pid, None)
        self.usage.forget(process.pid)
        process.close()
        await self._remove(process)

    def _is_gone(self, process: Process, killed: set[int]) -> bool:
        # A process hands its children to us at the moment it dies, some time after the kill: so look for
        # orphans only when all that were killed are dead.
        if process.exit_status() is None or not all(map(tree.has_ended, killed)):
            return False
        return not self._end_orphans(process.token) and process.leave_group()

    @staticmethod
    def _kill(process: Process) -> set[int]:
        """SIGKILL to the whole tree; the processes below the first that got it.

        Before a pid namespace stands a process that ends with it.
        Ended first, that one may leave a namespace half made behind (bubblewrap#633), and what is in it
        handed to us while it is still dying.
        """
        family = []
        if process.exit_status() is None:
            family = tree.descendants_of(process.pid)
            if not (process.contained and family):
                tree.kill_group(process.pid)
        below = {*family, *process.members()} - {process.pid}
        for pid in below:
            tree.kill(pid)
        return below

    def _end_orphans(self, token: str | None) -> bool:
        """Kill and reap adopted orphans that hold the token (None: all of them); whether there were any."""
        found = False
        own_session = os.getsid(0)
        for pid in list(tree.children_of(os.getpid())):
            if pid in self._live or pid in self._before or tree.session_of(pid) in (own_session, None):
                continue
            if token is None or tree.holds_token(pid, token):
                found = True
                for below in tree.descendants_of(pid):
                    tree.kill(below)
                tree.kill(pid)
                tree.reap(pid)
            elif tree.is_ending(pid):
                # It has no environment any more that could tell whose it is.
                tree.reap(pid)
                found = found or tree.session_of(pid) is not None
        return found

    @staticmethod
    async def _remove(process: Process) -> None:
        if not process.remove_small_traces():
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(remove_traces, process.command)

    async def close(self) -> None:
        """End what is left: bots of tables that were broken off, orphans that wiped their environment."""
        for process in list(self._live.values()):
            await self.end(process)
        with trio.CancelScope(shield=True), trio.move_on_after(END_LIMIT):
            while self._end_orphans(None):
                await trio.sleep(_LOOK_AGAIN)
        if self._groups is not None:
            self._groups.close()
        self._guardian.dismiss()
        self._register.close()


@contextlib.asynccontextmanager
async def open_machine(
    thinking: int | None = None, starts: int | None = None, tier: Tier | None = None
) -> AsyncIterator[Machine]:
    """The machine of one run; on leaving it no process that was started is left, and nothing on disk.

    `thinking`: bots that may think at once, by default one a core. `starts`: processes that may be
    starting at once, by default two a core. `tier`: what bots run in, as `tiers.choose_tier` gives it;
    by default the present user, without a sandbox.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # A full collection walks every object of the program, the imported libraries' most of all, and stops the
    # loop for up to a tenth of a second (measured), in which answers grow old. What is there now is there to
    # stay: left out, a collection takes a few milliseconds.
    gc.collect()
    gc.freeze()
    clean_up()
    tree.become_subreaper()
    scratch = new_scratch()
    failure: BaseException | None = None
    try:
        machine = Machine(thinking or cores, starts or 2 * cores, scratch, tier or Bare(None))
        async with trio.open_nursery() as meters:
            meters.start_soon(machine.lag.run)
            meters.start_soon(machine.usage.run)
            # What the run raises is nothing that befell the meters: it leaves as itself, in no group.
            try:
                yield machine
            except BaseException as error:
                failure = error
            finally:
                await machine.close()
                meters.cancel_scope.cancel()
    finally:
        remove_scratch(scratch)
        gc.unfreeze()
    if failure is not None:
        raise failure
