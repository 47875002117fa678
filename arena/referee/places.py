"""What a bot's program needs of the disk beyond the system's own folders, and who can reach it.

An interpreter may be anywhere: pyenv's and nvm's lie in somebody's home, a virtual environment beside a
project. A sandbox shows the program's installation and never the home it is in.
"""

import os
import pwd
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_STORES: Final = ("/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew")
"""Places where everything installed refers to everything else: they are shown whole."""
_LIBRARIES: Final = ("lib", "lib64", "libexec")
_PYTHONS_OWN: Final = ("bin", "lib", "lib64", "pyvenv.cfg")
_ARENA: Final = str(Path(__file__).parents[1])
"""The package that bots on arena's own interpreter may import `arena.bot` from. Installed in place
(`pip install -e`) it lies outside of that interpreter's folders."""


def places(program: str) -> tuple[str, ...]:
    """The folders and files outside the system's that this program needs in order to run."""
    found: dict[str, None] = {}
    for path in _chain(program):
        for place in _installation(path):
            found.setdefault(place)
    if os.path.abspath(program) == os.path.abspath(sys.executable):
        for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix):
            for place in _python(prefix):
                found.setdefault(place)
        found.setdefault(_ARENA)
    # Some name a place by a link: what is compiled in may be either name.
    for place in list(found):
        found.setdefault(os.path.realpath(place))
    return tuple(place for place in found if os.path.exists(place) and not is_system(place))


def is_system(path: str) -> bool:
    """Whether the path is in a folder that every sandbox shows."""
    return _inside(path, _SYSTEM)


def beneath(path: str, folder: str) -> bool:
    """Whether the path is the folder or in it, by name."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def closed_to(path: str, user: int) -> str | None:
    """The first folder on the way to a path (or what is there) that the user may not enter or read, or None.

    Judged by owner and mode alone; the user is taken to be in the group of the same number only.
    """
    real = os.path.realpath(path)
    way = [*reversed(Path(real).parents), Path(real)]
    for step in way:
        try:
            status = step.stat()
        except OSError:
            return str(step)
        bits = status.st_mode >> (6 if status.st_uid == user else 3 if status.st_gid == user else 0) & 7
        wanted = 1 if step != way[-1] else 5 if stat.S_ISDIR(status.st_mode) else 4
        if bits & wanted != wanted:
            return str(step)
    return None


def _inside(path: str, folders: tuple[str, ...]) -> bool:
    return any(beneath(path, folder) for folder in folders)


def _chain(program: str) -> Iterator[str]:
    """The program, what its links lead to one by one, and the interpreter behind a virtual environment."""
    path, seen = os.path.abspath(program), set[str]()
    while path not in seen:
        seen.add(path)
        yield path
        base = _base_of_environment(path)
        if base is not None:
            yield base
        try:
            path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        except OSError:
            path = os.path.realpath(path)


def _base_of_environment(python: str) -> str | None:
    """For the interpreter of a virtual environment, where the one behind it lies."""
    try:
        text = (Path(python).parent.parent / "pyvenv.cfg").read_text(errors="replace")
    except OSError:
        return None
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return os.path.join(value.strip(), os.path.basename(python))
    return None


def _installation(path: str) -> Iterator[str]:
    """The folder a program was installed to; the program alone where that may hold somebody's own files."""
    for store in _STORES:
        if beneath(path, store):
            yield store
            return
    folder = os.path.dirname(path)
    prefix = os.path.dirname(folder) if os.path.basename(folder) in ("bin", "sbin") else folder
    parts = Path(path).parts
    if parts[:2] == ("/", "opt") and len(parts) > 3:
        yield os.path.join("/opt", parts[2])
    elif os.path.exists(os.path.join(prefix, "pyvenv.cfg")):
        yield from _python(prefix)
    elif any(os.path.isdir(os.path.join(prefix, name)) for name in _LIBRARIES) and not _is_personal(prefix):
        yield prefix
    else:
        yield path


def _python(prefix: str) -> Iterator[str]:
    """A Python's folder; only what Python put there where one works in it (`python -m venv .`)."""
    if _is_personal(prefix):
        yield from (os.path.join(prefix, name) for name in _PYTHONS_OWN)
    else:
        yield prefix


def _is_personal(prefix: str) -> bool:
    """Whether a folder is a home, holds one, is a hidden folder of one, or holds where arena is run."""
    homes = {entry.pw_dir for entry in pwd.getpwall()} | {os.path.expanduser("~")}
    # Service accounts have homes like /, /bin and /dev: those say nothing.
    homes = {home for home in homes if home not in ("/", "") and not is_system(home)}
    if os.path.dirname(prefix) in homes and os.path.basename(prefix).startswith("."):
        return True
    return any(beneath(home, prefix) for home in (*homes, os.getcwd(), "/home", "/root", "/tmp", "/var"))
