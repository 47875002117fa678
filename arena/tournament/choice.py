"""Which bots sit down together next: the greedy rule over who has played, who has met, and what the seed says.

The rule: the bots that have played least come first; among them, tables are made so that pairs have met
as evenly as can be; then the tables used least so far; then the seed decides.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.cheat.deal import derived, number_below, random_words

Ints: TypeAlias = NDArray[np.int64]

COUNTED_TABLES: Final = 1 << 16
"""Counters for how often a table was used; tables share counters where there are more tables than that."""
POOL: Final = 256
"""At most so many of the least-played bots are put on tables at once, so that the next table is soon known."""
CLOSE_LOOK: Final = 64
"""Up to so many bots several arrangements are compared; beyond, meetings are so thin that one will do."""
FEW_TABLES: Final = 3
STARTS: Final = eval(__import__('os').environ.get('ST','(4,8,16)'))
"""Arrangements tried: always; while the spread of meetings is at its bound; while it is beyond."""


def meetings_bound(seats: int) -> int:
    """The most that the meetings of any two pairs differ by, at any time, among up to 40 bots."""
    return 3 if seats <= 4 else 5


class Tables:
    """The tables of a round robin, one after another. It holds counts, never the past, so its size stays the same.

    `next_table` advances it; a copy goes its own way from there.
    """

    def __init__(self, seed: bytes, bots: int, seats: int) -> None:
        self.seats = seats
        self.bots: Ints = np.arange(bots)
        """The numbers of the bots in play, ascending; row i of the counts belongs to bots[i]."""
        self._seed = seed
        self._total = bots
        self._played: Ints = np.zeros(bots, np.int64)
        self._met: Ints = np.zeros((bots, bots), np.int64)
        self._used = np.zeros(min(math.comb(bots, seats), COUNTED_TABLES), np.int32)
        self._planned: list[tuple[int, ...]] = []

    def copy(self) -> "Tables":
        """The same state, sharing nothing that changes."""
        twin = object.__new__(Tables)
        twin.__dict__.update(self.__dict__)
        twin._played, twin._met = self._played.copy(), self._met.copy()
        twin._used, twin._planned = self._used.copy(), list(self._planned)
        return twin

    def without(self, leaving: Iterable[int]) -> "Tables":
        """The same state among the bots that stay. They must still fill a table."""
        gone = set(leaving)
        stays = np.array([bot not in gone for bot in self.bots.tolist()])
        rest = self.copy()
        rest.bots = self.bots[stays]
        rest._played = self._played[stays]
        rest._met = self._met[np.ix_(stays, stays)]
        rest._planned = []
        return rest

    def next_table(self, number: int) -> tuple[int, ...]:
        """The bots of block `number`, ascending; they are counted as having played it."""
        if not self._planned:
            self._planned = [tuple(sorted(table)) for table in self._plan(number)]
        table = self._planned.pop(0)
        rows = list(table)
        self._played[rows] += 1
        self._met[np.ix_(rows, rows)] += 1
        self._met[rows, rows] = 0
        bots = tuple(int(bot) for bot in self.bots[rows])
        self._used[self._counter(bots)] += 1
        return bots

    def _plan(self, number: int) -> list[list[int]]:
        """The tables up to where the least-played bots no longer fill one, or the one table that takes their rest.

        Planning so far, and not table by table, is what keeps the meetings even: what is left over at
        the end of such a stretch has no choice any more.
        """
        least = np.flatnonzero(self._played == self._played.min())
        cost = self._cost_of_meeting(POW)
        c4=self._cost_of_meeting(4);c2=self._cost_of_meeting(2);BASE=(c4,c2,self._cost_of_meeting(3))[SEL]; best: tuple[tuple[int, int, int], list[list[int]]] | None = None
        for start in range(STARTS[-1]):
            if best is not None and start >= self._starts(best[0][0][0]):
                break
            cost = (c2,c4)[start%2] if MIX else c4
            order = self._shuffled(np.arange(len(self.bots)), f"table:{number}:{start}")
            chosen = order[np.isin(order, least)]
            if len(least) < self.seats:
                total, tables = _filled(chosen, order[~np.isin(order, least)], self.seats, cost)
            else:
                total, tables = _grouped(chosen[:POOL], self.seats, cost, PAT if start >= STARTS[0] or int(os.environ.get('ALL','0')) else 0)
            for ordered in _orders(tables):
                total = sum(int(BASE[np.ix_(t,t)].sum()) for t in ordered)
                score = (self._excess(ordered), total//DIV, self._uses(ordered))
                if best is None or score < best[0]:
                    best = (score, list(ordered))
        assert best is not None
        return best[1]

    def _starts(self, excess: int) -> int:
        if len(self.bots) > CLOSE_LOOK:
            return 1
        return STARTS[min(excess, len(STARTS) - 1)]

    def _cost_of_meeting(self, power: int) -> Ints:
        """What one more meeting of each pair adds to the sum over pairs of (meetings - mean)^4.

        In quarters of a meeting, so that whole numbers do and every machine finds the same tables. A
        fourth power, because a square hardly minds the one pair that is far off.
        """
        pairs = len(self.bots) * (len(self.bots) - 1) // 2
        total = int(self._met.sum()) // 2
        off = np.clip((4 * (self._met * pairs - total)) // pairs, -64, 64)
        cost: Ints = (off + 4) ** power - off**power
        np.fill_diagonal(cost, 0)
        return cost

    def _excess(self, tables: Sequence[list[int]]) -> tuple[int,int]:
        """How far the spread of meetings goes past its bound while these are played, and past one less at their end.

        One less at the end, because the first table of the next plan can add one before the second makes up for it.
        """
        if len(self.bots) > CLOSE_LOOK:
            return 0,0
        met = self._met.copy()
        upper = np.triu_indices(len(met), 1)
        bound = meetings_bound(self.seats)
        worst = spread = 0
        for table in tables:
            met[np.ix_(table, table)] += 1
            now = met[upper]
            spread = int(now.max() - now.min())
            worst = max(worst, spread)
        crowd = min(int((now == now.max()).sum()), int((now == now.min()).sum())) if int(os.environ.get('CR','0')) else 0
        return max(0, worst - bound) + max(0, spread - bound + 1), crowd

    def _uses(self, tables: Sequence[list[int]]) -> int:
        return sum(int(self._used[self._counter(self.bots[sorted(table)].tolist())]) for table in tables)

    def _counter(self, bots: Iterable[int]) -> int:
        """The place of this table (bots ascending) in the combinatorial number system, folded into the counters."""
        return sum(math.comb(bot, place) for place, bot in enumerate(bots, 1)) % len(self._used)

    def _shuffled(self, items: Ints, purpose: str) -> Ints:
        return np.array(shuffled_by(self._seed, purpose, items.tolist()), np.int64)


def shuffled_by(seed: bytes, purpose: str, items: Iterable[int]) -> list[int]:
    """The items in an order that the seed alone knows: the deal's shuffle under the key of this purpose."""
    order = list(items)
    words = random_words(derived(seed, purpose))
    for last in range(len(order) - 1, 0, -1):
        other = number_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order


def _orders(tables: list[list[int]]) -> Iterable[Sequence[list[int]]]:
    """The orders worth comparing: all of a few tables, where the first of them may be the one that hurts."""
    return permutations(tables) if len(tables) <= FEW_TABLES else (tables,)


def _grouped(rows: Ints, seats: int, cost: Ints, patience: int = 0) -> tuple[int, list[list[int]]]:
    among = cost[np.ix_(rows, rows)]
    count = len(rows)
    whole = count // seats
    group = np.minimum(np.arange(count) // seats, whole)
    every = np.arange(count)
    member = np.zeros((count, whole + 1), np.int64)
    member[every, group] = 1
    to_group = among @ member
    total = int(to_group[every, group].sum())
    best_total, best_group = total, group.copy()
    free = np.zeros(count, np.int64)
    step = left = 0
    while True:
        own = to_group[every, group]
        moved = to_group[:, group]
        saved = moved + moved.T
        saved -= own[:, None]
        saved -= own[None, :]
        saved -= 2 * among
        saved[group[:, None] == group[None, :]] = NEVER
        if patience:
            held = free > step
            if held.any():
                saved[(held[:, None] | held[None, :]) & (total + 2*saved >= best_total)] = NEVER
        one, other = divmod(int(saved.argmin()), count)
        change = int(saved[one, other])
        if change == NEVER: break
        if change >= 0:
            if left >= patience: break
        mine, theirs = int(group[one]), int(group[other])
        to_group[:, mine] += among[:, other] - among[:, one]
        to_group[:, theirs] += among[:, one] - among[:, other]
        group[one], group[other] = theirs, mine
        total += 2 * change
        step += 1
        free[one] = free[other] = step + TENURE
        left += 1
        if total < best_total:
            best_total, best_group = total, group.copy()
            left = 0
    group = best_group
    own = np.zeros((count, whole + 1), np.int64)
    own[every, group] = 1
    own = (among @ own)[every, group]
    costs = [int(own[group == table].sum()) for table in range(whole + 1)]
    cheapest = sorted(range(whole), key=lambda table: (costs[table], table))
    return sum(costs), [rows[group == table].tolist() for table in cheapest]


NEVER = 1 << 60
import os

DIV=int(os.environ.get('DIV','1'))
MIX=int(os.environ.get('MIX','1'))
SEL=int(os.environ.get('SEL','0'))
TENURE = int(os.environ.get('TEN','4'))
PAT = int(os.environ.get('PAT','100'))
POW = int(os.environ.get('POW','4'))


def _filled(rows: Ints, others: Ints, seats: int, cost: Ints) -> tuple[int, list[list[int]]]:
    """One table of all these rows and as many of the others as it wants, with its cost.

    Starts from the first of the others and swaps one of them in while the best swap saves something.
    """
    among = cost[np.ix_(others, others)]
    to_rows = cost[np.ix_(others, rows)].sum(axis=1)
    taken = np.arange(len(others)) < seats - len(rows)
    to_table = to_rows + among[:, taken].sum(axis=1)
    while not taken.all():
        inside, outside = np.flatnonzero(taken), np.flatnonzero(~taken)
        saved = to_table[outside][None, :] - to_table[inside][:, None] - among[np.ix_(inside, outside)]
        one, other = divmod(int(saved.argmin()), len(outside))
        if saved[one, other] >= 0:
            break
        leaves, comes = inside[one], outside[other]
        taken[leaves], taken[comes] = False, True
        to_table = to_table - among[:, leaves] + among[:, comes]
    total = int(to_table[taken].sum() + to_rows[taken].sum())
    return total, [rows.tolist() + others[taken].tolist()]
