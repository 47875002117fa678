"""What share of games each bot would win against the whole field, at a table drawn at random."""

import numpy as np
from scipy.integrate import trapezoid

from arena.ratings.results import Floats

NODES = 400
REACH = 40.0


def expected_shares(strength: Floats, table: int) -> Floats:
    """(bots,): chance to be first at a table of `table` bots, the others drawn from the field, seats equal.

    `strength` (bots,) is in natural-logarithm units. With fewer bots than seats the table is the whole field.
    The shares sum to bots / table. A bot of weight w beats the set S with probability
    integral of w exp(-w s) prod over S of exp(-w_j s) ds; the mean over all sets S of one size is an
    elementary symmetric polynomial of the factors exp(-w_j s), so one integral answers for every table.
    """
    bots = len(strength)
    rivals = min(table, bots) - 1
    if rivals < 1:
        return np.ones(bots)
    # In x = log s the integrand is smooth and dies off at both ends, where the trapezium rule is at its best.
    low, high = -float(strength.max()) - REACH, -float(strength.min()) + np.log(REACH)
    nodes = np.linspace(low, high, int(NODES * (1 + (high - low) / REACH)))
    rate = np.exp(strength[:, None] + nodes)
    factor = np.exp(-rate)
    totals = np.zeros((rivals + 1, len(nodes)))
    totals[0] = 1.0
    for bot in range(bots):
        # Mean products instead of sums keep every number between 0 and 1, however many bots there are.
        seen = min(bot + 1, rivals)
        for size in range(seen, 0, -1):
            part = size / (bot + 1)
            totals[size] = (1.0 - part) * totals[size] + part * factor[bot] * totals[size - 1]
    without = np.ones((bots, len(nodes)))
    for size in range(1, rivals + 1):
        part = size / bots
        without = (totals[size] - part * factor * without) / (1.0 - part) if part < 1.0 else without
    return np.asarray(trapezoid(rate * factor * without, nodes, axis=1))
