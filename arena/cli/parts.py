"""`--part I/N`: which part of a tournament a run plays, and what a part cannot be asked for."""

from typing import TYPE_CHECKING, Final

from arena.cli.options import RunOptions, conditions
from arena.cli.shown import counted
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.tournament.part import Part

DECIDED_ON_THE_WAY: Final = ("precision", "time")
"""Options by which the games played so far decide what is played next: no part knows all of them."""


def chosen_part(options: RunOptions) -> "Part | None":
    """The part asked for; None for the whole. Raises BadInput."""
    if options.part is None:
        return None
    from arena.tournament.part import Part

    part = Part.of_text(options.part, conditions(options).bench)
    for name in DECIDED_ON_THE_WAY:
        if getattr(options, name, None) is not None:
            raise BadInput(
                f"--{name} decides by all games so far when to stop, and --part plays only some of them; "
                "give one of the two"
            )
    if options.format == "swiss":
        raise BadInput(
            "--format swiss pairs by all games so far, and --part plays only some of them; "
            "give one of the two"
        )
    if options.seed is None:
        raise BadInput("--part needs --seed S, the same for every part: all parts deal from one seed")
    return part


def check_share(part: "Part | None", blocks: int) -> None:
    """Raises BadInput for a part of which there is no block."""
    if part is not None and not part.share(blocks):
        only = counted(blocks, "block")
        raise BadInput(f"--part {part} has nothing to play in a tournament of {only}; make fewer parts of it")
