"""Who used the machine's cores lately: the processes of one table, or somebody else.

A bot that burns all cores makes the referee late, and must not escape its own timeout by that.
"""

import contextlib
import os
import time
from collections import deque
from collections.abc import Iterable
from typing import Final

import trio

from arena.referee.tree import descendants_of

PERIOD: Final = 0.25
_SAMPLES: Final = 240
_BUSY: Final = 0.5
"""The share of all cores below which a machine is not busy."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class CpuUsage:
    """Samples the CPU time of live process trees and of the whole machine, a few times a second.

    Where there is no /proc nothing is known, and `share_since` says 0.
    """

    def __init__(self) -> None:
        self._trees: set[int] = set()
        self._ended: dict[int, tuple[float, float]] = {}
        """Of trees that have ended lately, when, and the CPU time they had when last seen."""
        self._samples: deque[tuple[float, float, dict[int, float]]] = deque(maxlen=_SAMPLES)
        affinity = getattr(os, "sched_getaffinity", None)
        self._cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1

    def watch(self, pid: int) -> None:
        """Follow the tree of this process from now on."""
        self._trees.add(pid)
        self._ended.pop(pid, None)

    def forget(self, pid: int) -> None:
        """The process has ended; what it used is remembered as long as the samples reach back."""
        self._trees.discard(pid)
        now = time.perf_counter()
        seen = self._samples[-1][2].get(pid) if self._samples else None
        if seen is not None:
            self._ended[pid] = (now, seen)
        for old in [pid for pid, (ended, _) in self._ended.items() if ended < now - PERIOD * _SAMPLES]:
            del self._ended[old]

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            self._samples.append(self._sample())
            await trio.sleep(PERIOD)

    def share_since(self, moment: float, pids: Iterable[int]) -> float:
        """The share that these trees had of all CPU time spent since this moment (or a PERIOD before)."""
        if not self._samples:
            return 0.0
        # A longer span than is remembered is judged by its end.
        before = next((sample for sample in reversed(self._samples) if sample[0] <= moment), self._samples[0])
        now = self._sample()
        span = now[0] - before[0]
        if span <= 0:
            return 0.0
        own = sum(max(0.0, self._used(pid, now[2]) - before[2].get(pid, 0.0)) for pid in pids)
        # What others do on cores that are not ours keeps nobody from ours. And on a machine that is half idle
        # nobody keeps the referee from a core, whoever has most of the rest.
        most = self._cores * span
        spent = min(now[1] - before[1], most)
        return max(0.0, min(1.0, own / max(spent, _BUSY * most)))

    def _used(self, pid: int, now: dict[int, float]) -> float:
        return now[pid] if pid in now else self._ended.get(pid, (0.0, 0.0))[1]

    def _sample(self) -> tuple[float, float, dict[int, float]]:
        return time.perf_counter(), _machine_seconds(), {pid: tree_seconds(pid) for pid in self._trees}


def _machine_seconds() -> float:
    """CPU time spent by everything on the machine: user, nice, system, irq, softirq."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/stat", "rb") as file:
        user, nice, system, _idle, _iowait, irq, softirq = map(int, file.readline().split()[1:8])
        return (user + nice + system + irq + softirq) / _TICKS
    return 0.0


def tree_seconds(pid: int) -> float:
    """CPU time of a process, of its live descendants, and of the children each has waited for."""
    return sum(map(_process_seconds, (pid, *descendants_of(pid))))


def _process_seconds(pid: int) -> float:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        # Behind the name in brackets, which may hold anything: utime, stime, cutime, cstime.
        return sum(map(int, file.read().rpartition(b")")[2].split()[11:15])) / _TICKS
    return 0.0
