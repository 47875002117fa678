"""`arena verify`: every recorded game re-judged, and every digest of the file made again."""

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.cli.exits import DONE, LOOK_AT_IT
from arena.cli.shown import counted, json_line, path_as_typed

if TYPE_CHECKING:
    from arena.tournament.verify import Verified


def verify(
    file: Annotated[str, Parameter(help="A results file.")],
    /,
    *,
    json: Annotated[bool, Parameter(help="One JSON object.")] = False,
) -> int:
    """Re-judge every recorded game from its deal and moves; exit code 3 if anything differs.

    Whoever publishes the digest that this prints has a file of which nobody can change a row unseen.
    """
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.cli.memory import fit_the_limit
    from arena.cli.outfile import existing_file

    fit_the_limit()
    from arena.tournament import verify as verifying
    from arena.tournament.store import Store

    with as_keyboard_interrupt(), Store.open(existing_file(file)) as store:
        found = verifying.verify(store)
    if json:
        sys.stdout.write(json_line({"file": file, **_as_object(found)}))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(found, path_as_typed(file))))
    return LOOK_AT_IT if found.differences else DONE


def _lines(found: "Verified", file: str) -> list[str]:
    if found.differences:
        count = counted(len(found.differences), "difference")
        end = f"{file}: {count} in a file of {counted(found.games, 'game')}"
        return [*map(str, found.differences), end]
    dropped = f" ({found.dropped:,} of them in dropped blocks, which count nowhere)" if found.dropped else ""
    lines = [f"{file}: {counted(found.games, 'game')} verified{dropped}, digest {found.digest}"]
    if not found.complete:
        lines.append(f"the tournament is not complete: {counted(found.blocks, 'block')} so far")
    return lines


def _as_object(found: "Verified") -> dict[str, object]:
    return {
        "ok": not found.differences,
        "games": found.games,
        "games_dropped": found.dropped,
        "blocks": found.blocks,
        "complete": found.complete,
        "digest": found.digest,
        "differences": [
            {
                "where": one.where,
                "field": one.field,
                "recorded": one.recorded,
                "judged": one.why or one.judged,
            }
            for one in found.differences
        ],
    }
