"""The sandbox a run asks for."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.cli.complaints import near
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.referee.block import Contestant
    from arena.referee.tiers import Chosen

SANDBOXES: Final = ("auto", "bwrap", "ns", "bare")


def check_sandbox(word: str) -> None:
    """Raises BadInput for a word that --sandbox does not take."""
    if word not in SANDBOXES:
        raise BadInput(
            f"there is no sandbox {word!r}; --sandbox takes {', '.join(SANDBOXES)}{near(word, SANDBOXES)}"
        )


async def chosen_sandbox(
    word: str, contestants: "Sequence[Contestant]", *, allow_root_bots: bool
) -> "Chosen":
    """The tier these bots are played in, tried with them. Raises BadInput where it is not to be had."""
    from arena.referee.tiers import choose_tier

    try:
        return await choose_tier(word, contestants, allow_root_bots=allow_root_bots)
    except BadInput as error:
        if os.geteuid() or allow_root_bots or word in ("bwrap", "ns"):
            raise
        raise BadInput(f"{error}, or let bots run as root with --allow-root-bots") from None
