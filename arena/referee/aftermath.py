"""What a referee that was killed outright has left running, and how the next one to start ends it.

Every run keeps a register of the processes it started, in its scratch folder, under a lock that the
system releases when the run dies, however it dies. A register that nobody holds is a dead run's.
"""

import contextlib
import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.referee import tree
from arena.referee.launch import NOBODY
from arena.referee.places import closed_to
from arena.referee.spawn import remove_tree

PREFIX: Final = "arena-run-"
_NAME: Final = "processes"
_LAYOUT: Final = re.compile(r"([0-9a-f]{16})\n(.*)\Z", re.DOTALL)
_PAIR: Final = re.compile(r"^(\d+) (\d+)\n", re.MULTILINE)


class Register:
    """The processes of this run. The first line is the run's token, every other a pid and its start time."""

    def __init__(self, scratch: Path, token: str) -> None:
        # Locked before it has its name, or another start could take it for a dead run's.
        new = scratch / f"{_NAME}.new"
        self._file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        os.write(self._file, f"{token}\n".encode())
        new.rename(scratch / _NAME)

    def add(self, pid: int) -> None:
        """Note a process before its first request. A pid comes again in time; with its start it is unique."""
        os.write(self._file, f"{pid} {tree.start_time(pid) or 0}\n".encode())

    def close(self) -> None:
        """The run has ended by itself and left nothing."""
        os.close(self._file)


def clean_up() -> int:
    """End exactly what dead runs of this user left, and remove their folders; how many processes it were.

    A process that left its session and wiped its environment is not found: outside a pid namespace
    nothing marks it any more.
    """
    ended = 0
    for scratch in _dead_runs():
        with contextlib.suppress(OSError, ValueError):
            text = (scratch / _NAME).read_text()
            # Nothing is ended on the word of a file that is not one of ours, whole or cut short.
            if match := _LAYOUT.match(text):
                ended += _end(match[1], [(int(pid), int(start)) for pid, start in _PAIR.findall(match[2])])
        remove_scratch(scratch)
    return ended


def new_scratch() -> Path:
    """A folder for a run's temporary files, in a place that its bots' user can reach.

    That is the usual place for temporary files, unless root runs arena and it is closed to others.
    """
    place = next(iter(_temporary()))
    if os.geteuid() == 0:
        place = next((path for path in _temporary() if closed_to(path, NOBODY) is None), place)
    scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    # Bots that run as another user reach what is theirs in it, and cannot list it.
    scratch.chmod(0o711)
    return scratch


def remove_scratch(scratch: Path) -> None:
    """Remove a run's folder, the register last: a removal that is broken off is ended by the next start."""
    for path in scratch.glob("*"):
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        elif path.name != _NAME:
            path.unlink(missing_ok=True)
    remove_tree(scratch)


def _temporary() -> dict[str, None]:
    return dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp"))


def _dead_runs() -> Iterator[Path]:
    for scratch in (run for place in _temporary() for run in Path(place).glob(f"{PREFIX}*")):
        with contextlib.suppress(OSError):
            status = scratch.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                continue
            held = os.open(scratch / _NAME, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield scratch
            finally:
                os.close(held)


def _end(token: str, pairs: list[tuple[int, int]]) -> int:
    found: set[int] = set()
    for pid, started in pairs:
        if started and tree.start_time(pid) == started:
            found |= {pid, *tree.descendants_of(pid)}
    found |= {pid for pid in tree.all_pids() if pid != os.getpid() and tree.holds_token(pid, token)}
    for pid in found:
        tree.kill(pid)
    return len(found)
