"""Findings in words and as plain values: the one place where they get their sentences."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from arena.ratings.correction import ERROR_RATE
from arena.ratings.findings import Cycle, Finding, Help, Moved, Seats, Unexplained
from arena.ratings.tables import signed

CALLED: Final[tuple[tuple[type[Finding], str, str], ...]] = (
    (Help, "help", "pairs that spare each other"),
    (Cycle, "cycle", "cycles"),
    (Unexplained, "pair", "pairs that the ratings do not explain"),
    (Seats, "seats", "groups whose seats are not equal"),
)
"""What each is called in plain values, and several of it in words."""
HEADING: Final = (
    "Findings (p is corrected for all that was looked at: where there is nothing to find, "
    f"at most {100 * ERROR_RATE:g} % of tournaments have any):"
)
MOST: Final = 5
"""Findings of a kind that are put into words."""
SURELY: Final = 0.0001
"""Smaller chances are only said to be smaller than this."""


def findings_lines(findings: Sequence[Finding], names: Sequence[str]) -> list[str]:
    """A heading and a line a finding, at most `MOST` of a kind; nothing at all where there are none."""
    lines = []
    for kind, _, several in CALLED:
        these = [finding for finding in findings if isinstance(finding, kind)]
        lines += [f"- {sentence(finding, names)}" for finding in these[:MOST]]
        if len(these) > MOST:
            lines.append(f"- And {len(these) - MOST} more {several}.")
    return [HEADING, *lines] if lines else []


def sentence(finding: Finding, names: Sequence[str]) -> str:
    """What was found, with its evidence. `names` go by bot number."""
    match finding:
        case Help():
            return _help(finding, names)
        case Cycle():
            a, b, c = (names[bot] for bot in finding.bots)
            first, second, third = (f"{step.ahead} of {step.decided}" for step in finding.steps)
            return (
                f"{a} beats {b} ({first}), {b} beats {c} ({second}) and {c} beats {a} ({third}): no one "
                f"number a bot puts these three in order ({_p(finding.chance)})."
            )
        case Unexplained():
            one, other = (names[bot] for bot in finding.bots)
            return (
                f"{one} does better against {other} than their ratings explain: ahead in {finding.ahead} of "
                f"the {finding.decided} games decided between them, where {finding.expected:.1f} are expected"
                f" ({_blocks(finding.blocks)}, {_p(finding.chance)})."
            )
        case Seats():
            where = f" in group {finding.group}" if finding.groups > 1 else ""
            return (
                f"The seats are not equal{where}: seat {finding.best} is worth "
                f"{signed(finding.best_elo, 1)} Elo, seat {finding.worst} {signed(finding.worst_elo, 1)} "
                f"({finding.games} games in {_blocks(finding.blocks)}, {_p(finding.chance)})."
            )


def finding_object(finding: Finding, names: Sequence[str]) -> dict[str, Any]:
    """The finding for JSON: its kind, its sentence, then its evidence with bots by name."""
    kind = next(word for type, word, _ in CALLED if isinstance(finding, type))
    values = asdict(finding)
    if "bots" in values:
        values["bots"] = [names[bot] for bot in values["bots"]]
    if "without" in values:
        values["without"] = [moved | {"bot": names[moved["bot"]]} for moved in values["without"]]
    return {"kind": kind, "sentence": sentence(finding, names), **_rounded(values)}


def _help(finding: Help, names: Sequence[str]) -> str:
    one, other = (names[bot] for bot in finding.bots)
    there, back = (
        f"{who} called {called} of {asked} comparable claims of {whom} ({expected:.1f} expected)"
        for (who, whom), called, asked, expected in zip(
            ((one, other), (other, one)), finding.called, finding.asked, finding.expected, strict=True
        )
    )
    seen = f"{finding.games} games in {_blocks(finding.blocks)}, {_p(finding.chance)}"
    return f"{one} and {other} spare each other: {there}, {back} ({seen}){_table(finding, names)}."


def _table(finding: Help, names: Sequence[str]) -> str:
    """How the table changes without the games of the two."""
    if not finding.without:
        return ""
    both, others = finding.without[:2], len(finding.without) - 2
    moves = " and ".join(_move(moved, names[moved.bot]) for moved in both)
    if not others:
        return f"; without these games {moves}"
    more = "1 other rank changes" if others == 1 else f"{others} other ranks change"
    return f"; without these games {moves}, and {more}"


def _move(moved: Moved, name: str) -> str:
    before, after = signed(moved.elo, 1), signed(moved.elo_without, 1)
    elo = f"{after} Elo instead of {before}"
    if moved.rank == moved.rank_without:
        return f"{name} stays {_place(moved.rank)} ({elo})"
    return f"{name} is {_place(moved.rank_without)} instead of {_place(moved.rank)} ({elo})"


def _place(rank: int) -> str:
    tail = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{tail}"


def _p(chance: float) -> str:
    return f"p < {SURELY:.4f}" if chance < SURELY else f"p = {chance:.4f}"


def _blocks(count: int) -> str:
    return f"{count} block{'' if count == 1 else 's'}"


def _rounded(value: Any) -> Any:
    """As it is shown: one digit behind the point, chances to four figures."""
    if isinstance(value, dict):
        return {
            key: float(f"{part:.4g}") if key == "chance" else _rounded(part) for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return round(value, 1) + 0.0 if isinstance(value, float) else value
