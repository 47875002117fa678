"""A results file in words and as one JSON object: what `run` and `standings` show."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.cli.compared import answer_in_words, comparison_object
from arena.cli.ending import largest_error
from arena.cli.outcome import Outcome, conditions_lines
from arena.cli.shown import as_text, counted, path_as_typed, safe, wrapped
from arena.cli.typed import command
from arena.ratings import finding_object, findings_lines, verdict
from arena.tournament.pairing import GAUNTLET, SWISS

if TYPE_CHECKING:
    pass

OWN_WORDS: Final = 5
"""Bots of which is shown what they call themselves."""
MOST_LATE: Final = 3
"""Bots that are named for the void blocks that their lateness made."""


def as_words(outcome: Outcome, table_format: str, more: Sequence[str] = ()) -> str:
    """The table, its footnotes and the summary, for people. Raises BadInput for an unknown table format."""
    names = [safe(bot.name) for bot in outcome.bots]
    header = outcome.header
    state = "complete" if outcome.complete else "not complete"
    planned = header.own_blocks
    lines = [
        verdict(outcome.ratings, names),
        f"Results: {path_as_typed(outcome.path)}, {state}: "
        f"{_of(outcome.blocks, planned, 'block')}, "
        f"{_of(outcome.games, None if planned is None else planned * header.games_per_block, 'game')}.",
        *conditions_lines(outcome),
    ]
    if outcome.compared is not None:
        lines.append(f"Comparison: {answer_in_words(outcome, outcome.compared)}")
    if header.schedule == GAUNTLET:
        who = ", ".join(names[bot] for bot in header.challengers)
        one = "" if len(header.challengers) == 1 else "one of "
        lines.append(f"Gauntlet: at every table sits {one}{who}.")
    if header.schedule == SWISS:
        lines.append("Swiss: bots meet those that have won about as many of their games.")
    lines += _own_words(outcome)
    if header.part is not None:
        whole = f"a tournament of {counted(header.blocks, 'block')}"
        lines.append(f"Part {header.part} of {whole}; it benches nobody. `arena merge` joins all parts.")
    if outcome.benched:
        who = ", ".join(names[bot] for bot in outcome.benched)
        lines.append(f"Benched after faults in {counted(header.bench, 'block')} running: {who}.")
    if any(outcome.table.values("faults")):
        lines.append(f"Faults: `{command('faults', outcome.path)}` tells each one's cause and mend.")
    if outcome.waiting:
        blocks = "1 more block is" if outcome.waiting == 1 else f"{outcome.waiting} more blocks are"
        lines.append(f"{blocks} kept, and will count when all before the last decision point are in.")
    if outcome.begun:
        blocks = "1 block is" if outcome.begun == 1 else f"{outcome.begun} blocks are"
        lines.append(f"{blocks} begun: finished games of a block are kept, and count when all of it is in.")
    if voids := outcome.voided.total():
        times = "once" if voids == 1 else f"{voids} times"
        what = "a game" if header.fresh else "a block"
        whole = "" if header.fresh else " whole"
        late = ", ".join(f"{names[bot]} ({count})" for bot, count in outcome.voided.most_common(MOST_LATE))
        lines.append(
            f"Void: the host disturbed {what} {times}, and it was played again{whole}. Late had been {late}."
        )
    if outcome.contended:
        blocks = "1 block counts" if outcome.contended == 1 else f"{outcome.contended} blocks count"
        lines.append(f"Contended: {blocks} although the host disturbed a verdict of theirs.")
    if outcome.without:
        who = ", ".join(names[bot] for bot in outcome.without)
        gone = outcome.games - outcome.ratings.total_games
        lines.append(
            f"Left out: {who}, and {counted(gone, 'game')} in which they took part; the mean is that of the "
            "others, so compare differences with those of the whole table, and not ratings."
        )
    if outcome.picked is not None:
        lines.append(outcome.picked)
    # The other formats are for pages of somebody's own.
    table = as_text(outcome.table, table_format, legend=table_format == "simple")
    findings = "\n".join(wrapped(line) for line in findings_lines(outcome.findings, names))
    summary = "\n".join(map(wrapped, [*lines, *more]))
    return "\n\n".join(part for part in (table, findings, summary) if part) + "\n"


def as_object(outcome: Outcome) -> dict[str, Any]:
    """The same as one JSON object."""
    header = outcome.header
    planned = header.own_blocks
    names = [bot.name for bot in outcome.bots]
    by_name = dict(zip(names, outcome.bots, strict=True))
    rows = outcome.table.to_json_rows()
    for row in rows:
        bot = by_name[str(row["bot"])]
        row |= {"said": bot.said, "author": bot.author, "version": bot.version, "digest": bot.digest}
    return {
        "standings": rows,
        "findings": [finding_object(finding, names) for finding in outcome.findings],
        "games": outcome.games,
        "games_planned": None if planned is None else planned * header.games_per_block,
        "blocks": outcome.blocks,
        "blocks_planned": planned,
        "precision": header.precision,
        "largest_error": None if (largest := largest_error(outcome)) is None else round(largest, 3),
        "ended_by": None if header.ended is None else header.ended.by,
        "format": header.schedule,
        "challengers": [outcome.bots[bot].name for bot in header.challengers],
        "part": None if header.part is None else str(header.part),
        "seed": header.seed if header.shows_seed(complete=outcome.complete) else None,
        "seed_sha256": outcome.seed_digest,
        "rules": header.rules.name,
        "seats": header.seats,
        "file": str(outcome.path),
        "complete": outcome.complete,
        "tier": header.tier,
        "blocks_waiting": outcome.waiting,
        "benched": [outcome.bots[bot].name for bot in outcome.benched],
        "blocks_played_again": outcome.voided.total(),
        "late_in_them": {outcome.bots[bot].name: count for bot, count in outcome.voided.most_common()},
        "blocks_contended": outcome.contended,
        "without": [outcome.bots[bot].name for bot in outcome.without],
        "changes": msgspec.to_builtins(outcome.changes),
        "comparison": None if outcome.compared is None else comparison_object(outcome, outcome.compared),
        "notes": [*outcome.table.remarks(), *outcome.table.notes],
    }


def _own_words(outcome: Outcome) -> list[str]:
    """What bots call themselves where that is not their name: one line, of the first of them."""
    said = {bot.name: bot.said for bot in outcome.bots}
    names = [str(name) for name in outcome.table.values("bot")]
    words = [
        f'{safe(name)} calls itself "{safe(own)}"'
        for name in names
        if (own := said[name]) is not None and own.casefold() != name.casefold()
    ]
    if not words:
        return []
    more = f"; and {len(words) - OWN_WORDS} more, see --json" if len(words) > OWN_WORDS else ""
    return [f"By their own words: {'; '.join(words[:OWN_WORDS])}{more}."]


def _of(done: int, planned: int | None, what: str) -> str:
    return (
        counted(done, what) if planned is None or done == planned else f"{done:,} of {counted(planned, what)}"
    )
