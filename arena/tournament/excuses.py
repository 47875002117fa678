"""How often the host excuses the lateness of one bot, before its timeouts stand like any other's."""

from collections.abc import Mapping, Sequence
from typing import Final

EXCUSES: Final = 3
"""So many void tries a bot's lateness may make in any case."""
EXCUSED_SHARE: Final = 0.1
"""And as many as this share of the blocks it has played; then its timeouts stand."""


def unexcused(voids: Mapping[int, int], played: Sequence[int], games_per_block: int) -> frozenset[int]:
    """The bots whose timeouts stand by now, whatever the host does, from the void tries and games of each.

    A bot that answers just too late when it loses would have its games played again: on a busy host some
    delay is always there to explain it.
    """
    return frozenset(
        bot
        for bot, tries in voids.items()
        if tries >= max(EXCUSES, EXCUSED_SHARE * played[bot] / games_per_block)
    )
