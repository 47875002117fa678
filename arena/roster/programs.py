"""Programs of this machine: found on PATH now, past proxies that would not work in a clean environment."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.roster.entrant import SitsOut
from arena.roster.languages import ASK, LANGUAGES, Language, Runner, runs, stem_of

_PATIENCE: Final = 10.0
"""Seconds a program has to say where it lies or which release it is."""
_NO_DOWNLOAD: Final = MappingProxyType({"RUSTUP_AUTO_INSTALL": "0"})
"""A bot's rust-toolchain file picks one of the toolchains that are there; it gets none from the network."""
_RELEASE: Final = re.compile(r"(\d+)\.(\d+)")


class Programs:
    """The programs on one PATH; each is looked up, and asked, at most once."""

    def __init__(self, path: str | None = None) -> None:
        """`path` as in the environment; None: that of this process."""
        self.path = path if path is not None else os.environ.get("PATH", os.defpath)
        self._found: dict[str, str | None] = {}

    def find(self, name: str) -> str | None:
        """The absolute path of a program, proxies and links resolved; None if it is not installed."""
        if name not in self._found:
            place = shutil.which(name, path=self.path)
            self._found[name] = real_program(os.path.abspath(place)) if place else None
        return self._found[name]

    def folders(self) -> tuple[str, ...]:
        """The absolute folders of PATH, for a process that runs elsewhere."""
        return tuple(folder for folder in self.path.split(os.pathsep) if os.path.isabs(folder))

    def runner(self, language: Language) -> tuple[str, ...] | None:
        """The words before a file of the language, the first an absolute path; None: nothing here runs it."""
        if not language.runners:
            return (own_python(),)
        for runner in language.runners:
            program = self.find(runner.program)
            if program and (not runner.since or self._new_enough(runner, program)):
                return (program, *runner.options)
        return None

    def runner_or_sit_out(self, language: Language) -> tuple[str, ...]:
        """As `runner`. Raises SitsOut, naming what could be installed."""
        words = self.runner(language)
        if words is None:
            hint = f"; {language.hint}" if language.hint else ""
            raise SitsOut(
                f"nothing that runs {language.name} is installed (looked for {wanted(language)}){hint}"
            )
        return words

    def names(self) -> Iterable[str]:
        """The interpreters one may have meant by a misspelt name."""
        return ("python3", *(runner.program for language in LANGUAGES for runner in language.runners))

    @staticmethod
    def _new_enough(runner: Runner, program: str) -> bool:
        release = _RELEASE.search(said_by(program, ("--version",)) or "")
        return release is not None and runs(runner, (int(release[1]), int(release[2])))


def interpreters(path: str | None = None) -> list[tuple[str, str, str | None]]:
    """For each language known by its extension: its name, the programs that run it, and the one found."""
    programs = Programs(path)
    found = []
    for language in LANGUAGES:
        words = programs.runner(language)
        found.append((language.name, wanted(language), words[0] if words else None))
    return found


def wanted(language: Language) -> str:
    """The programs that run a language, for people: "lua, lua5.4"."""
    return (
        ", ".join(
            runner.program + "".join(f" {major}.{minor} or later" for major, minor in runner.since[:1])
            for runner in language.runners
        )
        or Path(own_python()).name
    )


def own_python() -> str:
    """The interpreter that runs arena, its links kept: resolved, a virtual environment loses its packages."""
    return os.path.abspath(sys.executable)


def real_program(place: str) -> str | None:
    """Where the program at this absolute path really lies; None where it is a proxy with nothing behind it.

    A script that stands for an interpreter (pyenv, rbenv) picks the real one by settings that a clean
    environment lacks, so it is asked now; so is a link to a program of another name (volta).
    """
    if in_venv(place):
        return place
    target = os.path.realpath(place)
    name, other = stem_of(Path(place).name), stem_of(Path(target).name)
    ask = ASK.get(name)
    if ask and (name != other or _is_script(target)):
        answer = (said_by(place, ask) or "").strip()
        if not os.path.isabs(answer) or not is_program(answer):
            return None
        return answer if in_venv(answer) else os.path.realpath(answer)
    if name != other:
        # Some programs do what the name they are called by says (busybox, rustup): it must stay.
        return os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
    return target


def in_venv(program: str) -> bool:
    """Whether it belongs to a virtual environment, which finds its packages by the path it is called by."""
    return os.path.exists(os.path.join(os.path.dirname(os.path.dirname(program)), "pyvenv.cfg"))


def is_program(place: str) -> bool:
    """Whether a regular file with the execute bit stands there."""
    try:
        mode = os.stat(place).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & 0o111)


def behind_rustup(programs: Programs, folder: Path) -> str | None:
    """The folder of the real compilers where PATH's cargo or rustc is rustup's proxy, else None.

    The proxy finds its toolchain through the user's home, which a build does not see. `folder` is the
    bot's: a rust-toolchain file in it is obeyed.
    """
    for name in ("cargo", "rustc"):
        place = shutil.which(name, path=programs.path)
        if not place:
            continue
        rustup = os.path.join(os.path.dirname(os.path.abspath(place)), "rustup")
        if os.path.exists(rustup) and os.path.samefile(rustup, place):
            answer = (said_by(rustup, ("which", name), folder) or "").strip()
            return os.path.dirname(answer) if is_program(answer) else None
        return None
    return None


def _is_script(place: str) -> bool:
    try:
        with open(place, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def said_by(
    program: str,
    arguments: tuple[str, ...],
    folder: Path | None = None,
    more: Mapping[str, str] = _NO_DOWNLOAD,
) -> str | None:
    """What a program of the user's own prints in the user's own environment; None if it fails."""
    try:
        done = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            cwd=folder,
            env={**os.environ, **more},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None
