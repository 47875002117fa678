"""When a tournament ends because its bars are short enough."""

from collections.abc import Sequence

import numpy as np

from arena.errors import BadInput
from arena.ratings import Ratings
from arena.tournament.standings import standings_of
from arena.tournament.store import Store


def precise(store: Store, point: int, bots: Sequence[int], precision: float) -> bool:
    """Whether the blocks before this number leave these bots no bar above `precision` (Elo, as +/- shows it).

    Raises StoreError for a damaged file.
    """
    try:
        ratings, _ = standings_of(store.as_of(point))
    except BadInput:
        # Games from which no ratings can be made say nothing about their bars.
        return False
    longest = longest_bar(ratings, bots)
    return longest is not None and longest <= precision


def longest_bar(ratings: Ratings, bots: Sequence[int]) -> float | None:
    """The longest bar of these bots, in Elo; None while there is one that has played too little to have any.

    A rating that only the prior keeps finite (of a bot that nobody has beaten, say) has a bar that more
    games hardly shorten. It is left out, or one such bot would let no tournament end; if all are like that,
    nothing is known.
    """
    chosen = np.array(bots, dtype=np.int64)
    judged = chosen[~ratings.prior_bounded[chosen]]
    if not judged.size or ratings.provisional[chosen].any():
        return None
    return float(ratings.error[judged].max())
