"""Copies of bots on disk: read-only for every user, or writable for a build; removed whatever their modes."""

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.roster.content import Entry, opened

_PIECE: Final = 1 << 20


def copy(entries: Sequence[Entry], folder: Path, *, writable: bool) -> list[Entry]:
    """Copy the entries into a folder, which is made, and give them as they are there.

    Read-only copies have mode 0444 (files), 0555 (executables, folders) for every user. Raises OSError.
    """
    folder.mkdir(mode=0o700)
    copied = []
    for entry in entries:
        place = folder / entry.path
        place.parent.mkdir(exist_ok=True, parents=True)
        if entry.kind == "folder":
            place.mkdir(exist_ok=True)
        elif entry.kind == "link":
            place.symlink_to(entry.target)
        else:
            with opened(entry.source) as original, place.open("xb") as file:
                shutil.copyfileobj(original, file, _PIECE)
            read = 0o555 if entry.executable else 0o444
            place.chmod(read | 0o200 if writable else read)
        copied.append(msgspec.structs.replace(entry, source=str(place)))
    folders = {folder, *(folder / entry.path for entry in entries if entry.kind == "folder")}
    folders |= {(folder / entry.path).parent for entry in entries}
    # The deepest first: nothing can be reached any more below a folder that was closed.
    for place in sorted(folders, key=lambda place: len(place.parts), reverse=True):
        place.chmod(0o755 if writable else 0o555)
    return copied


def remove(folder: Path) -> None:
    """Remove a folder and all in it, read-only or not; links are never followed. Nothing if it is gone."""
    with contextlib.suppress(FileNotFoundError):
        if not folder.is_symlink():
            _open_up(str(folder))
            shutil.rmtree(folder, ignore_errors=True)


def _open_up(folder: str) -> None:
    """Only an owner who may write to a folder can remove what is in it."""
    os.chmod(folder, 0o700)
    with os.scandir(folder) as items:
        for item in items:
            if item.is_dir(follow_symlinks=False):
                _open_up(item.path)
