"""`arena completion`: a script that teaches a shell the commands and options."""

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from arena.cli.candidates import shells
from arena.cli.complaints import near
from arena.errors import BadInput

SHELLS: Final[tuple[Literal["bash", "zsh", "fish"], ...]] = ("bash", "zsh", "fish")

FILES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "bash": ("\ncomplete -F ", "\ncomplete -o bashdefault -o default -F "),
        "zsh": ("\n  esac\n}\n", "\n  esac || _files\n}\n"),
        "fish": ("", ""),
    }
)
"""What lets the shell offer files where the script has nothing: most arguments are files. fish does."""


def completion(shell: Annotated[str, Parameter(completer=shells, help="bash, zsh or fish.")], /) -> int:
    """Print a script that teaches a shell the commands and options of arena."""
    from arena.cli.main import build

    for known in SHELLS:
        if known == shell:
            script = build().generate_completion(prog_name="arena", shell=known)
            sys.stdout.write(script.replace(*FILES[known]))
            return 0
    raise BadInput(
        f"no completion for the shell {shell!r}; there is one for {', '.join(SHELLS)}{near(shell, SHELLS)}"
    )
