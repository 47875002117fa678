"""The fit against choix, an independent implementation of the same models."""

import choix
import numpy as np

from arena.ratings import ELO, Results, rate, results_of_winners

PENALTY = 1e-9  # choix wants some; at this strength it moves no rating by 0.001 Elo


def connected_games(seed):
    """Random results in which a chain of wins leads from every bot to every other."""
    rng = np.random.default_rng(seed)
    bots = int(rng.integers(2, 8))
    seats = int(rng.integers(2, min(bots, 5) + 1))
    games = int(rng.integers(2 * bots, 5 * bots))
    strength = rng.normal(0.0, 1.0, bots)
    seating = np.argsort(rng.random((games, bots)), axis=1)[:, :seats]
    score = strength[seating] + rng.gumbel(size=seating.shape)
    ring = np.stack([np.roll(np.arange(bots), -place) for place in range(seats)], axis=1)
    score = np.concatenate([score, np.tile(-np.arange(seats, dtype=float), (bots, 1))])
    return bots, np.concatenate([seating, ring]), score


def apart(ratings, found):
    found = np.asarray(found) - np.mean(found)
    return np.abs(ratings.elo - ELO * found).max()


def test_winner_only_ratings_agree_with_choix_within_a_hundredth_of_an_elo():
    for seed in range(200):
        bots, seating, score = connected_games(seed)
        winner = score.argmax(axis=1)
        ratings = rate(results_of_winners(bots, seating, winner), prior=0.0, seat_effects=False)
        data = [
            (int(row[seat]), [int(bot) for bot in np.delete(row, seat)])
            for row, seat in zip(seating, winner, strict=True)
        ]
        found = choix.opt_top1(bots, data, alpha=PENALTY, method="Newton-CG", tol=1e-10)
        assert apart(ratings, found) < 0.01, f"seed {seed}"


def test_full_order_ratings_agree_with_choix_within_a_hundredth_of_an_elo():
    for seed in range(1000, 1020):
        bots, seating, score = connected_games(seed)
        order = np.argsort(-score, axis=1)
        places = np.argsort(order, axis=1) + 1
        results = Results(bots, seating, places, score.argmax(axis=1), np.arange(len(score)), full_order=True)
        ratings = rate(results, prior=0.0, seat_effects=False)
        data = np.take_along_axis(seating, order, axis=1).tolist()
        found = choix.opt_rankings(bots, data, alpha=PENALTY, method="Newton-CG", tol=1e-10)
        assert apart(ratings, found) < 0.01, f"seed {seed}"
