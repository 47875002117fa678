"""One writer a results file: a lock that the system releases when its holder dies."""

import fcntl
import os
import re
import stat
from pathlib import Path
from typing import Final

from arena.errors import BadInput

_LONGEST: Final = 32
_CONTENT: Final = re.compile(rb"(\d+\n?)?", re.ASCII)


class WriterLock:
    """Held from making to `release`. It lies beside the results file, in a file of its own.

    Not in the database itself: SQLite holds POSIX locks there, and closing any other descriptor of a
    file drops all POSIX locks a process has on it. The descriptor is closed in every child, or a bot
    that outlives a dead referee would keep the file locked.
    """

    def __init__(self, results: Path) -> None:
        """Raises BadInput, naming the holder, if another process writes to these results, or none can."""
        # By its real name: two names of one file are one file, and have one log.
        real = Path(os.path.realpath(results))
        self._path = real.with_name(f"{real.name}.lock")
        while True:
            try:
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
                self._file = os.open(self._path, flags, 0o666)
            except OSError as error:
                raise BadInput(f"{results} cannot be written: {error.strerror} ({self._path})") from error
            if not self._is_a_lock():
                os.close(self._file)
                raise BadInput(
                    f"{results} cannot be written: {self._path} is in the way, and is no lock of arena; "
                    "move it away, or give another name"
                )
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.pread(self._file, _LONGEST, 0).decode(errors="replace").strip() or "unknown"
                os.close(self._file)
                raise BadInput(
                    f"{results} is being written by process {holder}; wait for it, or stop it first"
                ) from None
            if self._is_there():
                break
            # The last holder removed the file between our opening and our locking it.
            os.close(self._file)
        os.truncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def _is_a_lock(self) -> bool:
        """Whether it holds a process's number or nothing, as a lock does: all else is somebody's file."""
        state = os.fstat(self._file)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _LONGEST:
            return False
        return _CONTENT.fullmatch(os.pread(self._file, _LONGEST, 0)) is not None

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), os.lstat(self._path))
        except FileNotFoundError:
            return False

    @property
    def usual_mode(self) -> int:
        """The permissions that files of this user and place are made with."""
        return stat.S_IMODE(os.fstat(self._file).st_mode) & 0o666

    def release(self) -> None:
        """Give it up, and remove its file."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)
