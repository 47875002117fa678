"""The compilers that builds commonly name: which of them this machine has, and in which version."""

import re
from typing import Final

from arena.roster.programs import Programs, said_by

_COMPILERS: Final = (
    ("cc", ("--version",)),
    ("c++", ("--version",)),
    ("rustc", ("--version",)),
    ("cargo", ("--version",)),
    ("go", ("version",)),
    ("javac", ("--version",)),
    ("tsc", ("--version",)),
)
"""Each with the arguments that make it say its version."""
_VERSION: Final = re.compile(r"\d+(?:\.\d+)+")


def compilers(path: str | None = None) -> list[tuple[str, str | None, str | None]]:
    """For each: its name, where it was found on the PATH, and its version as far as it says one."""
    programs = Programs(path)
    found = []
    for name, arguments in _COMPILERS:
        program = programs.find(name)
        said = _VERSION.search(said_by(program, arguments) or "") if program else None
        found.append((name, program, said[0] if said else None))
    return found
