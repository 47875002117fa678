"""Process trees in /proc: finding every descendant of a bot, ending it, and adopting what it orphaned.

Killing a process group misses a daemon that has left it by forking twice. So the referee is a child
subreaper: orphans become its own children, where they are found by the token in their environment.
Where there is no /proc (macOS) only the process group is ended.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator

_PR_SET_CHILD_SUBREAPER = 36
_PF_EXITING = 0x4


def become_subreaper() -> bool:
    """Have orphaned descendants handed to this process instead of to init; False where the system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def children_of(pid: int) -> Iterator[int]:
    """The live and zombie children of a process, over all its threads; nothing for one that is gone."""
    # A thread's own file lists only the children that it forked itself (or that were handed to it).
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                yield from map(int, file.read().split())


def descendants_of(pid: int) -> list[int]:
    """Every process below this one, parents before children."""
    found: list[int] = []
    front = list(children_of(pid))
    while front:
        found += front
        front = [child for parent in front for child in children_of(parent)]
    return found


def holds_token(pid: int, token: str) -> bool:
    """Whether the process was started with this text in its environment."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        return token.encode() in file.read()
    return False


def start_time(pid: int) -> int | None:
    """When the process started, in clock ticks since the machine did; None if it is gone or nobody knows."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        # Behind the name in brackets, which may hold anything: the 20th field there, the 22nd of the line.
        return int(file.read().rpartition(b")")[2].split()[19])
    return None


def all_pids() -> list[int]:
    """Every process that can be seen; none where there is no /proc."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def is_ending(pid: int) -> bool:
    """Whether the process is a zombie, or on its way to be one."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
        return fields[0] in (b"Z", b"X") or bool(int(fields[6]) & _PF_EXITING)
    return False


def has_ended(pid: int) -> bool:
    """Whether the process is gone or a zombie: its children have then been handed on."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        return True


def users_of(pid: int) -> set[int]:
    """The users a process is, as this process sees them: real, effective, saved, and for files."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:
        for line in file:
            if line.startswith(b"Uid:"):
                return set(map(int, line.split()[1:]))
    return set()


def session_of(pid: int) -> int | None:
    """The session a process belongs to, or None if it is gone."""
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return None


def kill(pid: int) -> None:
    """SIGKILL, which also ends a stopped process; nothing if it is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """SIGKILL to the process group that a bot leads."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def reap(pid: int) -> None:
    """Collect an adopted child if it has ended. Never waitpid(-1): that would take other owners' children."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
