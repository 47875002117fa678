"""What can be counted without a fit: games, wins, blocks."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from arena.ratings.results import Bools, Ints, Results


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """By bot, (bots,) each, where nothing else is said."""

    games: Ints
    rated: Ints
    blocks: Ints
    wins: Ints
    no_result: Ints
    ahead: Ints
    """Rated games in which the bot came before somebody."""
    behind: Ints
    rated_game: Bools
    """(games,)."""

    @staticmethod
    def of(results: Results) -> "Counts":
        """Count them."""
        won = results.winner >= 0
        spread = results.places.max(axis=1) > results.places.min(axis=1) if results.games else won
        rated = spread if results.full_order else won
        sat, places = results.seating[rated], results.places[rated]
        if results.full_order:
            ahead = places < places.max(axis=1, keepdims=True) if len(places) else places
            behind = places > places.min(axis=1, keepdims=True) if len(places) else places
        else:
            ahead = np.arange(results.seats) == results.winner[rated, None]
            behind = ~ahead
        winners = results.seating[won, results.winner[won]]

        def by_bot(bots: Ints) -> Ints:
            return np.bincount(bots.ravel(), minlength=results.bots)

        return Counts(
            games=by_bot(results.seating),
            rated=by_bot(sat),
            blocks=_blocks_by_bot(results.bots, sat, results.block[rated]),
            wins=by_bot(winners),
            no_result=by_bot(results.seating[~won]),
            ahead=by_bot(sat[ahead.astype(bool)]),
            behind=by_bot(sat[behind.astype(bool)]),
            rated_game=rated,
        )


def _blocks_by_bot(bots: int, sat: Ints, block: Ints) -> Ints:
    names, index = np.unique(block, return_inverse=True)
    where = (np.broadcast_to(index[:, None], sat.shape).ravel(), sat.ravel())
    met = csr_array(coo_array((np.ones(sat.size), where), shape=(len(names), bots)))
    met.sum_duplicates()
    return np.bincount(met.indices, minlength=bots).astype(np.int64)
