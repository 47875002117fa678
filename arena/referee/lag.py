"""How late the event loop runs: the referee's own delay, which no bot may be punished for."""

import bisect
import math
import time
from collections import deque
from typing import Final

import trio

PERIOD: Final = 0.005
"""Seconds between two looks at the clock."""
_NOTABLE: Final = 0.001
_MOST_KEPT: Final = 4096


class LagMeter:
    """Sleeps a PERIOD over and over and keeps by how much it overslept, and when.

    Whatever delays this task delays the reading of an answer as much: a loop that is busy, a process
    that gets no core, a machine that stood still.
    """

    def __init__(self) -> None:
        self.histogram = Histogram()
        self._ends: deque[float] = deque(maxlen=_MOST_KEPT)
        self._lags: deque[float] = deque(maxlen=_MOST_KEPT)
        self._asleep_since = math.nan

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            self._asleep_since = time.perf_counter()
            await trio.sleep(PERIOD)
            now = time.perf_counter()
            lag = now - self._asleep_since - PERIOD
            self.histogram.add(lag)
            if lag > _NOTABLE:
                self._ends.append(now)
                self._lags.append(lag)

    def worst_since(self, moment: float) -> float:
        """The longest lag, in seconds, that reached past this moment; one that still lasts counts."""
        current = time.perf_counter() - self._asleep_since - PERIOD
        worst = max(current, 0.0) if current > _NOTABLE else 0.0
        ends = self._ends
        start = bisect.bisect_left(ends, moment)
        for number in range(start, len(ends)):
            worst = max(worst, self._lags[number])
        return worst


class Histogram:
    """Counts of durations in steps of 10 %, from a microsecond up: quantiles in constant memory."""

    _STEP: Final = math.log(1.1)
    _FIRST: Final = 1e-6

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self.total = 0

    def add(self, seconds: float) -> None:
        """One more duration."""
        step = 0 if seconds <= self._FIRST else 1 + int(math.log(seconds / self._FIRST) / self._STEP)
        self._counts[step] = self._counts.get(step, 0) + 1
        self.total += 1

    def quantile(self, share: float) -> float:
        """Seconds below which this share of them lies, at most 10 % too high; 0 if there are none."""
        left = share * self.total
        for step in sorted(self._counts):
            left -= self._counts[step]
            if left <= 0:
                return float(self._FIRST * math.exp(step * self._STEP))
        return 0.0
