"""The benchmark of the ratings: `python -m benchmarks.ratings`. See README.md beside this file.

What is measured is what `arena standings` does with the arrays: fit, bars, the table with its joint draws;
choix, on the same games, gives the ratings alone.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import choix
import numpy as np
from tabulate import tabulate

from arena.ratings import Results, rate, results_of_winners, standings_table

SIZES = ((10_000, 50), (100_000, 100), (1_000_000, 1000))
"""Games and bots."""
T = TypeVar("T")
SQUARE = (np.array([0, 1, 3, 2]) + np.arange(4)[:, None]) % 4


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of one pass over one size."""

    fit: float
    """Ratings with their errors."""
    table: float
    """And from these the standings."""
    choix: float | None


def main() -> int:
    """Parse the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="passes over every size (%(default)s)")
    parser.add_argument("--most", type=int, default=1_000_000, help="leave out more games (%(default)s)")
    parser.add_argument(
        "--choix-most", type=int, default=100_000, help="spare choix more games (%(default)s)"
    )
    options = parser.parse_args()
    sizes = [size for size in SIZES if size[0] <= options.most]
    found: dict[tuple[int, int], list[Spent]] = {size: [] for size in sizes}
    memory = {}
    # In turn, so that what disturbs the machine disturbs all of them.
    for turn in range(options.repeats):
        for games, bots in sizes:
            print(f"pass {turn + 1} of {options.repeats}: {games:,} games, {bots} bots", file=sys.stderr)
            results = simulated(games, bots, turn)
            found[games, bots].append(measured(results, with_choix=games <= options.choix_most))
            memory[games, bots] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(report(found, memory))
    return 0


def simulated(games: int, bots: int, turn: int) -> Results:
    """Blocks of four games at random tables, won as the model says."""
    rng = np.random.default_rng([turn, games])
    blocks = games // 4
    tables = (
        np.argsort(rng.random((blocks, bots)), axis=1)[:, :4] if bots <= 100 else _thin(rng, blocks, bots)
    )
    seating = tables[:, SQUARE].reshape(-1, 4)
    score = rng.normal(0.0, 0.7, bots)[seating] + rng.gumbel(size=seating.shape)
    return results_of_winners(bots, seating, score.argmax(axis=1), np.repeat(np.arange(blocks), 4))


def _thin(
    rng: np.random.Generator, blocks: int, bots: int
) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Random tables of different bots, without a matrix of blocks by bots."""
    tables = rng.integers(bots, size=(blocks, 4))
    while len(twice := np.flatnonzero((np.diff(np.sort(tables, axis=1), axis=1) == 0).any(axis=1))):
        tables[twice] = rng.integers(bots, size=(len(twice), 4))
    return tables


def measured(results: Results, *, with_choix: bool) -> Spent:
    """One pass: ours, and choix on the same games."""
    fit, ratings = timed(lambda: rate(results))
    names = [f"bot {number}" for number in range(results.bots)]
    table, _ = timed(lambda: standings_table(ratings, names))
    if not with_choix:
        return Spent(fit, table, None)
    data = [
        (int(seats[winner]), [int(bot) for bot in np.delete(seats, winner)])
        for seats, winner in zip(results.seating, results.winner, strict=True)
    ]
    theirs, strengths = timed(lambda: choix.ilsr_top1(results.bots, data, alpha=1e-6))
    strengths = np.asarray(strengths) - np.mean(strengths)
    # Ours has a prior and seats besides; that it is the same fit is seen all the same.
    apart = float(np.abs(ratings.elo - 400.0 / np.log(10.0) * strengths).max())
    if apart > 20.0:
        raise SystemExit(f"choix and arena are {apart:.1f} Elo apart: they did not rate the same games")
    return Spent(fit, table, theirs)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Wall seconds, and what it gave."""
    began = time.perf_counter()
    given = work()
    return time.perf_counter() - began, given


def report(found: dict[tuple[int, int], list[Spent]], memory: dict[tuple[int, int], float]) -> str:
    """A table of the medians, and of the ratios with their spread."""
    rows = []
    for (games, bots), passes in found.items():
        ratios = [one.choix / (one.fit + one.table) for one in passes if one.choix is not None]
        rows.append(
            (
                f"{games:,}",
                bots,
                f"{statistics.median(one.fit for one in passes):.2f}",
                f"{statistics.median(one.table for one in passes):.2f}",
                f"{statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"
                if ratios
                else "-",
                f"{memory[games, bots]:.0f}",
            )
        )
    heads = ("games", "bots", "fit, s", "table, s", "choix / arena", "most memory so far, MiB")
    return tabulate(rows, heads, disable_numparse=True, colalign=["right"] * len(heads))


if __name__ == "__main__":
    raise SystemExit(main())
