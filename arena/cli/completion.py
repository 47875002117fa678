"""`arena completion`: a script that teaches a shell the commands and options."""

import sys
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from arena.cli.complaints import near
from arena.errors import BadInput

SHELLS: Final[tuple[Literal["bash", "zsh", "fish"], ...]] = ("bash", "zsh", "fish")


def completion(shell: Annotated[str, Parameter(help="bash, zsh or fish.")], /) -> int:
    """Print a script that teaches a shell the commands and options of arena."""
    from arena.cli.main import build

    for known in SHELLS:
        if known == shell:
            sys.stdout.write(build().generate_completion(prog_name="arena", shell=known))
            return 0
    raise BadInput(
        f"no completion for the shell {shell!r}; there is one for {', '.join(SHELLS)}{near(shell, SHELLS)}"
    )
