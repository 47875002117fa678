"""Which ranks may be claimed: the orders of the game as two tables."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from arena.cheat.cards import RANKS, Rank
from arena.cheat.rules import Order

FORCED: Final[Mapping[Order, str]] = MappingProxyType(
    {
        "up": "A23456789TJQK",
        "down_from_ace": "AKQJT98765432",
        "down_from_king": "KQJT98765432A",
    }
)
"""Orders in which the turn alone decides the rank: the ranks of turns 1 to 13, then the same again."""

STEPS: Final[Mapping[Order, tuple[int, ...]]] = MappingProxyType(
    {
        "up_or_down": (-1, 1),
        "same_up_down": (-1, 0, 1),
        "free": tuple(range(13)),
    }
)
"""Orders with a choice: how far from the last claim the next may be; the king and the ace are neighbours."""


def _by_turn(order: Order) -> tuple[tuple[Rank, ...], ...]:
    return tuple((rank,) for rank in FORCED[order])


def _by_last_claim(order: Order) -> Mapping[Rank, tuple[Rank, ...]]:
    reach = {}
    for place, rank in enumerate(RANKS):
        near = {(place + step) % len(RANKS) for step in STEPS[order]}
        reach[rank] = tuple(RANKS[other] for other in sorted(near))
    return MappingProxyType(reach)


_FORCED_RANKS: Final = MappingProxyType({order: _by_turn(order) for order in FORCED})
_CHOICES: Final = MappingProxyType({order: _by_last_claim(order) for order in STEPS})
_OPENING: Final = MappingProxyType({"up_or_down": ("A",), "same_up_down": ("A",), "free": tuple(RANKS)})


def legal_ranks(order: Order, turn: int, last_claim: Rank | None) -> tuple[Rank, ...]:
    """The ranks that may be claimed on a turn (from 1), from the ace up.

    In a forced order the turn decides; a pass uses its turn up, a fault does not. In the others the
    last claim decides, whatever happened since; before any claim it is aces, and any rank in `free`.
    """
    if order in _FORCED_RANKS:
        return _FORCED_RANKS[order][(turn - 1) % len(RANKS)]
    if last_claim is None:
        return _OPENING[order]
    return _CHOICES[order][last_claim]
