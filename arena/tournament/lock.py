"""One writer a results file: a lock that the system releases when its holder dies."""

import fcntl
import os
import stat
from pathlib import Path

from arena.errors import BadInput


class WriterLock:
    """Held from making to `release`. It lies beside the results file, in a file of its own.

    Not in the database itself: SQLite holds POSIX locks there, and closing any other descriptor of a
    file drops all POSIX locks a process has on it. The descriptor is closed in every child, or a bot
    that outlives a dead referee would keep the file locked.
    """

    def __init__(self, results: Path) -> None:
        """Raises BadInput, naming the holder, if another process writes to these results, or none can."""
        self._path = results.with_name(f"{results.name}.lock")
        while True:
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise BadInput(f"{results} cannot be written: {error.strerror} ({self._path})") from error
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.read(self._file, 32).decode(errors="replace").strip() or "unknown"
                os.close(self._file)
                raise BadInput(
                    f"{results} is being written by process {holder}; wait for it, or stop it first"
                ) from None
            if self._is_there():
                break
            # The last holder removed the file between our opening and our locking it.
            os.close(self._file)
        os.truncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self._path))
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
