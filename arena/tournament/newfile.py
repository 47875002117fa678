"""A file that is there whole or not at all: written under another name beside its place, then put there."""

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.errors import BadInput

_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)
"""What a file system says that has no hard links."""
_BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock")
"""Endings of what may lie beside a results file."""


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """The name to write under; when the block ends well, what stands there becomes `path`.

    Else nothing is left. Nothing is ever written over. Raises BadInput if something is at `path`, before the
    block or after it, or if nothing can be written there.
    """
    folder = path.parent
    if os.path.lexists(path):
        raise _taken(path)
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder} to write {path.name} in; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"no file can be written in the folder {folder}; give another place with -o FILE")
    draft = folder / f".{path.name}.{os.getpid()}.draft"
    try:
        yield draft
        _put(draft, path)
    finally:
        for ending in _BESIDE:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{draft}{ending}")


def _put(draft: Path, path: Path) -> None:
    _on_disk(draft)
    try:
        # A link, unlike a renaming, never takes the place of another file.
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(path):
            raise _taken(path) from None
        os.rename(draft, path)
    _on_disk(path.parent)


def _on_disk(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _taken(path: Path) -> BadInput:
    kind = "is a folder" if path.is_dir() else "exists already, and nothing is written over"
    return BadInput(f"-o {path} {kind}; give a name that is free")
