"""Where a bot comes from: what lies beside it and was not staged, and what runs it."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from arena.referee.block import Contestant
from arena.roster.entrant import Entrant
from arena.roster.languages import language_of, stem_of

_FLUSH: Final = {
    "python": "print(answer, flush=True)",
    "pypy": "print(answer, flush=True)",
    "perl": "$| = 1; at the start",
    "ruby": "$stdout.sync = true at the start",
    "lua": 'io.stdout:setvbuf("line") at the start',
    "luajit": 'io.stdout:setvbuf("line") at the start',
    "java": "System.out.flush() after each answer",
    "tclsh": "fconfigure stdout -buffering line at the start",
    "mawk": "fflush() after each print",
    "gawk": "fflush() after each print",
    "R": "flush(stdout())",
}
_ELSE: Final = "fflush(stdout) in C, std::flush in C++, flush of the stream elsewhere"
_STDERR: Final = {
    "python": "print(..., file=sys.stderr)",
    "pypy": "print(..., file=sys.stderr)",
    "node": "console.error(...)",
    "perl": "print STDERR ...",
    "ruby": "warn ...",
    "java": "System.err.println(...)",
    "lua": "io.stderr:write(...)",
    "sh": "echo ... >&2",
    "dash": "echo ... >&2",
    "bash": "echo ... >&2",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """A bot as its author knows it."""

    argv: tuple[str, ...]
    folder: Path | None
    """The folder it was given in; None for a command without files."""
    staged: frozenset[str]
    """The files and folders at the top of its staged folder."""
    single: bool
    """One file alone was staged, whatever lies beside it."""

    @property
    def runner(self) -> str:
        """The name of the program that runs it, without a version."""
        return stem_of(PurePath(self.argv[0]).name)

    @property
    def flush(self) -> str:
        """How a program of its language lets go of a line."""
        return _FLUSH.get(self.runner, _ELSE)

    @property
    def to_stderr(self) -> str:
        """How a program of its language writes to stderr."""
        return _STDERR.get(self.runner, "fprintf(stderr, ...) in C, or the like")

    @property
    def python(self) -> bool:
        """Whether a Python runs it."""
        return self.runner in ("python", "pypy")

    @property
    def own_python(self) -> bool:
        """Whether it is the Python that runs arena."""
        return os.path.abspath(self.argv[0]) == os.path.abspath(sys.executable)

    def left_behind(self, name: str) -> bool:
        """Whether this file or folder lies beside the bot and was not staged with it."""
        top = PurePath(name).parts[0] if name and not os.path.isabs(name) else ""
        if self.folder is None or not top or top in self.staged:
            return False
        return (self.folder / name).exists()

    def hiding(self) -> tuple[str, ...]:
        """Its files and folders that have the name of a standard module of Python."""
        found = []
        for name in sorted(self.staged):
            path = PurePath(name)
            module = path.stem if path.suffix in (".py", "") else ""
            if module in sys.stdlib_module_names:
                found.append(name)
        return tuple(found)


def origin_of(entrant: Entrant, contestant: Contestant) -> Origin:
    """What is to be known of a bot that is staged."""
    if entrant.folder is not None:
        folder: Path | None = Path(entrant.folder)
    else:
        folder = Path(entrant.parts[0].source).parent if entrant.parts else None
    return Origin(
        contestant.argv,
        folder,
        frozenset(os.listdir(contestant.folder)),
        entrant.folder is None,
    )


def is_script(name: str) -> bool:
    """Whether a file's extension says that an interpreter runs it."""
    return language_of(name) is not None
