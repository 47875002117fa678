"""A results file in words and as one JSON object: what `run` and `standings` show."""

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.cli.differing import in_words
from arena.cli.durations import duration
from arena.cli.shown import as_text, counted, path_as_typed, safe
from arena.ratings import Ratings, Table, verdict
from arena.tournament.changes import Change
from arena.tournament.header import BotRow, Header
from arena.tournament.pairing import GAUNTLET, SWISS
from arena.tournament.standings import benched, standings_of

if TYPE_CHECKING:
    from arena.tournament.store import Store

OWN_WORDS: Final = 5
"""Bots of which is shown what they call themselves."""
MOST_LATE: Final = 3
"""Bots that are named for the void blocks that their lateness made."""
SAFE_SEED: Final = 22
"""Characters from which a seed in words cannot be tried out: 22 random letters and digits hold 128 bits."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything that is shown of a results file."""

    path: Path
    header: Header
    bots: tuple[BotRow, ...]
    ratings: Ratings
    table: Table
    games: int
    blocks: int
    """Both counted: blocks that a decision has dropped are in neither."""
    voided: Counter[int]
    """Times a block was played again because the host had disturbed it, by the bot whose answer was late."""
    contended: int
    """Blocks with a verdict that stands although it had done so."""
    benched: tuple[int, ...]
    waiting: int
    """Finished blocks that count once the decision point before them is passed."""
    begun: int
    """Blocks with games that are finished and others that are not."""
    complete: bool
    """Whether nothing more is to be played."""
    changes: tuple[Change, ...] = ()
    """What was changed on the way."""

    @property
    def seed_digest(self) -> str:
        """SHA-256 of the seed's bytes, which may be shown while deals are still to come."""
        return hashlib.sha256(bytes.fromhex(self.header.seed)).hexdigest()


def outcome_of(store: "Store") -> Outcome:
    """Read a results file. Raises StoreError where it is damaged."""
    with store.unchanging():
        changes = store.changes
        ratings, table = standings_of(store, _changes_in_words(changes, store.bots))
        blocks = list(store.select("contended", where="AND game = 0"))
        states = Counter(state for _, state in store.blocks())
        return Outcome(
            path=store.path,
            header=store.header,
            bots=store.bots,
            ratings=ratings,
            table=table,
            games=ratings.total_games,
            blocks=len(blocks),
            voided=store.voided(),
            contended=sum(contended for (contended,) in blocks),
            benched=tuple(sorted(benched(store))),
            waiting=states["ahead"],
            begun=states["begun"],
            complete=store.complete,
            changes=changes,
        )


def _changes_in_words(changes: Sequence[Change], bots: Sequence[BotRow]) -> list[str]:
    return [
        f"Changed on {safe(change.made)}, for blocks from {change.block} on: "
        f"{'; '.join(in_words(one, bots) for one in change.altered)}."
        for change in changes
    ]


def as_words(outcome: Outcome, table_format: str, top: int | None, more: Sequence[str] = ()) -> str:
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
        f"Rules: {safe(header.rules.name)}, {header.seats} seats. {_limits(header)}. Sandbox: {header.tier}.",
        _seed_line(outcome),
    ]
    if header.rules.next_game != "deal_moves" or header.rules.first_player != "dealer_left":
        lines.append("The schedule says who leads: first_player and next_game of the rules are not applied.")
    if header.seed_given is not None and len(header.seed_given) < SAFE_SEED:
        lines.append(
            "Warning: a bot could guess so short a seed from its own hand, and then knows all hands; "
            "leave --seed out, or give 32 hexadecimal digits."
        )
    if header.schedule == GAUNTLET:
        who = ", ".join(names[bot] for bot in header.challengers)
        one = "" if len(header.challengers) == 1 else "one of "
        lines.append(f"Gauntlet: at every table sits {one}{who}.")
    if header.schedule == SWISS:
        lines.append("Swiss: bots meet those that have won about as many of their games.")
    if header.precision is not None:
        lines.append(
            "It ends at a decision point where no difference between two bots has a standard error above "
            f"{header.precision:g} Elo, but for those of ratings that only the prior bounds."
        )
    lines += _own_words(outcome, top)
    if header.part is not None:
        whole = f"a tournament of {header.blocks:,} blocks"
        lines.append(f"Part {header.part} of {whole}; it benches nobody. `arena merge` joins all parts.")
    if outcome.benched:
        who = ", ".join(names[bot] for bot in outcome.benched)
        lines.append(f"Benched after faults in {header.bench} blocks running: {who}.")
    if any(outcome.table.values("faults")):
        lines.append(f"Faults: `arena faults {path_as_typed(outcome.path)}` tells each one's cause and mend.")
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
    if top is not None and top < len(outcome.bots):
        lines.append(f"The first {top} of {len(outcome.bots)} bots are shown.")
    # The other formats are for pages of somebody's own.
    table = as_text(outcome.table, table_format, top, legend=table_format == "simple")
    return table + "\n\n" + "\n".join([*lines, *more]) + "\n"


def as_object(outcome: Outcome, top: int | None) -> dict[str, Any]:
    """The same as one JSON object."""
    header = outcome.header
    planned = header.own_blocks
    by_name = {bot.name: bot for bot in outcome.bots}
    shown = dataclasses.replace(outcome.table, rows=outcome.table.rows[:top])
    rows = shown.to_json_rows()
    for row in rows:
        bot = by_name[str(row["bot"])]
        row |= {"said": bot.said, "author": bot.author, "version": bot.version, "digest": bot.digest}
    return {
        "standings": rows,
        "games": outcome.games,
        "games_planned": None if planned is None else planned * header.games_per_block,
        "blocks": outcome.blocks,
        "blocks_planned": planned,
        "precision": header.precision,
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
        "changes": msgspec.to_builtins(outcome.changes),
        "notes": [*shown.remarks(), *shown.notes],
    }


def _own_words(outcome: Outcome, top: int | None) -> list[str]:
    """What bots call themselves where that is not their name: one line, of the first of them."""
    said = {bot.name: bot.said for bot in outcome.bots}
    names = [str(name) for name in outcome.table.values("bot")[:top]]
    words = [
        f'{safe(name)} calls itself "{safe(own)}"'
        for name in names
        if (own := said[name]) is not None and own.casefold() != name.casefold()
    ]
    if not words:
        return []
    more = f"; and {len(words) - OWN_WORDS} more, see --json" if len(words) > OWN_WORDS else ""
    return [f"By their own words: {'; '.join(words[:OWN_WORDS])}{more}."]


def _seed_line(outcome: Outcome) -> str:
    header = outcome.header
    if not header.shows_seed(complete=outcome.complete):
        until = "the end" if header.part is None else "all parts are merged"
        return f"Seed: hidden until {until}; the SHA-256 of its 16 bytes is {outcome.seed_digest}."
    given = "" if header.seed_given is None else f" (from the text {safe(header.seed_given)!r})"
    return f"Seed: {header.seed}{given}."


def _limits(header: Header) -> str:
    return f"Time: {duration(header.move_time)} a move and {duration(header.bank)} in the bank"


def _of(done: int, planned: int | None, what: str) -> str:
    return (
        counted(done, what) if planned is None or done == planned else f"{done:,} of {counted(planned, what)}"
    )
