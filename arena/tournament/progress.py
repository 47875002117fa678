"""How far a tournament is while it is played: counts that the runner keeps and others look at."""

import time
from collections import Counter
from dataclasses import dataclass, field

from arena.protocol.faults import FaultRecord


@dataclass
class Progress:
    """How far a tournament is; the same object is handed out again and again."""

    games_planned: int | None
    """None: it ends for another reason."""
    games_done: int = 0
    games_found: int = 0
    """Of these, those that an earlier run has left."""
    blocks_done: int = 0
    faults: int = 0
    requests: int = 0
    voids: Counter[int] = field(default_factory=Counter)
    """How often a block, or a game of its own, was played again, by the bot whose answer was late.

    The host had disturbed it.
    """
    contended: int = 0
    """Blocks with a verdict that stands although it had done so."""
    wins: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    """Games by bot number."""
    benched: dict[int, int] = field(default_factory=dict)
    """By bot number: the decision point at which it was benched."""
    failed_starts: dict[int, FaultRecord] = field(default_factory=dict)
    """By bot number: the first of them in this run."""
    began: float = field(default_factory=time.perf_counter)
    ends_after: float | None = None
    """Seconds from then."""

    known: str = ""
    """How far it is from an end that hangs on what is known, for people; empty where it does not."""
    games_expected: float | None = None
    """How many games there will be by then, as far as can be told."""

    @property
    def seconds(self) -> float:
        """Since the first block began."""
        return time.perf_counter() - self.began
