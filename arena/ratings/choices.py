"""What games say, as choices: out of these candidates, these came first. Shapes only; no likelihood yet."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.ratings.results import Bools, Ints, Results


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Observations of one shape: of the m candidates in a row, the first `tied` came before all others."""

    bots: Ints
    """(rows, m)."""
    seats: Ints
    """(rows, m): the seat each candidate sat in."""
    tied: int
    """From 1 to m - 1: how many of the first columns share the place, in an order that is not known."""
    block: Ints
    """(rows,)."""

    @property
    def rows(self) -> int:
        """How many observations there are."""
        return int(self.bots.shape[0])

    def only(self, rows: Bools | Ints) -> "Choices":
        """The rows picked by a mask or by their numbers."""
        return Choices(self.bots[rows], self.seats[rows], self.tied, self.block[rows])

    def parts(self, size: int) -> Iterator["Choices"]:
        """The same rows in slices of at most `size`, so that work on them fits in memory."""
        for start in range(0, self.rows, size):
            rows = slice(start, start + size)
            yield Choices(self.bots[rows], self.seats[rows], self.tied, self.block[rows])


def choices_of(results: Results) -> tuple[Choices, ...]:
    """All that `results` say about strength.

    Winner-only: one choice a game that has a winner. Full order: the first place out of all, the next out of
    those left, and so on; a shared place is one choice of several, and the last one says nothing.
    """
    if results.full_order:
        return tuple(_by_places(results))
    won = np.flatnonzero(results.winner >= 0)
    if not len(won):
        return ()
    order = np.argsort(np.arange(results.seats) != results.winner[won, None], axis=1, kind="stable")
    return (_rows(results, won, order, 0, 1),)


def within(choices: tuple[Choices, ...], bots: Ints, all_bots: int) -> tuple[tuple[Choices, ...], Ints]:
    """The choices among `bots`, bots numbered by position and blocks from 0; and what the blocks were called.

    `bots` are all those of one group, ascending: no choice is between one of them and one of the others.
    """
    none = np.zeros(0, dtype=np.int64)
    if len(bots) < 2:
        return (), none
    place = np.full(all_bots, -1)
    place[bots] = np.arange(len(bots))
    mine = [observed.only(place[observed.bots[:, 0]] >= 0) for observed in choices]
    names = np.unique(np.concatenate([observed.block for observed in mine]))
    return tuple(
        Choices(place[observed.bots], observed.seats, observed.tied, np.searchsorted(names, observed.block))
        for observed in mine
        if observed.rows
    ), names


def _by_places(results: Results) -> Iterator[Choices]:
    if not results.games:
        return
    order = np.argsort(results.places, axis=1, kind="stable")
    ranked = np.take_along_axis(results.places, order, axis=1)
    starts = np.ones(ranked.shape, dtype=bool)
    starts[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    for first in range(results.seats - 1):
        shared = (ranked == ranked[:, first : first + 1]).sum(axis=1)
        for tied in range(1, results.seats - first):
            games = np.flatnonzero(starts[:, first] & (shared == tied))
            if len(games):
                yield _rows(results, games, order[games], first, tied)


def _rows(results: Results, games: Ints, order: Ints, first: int, tied: int) -> Choices:
    seats = order[:, first:]
    return Choices(
        np.take_along_axis(results.seating[games], seats, axis=1),
        np.ascontiguousarray(seats),
        tied,
        results.block[games],
    )
