"""What a table of ratings does not show: bots that help each other, cycles, odd pairs, seats that matter.

Each is told only if it passes a test that is corrected for all that was looked at (see correction.py).
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Moved:
    """A bot, and where it stands without some games."""

    bot: int
    rank: int
    elo: float
    rank_without: int
    elo_without: float


@dataclass(frozen=True, slots=True)
class Help:
    """Two bots that challenge each other less than half as often as expected."""

    bots: tuple[int, int]
    asked: tuple[int, int]
    """Claims of the second that the first was asked about, and of the first that the second was."""
    called: tuple[int, int]
    expected: tuple[float, float]
    """Challenges expected from what each calls of others, and what others call of each."""
    games: int
    """Games in which both sat."""
    blocks: int
    chance: float
    """Corrected, as in all findings."""
    without: tuple[Moved, ...] = ()
    """The two, and all whose rank changes, if these games are left out; empty where that cannot be told."""


@dataclass(frozen=True, slots=True)
class Step:
    """One bot against the next in a cycle."""

    ahead: int
    """Decided games in which it was the one ahead."""
    decided: int


@dataclass(frozen=True, slots=True)
class Cycle:
    """Each of three bots is ahead of the next, and the last of the first."""

    bots: tuple[int, int, int]
    steps: tuple[Step, Step, Step]
    chance: float
    """Of the least sure step."""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Two bots whose games the ratings do not explain."""

    bots: tuple[int, int]
    """The first was ahead more often than expected."""
    ahead: int
    decided: int
    """Games in which one of them came out ahead of the other."""
    expected: float
    """Of these, those that ratings and seats give to the first."""
    blocks: int
    chance: float


@dataclass(frozen=True, slots=True)
class Seats:
    """Seats that are not equal."""

    group: int
    """From 1, as the tables count the groups of bots."""
    groups: int
    best: int
    worst: int
    best_elo: float
    worst_elo: float
    games: int
    blocks: int
    chance: float


Finding: TypeAlias = Help | Cycle | Unexplained | Seats
