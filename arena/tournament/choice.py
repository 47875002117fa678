"""Which bots sit down together next: a greedy rule over who has played, who has met, and the seed.

The bots that have played least come first; they are put on tables so that pairs have met as evenly as can
be; then come the tables used least so far; then the seed decides.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from arena.cheat.deal import derived, number_below, random_words
from arena.tournament.arranging import NO_LIMIT, Ints, filled_up, on_tables

COUNTED_TABLES: Final = 1 << 16
"""Counters for how often a table was used; tables share counters where there are more tables than that."""
POOL: Final = 256
"""At most so many of the least-played bots are seated in one plan, so that the next table is soon known."""
CLOSE_LOOK: Final = 64
"""Up to so many bots several plans are compared; beyond, meetings are so thin that one will do."""
FEW_TABLES: Final = 3
PLANS: Final = 4
PLANS_AT_BOUND: Final = 32
PLANS_BEYOND: Final = 512


def meetings_bound(seats: int) -> int:
    """The most that the meetings of any two pairs differ by, at any time, among up to 40 bots."""
    return 3 if seats <= 4 else 5


class Tables:
    """The tables of a round robin, one after another.

    It holds counts, never the past, so its size stays the same. `next_table` advances it; a copy goes
    its own way from there.
    """

    def __init__(self, seed: bytes, bots: int, seats: int) -> None:
        self.seats = seats
        self.bots: Ints = np.arange(bots)
        """The numbers of the bots in play, ascending; row i of the counts belongs to bots[i]."""
        self._seed = seed
        self._played: Ints = np.zeros(bots, np.int64)
        self._met: Ints = np.zeros((bots, bots), np.int64)
        self._used = np.zeros(min(math.comb(bots, seats), COUNTED_TABLES), np.int32)
        self._planned: list[list[int]] = []
        self._pairs = np.triu_indices(bots, 1)

    def copy(self) -> "Tables":
        """The same state, sharing nothing that changes."""
        twin = object.__new__(Tables)
        twin.__dict__.update(self.__dict__)
        twin._played, twin._met = self._played.copy(), self._met.copy()
        twin._used, twin._planned = self._used.copy(), list(self._planned)
        return twin

    def without(self, leaving: Iterable[int]) -> "Tables":
        """The same state among the bots that stay, who must still fill a table."""
        gone = set(leaving)
        stays = np.array([bot not in gone for bot in self.bots.tolist()])
        rest = self.copy()
        rest.bots = self.bots[stays]
        rest._played = self._played[stays]
        rest._met = self._met[np.ix_(stays, stays)]
        rest._planned = []
        rest._pairs = np.triu_indices(len(rest.bots), 1)
        return rest

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""
        if not self._planned:
            self._planned = self._plan(number)
        rows = sorted(self._planned.pop(0))
        self._played[rows] += 1
        self._met[np.ix_(rows, rows)] += 1
        self._met[rows, rows] = 0
        self._used[self._counter(rows)] += 1
        return tuple(self.bots[rows].tolist())

    def _plan(self, number: int) -> list[list[int]]:
        """The tables up to where the least-played bots fill no more, or the one table that takes their rest.

        Planning so far, and not table by table, is what keeps the meetings even: those left over at the
        end of such a stretch have no choice any more.
        """
        is_least = self._played == self._played.min()
        costs = (self._cost_of_meeting(2), self._cost_of_meeting(4))
        best: tuple[tuple[int, int, int, int], Sequence[list[int]]] | None = None
        for attempt in range(PLANS_BEYOND):
            if best is not None and attempt >= self._plans_wanted(*best[0][:2]):
                break
            order = np.array(shuffled_by(self._seed, f"table:{number}:{attempt}", range(len(self.bots))))
            least, others = order[is_least[order]], order[~is_least[order]]
            # Where descents keep ending in the same dead ends, looser plans are what is left to try.
            swaps = NO_LIMIT if attempt < PLANS_AT_BOUND else attempt % 8
            if len(least) < self.seats:
                tables = filled_up(least, others, self.seats, costs[attempt % 2], swaps)
            else:
                tables = on_tables(least[:POOL], self.seats, costs[attempt % 2], swaps)
            total = sum(int(costs[0][np.ix_(table, table)].sum()) for table in tables)
            uses = sum(int(self._used[self._counter(sorted(table))]) for table in tables)
            for ordered in permutations(tables) if len(tables) <= FEW_TABLES else (tables,):
                score = (*self._strain(ordered), total, uses)
                if best is None or score < best[0]:
                    best = (score, ordered)
        assert best is not None
        return list(best[1])

    def _plans_wanted(self, over: int, at_end: int) -> int:
        if len(self.bots) > CLOSE_LOOK:
            return 1
        return PLANS_BEYOND if over else PLANS_AT_BOUND if at_end else PLANS

    def _cost_of_meeting(self, power: int) -> Ints:
        """What one more meeting of each pair adds to the sum over pairs of (meetings - mean) ** power.

        In quarters of a meeting, so that whole numbers do and every machine finds the same tables. The
        square leaves the best state for later tables; the fourth power minds the one pair far off.
        """
        pairs = len(self._pairs[0])
        total = int(self._met.sum()) // 2
        off = (4 * (self._met * pairs - total)) // pairs
        cost: Ints = (off + 4) ** power - off**power
        np.fill_diagonal(cost, 0)
        return cost

    def _strain(self, tables: Sequence[list[int]]) -> tuple[int, int]:
        """How far the spread of meetings goes past its bound while these are played, and to it at their end.

        Only reaching it counts at the end, because the first table of the next plan may add one before its
        others make up for that.
        """
        if len(self.bots) > CLOSE_LOOK:
            return 0, 0
        met = self._met.copy()
        worst = spread = 0
        for table in tables:
            met[np.ix_(table, table)] += 1
            now = met[self._pairs]
            spread = int(now.max() - now.min())
            worst = max(worst, spread)
        bound = meetings_bound(self.seats)
        return max(0, worst - bound), max(0, spread - bound + 1)

    def _counter(self, rows: list[int]) -> int:
        """The counter of a table: its place in the combinatorial number system (Knuth, TAOCP 7.2.1.3)."""
        bots = self.bots[rows].tolist()
        return sum(math.comb(bot, place) for place, bot in enumerate(bots, 1)) % len(self._used)


def shuffled_by(seed: bytes, purpose: str, items: Iterable[int]) -> list[int]:
    """The items in an order that the seed alone knows: the deal's shuffle under the key of this purpose."""
    order = list(items)
    words = random_words(derived(seed, purpose))
    for last in range(len(order) - 1, 0, -1):
        other = number_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order
