"""What starts a bot: the command for a file, and the command that a bot.toml's `run` stands for."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.errors import BadInput
from arena.roster import binary
from arena.roster.entrant import MANIFEST, PassedOver, SitsOut
from arena.roster.languages import COMPILED, is_interpreter, language_of
from arena.roster.programs import Programs, is_program, real_program
from arena.roster.shebang import HEAD, read_shebang, resolve_shebang
from arena.roster.words import near, shown

_KEPT_ASIDE: Final = ("~", ".bak", ".orig", ".rej", ".swp")
"""Ends of names that editors give to what they keep aside; the execute bit stays on such copies."""
_PACKAGE: Final = "__init__.py"


def no_bot_by_name(name: str) -> str | None:
    """What a file of this name is, whatever is in it; None where it may be a bot."""
    if name == _PACKAGE:
        return "a package marker"
    return "a copy that an editor kept aside" if name.endswith(_KEPT_ASIDE) else None


def launch_file(path: Path, word: str, called: str, programs: Programs) -> tuple[str, ...]:
    """The command that starts a file: `word` is its path in the staged folder, `called` the user's own.

    A #! line goes before the extension, the extension before the execute bit. The first word is an absolute
    path, or begins with ./ and is the file itself. Raises BadInput for what looks like a bot and cannot run,
    SitsOut where a program is not installed, PassedOver for what does not look like a bot.
    """
    head, executable = _look(path, called)
    if (what := no_bot_by_name(path.name)) is not None:
        raise PassedOver(what)
    language = language_of(path.name)
    shebang = read_shebang(head, called) if language or executable or b"#!" in head[:5] else None
    if not head and (language or executable):
        raise BadInput(f"{called} is empty; put the program in, or leave the file out")
    if shebang:
        if not executable and not language:
            raise BadInput(f"{called} has a #! line and is not executable; chmod +x {called}")
        return (*resolve_shebang(shebang, called, programs), word)
    if language:
        return (*programs.runner_or_sit_out(language), word)
    if not executable:
        raise PassedOver(_what_else(path, head))
    try:
        reason = binary.why_not(path)
    except OSError as error:
        raise BadInput(f"{called} cannot be read: {error.strerror}") from None
    if reason:
        raise BadInput(
            f"{called} has the execute bit and cannot run: it {reason}; mend it, or chmod -x if it is no bot"
        )
    return (word if word.startswith("./") else f"./{word}",)


def launch_run(
    words: Sequence[str], folder: Path, called: str, programs: Programs, *, to_build: bool = False
) -> tuple[str, ...]:
    """The command for a bot.toml's `run` in its folder; the first word as `launch_file` gives it.

    `to_build`: the build has not run yet, so a file that is not there may still come; the answer is then
    empty. Raises BadInput, and SitsOut where a program is not installed.
    """
    first, rest = words[0], tuple(words[1:])
    what = f"{called}/{MANIFEST}: run"
    if os.path.isabs(first):
        found = real_program(first) if is_program(first) else None
        if found is None:
            raise SitsOut(f"{shown(first)}, which run names, is not installed")
        return (found, *rest)
    inside = os.path.normpath(first)
    if inside.split("/")[0] == "..":
        raise BadInput(f"{what} names {shown(first)}, which is outside the folder; copy it into the folder")
    place = folder / inside
    installed = None if "/" in first else programs.find(first)
    if place.is_file() and (installed is None or is_program(str(place)) or language_of(inside)):
        word = f"./{inside}" if first.startswith(("./", "-")) else inside
        try:
            return (*launch_file(place, word, f"{called}/{shown(inside)}", programs), *rest)
        except PassedOver:
            raise BadInput(
                f"{what} names {shown(first)}, which is not executable and has no extension that is known; "
                f"chmod +x {called}/{shown(inside)}"
            ) from None
    if installed:
        return (installed, *rest)
    if to_build and not is_interpreter(first):
        if language := language_of(first):
            programs.runner_or_sit_out(language)
        return ()
    if "/" in first or language_of(first) or place.is_dir():
        raise BadInput(
            f"{what} names {shown(first)}, which is not a file of the folder{_near_in(folder, inside)}"
        )
    raise SitsOut(f"{shown(first)}, which run names, is not installed{near(first, programs.names())}")


def _near_in(folder: Path, inside: str) -> str:
    parent = (folder / inside).parent
    return near(os.path.basename(inside), os.listdir(parent)) if parent.is_dir() else ""


def _look(path: Path, called: str) -> tuple[bytes, bool]:
    """The first bytes of a regular file, and whether it has an execute bit."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise PassedOver("neither a file nor a folder")
        with path.open("rb") as file:
            return file.read(HEAD), bool(state.st_mode & 0o111)
    except OSError as error:
        raise BadInput(f"{called} cannot be read: {error.strerror}") from None


def _what_else(path: Path, head: bytes) -> str:
    if path.name == MANIFEST:
        return f"it belongs to its folder; give {shown(str(path.parent))} instead"
    if path.suffix.lower() in COMPILED:
        return f"source that must be built; make it a folder with a {MANIFEST} (run and build)"
    if binary.is_binary(head):
        return f"a compiled program without the execute bit; chmod +x {shown(str(path))} to enter it"
    return "no known extension, no #! line, no execute bit"
