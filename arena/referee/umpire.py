"""Whether a late answer is the bot's fault: a block that the host has disturbed is void."""

from typing import Final

from arena.referee.ask import Ask, Trouble
from arena.referee.machine import Machine

OWN_SHARE: Final = 0.5
"""A table that used more of the CPU time spent than this has made the referee late itself."""


class BlockVoid(Exception):
    """The host disturbed a verdict of this block: nothing of it may count, and it is played again whole."""


class Umpire:
    """Allows or voids the timeouts of one block. With `stands` nothing is void any more, only marked."""

    def __init__(self, machine: Machine, *, stands: bool) -> None:
        self.contended = False
        self._machine = machine
        self._stands = stands
        self._pids: list[int] = []

    def watch(self, pid: int) -> None:
        """This process tree belongs to the table."""
        self._pids.append(pid)

    def allow(self, trouble: Trouble, ask: Ask) -> None:
        """Return if the trouble is the bot's own. Raises BlockVoid if the referee's delay explains it.

        Unless the table's own processes kept the cores busy: no bot may void a game it is losing.
        """
        if not trouble.disturbed or self._machine.usage.share_since(ask.sent, self._pids) > OWN_SHARE:
            return
        if not self._stands:
            late = ask.arrived - ask.deadline
            raise BlockVoid(f"an answer came {late:.3f} s late while the referee itself was delayed")
        self.contended = True
