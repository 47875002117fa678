"""What the rounds of a contest come to, as a table for people."""

from collections.abc import Callable, Sequence
from statistics import median

from tabulate import tabulate

from benchmarks.contest import FLOOR, Contest, Field, Run

HEADINGS = (
    "referee",
    "times the floor",
    "lowest",
    "highest",
    "blocks alone",
    "wall us/request",
    "requests/s",
    "games/s",
    "referee CPU us/request",
    "bots CPU us/request",
    "s around the blocks",
)


def summary(field: Field, contest: Contest, rounds: Sequence[dict[str, Run]]) -> str:
    """A row a referee: medians over the rounds, and how far its ratio to the floor spread."""
    rows = []
    for name in sorted(rounds[0], key=lambda name: list(contest.referees).index(name)):
        runs = [played[name] for played in rounds]
        ratios = [_wall(played[name]) / _wall(played[FLOOR]) for played in rounds]
        alone = [_in_blocks(played[name]) / _wall(played[FLOOR]) for played in rounds]
        wall = _middle(runs, _wall)
        rows.append(
            (
                name,
                median(ratios),
                min(ratios),
                max(ratios),
                median(alone),
                1e6 * wall,
                round(1 / wall),
                round(contest.games / _middle(runs, lambda run: run.seconds), 1),
                1e6 * _middle(runs, lambda run: run.referee_cpu / run.requests),
                1e6 * _middle(runs, lambda run: run.bots_cpu / run.requests),
                _middle(runs, lambda run: run.around),
            )
        )
    blocks = len(contest.recorded.blocks)
    title = (
        f"{field.name}, {field.seats} seats, {contest.games} games in {blocks} blocks, {len(rounds)} rounds"
    )
    return f"{title}\n\n{tabulate(rows, HEADINGS, floatfmt='.2f')}\n"


def _wall(run: Run) -> float:
    return run.seconds / run.requests


def _in_blocks(run: Run) -> float:
    return (run.seconds - run.around) / run.requests


def _middle(runs: Sequence[Run], figure: Callable[[Run], float]) -> float:
    return median(figure(run) for run in runs)
