"""Which file is written to, whatever happens to its name, and which logs SQLite has put beside it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

LOGS: Final = ("-wal", "-shm", "-journal")
"""Endings of what SQLite puts beside a file."""
PRIVATE: Final = 0o600
"""Nobody else reads the seed while games are still to be dealt from it."""


class Place:
    """A file that is open: where it was, and whether it still is there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _identity(path)
        self._logs: dict[Path, tuple[int, int]] = {}

    @property
    def kept(self) -> bool:
        """Whether its name still leads to it."""
        return _identity(self._path) == self._file

    def note_logs(self) -> None:
        """Remember which files its logs are, as soon as it has some."""
        if not self._logs:
            beside = {log: _identity(log) for log in logs_of(self._path)}
            self._logs = {log: identity for log, identity in beside.items() if identity is not None}

    def take_logs_away(self) -> None:
        """Leave none of its logs under its name: SQLite would play them into whatever has that name next."""
        for log, identity in self._logs.items():
            if _identity(log) == identity:
                log.unlink(missing_ok=True)

    def new_beside(self) -> Path:
        """A new and empty file beside it, of another name that tells what it is a copy of. Raises OSError."""
        number = 1
        while True:
            again = "" if number == 1 else f"-{number}"
            path = self._path.with_name(f"{self._path.stem}-saved{again}{self._path.suffix}")
            with suppress(FileExistsError):
                make(path)
                return path
            number += 1


def logs_of(path: Path) -> list[Path]:
    """What SQLite may have put beside this file."""
    return [path.with_name(path.name + ending) for ending in LOGS]


def make(path: Path) -> None:
    """A new and empty file; not even an empty one of anybody else's is touched. Raises OSError.

    It is closed at once, because closing it later would drop the locks that SQLite holds on it.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and number of the file."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None
