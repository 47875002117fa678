"""The scripted positions: deals, seats and opponents that bring up what a bot must be able to answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cheat.deal import deal, deal_key
from arena.cheat.events import Hand
from arena.cheat.rules import Rules
from arena.check.strategies import BOLD, QUIET, SUSPICIOUS, VARIED, Strategy

USUAL_SEATS: Final = 4
_DEALS_TRIED: Final = 60
"""Among so many deals is nearly always one that is wanted; where there is none, the position is left out."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game of some turns: the deal, the bot's seat, the others there and the turn on which they leave."""

    name: str
    seats: int
    seat: int
    opponents: Strategy
    leaves: int
    game: int
    """Its number in the block, which gives the deal."""


_Wanted = Callable[[Sequence[Hand]], bool]


def positions(rules: Rules, seed: bytes, block: int) -> tuple[Position, ...]:
    """Those at the usual table, in the order in which one process is put through them."""
    seats = usual_seats(rules)
    last = seats - 1
    first_rank = "K" if rules.order == "down_from_king" else "A"
    wanted: tuple[tuple[str, int, Strategy, int, _Wanted], ...] = (
        ("the first play, with the rank that is due", 0, QUIET, 1, lambda hands: _has(hands[0], first_rank)),
        ("the first play, without the rank that is due", 0, QUIET, 1, lambda h: not _has(h[0], first_rank)),
        ("a claim of one card", 1, QUIET, 2, _any),
        ("a claim of many cards, of a rank it holds", 1, BOLD, 2, lambda hands: _has(hands[1], first_rank)),
        (
            "a claim of many cards, of a rank it does not hold",
            1,
            BOLD,
            2,
            lambda hands: not _has(hands[1], first_rank),
        ),
        ("every play is called", last, SUSPICIOUS, 3 * seats, _any),
        ("nobody ever calls", last, BOLD, 3 * seats, _any),
    )
    found: list[Position] = []
    game = 0
    for name, seat, opponents, leaves, fits in wanted:
        for number in range(game, game + _DEALS_TRIED):
            if fits(deal(rules, seats, deal_key(seed, block, number))):
                found.append(Position(name, seats, seat, opponents, leaves, number))
                game = number + 1
                break
    return tuple(found)


def at_other_tables(rules: Rules) -> tuple[Position, ...]:
    """One at the smallest table of the rules and one at the largest; each needs a process of its own."""
    sizes = {rules.min_players, rules.max_players} - {usual_seats(rules)}
    return tuple(
        Position(f"at a table of {seats}", seats, 0, VARIED, 2 * seats, 0) for seats in sorted(sizes)
    )


def under(rules: Rules) -> Position:
    """Some turns by other rules."""
    return Position(f"by the rules {rules.name}", usual_seats(rules), 1, VARIED, 10, 0)


def usual_seats(rules: Rules) -> int:
    """Four, or the nearest that the rules take."""
    return min(max(USUAL_SEATS, rules.min_players), rules.max_players)


def _has(hand: Hand, rank: str) -> bool:
    return any(card[0] == rank for card in hand)


def _any(hands: Sequence[Hand]) -> bool:
    return True
