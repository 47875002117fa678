"""Everything that is shown of a results file, read at one moment, and what it was played under."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.differing import in_words
from arena.cli.durations import duration
from arena.cli.ending import ending_lines
from arena.cli.seeds import guessable
from arena.cli.shown import safe
from arena.ratings import Finding, Ratings, Table
from arena.tournament.changes import Change
from arena.tournament.comparing import Compared, compared
from arena.tournament.header import BotRow, Header
from arena.tournament.standings import benched, findings_of, in_play, standings_of, tally_of

if TYPE_CHECKING:
    from arena.tournament.store import Store


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything that is shown of a results file."""

    path: Path
    header: Header
    bots: tuple[BotRow, ...]
    ratings: Ratings
    table: Table
    findings: tuple[Finding, ...]
    games: int
    blocks: int
    """Both counted: blocks that a decision has dropped are in neither."""
    voided: Counter[int]
    """Times a block was played again because the host had disturbed it, by the bot whose answer was late."""
    contended: int
    """Blocks with a verdict that stands although it had done so."""
    in_play: tuple[int, ...]
    """Bots that no decision has benched."""
    benched: tuple[int, ...]
    waiting: int
    """Finished blocks that count once the decision point before them is passed."""
    begun: int
    """Blocks with games that are finished and others that are not."""
    complete: bool
    """Whether nothing more is to be played."""
    changes: tuple[Change, ...] = ()
    """What was changed on the way."""
    without: tuple[int, ...] = ()
    """Bots that the table and the ratings leave out, with all games that they took part in."""
    picked: str | None = None
    """Which rows of the table are shown, where not all are."""
    compared: Compared | None = None
    """What is known of the two bots that are compared, if that is what it is for."""

    @property
    def seed_digest(self) -> str:
        """SHA-256 of the seed's bytes, which may be shown while deals are still to come."""
        return hashlib.sha256(bytes.fromhex(self.header.seed)).hexdigest()


def outcome_of(store: "Store", without: Sequence[int] = ()) -> Outcome:
    """Read a results file; its ratings are `without` some bots. Raises StoreError where it is damaged."""
    with store.unchanging():
        changes = store.changes
        tally = tally_of(store, without)
        ratings, table = standings_of(store, _changes_in_words(changes, store.bots), without, tally)
        blocks = list(store.select("contended", where="AND game = 0"))
        states = Counter(state for _, state in store.blocks())
        return Outcome(
            path=store.path,
            header=store.header,
            bots=store.bots,
            ratings=ratings,
            table=table,
            findings=findings_of(store, tally, ratings),
            games=sum(1 for _ in store.select("game")),
            blocks=len(blocks),
            voided=store.voided(),
            contended=sum(contended for (contended,) in blocks),
            in_play=in_play(store),
            benched=tuple(sorted(benched(store))),
            waiting=states["ahead"],
            begun=states["begun"],
            complete=store.complete,
            changes=changes,
            without=tuple(without),
            compared=None if store.header.comparison is None else compared(store),
        )


def _changes_in_words(changes: Sequence[Change], bots: Sequence[BotRow]) -> list[str]:
    return [
        f"Changed on {safe(change.made)}, for blocks from {change.block} on: "
        f"{'; '.join(in_words(one, bots) for one in change.altered)}."
        for change in changes
    ]


def conditions_lines(outcome: Outcome) -> list[str]:
    """What ends it, what it is played under, and what is to be thought of its seed."""
    header = outcome.header
    lines = [
        *ending_lines(outcome),
        f"Rules: {safe(header.rules.name)}, {header.seats} seats. {_limits(header)}. Sandbox: {header.tier}.",
        _seed_line(outcome),
    ]
    if header.rules.next_game != "deal_moves" or header.rules.first_player != "dealer_left":
        lines.append("The schedule says who leads: first_player and next_game of the rules are not applied.")
    return [*lines, *guessable(header.seed_given)]


def _seed_line(outcome: Outcome) -> str:
    header = outcome.header
    if not header.shows_seed(complete=outcome.complete):
        until = "the end" if header.part is None else "all parts are merged"
        return f"Seed: hidden until {until}; the SHA-256 of its 16 bytes is {outcome.seed_digest}."
    given = "" if header.seed_given is None else f" (from the text {safe(header.seed_given)!r})"
    return f"Seed: {header.seed}{given}."


def _limits(header: Header) -> str:
    return f"Time: {duration(header.move_time)} a move and {duration(header.bank)} in the bank"
