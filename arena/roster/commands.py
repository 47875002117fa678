"""Bots given as NAME=COMMAND: which words of the command are files to stage, and what its first word is."""

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.roster.entrant import Part, PassedOver, SitsOut
from arena.roster.languages import is_interpreter, language_of
from arena.roster.launch import launch_file
from arena.roster.paths import absent
from arena.roster.programs import Programs, in_venv, is_program, real_program
from arena.roster.words import near, shown, split_words

_SYSTEM: Final = ("/bin", "/sbin", "/usr", "/lib", "/lib64", "/opt", "/nix", "/dev", "/proc", "/sys")
"""What lies below these is the machine's, not the bot's: it is not staged."""
_SETTING: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class Given(msgspec.Struct, frozen=True):
    """One --bot as it was given."""

    name: str
    command: str
    words: tuple[str, ...]

    @property
    def path(self) -> str | None:
        """The path, where the command is nothing but that of a file or folder which exists."""
        only = self.words[0] if len(self.words) == 1 else ""
        return only if only and os.path.exists(only) and not _of_the_machine(only) else None


def read_command(text: str, option: str) -> Given:
    """Split NAME=COMMAND, which was given by the option; the name is not yet checked. Raises BadInput."""
    name, equals, command = text.partition("=")
    if not equals:
        words = ("--bots", text) if os.path.exists(text) else ("--bot", f"NAME={text}")
        mend = shown(shlex.join(words))
        raise BadInput(f"--bot takes NAME=COMMAND, and {shown(text)!r} has no =; write {mend}")
    return given_command(name, command, f"{option} {shown(name)}")


def given_command(name: str, command: str, whose: str) -> Given:
    """The command's words, which messages call the command of `whose`. Raises BadInput."""
    words = split_words(command, f"the command of {whose}")
    return Given(name, command, tuple(map(os.path.expanduser, words)))


class Launched(msgspec.Struct, frozen=True):
    """A command with its files named as they will lie in the staged folder."""

    argv: tuple[str, ...]
    """The first word is an absolute path or begins with ./."""
    words: tuple[str, ...]
    """As the user wrote them: an interpreter by its name, not by where it is installed."""
    parts: tuple[Part, ...]


def launch_command(words: Sequence[str], whose: str, programs: Programs) -> Launched:
    """What a command starts; messages call it the command of `whose`.

    Raises BadInput if its first word cannot run, SitsOut if it is not installed.
    """
    called = f"the command of {whose}"
    parts: dict[str, Part] = {}
    for word in words[1:]:
        _check_script(word, called)
    rest = tuple(_staged(word, parts) if _is_file(word) else word for word in words[1:])
    first = words[0]
    if _is_file(first) and not _of_the_machine(first):
        installed = None if "/" in first else programs.find(first)
        if installed is None or is_program(first) or language_of(first):
            word = _staged(first, parts)
            try:
                start = launch_file(Path(first), word, shown(first), programs)
            except PassedOver as reason:
                raise BadInput(f"{called} begins with {shown(first)}, which cannot run: {reason}") from None
            return Launched((*start, *rest), (word, *rest), tuple(parts.values()))
    else:
        installed = _program(first, called, programs)
    return Launched((installed, *rest), (first, *rest), tuple(parts.values()))


def _program(first: str, called: str, programs: Programs) -> str:
    if "/" not in first:
        found = programs.find(first)
        if found:
            return found
        if language_of(first):
            raise BadInput(f"{called} begins with {absent(first)}")
        if _SETTING.match(first):
            raise BadInput(f"{called} begins with the setting {shown(first)}; write env {shown(first)} ...")
        hint = near(first, programs.names())
        if is_interpreter(first):
            raise SitsOut(f"{shown(first)} is not installed{hint}")
        raise BadInput(f"{called} begins with {shown(first)}, and no such program is installed{hint}")
    if os.path.isdir(first):
        raise BadInput(f"{called} begins with the folder {shown(first)}; name the program in it")
    if not os.path.exists(first):
        if os.path.isabs(first) and is_interpreter(os.path.basename(first)):
            raise SitsOut(f"{shown(first)} is not installed")
        raise BadInput(f"{called} begins with {absent(first)}")
    found = real_program(os.path.abspath(first)) if is_program(first) else None
    if found is None:
        raise BadInput(f"{called} begins with {shown(first)}, which is not a program that runs")
    return found


def _check_script(word: str, called: str) -> None:
    """Raises BadInput for the name of a script that does not exist: an interpreter would say so too late."""
    if not word.startswith("-") and language_of(word) and not os.path.exists(word):
        raise BadInput(f"{called} names {absent(word)}")


def _is_file(word: str) -> bool:
    """Whether the word is a file that belongs to the bot."""
    return not word.startswith("-") and os.path.isfile(word) and not _of_the_machine(word)


def _of_the_machine(word: str) -> bool:
    """Whether the file belongs to the system or is an interpreter, which works only where it is installed."""
    place = os.path.abspath(word)
    if any(place.startswith(folder + "/") for folder in _SYSTEM):
        return True
    return is_program(place) and (is_interpreter(os.path.basename(place)) or in_venv(place))


def _staged(word: str, parts: dict[str, Part]) -> str:
    """Take the file among the parts; its name in the staged folder, as a word of the command."""
    source = os.path.realpath(word)
    name, number = os.path.basename(word), 1
    while name in parts and parts[name].source != source:
        number += 1
        name = f"{number}/{os.path.basename(word)}"
    parts[name] = Part(source, name)
    # A program that is to start another looks for it on PATH unless the word has a slash.
    return f"./{name}" if is_program(source) and "/" in word else name
