"""Which of two bots is better: the scores of their pairs of blocks, the test over them, and when it ends."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

import numpy as np

from arena.errors import BadInput
from arena.ratings import Results
from arena.ratings.results import Floats
from arena.ratings.sprt import Sprt, Standing
from arena.tournament.comparison import Comparison
from arena.tournament.database import StoreError
from arena.tournament.header import EndedBy, Header
from arena.tournament.points import comparison_points
from arena.tournament.standings import results_of
from arena.tournament.stopping import Judgement
from arena.tournament.store import Store
from arena.tournament.stored import Stored


@dataclass(frozen=True, slots=True)
class Compared:
    """What is known of two bots that are compared."""

    comparison: Comparison
    test: Sprt
    new: int
    old: int
    """Their numbers."""
    standing: Standing
    new_score: float
    old_score: float
    """Mean scores of a game, 0 to 1, in the pairs that the standing is made from."""
    pairs_played: int
    """Also those beyond the answer, if there are any."""
    pairs_planned: int

    @property
    def pairs_left(self) -> float | None:
        """Pairs until an answer or the end, if they go on like this; None: there is an answer."""
        left = self.test.pairs_left(self.standing)
        return None if left is None else min(left, self.pairs_planned - self.standing.pairs)


@dataclass(frozen=True, slots=True)
class _Scores:
    """Of the two bots, pair by pair in schedule order: both (pairs,)."""

    new: Floats
    old: Floats


def compared(store: Stored) -> Compared:
    """What the counted blocks of a comparison say. Raises StoreError for a file that is none, or damaged."""
    header = store.header
    comparison = _comparison_of(store, header)
    return _compared(header, comparison, _scores(header, results_of(store)))


class Test:
    """Ends a comparison at the first look that gives an answer."""

    by: Final[EndedBy] = "answer"

    def __init__(self, header: Header) -> None:
        self._header = header
        self._scores = _Scores(np.zeros(0), np.zeros(0))
        self._read_to = 0

    def looks_at(self, point: int) -> bool:
        """Every point is a look."""
        return True

    def judge(self, path: Path, point: int, bots: Sequence[int]) -> Judgement:
        """Take the scores of the pairs since the last look, and test."""
        header = self._header
        with Store.open(path) as store:
            comparison = _comparison_of(store, header)
            more = _scores(header, results_of(store.as_of(point), since=self._read_to))
        before, self._read_to = self._scores, point
        self._scores = _Scores(np.append(before.new, more.new), np.append(before.old, more.old))
        found = _compared(header, comparison, self._scores)
        left = found.pairs_left
        expected = None if left is None else point + 2 * left
        return Judgement(found.standing.answer != "undecided", in_short(found), expected)


def in_short(found: Compared) -> str:
    """How a comparison stands, on a live line."""
    standing, test = found.standing, found.test
    words = (
        f"{100 * standing.mean:+.1f} +/- {100 * standing.error:.1f} games in 100, "
        f"ratio {standing.ratio:+.2f} of {test.lower:.2f} to {test.upper:+.2f}"
    )
    left = found.pairs_left
    return words if left is None else f"{words}, about {2 * round(left):,} blocks left"


def _comparison_of(store: Stored, header: Header) -> Comparison:
    if header.comparison is None or not header.pairing.paired or len(header.challengers) != 2:
        raise StoreError(f"{store.path} holds no comparison of two bots")
    return header.comparison


def _compared(header: Header, comparison: Comparison, scores: _Scores) -> Compared:
    try:
        test = comparison.test
    except BadInput as error:
        raise StoreError(f"this comparison cannot be made: {error}") from error
    differences = scores.new - scores.old
    pairs, planned = len(differences), header.blocks // 2
    looks = {point // 2 for point in takewhile(lambda point: point <= 2 * pairs, comparison_points())}
    if pairs >= planned:
        # At the end of its budget it is looked at in any case.
        looks.add(planned)
    standing = test.run(differences, 1.0 / header.games_per_block, sorted(looks))
    used = standing.pairs
    means = [float(score[:used].mean()) if used else 0.0 for score in (scores.new, scores.old)]
    return Compared(
        comparison=comparison,
        test=test,
        new=header.challengers[0],
        old=header.challengers[1],
        standing=standing,
        new_score=means[0],
        old_score=means[1],
        pairs_played=len(differences),
        pairs_planned=planned,
    )


def _scores(header: Header, results: Results) -> _Scores:
    """Of the pairs of which both blocks are there: the mean score of a game with either bot."""
    sums: dict[int, dict[int, float]] = defaultdict(dict)
    new, old = header.challengers
    points = points_of(results)
    for block, seating, score in zip(results.block.tolist(), results.seating, points, strict=True):
        bot = old if block % 2 else new
        where = np.flatnonzero(seating == bot)
        if len(where) != 1:
            raise StoreError(f"block {block} is none of a comparison: the bot compared is not at its table")
        arms = sums[block // 2]
        arms[bot] = arms.get(bot, 0.0) + float(score[where[0]])
    whole = [arms for _, arms in sorted(sums.items()) if len(arms) == 2]
    both = (np.array([arms[bot] for arms in whole]) / header.games_per_block for bot in (new, old))
    return _Scores(*both)


def points_of(results: Results) -> Floats:
    """(games, seats): 1 for the winner; where all places count, the share of the others that came behind.

    A shared place counts half. A game without a winner gives nobody anything.
    """
    if not results.full_order:
        return np.asarray(results.winner[:, None] == np.arange(results.seats), dtype=np.float64)
    places = results.places
    behind = (places[:, None, :] > places[:, :, None]).sum(axis=2)
    level = (places[:, None, :] == places[:, :, None]).sum(axis=2) - 1
    return np.asarray((behind + level / 2) / (results.seats - 1))
