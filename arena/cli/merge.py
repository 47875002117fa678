"""`arena merge`: the parts of one tournament become the results file of the whole."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from arena.cli.shown import counted, path_as_typed, safe


def merge(
    *files: Annotated[str, Parameter(help="The results files of all parts.")],
    out: Annotated[
        str | None, Parameter(name=["--out", "-o"], metavar="FILE", help="The results file of the whole.")
    ] = None,
) -> int:
    """Join what `arena run --part I/N` played into one results file, if all of it is of one tournament."""
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.cli.memory import fit_the_limit
    from arena.cli.outfile import existing_file
    from arena.errors import BadInput

    fit_the_limit()
    from arena.tournament.merge import merge_parts

    if out is None:
        raise BadInput("arena merge needs a name for the whole: arena merge A.db B.db -o NEW.db")
    if not files:
        raise BadInput("arena merge needs the files of all parts: arena merge A.db B.db -o NEW.db")
    with as_keyboard_interrupt():
        merged = merge_parts([existing_file(file) for file in files], Path(out))
    what = ((merged.parts, "part"), (merged.blocks, "block"), (merged.games, "game"))
    lines = [f"{path_as_typed(out)}: {', '.join(counted(*one) for one in what)}"]
    if merged.would_be_benched:
        who = ", ".join(f"{safe(bot)} (from block {at})" for bot, at in merged.would_be_benched.items())
        lines.append(
            f"Parts bench nobody. A run in one would have benched, after faults in "
            f"{counted(merged.bench, 'block')} running: {who}"
        )
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
