"""What came of a comparison of two bots, in words and as one JSON object."""

from dataclasses import replace
from math import log
from typing import Any, Final

from arena.cli.outcome import Outcome, conditions_lines
from arena.cli.shown import as_text, counted, path_as_typed, safe
from arena.cli.typed import command
from arena.ratings import ELO, Table
from arena.tournament.comparing import Compared

_COLUMNS: Final = (
    *("bot", "games", "wins", "win_percent", "faults"),
    *("lie_percent", "caught_percent", "call_percent", "right_percent"),
)
"""Of the standings, those that say how the two bots have played."""


def comparison_words(outcome: Outcome, found: Compared, more: list[str]) -> str:
    """The answer, the evidence, how the two have played, and what it was played under."""
    whole = command("standings", outcome.path)
    lines = [
        answer_in_words(outcome, found),
        *_evidence(outcome, found),
        "",
        as_text(_both(outcome, found)),
        "",
        f"Results: {path_as_typed(outcome.path)}; `{whole}` shows the whole field.",
        *conditions_lines(outcome),
        *more,
    ]
    return "\n".join(lines) + "\n"


def answer_in_words(outcome: Outcome, found: Compared) -> str:
    """The plain answer, in one sentence."""
    new, old = (safe(outcome.bots[bot].name) for bot in (found.new, found.old))
    by = f"{_games(found.new_score)} to {_games(found.old_score)} games won of 100"
    gain = f"{100 * found.comparison.gain:g}"
    match found.standing.answer:
        case "better":
            return f"Better: {new} beats {old}, {by}."
        case "not better":
            return f"Not better: {new} does not win {gain} games in 100 more than {old}, {by}."
        case "no difference seen":
            return (
                f"No difference seen: {new} and {old} have won the same games of every pair of blocks. They "
                "may play alike, or so rarely otherwise that it does not matter."
            )
    if not outcome.complete:
        return f"Undecided so far: {new} against {old}, {by}."
    return f"Undecided at the end of the budget: {new} against {old}, {by}. {_more(outcome)}"


def comparison_object(outcome: Outcome, found: Compared) -> dict[str, Any]:
    """The same for a JSON object."""
    standing, comparison = found.standing, found.comparison
    return {
        "answer": standing.answer,
        "new": outcome.bots[found.new].name,
        "old": outcome.bots[found.old].name,
        "new_percent": round(100 * found.new_score, 3),
        "old_percent": round(100 * found.old_score, 3),
        "difference": round(100 * standing.mean, 3),
        "error": round(100 * standing.error, 3),
        "elo": _elo(found),
        "ratio": round(standing.ratio, 4),
        "lower": round(found.test.lower, 4),
        "upper": round(found.test.upper, 4),
        "pairs": standing.pairs,
        "pairs_planned": found.pairs_planned,
        "gain": round(100 * comparison.gain, 6),
        "alpha": round(100 * comparison.alpha, 6),
        "beta": round(100 * comparison.beta, 6),
    }


def _evidence(outcome: Outcome, found: Compared) -> list[str]:
    standing, test, comparison = found.standing, found.test, found.comparison
    elo = _elo(found)
    about = "" if elo is None else f", about {elo:+.0f} Elo at these tables"
    games = 2 * standing.pairs * outcome.header.games_per_block
    planned = found.pairs_planned
    of = "" if standing.pairs == planned else f" of at most {planned:,}"
    return [
        f"Difference: {100 * standing.mean:+.1f} +/- {100 * standing.error:.1f} games in 100{about}, from "
        f"{counted(standing.pairs, 'pair')} of blocks{of} ({counted(games, 'game')}); both blocks of a pair "
        "have the same deals, seats and opponents.",
        f"Test: {100 * comparison.gain:g} games in 100 more, or none? The log-likelihood ratio is "
        f"{standing.ratio:+.2f}; {test.upper:+.2f} says better, {test.lower:.2f} not better. The chance to "
        f"call a bot better that is not is {100 * comparison.alpha:g} %, to miss one that is "
        f"{100 * comparison.beta:g} %.",
    ]


def _both(outcome: Outcome, found: Compared) -> Table:
    """The rows of the standings of the two bots, the new one first, and what tells them apart."""
    table = outcome.table.of_columns(_COLUMNS)
    row_of = dict(zip(table.values("bot"), table.rows, strict=True))
    rows = [row_of[outcome.bots[bot].name] for bot in (found.new, found.old)]
    alone = tuple(replace(row, group=1, separated=False) for row in rows)
    return replace(table, rows=alone, notes=(), meanings=())


def _games(score: float) -> str:
    return f"{100 * score:.1f}"


def _elo(found: Compared) -> float | None:
    """The difference of the log odds of a win, in Elo; None where one of them has won all or nothing."""
    if not 0.0 < found.new_score < 1.0 or not 0.0 < found.old_score < 1.0:
        return None
    odds = [log(score / (1.0 - score)) for score in (found.new_score, found.old_score)]
    return round(ELO * (odds[0] - odds[1]), 1)


def _more(outcome: Outcome) -> str:
    games = 2 * outcome.header.blocks * outcome.header.games_per_block
    return f"To go on: {command('run', '--resume', outcome.path, '--games', str(games))}"
