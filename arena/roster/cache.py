"""Where arena keeps builds and staged bots: the folder, made safe from other users, and its locks."""

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import BadInput
from arena.roster.copies import remove
from arena.roster.words import shown

OVERRIDE: Final = "ARENA_CACHE"
"""The variable of the environment that names another folder."""


def open_cache() -> Path:
    """The cache folder of this user, made if need be: ARENA_CACHE, or /var/tmp/arena-UID.

    Every user may read it, so that bots can run from it as another user than arena's. Raises BadInput where
    it cannot be made, or where somebody else owns it or may write to it.
    """
    given = os.environ.get(OVERRIDE)
    place = Path(os.path.abspath(given)) if given else Path(f"/var/tmp/arena-{os.geteuid()}")
    mend = f"name another folder in {OVERRIDE}"
    try:
        if given:
            place.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o700)
        state = place.lstat()
        if not stat.S_ISDIR(state.st_mode):
            raise BadInput(f"the cache {shown(str(place))} is not a folder; remove it, or {mend}")
        if state.st_uid != os.geteuid():
            raise BadInput(
                f"the cache {shown(str(place))} belongs to user {state.st_uid}; remove it, or {mend}"
            )
        if state.st_mode & 0o022:
            raise BadInput(f"others may write to the cache {shown(str(place))}; remove it, or {mend}")
        if stat.S_IMODE(state.st_mode) != 0o755:
            place.chmod(0o755)
        for folder in ("built", "building", "locks", "runs"):
            (place / folder).mkdir(mode=0o755, exist_ok=True)
            (place / folder).chmod(0o755)
    except OSError as error:
        raise BadInput(f"the cache {shown(str(place))} cannot be made: {error.strerror}; {mend}") from None
    return place


@contextlib.contextmanager
def locked(cache: Path, name: str) -> Iterator[None]:
    """Hold the lock of this name, waiting for the process that has it; it goes when that process ends."""
    descriptor = os.open(cache / "locks" / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def run_folder(cache: Path) -> Iterator[Path]:
    """A new folder for the staged bots of one run, removed afterwards; so are those that killed runs left."""
    runs = cache / "runs"
    for lock in runs.glob("*.lock"):
        _remove_if_left(lock)
    lock, descriptor = _new_lock(runs)
    folder = lock.with_suffix("")
    try:
        folder.mkdir(mode=0o755)
        folder.chmod(0o755)
        yield folder
    finally:
        remove(folder)
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _new_lock(runs: Path) -> tuple[Path, int]:
    """A lock file that this process holds as long as it lives."""
    while True:
        lock = runs / f"{secrets.token_hex(8)}.lock"
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        # Between the two calls another process may take it for left over: then it is gone, and a new one is
        # made.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink:
                return lock, descriptor
        os.close(descriptor)


def _remove_if_left(lock: Path) -> None:
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(lock.with_suffix(""))
        lock.unlink(missing_ok=True)
    except BlockingIOError:
        return
    finally:
        os.close(descriptor)
