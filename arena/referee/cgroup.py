"""Control groups: the memory and the number of processes of a bot with all it starts, held by the kernel.

Version 1 has a tree of folders for each controller, version 2 one tree for all. In either, a process that
may make folders in the one it is in itself can limit what it starts. Nothing is done outside that folder.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MINE: Final = "arena-"
_REFEREE: Final = "-referee"
_CONTROLLERS: Final = ("memory", "pids")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of control groups in which this process may make more."""

    folder: Path
    version: int
    controllers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Group:
    """The control groups of one process of a bot: one, or one for each controller."""

    memory: Path | None
    """The folder that limits memory, if memory is limited."""
    tasks: Path | None
    """The folder that limits processes and threads."""
    version: int

    @property
    def folders(self) -> tuple[str, ...]:
        """What the process has to join."""
        return tuple(dict.fromkeys(str(folder) for folder in (self.tasks, self.memory) if folder is not None))

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed something in the group because of the memory limit."""
        if self.memory is None:
            return False
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        for line in _read(self.memory / name).splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill":
                return value.strip() != "0"
        return False

    def members(self) -> list[int]:
        """The processes in it, also those that have left the session and wiped their environment."""
        listed = (_read(Path(folder, "cgroup.procs")) for folder in self.folders[:1])
        return [int(pid) for text in listed for pid in text.split()]

    def remove(self) -> bool:
        """Remove it, if nothing is left in it; whether it is gone."""
        left = [folder for folder in self.folders if not _removed(Path(folder))]
        return not left


class Groups:
    """The control groups of one run, one for each process. Made by `open_groups`, ended by `close`."""

    def __init__(self, run: str) -> None:
        self._run = f"{_MINE}{os.getpid()}-{run}"
        self._folders: dict[str, Path] = {}
        self._version = 0
        self._moved: tuple[Path, Path] | None = None

    @property
    def controllers(self) -> frozenset[str]:
        """What can be limited: of memory and pids, those that are there."""
        return frozenset(self._folders)

    def make(self, number: int, memory: int | None, tasks: int) -> Group | None:
        """A group for process `number` of the run; None where nothing that is asked for can be limited.

        `memory`: bytes, None for no limit. Raises OSError.
        """
        mine = {controller: folder / str(number) for controller, folder in self._folders.items()}
        group = Group(mine.get("memory") if memory is not None else None, mine.get("pids"), self._version)
        for folder in group.folders:
            Path(folder).mkdir()
        if group.tasks is not None:
            _write(group.tasks / "pids.max", str(tasks))
        if group.memory is not None and memory is not None:
            self._limit_memory(group.memory, memory)
        return group if group.folders else None

    def open(self, place: Place) -> None:
        """Make the run's group there. Raises OSError where that cannot be done after all."""
        sweep(place.folder)
        self._version = place.version
        folder = place.folder / self._run
        if place.version == 2:
            self._hand_on(place.folder, place.controllers)
        folder.mkdir()
        self._folders.update(dict.fromkeys(place.controllers, folder))
        if place.version == 2:
            _write(folder / "cgroup.subtree_control", _added(place.controllers))

    def close(self) -> None:
        """Remove the groups of the run, once nothing is left in them, and undo what was set up for them."""
        for folder in set(self._folders.values()):
            for own in _folders(folder):
                _removed(own)
            _removed(folder)
        if self._moved is not None:
            self._move_back(*self._moved)

    def _hand_on(self, folder: Path, controllers: frozenset[str]) -> None:
        """Version 2 limits the groups in a group only while no process is in that group itself."""
        control = folder / "cgroup.subtree_control"
        if controllers <= set(_read(control).split()):
            return
        try:
            _write(control, _added(controllers))
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            own = folder / f"{self._run}{_REFEREE}"
            own.mkdir()
            self._moved = (folder, own)
            _write(own / "cgroup.procs", str(os.getpid()))
            _write(control, _added(controllers))

    def _move_back(self, folder: Path, own: Path) -> None:
        with contextlib.suppress(OSError):
            for controller in _read(folder / "cgroup.subtree_control").split():
                _write(folder / "cgroup.subtree_control", f"-{controller}")
            _write(folder / "cgroup.procs", str(os.getpid()))
        _removed(own)

    def _limit_memory(self, folder: Path, memory: int) -> None:
        if self._version == 2:
            _write(folder / "memory.max", str(memory))
            with contextlib.suppress(OSError):
                _write(folder / "memory.swap.max", "0")
            return
        _write(folder / "memory.limit_in_bytes", str(memory))
        # Memory and swap together; the file is missing where the kernel does not count swap.
        with contextlib.suppress(OSError):
            _write(folder / "memory.memsw.limit_in_bytes", str(memory))


def open_groups(run: str) -> Groups | None:
    """Control groups for a run of that name, None where this process may not make any."""
    groups = Groups(run)
    try:
        for place in writable_places():
            groups.open(place)
    except OSError:
        groups.close()
        return None
    return groups if groups.controllers else None


def writable_places() -> tuple[Place, ...]:
    """Where this process may make control groups, by controller; empty where it may not."""
    found: dict[Path, Place] = {}
    mounts = list(_mounts())
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        controllers = set(names.split(",")) & set(_CONTROLLERS)
        for version, root, at, offered in mounts:
            if (version == 1 and not controllers & offered) or (version == 2) != (names == ""):
                continue
            folder = Path(at + (path.removeprefix(root.rstrip("/")) if path.startswith(root) else ""))
            if version == 2:
                folder = beside_the_referee(folder)
                controllers = set(_read(folder / "cgroup.controllers").split()) & set(_CONTROLLERS)
            if controllers and os.access(folder, os.W_OK):
                found.setdefault(folder, Place(folder, version, frozenset(controllers)))
    places = tuple(found.values())
    # One version for a process: where both are mounted the controllers are in one of them.
    best = max((sum(len(p.controllers) for p in places if p.version == v), v) for v in (1, 2))[1]
    return tuple(place for place in places if place.version == best)


def beside_the_referee(folder: Path) -> Path:
    """Where a process in this group of version 2 makes more: a referee's worker makes its own beside it."""
    moved = folder.name.startswith(_MINE) and folder.name.endswith(_REFEREE)
    return folder.parent if moved else folder


def sweep(folder: Path) -> None:
    """Remove the empty groups of referees that are no more. What is in use cannot be removed."""
    for group in folder.glob(f"{_MINE}*"):
        pid = group.name.removeprefix(_MINE).partition("-")[0]
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            for own in _folders(group):
                _removed(own)
            _removed(group)


def _mounts() -> Iterator[tuple[int, str, str, set[str]]]:
    """The mounted trees of control groups: version, the group at the top, the folder, the controllers."""
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        before, _, after = line.partition(" - ")
        fields, (kind, _, options) = before.split(), after.split(None, 2)
        if kind in ("cgroup", "cgroup2"):
            yield 2 if kind == "cgroup2" else 1, fields[3], fields[4], set(options.split(","))


def _added(controllers: frozenset[str]) -> str:
    return " ".join(f"+{controller}" for controller in sorted(controllers))


def _folders(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [path for path in folder.iterdir() if path.is_dir()]
    return []


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _write(path: Path, text: str) -> None:
    # These are no files: what is refused is refused in the write itself, which must be a single one.
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
