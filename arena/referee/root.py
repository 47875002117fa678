"""The file tree that a bot in a sandbox sees: the system's programs, its own folder, nothing of anybody's.

It is a folder of empty folders and files, made once for each bot's folder and kept for the run; the tiers
put the real things over them, read-only but for what a build works on, in a mount namespace of the bot's own.
It is the same tree in both sandboxes, so that a bot that runs in one runs in the other.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.referee.block import Contestant
from arena.referee.launch import NOBODY
from arena.referee.places import beneath, is_system, places

_TOP: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")
_ETC: Final = ("alternatives", "ld.so.cache", "perl", "R", "php", "lua")
"""What programs read of /etc that is about the system's programs, not about the machine or its users."""
_ETC_LIKE: Final = ("java*-openjdk", "java", "python3*")
_WRITTEN: Final = {
    "passwd": f"nobody:x:{NOBODY}:{NOBODY}:nobody:/tmp:/bin/sh\n",
    "group": f"nogroup:x:{NOBODY}:\n",
    "hosts": "127.0.0.1 localhost\n",
}
_LINKS: Final = {
    "dev/fd": "/proc/self/fd",
    "dev/stdin": "/proc/self/fd/0",
    "dev/stdout": "/proc/self/fd/1",
    "dev/stderr": "/proc/self/fd/2",
}


@dataclass(frozen=True, slots=True)
class Bind:
    """One real thing in the tree: what is shown, and where."""

    source: str
    target: str
    device: bool = False
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Root:
    """The tree of one bot: its skeleton on disk, and what goes over it, a folder before what is in it."""

    folder: Path
    binds: tuple[Bind, ...]


class Roots:
    """The trees of a run, each made when its bot is started for the first time."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str, str, tuple[str, ...], str | None], Root] = {}

    def of(self, bot: Contestant, scratch: Path, more: tuple[str, ...], work: str | None) -> Root:
        """The tree for a bot. `more`: folders and files that are to be seen besides what it needs itself.

        `work`: a folder that may be written to.
        """
        key = (scratch, bot.folder, bot.argv[0], more, work)
        root = self._known.get(key)
        if root is None or not root.folder.exists():
            binds = tuple(_without_repeats([*_system(), *_own(bot, more, work)]))
            folder = Path(tempfile.mkdtemp(prefix="root-", dir=scratch))
            _make_skeleton(folder, binds)
            root = self._known[key] = Root(folder, binds)
        return root


def _system() -> Iterator[Bind]:
    yield Bind("/usr", "/usr")
    for name in _TOP:
        if os.path.isdir(f"/{name}") and not os.path.islink(f"/{name}"):
            yield Bind(f"/{name}", f"/{name}")
    for place in (*(Path("/etc", name) for name in _ETC), *_matching()):
        if place.exists():
            yield Bind(str(place), str(place))
    for name in _DEVICES:
        yield Bind(f"/dev/{name}", f"/dev/{name}", device=True)


def _matching() -> Iterator[Path]:
    for pattern in _ETC_LIKE:
        yield from sorted(Path("/etc").glob(pattern))


def _own(bot: Contestant, more: Iterable[str], work: str | None) -> list[Bind]:
    shown = {*places(bot.argv[0]), *more, bot.folder}
    if work is not None:
        # What lies in it is seen with it, and no more closely.
        shown = {work, *(place for place in shown if not beneath(place, work))}
    return [Bind(place, place, writable=place == work) for place in sorted(shown) if not is_system(place)]


def _without_repeats(binds: list[Bind]) -> Iterator[Bind]:
    """The binds without those that lie in a folder already shown under its own name."""
    folders: list[str] = []
    for bind in binds:
        if not any(beneath(bind.target, folder) for folder in folders):
            folders.append(bind.target)
            yield bind


def _make_skeleton(folder: Path, binds: tuple[Bind, ...]) -> None:
    for name in ("proc", "tmp", "dev/shm", "etc", "var"):
        (folder / name).mkdir(parents=True)
    for name in _TOP:
        if os.path.islink(f"/{name}"):
            (folder / name).symlink_to(os.readlink(f"/{name}"))
    for name, text in _WRITTEN.items():
        (folder / "etc" / name).write_text(text)
    for name, target in _LINKS.items():
        (folder / name).symlink_to(target)
    for bind in binds:
        place = folder / bind.target.lstrip("/")
        if os.path.isdir(bind.source):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
    for path, folders, files in os.walk(folder):
        os.chmod(path, 0o755)
        for name in files:
            if not os.path.islink(f"{path}/{name}"):
                os.chmod(f"{path}/{name}", 0o644)
        del folders
