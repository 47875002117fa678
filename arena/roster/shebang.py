"""The first line of a script: read as the kernel reads it, its program looked up now, on the user's PATH."""

import os
import re
import shlex
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.roster.entrant import SitsOut
from arena.roster.programs import Programs, is_program, real_program
from arena.roster.words import near, shown

HEAD: Final = 4096
"""Bytes from the start of a file that are looked at."""
_LONGEST: Final = 255
"""Bytes of a #! line that Linux reads."""
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_BOM: Final = b"\xef\xbb\xbf"


class Shebang(msgspec.Struct, frozen=True):
    """What a #! line says: the program, and the one argument that all after it is."""

    program: str
    argument: str | None


def read_shebang(head: bytes, called: str) -> Shebang | None:
    """The #! line that a file's bytes begin with, if any. Raises BadInput for one that cannot run."""
    if head.startswith(_BOM + b"#!"):
        raise BadInput(f"{called} has a byte order mark before its #! line; save it as UTF-8 without one")
    if not head.startswith(b"#!"):
        return None
    line = head[2:].split(b"\n", 1)[0]
    if line.endswith(b"\r"):
        raise BadInput(
            f"{called} has Windows line ends, which its #! line cannot; save it with Unix line ends"
        )
    if len(line) + 2 > _LONGEST:
        raise BadInput(
            f"the #! line of {called} is longer than the {_LONGEST} bytes the system reads; shorten it"
        )
    if b"\0" in line:
        raise BadInput(f"the #! line of {called} holds a NUL byte; take it out")
    program, _, argument = os.fsdecode(line).strip(" \t").replace("\t", " ").partition(" ")
    if not program:
        raise BadInput(f"the #! line of {called} names no program; write #!/usr/bin/env PROGRAM")
    if not program.startswith("/"):
        raise BadInput(
            f"the #! line of {called} names {shown(program)}, which is not an absolute path; "
            f"write #!/usr/bin/env {shown(os.path.basename(program))}"
        )
    return Shebang(program, argument.strip() or None)


def resolve_shebang(shebang: Shebang, called: str, programs: Programs) -> tuple[str, ...]:
    """The words before the script, the first an absolute path.

    Raises SitsOut for a program that is not installed and BadInput for a line that could not run anywhere.
    """
    if os.path.basename(shebang.program) == "env":
        return _through_env(shebang, called, programs)
    if os.path.isdir(shebang.program) or (
        os.path.exists(shebang.program) and not is_program(shebang.program)
    ):
        raise BadInput(f"the #! line of {called} names {shown(shebang.program)}, which is not a program")
    found = real_program(shebang.program) if os.path.exists(shebang.program) else None
    if found is None:
        raise SitsOut(f"{shown(shebang.program)}, which its #! line names, is not installed")
    return (found, shebang.argument) if shebang.argument else (found,)


def _through_env(shebang: Shebang, called: str, programs: Programs) -> tuple[str, ...]:
    argument = shebang.argument
    if not argument:
        raise BadInput(f"the #! line of {called} names no program after env; write #!/usr/bin/env PROGRAM")
    split = re.match(r"(?:-S\s*|--split-string[= ]\s*)", argument)
    if split is None:
        if len(argument.split()) > 1 or argument.startswith("-") or _ASSIGNMENT.match(argument):
            raise BadInput(
                f"the #! line of {called} gives env more than one word, which it takes as one name; "
                f"write #!/usr/bin/env -S {shown(argument)}"
            )
        return (_looked_up(argument, called, programs),)
    try:
        words = shlex.split(argument[split.end() :])
    except ValueError as error:
        raise BadInput(f"the #! line of {called} cannot be split into words ({str(error).lower()})") from None
    settings = 0
    while settings < len(words) and _ASSIGNMENT.match(words[settings]):
        settings += 1
    if settings == len(words):
        raise BadInput(f"the #! line of {called} names no program after env -S; add it")
    if words[settings].startswith("-"):
        raise BadInput(
            f"the #! line of {called} gives env the option {shown(words[settings])}; "
            "only -S, NAME=VALUE and a program are understood here"
        )
    command = (_looked_up(words[settings], called, programs), *words[settings + 1 :])
    if not settings:
        return command
    env = programs.find("env") or shebang.program
    return (env, *words[:settings], *command)


def _looked_up(name: str, called: str, programs: Programs) -> str:
    if "/" in name and not os.path.isabs(name):
        raise BadInput(
            f"the #! line of {called} names {shown(name)}, which is neither a name nor an absolute path"
        )
    found = programs.find(name)
    if found is None:
        meant = near(name, programs.names())
        raise SitsOut(f"{shown(name)}, which its #! line names, is not installed{meant}")
    return found
