"""What came of a comparison of two bots, in words and as one JSON object."""

from dataclasses import replace
from math import log
from typing import Any, Final

from arena.cli.outcome import Outcome, conditions_lines
from arena.cli.shown import as_text, counted, path_as_typed, safe, wrapped
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
    answer = [answer_in_words(outcome, found), *_evidence(outcome, found)]
    about = [
        *_unpaired(outcome, found),
        f"Results: {path_as_typed(outcome.path)}; `{whole}` shows the whole field.",
        *conditions_lines(outcome),
        *more,
    ]
    parts = ("\n".join(map(wrapped, answer)), as_text(_both(outcome, found)), "\n".join(map(wrapped, about)))
    return "\n\n".join(parts) + "\n"


def answer_in_words(outcome: Outcome, found: Compared) -> str:
    """The plain answer, in one sentence."""
    new, old = (safe(outcome.bots[bot].name) for bot in (found.new, found.old))
    by = f"{100 * found.new_score:.1f} to {100 * found.old_score:.1f} {_what(outcome)} of 100"
    match found.standing.answer:
        case "better":
            return f"Better: {new} beats {old}, {by}."
        case "not better":
            return f"Not better: {new} does not have {_gain(outcome, found)} of 100 than {old}, {by}."
        case "no difference seen":
            return (
                f"No difference seen: {new} and {old} have as many {_what(outcome)} in every pair of blocks. "
                f"If one is better, it is by less than {_gain(outcome, found)} of 100."
            )
    if not outcome.complete:
        return f"Undecided so far: {new} against {old}, {by}."
    pairs, least = found.standing.pairs, found.test.least
    few = f" No answer is given from fewer than {least} pairs of blocks." if pairs < least else ""
    return f"Undecided at the end of the budget: {new} against {old}, {by}.{few} {_more(outcome, found)}"


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
        "elo": _elo(outcome, found),
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
    standing, comparison = found.standing, found.comparison
    elo = _elo(outcome, found)
    about = "" if elo is None else f", odds of a win {abs(elo):.0f} Elo {'better' if elo >= 0 else 'worse'}"
    games = 2 * standing.pairs * outcome.header.games_per_block
    planned = found.pairs_planned
    of = "" if standing.pairs == planned else f" of at most {planned:,}"
    return [
        f"Difference: {100 * standing.mean:+.1f} +/- {100 * standing.error:.1f} (95 %) {_what(outcome)} of "
        f"100{about}, from {counted(standing.pairs, 'pair')} of blocks{of} ({counted(games, 'game')}); both "
        "blocks of a pair have the same deals, seats and opponents.",
        f"Test: {_gain(outcome, found)} of 100, or none? {_ratio(found)} The chance to call a bot better "
        f"that is not is {100 * comparison.alpha:g} %, to miss one that is {100 * comparison.beta:g} %.",
    ]


def _ratio(found: Compared) -> str:
    """What the answer rests on."""
    standing, test = found.standing, found.test
    if standing.answer == "no difference seen":
        games = round(standing.pairs / found.step)
        chance = 100 * (1.0 - test.gain) ** games
        return f"A bot with such a gain would play {games:,} games so alike with a chance of {chance:.2g} %."
    return (
        f"The log-likelihood ratio is {standing.ratio:+.2f}; {test.upper:+.2f} says better, "
        f"{test.lower:.2f} not better."
    )


def _what(outcome: Outcome) -> str:
    """What a score counts."""
    return "opponents left behind" if outcome.header.rules.play_on else "games won"


def _gain(outcome: Outcome, found: Compared) -> str:
    """The gain that is looked for: "5 more games won"."""
    gain = f"{100 * found.comparison.gain:g}"
    return (
        f"{gain} more {_what(outcome)}" if gain != "1" else f"1 more {_what(outcome)}".replace("s ", " ", 1)
    )


def _both(outcome: Outcome, found: Compared) -> Table:
    """The rows of the standings of the two bots, the new one first, and what tells them apart."""
    table = outcome.table.of_columns(_COLUMNS)
    row_of = dict(zip(table.values("bot"), table.rows, strict=True))
    rows = [row_of[outcome.bots[bot].name] for bot in (found.new, found.old)]
    alone = tuple(replace(row, group=1, separated=False) for row in rows)
    return replace(table, rows=alone, notes=(), meanings=())


def _elo(outcome: Outcome, found: Compared) -> float | None:
    """The difference of the log odds of a win, in Elo; None where one of them has won all or nothing."""
    scores = (found.new_score, found.old_score)
    if outcome.header.rules.play_on or not all(0.0 < score < 1.0 for score in scores):
        return None
    odds = [log(score / (1.0 - score)) for score in scores]
    return round(ELO * (odds[0] - odds[1]), 1)


def _unpaired(outcome: Outcome, found: Compared) -> list[str]:
    """What the table counts and the test does not."""
    blocks = outcome.blocks - 2 * found.standing.pairs
    if blocks <= 0:
        return []
    return [
        f"The table has {counted(blocks, 'block')} more than the test, which takes whole pairs, in order."
    ]


def _more(outcome: Outcome, found: Compared) -> str:
    blocks = 2 * max(outcome.header.blocks, found.test.least)
    games = blocks * outcome.header.games_per_block
    return f"To go on: {command('run', '--resume', outcome.path, '--games', str(games))}"
