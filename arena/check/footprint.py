"""How much memory a bot has used, seen from outside while it lives."""

import contextlib
import os

from arena.referee.pipes import WRAPPERS
from arena.referee.tree import descendants_of


def peak_memory(pid: int) -> int | None:
    """Bytes that the live processes below this one, and it, have had in memory at their peaks together.

    Those that only wait for a sandbox to end are left out. None where the system does not tell.
    """
    found = [_peak(one) for one in (pid, *descendants_of(pid)) if not _is_wrapper(one)]
    known = [peak for peak in found if peak is not None]
    return sum(known) if known else None


def _is_wrapper(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return os.path.basename(os.readlink(f"/proc/{pid}/exe")) in WRAPPERS
    return False


def _peak(pid: int) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/status", "rb") as file:
        for line in file:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
