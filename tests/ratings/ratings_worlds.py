"""Simulated tournaments whose true strengths are known."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from arena.ratings import ELO, Results, results_of_winners

BOTS, SEATS = 8, 4
STRENGTH = np.linspace(-1.0, 1.0, BOTS)
SEAT = np.array([0.2, 0.0, -0.05, -0.15])
LUCK = 150.0 / ELO
WILLIAMS = (np.array([0, 1, 3, 2]) + np.arange(4)[:, None]) % 4

World: TypeAlias = Callable[..., Results]


def independent_games(rng, blocks, seat=SEAT):
    """Four random tables a block that have nothing in common."""
    seating = np.argsort(rng.random((4 * blocks, BOTS)), axis=1)[:, :SEATS]
    return _played(rng, seating, np.zeros(seating.shape), np.repeat(np.arange(blocks), 4), seat)


def shared_deals(rng, blocks, seat=SEAT, games=4, luck=LUCK):
    """The same four bots in the same seats play some games of one deal, whose luck is worth 150 Elo."""
    table = np.argsort(rng.random((blocks, BOTS)), axis=1)[:, :SEATS]
    favour = np.repeat(rng.normal(0.0, luck, (blocks, SEATS)), games, axis=0)
    return _played(rng, np.repeat(table, games, axis=0), favour, np.repeat(np.arange(blocks), games), seat)


def williams_blocks(rng, blocks, seat=SEAT):
    """A Williams square a block, each game on a deal of its own."""
    seating, block = _squares(rng, blocks)
    return _played(rng, seating, np.zeros(seating.shape), block, seat)


def form_by_match(rng, blocks, seat=SEAT):
    """A Williams square a block, and every bot has a form of its own (150 Elo) that lasts for the block."""
    seating, block = _squares(rng, blocks)
    form = rng.normal(0.0, LUCK, (blocks, BOTS))
    return _played(rng, seating, form[block[:, None], seating], block, seat)


WORLDS: dict[str, World] = {
    world.__name__: world for world in (independent_games, shared_deals, williams_blocks, form_by_match)
}


def _squares(rng, blocks):
    table = np.argsort(rng.random((blocks, BOTS)), axis=1)[:, :SEATS]
    return table[:, WILLIAMS].reshape(-1, SEATS), np.repeat(np.arange(blocks), SEATS)


def _played(rng, seating, luck, block, seat):
    # The highest of strengths with Gumbel noise is chosen as Luce's model says.
    score = STRENGTH[seating] + seat + luck + rng.gumbel(size=seating.shape)
    return results_of_winners(BOTS, seating, score.argmax(axis=1), block)
