"""What a bot consists of: the entries of its folder, and the digest of them."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Final, Literal

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.roster.entrant import Entrant, Part
from arena.roster.words import shown

MAX_BYTES: Final = 256 * 1024 * 1024
"""Of all files of a bot."""
SHORT: Final = 12
"""Digits of a digest that a message shows."""
SKIPPED: Final = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS", "__pycache__"))
"""No part of a bot: what version control and Python keep beside it (in a worktree .git is a file)."""


class Entry(msgspec.Struct, frozen=True):
    """One thing in a bot's folder."""

    path: str
    """Relative to the folder, parts joined by /."""
    kind: Literal["file", "link", "folder"]
    source: str
    """Absolute path of the original."""
    executable: bool = False
    size: int = 0
    target: str = ""
    """Of a link: relative, and inside the folder unless links out of it were allowed."""


def shortened(digest: str) -> str:
    """As much of a digest as a message shows; "none" where there is none."""
    return escape(digest[:SHORT], 10 * SHORT) or "none"


def scan(folder: Path, called: str, *, most: int | None = MAX_BYTES, links_out: bool = False) -> list[Entry]:
    """Everything in a folder but SKIPPED and what is neither file, folder nor link, sorted by path.

    Raises BadInput for more than `most` bytes, for a link that leaves the folder (unless `links_out`), and
    for what cannot be read.
    """
    root = os.path.realpath(folder)
    entries: list[Entry] = []
    try:
        for item, relative in _walk(root, ""):
            if item.is_symlink():
                entries.append(_link(item.path, relative, root, called, links_out=links_out))
            elif item.is_dir(follow_symlinks=False):
                entries.append(Entry(relative, "folder", item.path))
            elif item.is_file(follow_symlinks=False):
                state = item.stat(follow_symlinks=False)
                entries.append(Entry(relative, "file", item.path, bool(state.st_mode & 0o111), state.st_size))
    except OSError as error:
        raise BadInput(f"{called}: {shown(str(error.filename))} cannot be read: {error.strerror}") from None
    check_size(entries, called, most)
    return sorted(entries, key=lambda entry: os.fsencode(entry.path))


def check_size(entries: Sequence[Entry], called: str, most: int | None = MAX_BYTES) -> None:
    """Raises BadInput where the files have more bytes than are allowed together."""
    total = sum(entry.size for entry in entries)
    if most is None or total <= most:
        return
    largest = max(entries, key=lambda entry: entry.size)
    raise BadInput(
        f"{called} has {total / 2**20:.0f} MiB and a bot may have {most / 2**20:.0f}; the largest file is "
        f"{shown(largest.path)} with {largest.size / 2**20:.0f} MiB: leave out what the bot does not need"
    )


def entries_of(bot: Entrant) -> list[Entry]:
    """What is copied for a bot. Raises BadInput for what may not be, or cannot be read."""
    called = shown(bot.command) if bot.kind != "command" else f"--bot {shown(bot.name)}"
    if bot.folder is not None:
        return scan(Path(bot.folder), called)
    try:
        entries = [_file_entry(part) for part in bot.parts]
    except OSError as error:
        raise BadInput(f"{shown(str(error.filename))} cannot be read: {error.strerror}") from None
    check_size(entries, called)
    return entries


def digest_of(bot: Entrant, entries: Sequence[Entry]) -> str:
    """The digest of a bot whose entries these are (the originals, or copies of them). Raises BadInput."""
    if bot.kind == "file":
        # Its name is no part of it, but its extension may say what runs it.
        entries = [
            msgspec.structs.replace(one, path=f"bot{Path(one.path).suffix.lower()}") for one in entries
        ]
    try:
        return digest(bot.kind, bot.words, entries)
    except OSError as error:
        raise BadInput(f"{shown(str(error.filename))} cannot be read: {error.strerror}") from None


def digest(kind: str, words: Sequence[str], entries: Iterable[Entry]) -> str:
    """SHA-256 over kind, words and entries: names, bytes, execute bits; never where they lie or their age.

    Raises OSError.
    """
    total = hashlib.sha256()

    def add(*fields: bytes) -> None:
        for field in fields:
            total.update(len(field).to_bytes(8, "big") + field)

    add(b"arena bot 1", kind.encode(), *map(os.fsencode, words), b"")
    for entry in entries:
        add(entry.kind.encode(), os.fsencode(entry.path), b"x" if entry.executable else b"")
        if entry.kind == "file":
            with opened(entry.source) as file:
                add(hashlib.file_digest(file, "sha256").digest())
        else:
            add(os.fsencode(entry.target))
    return total.hexdigest()


def _file_entry(part: Part) -> Entry:
    state = os.stat(part.source)
    return Entry(part.name, "file", part.source, bool(state.st_mode & 0o111), state.st_size)


def _walk(folder: str, prefix: str) -> Iterator[tuple["os.DirEntry[str]", str]]:
    with os.scandir(folder) as items:
        for item in items:
            if item.name in SKIPPED:
                continue
            yield item, prefix + item.name
            if item.is_dir(follow_symlinks=False):
                yield from _walk(item.path, f"{prefix}{item.name}/")


def _link(place: str, relative: str, root: str, called: str, *, links_out: bool) -> Entry:
    text = os.readlink(place)
    target = os.path.realpath(place)
    if target != root and not target.startswith(root + os.sep):
        if not links_out:
            raise BadInput(
                f"{called}: {shown(relative)} is a link to {shown(text)}, outside the folder; "
                "copy what it points to into the folder"
            )
        return Entry(relative, "link", place, target=text)
    if os.path.isabs(text):
        # It would lead back from the copy to the original.
        text = os.path.relpath(target, os.path.dirname(place))
    return Entry(relative, "link", place, target=text)


def opened(source: str) -> BufferedReader:
    """Open a regular file that must not have become a link since it was looked at."""
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{source} is no file any more")
    return os.fdopen(descriptor, "rb")
