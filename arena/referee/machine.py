"""What all tables of a run share: the thinking limit, the limit on starts, the register of processes."""

import contextlib
import os
import secrets
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import trio

from arena.referee import tree
from arena.referee.aftermath import PREFIX, Register, clean_up
from arena.referee.block import Contestant
from arena.referee.lag import Histogram, LagMeter
from arena.referee.spawn import Process, remove_tree, start
from arena.referee.thinking import Thinking
from arena.referee.usage import CpuUsage

END_LIMIT: Final = 2.0
"""Seconds after a kill in which a process must be gone; the kernel gives no better promise."""
_LOOK_AGAIN: Final = 0.002


class Machine:
    """One run's hold on the machine it plays on. Made by `open_machine`."""

    def __init__(self, thinking: int, starts: int, scratch: Path) -> None:
        self.thinking = Thinking(thinking)
        self.starts = trio.CapacityLimiter(starts)
        self.scratch = scratch
        self.clock_offset = trio.current_time() - time.perf_counter()
        """Add it to a reading of perf_counter for the same instant on trio's clock."""
        self.lag = LagMeter()
        self.usage = CpuUsage()
        self.overhead = Histogram()
        """Seconds the referee took for a request: from the last answer in to the next request out, for each
        of the requests that went out together."""
        self.unkillable = 0
        self._run = secrets.token_hex(8)
        self._register = Register(scratch, self._run)
        self._started = 0
        self._live: dict[int, Process] = {}
        self._before = set(tree.children_of(os.getpid()))

    def start(self, bot: Contestant) -> Process:
        """Start a process of a bot and remember it until `end`. Raises CannotStart."""
        self._started += 1
        process = start(bot, self.scratch, f"{self._run}-{self._started}.")
        self._live[process.pid] = process
        self._register.add(process.pid)
        self.usage.watch(process.pid)
        return process

    async def end(self, process: Process) -> None:
        """End the process and everything it started, and wait (at most END_LIMIT) until all of it is gone.

        Does not wait for the end of its output: a descendant may hold that open for ever.
        """
        family = tree.descendants_of(process.pid)
        tree.kill_group(process.pid)
        for pid in family:
            tree.kill(pid)
        with trio.CancelScope(shield=True), trio.move_on_after(END_LIMIT) as limit:
            while True:
                gone = process.exit_status() is not None
                # Its orphans are handed to us at the moment it dies, so look for them only after that.
                if gone and not self._end_orphans(process.token):
                    break
                await trio.sleep(_LOOK_AGAIN)
        if limit.cancelled_caught:
            self.unkillable += 1
        self._live.pop(process.pid, None)
        self.usage.forget(process.pid)
        await self._remove(process.home)

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
            elif self._is_zombie(pid):
                tree.reap(pid)
        return found

    @staticmethod
    def _is_zombie(pid: int) -> bool:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"Z"]
        return False

    @staticmethod
    async def _remove(home: Path) -> None:
        try:
            home.rmdir()
        except OSError:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(remove_tree, home)

    async def close(self) -> None:
        """End what is left: bots of tables that were broken off, orphans that wiped their environment."""
        for process in list(self._live.values()):
            await self.end(process)
        with trio.CancelScope(shield=True), trio.move_on_after(END_LIMIT):
            while self._end_orphans(None):
                await trio.sleep(_LOOK_AGAIN)
        self._register.close()


@contextlib.asynccontextmanager
async def open_machine(thinking: int | None = None, starts: int | None = None) -> AsyncIterator[Machine]:
    """The machine of one run; on leaving it no process that was started is left, and nothing on disk.

    `thinking`: bots that may think at once, by default one a core. `starts`: processes that may be
    starting at once, by default two a core.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    clean_up()
    tree.become_subreaper()
    scratch = Path(tempfile.mkdtemp(prefix=PREFIX))
    failure: BaseException | None = None
    try:
        machine = Machine(thinking or cores, starts or 2 * cores, scratch)
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
        remove_tree(scratch)
    if failure is not None:
        raise failure
