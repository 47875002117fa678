"""Simulated tournaments with something to be found in them, and the challenges of others with nothing."""

import numpy as np
from ratings_worlds import SEATS, WILLIAMS
from scipy.special import expit

from arena.ratings import Challenges, find, rate, results_of_winners

USUAL = np.array([-2.5, -0.5])
"""Log odds of a challenge by kind of claim: claims that are seldom challenged, and others that often are."""


def found_in(results, challenges=None):
    """What there is to be told of these games."""
    return find(rate(results), results, challenges)


def preying(rng, blocks, bots, prey, gain):
    """Equal bots in Williams squares; each of `prey` gains so much where its prey sits, and that loses it."""
    seating = squares(rng, blocks, bots)
    score = rng.gumbel(size=seating.shape)
    for bot, victim in prey.items():
        both = (seating == bot).any(axis=1) & (seating == victim).any(axis=1)
        score[(seating == bot) & both[:, None]] += gain
        score[(seating == victim) & both[:, None]] -= gain
    return results_of_winners(bots, seating, score.argmax(axis=1), np.arange(len(seating)) // SEATS)


def squares(rng, blocks, bots):
    """(4 blocks, seats): a Williams square of a random table each block."""
    table = np.argsort(rng.random((blocks, bots)), axis=1)[:, :SEATS]
    return table[:, WILLIAMS].reshape(-1, SEATS)


def challenged(rng, results, claims=20, mood=1.0, regard=0.0, sparing=None):
    """Challenges at the tables of `results`: habits of challengers and of claimants by kind of claim.

    `claims` of each other bot a block, on average. `mood` and `regard`: in each block every bot is that much
    (log odds, standard deviation) more or less given to challenge anybody, and each other bot. `sparing`
    gives by pair (lower number first) the part of their challenges of each other that is left.
    """
    names, first = np.unique(results.block, return_index=True)
    blocks, bots = len(names), results.bots
    table = results.seating[first]
    caller, claimer = rng.normal(0.0, 0.7, (2, bots)), rng.normal(0.0, 0.4, (2, bots))
    moods, regards = rng.normal(0.0, mood, (blocks, bots)), rng.normal(0.0, regard, (blocks, bots, SEATS))
    left = np.ones((bots, bots))
    for (one, other), part in (sparing or {}).items():
        left[one, other] = left[other, one] = part
    rows = []
    at = np.arange(blocks)
    for asker in range(SEATS):
        for claimant in range(SEATS):
            if asker == claimant:
                continue
            who, whose = table[:, asker], table[:, claimant]
            for kind, share in enumerate((0.6, 0.4)):
                odds = USUAL[kind] + caller[kind, who] + claimer[kind, whose]
                chance = left[who, whose] * expit(odds + moods[at, who] + regards[at, who, claimant])
                asked = rng.poisson(share * claims, blocks)
                called = rng.binomial(asked, chance)
                rows.append(np.stack([names, who, whose, np.full(blocks, kind), asked, called]))
    return Challenges(bots, *np.concatenate(rows, axis=1))


def claim_by_claim(given):
    """The same challenges as if every claim were a block of its own."""
    row = np.repeat(np.arange(len(given.block)), given.asked)
    place = np.arange(len(row)) - np.repeat(np.cumsum(given.asked) - given.asked, given.asked)
    called = (place < given.called[row]).astype(np.int64)
    return Challenges(
        given.bots,
        np.arange(len(row)),
        given.challenger[row],
        given.claimant[row],
        given.kind[row],
        np.ones(len(row), np.int64),
        called,
    )
