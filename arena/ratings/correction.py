"""One error rate for everything that is looked at: what a chance is worth when it is the best of many.

A report looks for several kinds of findings, and for each kind at many bots. Within a kind chances are raised
by Holm's (1979) steps, between the kinds by their number. So if nothing is to be found, the chance that any
finding at all is told is at most `ERROR_RATE`, however these looks hang together.
"""

import numpy as np

from arena.ratings.results import Floats

ERROR_RATE = 0.05
"""The chance of a report to tell anything where there is nothing."""
KINDS = 4
"""Pairs, cycles, seats, help: each has an equal part of the rate, whether or not it can be looked for."""
ENOUGH_MEETINGS = 10
"""Blocks of two bots from which on they are tested. A sum of C independent parts over the root of the sum
of their squares is at most the root of C; so fewer blocks could not pass a corrected test, whatever came
out in them, and the few above lean to silence."""


def corrected(chances: Floats) -> Floats:
    """(n,): the chances of all looks of one kind, raised to what they are worth in a whole report."""
    return np.minimum(KINDS * holm(chances), 1.0)


def holm(chances: Floats) -> Floats:
    """(n,): each chance raised to that of one as low in any of the n places."""
    order = np.argsort(chances, kind="stable")
    count = len(chances)
    raised = np.minimum(np.maximum.accumulate(chances[order] * (count - np.arange(count))), 1.0)
    adjusted = np.empty(count)
    adjusted[order] = raised
    return adjusted
