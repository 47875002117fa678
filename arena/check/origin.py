"""Where a bot comes from: what lies beside it and was not staged, and what runs it."""

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from arena.check.idioms import Idioms, built_by, idioms_of, of_program, run_by
from arena.referee.block import Contestant
from arena.roster.entrant import Entrant
from arena.roster.languages import language_of, stem_of

_LARGEST: Final = 64 << 20
"""Bytes of a program that are looked at."""

_STANDS_FOR_MORE: Final = frozenset(("Shell", "Bash", "Java", "C#", "JavaScript"))
"""What runs programs of other languages too: there the build says more."""


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
    language: str | None = None
    """What it is written in, such as Rust; None where nothing tells."""

    @property
    def runner(self) -> str:
        """The name of the program that runs it, without a version."""
        return stem_of(PurePath(self.argv[0]).name)

    @property
    def idioms(self) -> Idioms:
        """How a program of its language does what a mend asks for."""
        return idioms_of(self.language)

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
        _language(entrant, contestant, folder),
    )


def _language(entrant: Entrant, contestant: Contestant, folder: Path | None) -> str | None:
    """By what runs it, else by its build, else by the program itself and what lies beside it."""
    runs = run_by(contestant.argv)
    if runs is not None and runs not in _STANDS_FOR_MORE:
        return runs
    build = entrant.manifest.build if entrant.manifest else ()
    if build and (language := built_by(build, os.listdir(contestant.folder))) is not None:
        return language
    if runs is not None:
        return runs
    program = Path(contestant.argv[0])
    content, beside = b"", []
    with contextlib.suppress(OSError), open(program, "rb") as file:
        content = file.read(_LARGEST)
    with contextlib.suppress(OSError):
        beside = os.listdir(program.parent if folder is None else folder)
    return of_program(program.name, beside, content)


def is_script(name: str) -> bool:
    """Whether a file's extension says that an interpreter runs it."""
    return language_of(name) is not None
