"""When a tournament ends because its ratings are known well enough, and how far it is from that."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from arena.errors import BadInput
from arena.ratings import NotConverged, Ratings, Results, joined, rate
from arena.tournament.header import EndedBy
from arena.tournament.standings import results_of
from arena.tournament.store import Store

LOOK_AGAIN: Final = 1.1
"""A point is looked at when it lies so many times as far as the last that was: all looks together then take
about ten times as long as the last one, however long the tournament is."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the games before a decision point say of the end."""

    ends: bool
    words: str
    """How far it is, for people; empty where there is nothing to say yet."""
    blocks: float | None = None
    """How many there will be when it ends, if it goes on like this; None where that cannot be told."""


class Judge(Protocol):
    """What ends a tournament at a decision point. It is asked about every point, in their order."""

    @property
    def by(self) -> EndedBy:
        """What a tournament that it ends has been ended by."""

    def looks_at(self, point: int) -> bool:
        """Whether the end may be decided at this point."""

    def judge(self, path: Path, point: int, bots: Sequence[int]) -> Judgement:
        """Judge by the blocks of this file before the point; `bots` are still in play.

        Called from a thread. Raises StoreError for a damaged file.
        """


class Precision:
    """Ends where no difference between two bots has a standard error above some Elo."""

    by: Final[EndedBy] = "precision"

    def __init__(self, precision: float) -> None:
        self._precision = precision
        self._next = 0.0
        self._results: Results | None = None
        """Of the blocks before `_read_to`."""
        self._read_to = 0

    def looks_at(self, point: int) -> bool:
        """At points far enough from one another; that hangs on their numbers alone."""
        if point < self._next:
            return False
        self._next = LOOK_AGAIN * point
        return True

    def judge(self, path: Path, point: int, bots: Sequence[int]) -> Judgement:
        """Rate the bots; only what has come since the last look is read."""
        with Store.open(path) as store:
            more = results_of(store.as_of(point), since=self._read_to)
        self._results = more if self._results is None else joined(self._results, more)
        self._read_to = point
        try:
            ratings = rate(self._results)
        except (BadInput, NotConverged):
            # Games from which no ratings can be made say nothing about their errors.
            return Judgement(False, "")
        widest = widest_difference(ratings, bots)
        if widest is None:
            return Judgement(False, "")
        words = f"differences known to {widest:.0f} of {self._precision:g} Elo"
        # A standard error falls with the root of the number of games.
        return Judgement(widest <= self._precision, words, point * (widest / self._precision) ** 2)


def widest_difference(ratings: Ratings, bots: Sequence[int]) -> float | None:
    """The largest standard error of a difference between two of these bots, in Elo.

    None while there is one that has played too little to have any, or two that no games link. A rating that
    only the prior keeps finite (of a bot that nobody has beaten, say) has an error that more games hardly
    lessen. It is left out, or one such bot would let no tournament end; 0 if fewer than two are left.
    """
    chosen = np.array(bots, dtype=np.int64)
    judged = chosen[~ratings.prior_bounded[chosen]]
    if ratings.provisional[chosen].any():
        return None
    if len(judged) < 2:
        return 0.0
    if len(set(ratings.group[judged].tolist())) > 1:
        return None
    scale = ratings.scales[int(ratings.group[judged[0]])]
    where = np.searchsorted(scale.bots, judged)
    return float(scale.deviation[np.ix_(where, where)].max())
