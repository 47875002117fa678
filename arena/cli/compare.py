"""`arena compare`: is a new version of a bot better than the old one? A paired test with an answer."""

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.cli.exits import LOOK_AT_IT
from arena.cli.options import CompareOptions, RunOptions
from arena.cli.streams import say
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.cli.prepare import Preparation
    from arena.roster.entrant import Entrant


def compare(
    new: Annotated[str, Parameter(help="The bot that is perhaps better: its path, or NAME=COMMAND.")],
    old: Annotated[str, Parameter(help="The bot that it is compared with.")],
    /,
    options: CompareOptions | None = None,
) -> int:
    """Is NEW better than OLD? Both play the same deals, in the same seats, against the same bots.

    It ends as soon as there is an answer: better (exit code 0), or not better, no difference seen, or
    undecided at the end of the budget (exit code 3). `arena run --resume FILE` goes on with one that was
    broken off.
    """
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.cli.memory import fit_the_limit
    from arena.cli.progress import show_for
    from arena.cli.run import play
    from arena.roster.discovery import find_one

    fit_the_limit()
    asked = options or CompareOptions()
    with as_keyboard_interrupt():
        candidates = find_one(new, "NEW").entrants[0], find_one(old, "OLD").entrants[0]
        if candidates[0].digest == candidates[1].digest:
            return _identical(asked, new, old)
        preparation = _prepared(asked, (new, old), candidates)
        show = show_for(quiet=asked.quiet)
        try:
            for note in preparation.notes:
                show.tell(note)
            return play(_as_run(asked), preparation, show, None)
        finally:
            show.close()


def _prepared(
    asked: CompareOptions, given: tuple[str, str], candidates: "tuple[Entrant, Entrant]"
) -> "Preparation":
    """Everything that can be checked before a game. Raises BadInput."""
    import dataclasses

    from arena.cli.prepare import Versus, prepare
    from arena.cli.shown import safe
    from arena.roster.discovery import is_command
    from arena.roster.paths import expand, identity
    from arena.tournament.comparison import Comparison

    if not asked.field:
        raise BadInput(
            "there is nobody to play against; name the opponents with --field, such as --field bots/*"
        )
    compared = {identity(one.command) for one in candidates}
    paths = list(expand(asked.field))
    again = [path for path in paths if identity(path) in compared]
    field = [path for path in paths if path not in again]
    if not field:
        raise BadInput("--field names only the bots compared; add others, against which both play")
    comparison = Comparison(gain=asked.gain, alpha=asked.alpha, beta=asked.beta)
    run = dataclasses.replace(
        _as_run(asked),
        bots=(*(word for word in given if not is_command(word)), *field),
        bot=tuple(word for word in given if is_command(word)),
        games=asked.games,
    )
    versus = Versus(candidates[0].digest, candidates[1].digest, comparison)
    preparation = prepare(run, versus)
    notes = [f"{safe(path)} is one of the two compared, and not in the field" for path in again]
    return dataclasses.replace(preparation, notes=(*notes, *preparation.notes))


def _as_run(asked: CompareOptions) -> RunOptions:
    """What a run is told of these options."""
    import dataclasses

    from arena.cli.options import PlayOptions

    shared = {field.name: getattr(asked, field.name) for field in dataclasses.fields(PlayOptions)}
    return RunOptions(**shared)


def _identical(asked: CompareOptions, new: str, old: str) -> int:
    """Nothing is played: a bot is not better than itself."""
    from arena.cli.shown import json_line, safe

    if asked.json:
        sys.stdout.write(json_line({"answer": "identical", "new": new, "old": old}))
    else:
        sys.stdout.write(f"Identical: {safe(new)} and {safe(old)} have the same content.\n")
    if not asked.quiet:
        say("nothing was played")
    return LOOK_AT_IT
