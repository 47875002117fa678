"""Which bots sit down together next: a greedy rule over who has played, who has met, and the seed.

The bots that have played least come first; they are put on tables so that pairs have met as evenly as can
be; then come the tables used least so far; then the seed decides.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, permutations
from typing import Final

import numpy as np

from arena.cheat.deal import derived, number_below, random_words
from arena.tournament.arranging import NO_LIMIT, Ints, filled_up, on_tables
from arena.tournament.brief import Brief
from arena.tournament.evenness import cost_of_meeting, excess, meetings_bound
from arena.tournament.lookahead import Plan, lasting

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
AHEAD: Final = 6
"""Near the bound so many plans, one after another, must stay within it; a share of them is then taken."""
AHEAD_IF_FEW: Final = 24
TAKEN: Final = 4
ALL_TABLES: Final = 128
"""Up to so many tables that can come next are all looked at, where a few plans do not do."""


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
        self._some_left = False
        self._planned: list[list[int]] = []
        self._pairs = np.triu_indices(bots, 1)

    @property
    def groups(self) -> Sequence[tuple[Collection[int], int]]:
        """All bots in play are one group."""
        return ((self.bots.tolist(), self.seats),)

    def learn(self, briefs: Iterable[Brief]) -> None:
        """Nothing: results bear on no table."""

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
        rest._some_left = True
        rest._pairs = np.triu_indices(len(rest.bots), 1)
        return rest

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""
        if not self._planned:
            self._planned = self._plan(number)
        rows = sorted(self._planned.pop(0))
        self._count(rows)
        return tuple(self.bots[rows].tolist())

    def _count(self, rows: list[int]) -> None:
        self._played[rows] += 1
        self._met[np.ix_(rows, rows)] += 1
        self._met[rows, rows] = 0
        self._used[self._counter(rows)] += 1

    def _plan(self, number: int) -> list[list[int]]:
        plans = self.plans(number, PLANS_BEYOND)
        best = plans[:1]
        small = self._every_is_looked_at(len(self.bots), self.seats)
        # After bots have left, the meetings of a small field may be doomed well before they reach the bound.
        if best[0].over or best[0].at_end or (small and self._some_left):
            ahead = AHEAD_IF_FEW if small else AHEAD
            best = lasting(self, number, plans, ahead, PLANS_AT_BOUND)[: ahead // TAKEN]
        return [table for plan in best for table in plan.tables]

    def after(self, plan: Plan) -> "Tables":
        """The same state once these tables have been played."""
        later = self.copy()
        for table in plan.tables:
            later._count(sorted(table))
        return later

    def plans(self, number: int, most: int) -> list[Plan]:
        """Plans for block `number` and on, best first, from at most so many attempts.

        A plan has the tables up to where the least-played bots fill no more, or the one table that takes
        their rest. Planning so far, and not table by table, is what keeps the meetings even: those left
        over at the end of such a stretch have no choice any more.
        """
        is_least = self._played == self._played.min()
        above = excess(self._met, self._played, self.seats)
        costs = (cost_of_meeting(above, 2), cost_of_meeting(above, 4))
        plans: list[Plan] = []
        best: Plan | None = None
        for attempt in range(most):
            if best is not None and attempt >= self._attempts_wanted(best):
                break
            order = np.array(shuffled_by(self._seed, f"table:{number}:{attempt}", range(len(self.bots))))
            least, others = order[is_least[order]], order[~is_least[order]]
            if attempt == PLANS and (every := self._every_table(least, others)):
                plans += [plan for table in every for plan in self._judged([table], costs[0])]
                break
            # Where descents keep ending in the same dead ends, looser plans are what is left to try.
            swaps = NO_LIMIT if attempt < PLANS_AT_BOUND else attempt % 8
            if len(least) < self.seats:
                tables = filled_up(least, others, self.seats, costs[attempt % 2], swaps)
            else:
                tables = on_tables(least[:POOL], self.seats, costs[attempt % 2], swaps)
            found = self._judged(tables, costs[0])
            best = min(best or found[0], *found, key=_badness)
            plans += found
        return sorted(plans, key=_badness)

    def _every_table(self, least: Ints, others: Ints) -> list[list[int]]:
        """All tables that may come next, where a plan has one table and they are few; or else none."""
        sure, pool = (least, others) if len(least) < self.seats else (least[:0], least)
        wanted = self.seats - len(sure)
        if not self._every_is_looked_at(len(pool), wanted):
            return []
        return [sure.tolist() + list(more) for more in combinations(pool.tolist(), wanted)]

    def _every_is_looked_at(self, bots: int, wanted: int) -> bool:
        return len(self.bots) < 2 * self.seats and math.comb(bots, wanted) <= ALL_TABLES

    def _judged(self, tables: list[list[int]], cost: Ints) -> list[Plan]:
        """These tables in all the orders that are compared."""
        total = sum(int(cost[np.ix_(table, table)].sum()) for table in tables)
        uses = sum(int(self._used[self._counter(sorted(table))]) for table in tables)
        orders = permutations(tables) if len(tables) <= FEW_TABLES else (tables,)
        return [Plan(*self._strain(ordered), total, uses, ordered) for ordered in orders]

    def _attempts_wanted(self, best: Plan) -> int:
        if len(self.bots) > CLOSE_LOOK:
            return 1
        return PLANS_BEYOND if best.over else PLANS_AT_BOUND if best.at_end else PLANS

    def _strain(self, tables: Sequence[list[int]]) -> tuple[int, int]:
        """How far the spread of meetings goes past its bound while these are played, and to it at their end.

        Only reaching it counts at the end, because the first table of the next plan may add one before its
        others make up for that.
        """
        if len(self.bots) > CLOSE_LOOK or not len(self._pairs[0]):
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


def _badness(plan: Plan) -> tuple[int, int, int, int]:
    return plan[:4]


def shuffled_by(seed: bytes, purpose: str, items: Iterable[int]) -> list[int]:
    """The items in an order that the seed alone knows: the deal's shuffle under the key of this purpose."""
    order = list(items)
    words = random_words(derived(seed, purpose))
    for last in range(len(order) - 1, 0, -1):
        other = number_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order
