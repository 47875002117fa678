"""How many bots may think at once: about as many as there are cores, however many tables are open.

With more bots computing than there are cores, each takes a multiple of its own time on the wall and
is billed for its neighbours. So a request waits here, unsent and unbilled, until there is room.
"""

import time
from collections import deque
from typing import Final

from arena.referee.ask import Ask

MOMENT: Final = 0.002
"""Seconds. An answer that is out for longer is thought about; a quicker one costs a core next to nothing."""

QUICK_PER_CORE: Final = 4
"""Requests to quick bots that may be out at once for each core, so that no core waits for the referee."""


class Thinking:
    """The requests that are out, and those that wait. Owned by the machine, shared by its tables.

    A bot counts while its answer is out for longer than a MOMENT, or from the start if its last answers
    took that long; instant bots only meet the wider second limit.
    """

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self._out: dict[Ask, bool] = {}
        self._waiting: deque[Ask] = deque()

    def submit(self, ask: Ask, *, at_once: bool = False) -> None:
        """Send the request now, or when there is room; `at_once` goes out regardless."""
        if at_once or (not self._waiting and self._room()):
            self._send(ask)
        else:
            self._waiting.append(ask)

    def release(self, ask: Ask) -> None:
        """The request is over, answered or given up. Those that wait are sent from here, in one wake-up."""
        if self._out.pop(ask, None) is None and ask in self._waiting:
            self._waiting.remove(ask)
        while self._waiting and self._room():
            self._send(self._waiting.popleft())

    def _send(self, ask: Ask) -> None:
        self._out[ask] = ask.seat.pace > MOMENT
        ask.seat.begin(ask)

    def _room(self) -> bool:
        out = len(self._out)
        if out < self.cores:
            return True
        if out >= self.cores * QUICK_PER_CORE:
            return False
        before = time.perf_counter() - MOMENT
        return sum(slow or ask.sent < before for ask, slow in self._out.items()) < self.cores
