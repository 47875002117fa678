"""Who can be compared with whom: groups linked by games, and ratings that only the prior keeps finite."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from arena.ratings.choices import Choices
from arena.ratings.results import Bools, Ints

MOST_MARKED: Final = 1 << 25
"""Pairs of bots up to which each has a byte of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The graph "came before, at least once" over all bots, and what follows from it."""

    group: Ints
    """(bots,): the group of each bot, largest group first; bots of two groups share no scale."""
    prior_bounded: Bools
    """(bots,): no chain of results leads both ways between the bot and the bulk of its group."""
    no_upper: Bools
    """(bots,): prior-bounded, and nothing outside its like ever came before it."""
    no_lower: Bools
    """(bots,): prior-bounded, and it and its like never came before anything else."""


def link(bots: int, choices: tuple[Choices, ...]) -> Links:
    """Groups are weakly connected components; games bound the ratings of a strongly connected one only."""
    none = np.zeros(bots, dtype=bool)
    if not bots:
        return Links(np.zeros(0, dtype=np.int64), none, none, none)
    beat = _beat(bots, choices)
    _, weak = connected_components(beat, directed=True, connection="weak")
    count, strong = connected_components(beat, directed=True, connection="strong")
    group = _by_size(np.asarray(weak, dtype=np.int64))
    edges = beat.tocoo()
    upper, lower = strong[edges.row], strong[edges.col]
    across = upper != lower
    beaten, beats = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    beaten[lower[across]] = True
    beats[upper[across]] = True
    bounded = (beaten | beats)[strong] & ~_bulk(group, np.asarray(strong, dtype=np.int64))[strong]
    return Links(group, bounded, bounded & ~beaten[strong], bounded & ~beats[strong])


def _beat(bots: int, choices: tuple[Choices, ...]) -> csr_array:
    """(bots, bots): true where the row has come before the column."""
    pairs = [
        (observed.bots[:, : observed.tied, None] * bots + observed.bots[:, None, observed.tied :]).ravel()
        for observed in choices
    ]
    if bots**2 <= MOST_MARKED:
        # Many times as fast as sorting or hashing millions of pairs.
        marked = np.zeros(bots**2, dtype=bool)
        for pair in pairs:
            marked[pair] = True
        keys = np.flatnonzero(marked)
    else:
        keys = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *pairs]))
    return csr_array(coo_array((np.ones(len(keys)), (keys // bots, keys % bots)), shape=(bots, bots)))


def _by_size(labels: Ints) -> Ints:
    names, first, inverse, sizes = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(names))
    return np.asarray(rank[inverse])


def _bulk(group: Ints, strong: Ints) -> Bools:
    """(strong components,): the component that is larger than every other of its group."""
    sizes = np.bincount(strong)
    home = np.zeros(len(sizes), dtype=np.int64)
    home[strong] = group
    bulk = np.zeros(len(sizes), dtype=bool)
    for members in np.unique(home):
        here = np.flatnonzero(home == members)
        largest = here[sizes[here] == sizes[here].max()]
        if len(largest) == 1:
            bulk[largest] = True
    return bulk
