"""Whether a late answer is the bot's fault: a block that the host has disturbed is void."""

import math
from collections.abc import Collection
from typing import Final

from arena.referee.ask import Ask, Trouble
from arena.referee.machine import Machine

OWN_SHARE: Final = 0.5
"""A table that used more of the CPU time spent than this has made the referee late itself."""


class BlockVoid(Exception):
    """The host disturbed a verdict: nothing of what was just played may count, and it is played again."""

    def __init__(self, reason: str, bot: int) -> None:
        super().__init__(reason, bot)
        self.reason = reason
        self.bot = bot
        """Whose answer was late."""


class Umpire:
    """Allows or voids the timeouts of one block.

    With `stands` nothing is void any more, only marked; nor is it for the `unexcused` bots, who have been
    late in so many void blocks that it may be their own doing.

    `spares`, in seconds: what took longer is judged and billed without the time in which the referee stood
    still (see `spared`).
    """

    def __init__(
        self, machine: Machine, *, stands: bool, unexcused: Collection[int] = (), spares: float = math.inf
    ) -> None:
        self.contended = False
        self._machine = machine
        self._stands = stands
        self._unexcused = unexcused
        self._spares = spares
        self._pids: list[int] = []

    def watch(self, pid: int) -> None:
        """This process tree belongs to the table."""
        self._pids.append(pid)

    def allow(self, trouble: Trouble, ask: Ask, bot: int) -> None:
        """Return if the trouble is the bot's own. Raises BlockVoid if the referee's delay explains it.

        Unless the table's own processes kept the cores busy: no bot may void a game it is losing.
        """
        if not trouble.disturbed or self._own_doing(ask):
            return
        if not self._stands and bot not in self._unexcused:
            late = ask.arrived - ask.deadline
            raise BlockVoid(f"an answer came {late:.3f} s late while the referee itself was delayed", bot)
        self.contended = True

    def spared(self, ask: Ask, now: float) -> float:
        """Seconds that do not count of a request whose answer is read at `now`, by perf_counter.

        None do in a block that can be void and be played again. Where a guest plays nothing is: a person who
        stops arena for a while, or whose machine sleeps, must win no game by that. There an answer counts
        that would have made the block void, and the bot pays for none of the delay.
        """
        if now - ask.sent <= self._spares:
            return 0.0
        lag = self._machine.lag.worst_since(ask.sent)
        if now - ask.deadline > lag or self._own_doing(ask):
            return 0.0
        return min(lag, now - ask.sent)

    def _own_doing(self, ask: Ask) -> bool:
        return self._machine.usage.share_since(ask.sent, self._pids) > OWN_SHARE
