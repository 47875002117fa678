"""Putting bots on tables so that their meetings cost little: descents by swaps, pure, in whole numbers."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

NO_LIMIT: Final = 1 << 30


def on_tables(rows: Ints, seats: int, cost: Ints, swaps: int = NO_LIMIT) -> list[list[int]]:
    """As many whole tables of these rows as there are, cheapest first; the rows left over will meet as well.

    `cost[i, j]` is what a meeting of rows i and j costs; its diagonal is 0. Starts from the order
    given and swaps two rows of different tables while the best swap saves something, at most `swaps` times.
    """
    among = cost[np.ix_(rows, rows)]
    count = len(rows)
    whole = count // seats
    table = np.minimum(np.arange(count) // seats, whole)
    every = np.arange(count)
    seated = np.zeros((count, whole + 1), np.int64)
    seated[every, table] = 1
    to_table = among @ seated
    for _ in range(swaps):
        own = to_table[every, table]
        elsewhere = to_table[:, table]
        change = elsewhere + elsewhere.T
        change -= own[:, None]
        change -= own[None, :]
        change -= 2 * among
        change[table[:, None] == table[None, :]] = 0
        one, other = divmod(int(change.argmin()), count)
        if change[one, other] >= 0:
            break
        mine, theirs = int(table[one]), int(table[other])
        shift = among[:, other] - among[:, one]
        to_table[:, mine] += shift
        to_table[:, theirs] -= shift
        table[one], table[other] = theirs, mine
    own = to_table[every, table]
    cheapest = sorted(range(whole), key=lambda number: (int(own[table == number].sum()), number))
    return [rows[table == number].tolist() for number in cheapest]


def filled_up(rows: Ints, others: Ints, seats: int, cost: Ints, swaps: int = NO_LIMIT) -> list[list[int]]:
    """The one table of all these rows and as many of the others as it wants.

    Starts from the first of the others and swaps one of them in while the best swap saves something, at
    most `swaps` times.
    """
    among = cost[np.ix_(others, others)]
    taken = np.arange(len(others)) < seats - len(rows)
    to_table = cost[np.ix_(others, rows)].sum(axis=1) + among[:, taken].sum(axis=1)
    for _ in range(0 if taken.all() else swaps):
        inside, outside = np.flatnonzero(taken), np.flatnonzero(~taken)
        change = to_table[outside][None, :] - to_table[inside][:, None] - among[np.ix_(inside, outside)]
        one, other = divmod(int(change.argmin()), len(outside))
        if change[one, other] >= 0:
            break
        leaves, comes = inside[one], outside[other]
        taken[leaves], taken[comes] = False, True
        to_table += among[:, comes] - among[:, leaves]
    return [rows.tolist() + others[taken].tolist()]
