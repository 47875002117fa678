"""From the options of a run to everything it needs, checked before any bot is started."""

import dataclasses
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.budget import Budget, budget_for, table_for
from arena.cli.complaints import near
from arena.cli.doctor import cores
from arena.cli.files import raise_file_limit, tables_under
from arena.cli.options import RunOptions
from arena.cli.outfile import results_file
from arena.cli.parts import check_share, chosen_part
from arena.cli.rules import chosen_rules
from arena.cli.sandbox import check_sandbox
from arena.cli.shown import safe
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.referee.block import Terms
    from arena.roster.entrant import Roster

FORMATS: Final = ("round-robin",)
COMING: Final = ("gauntlet", "swiss")


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """A run that can begin."""

    roster: "Roster"
    terms: "Terms"
    """All but the tier, which is chosen when the bots are there to be tried in it."""
    budget: Budget
    seed_given: str | None
    """The text of --seed, unless it was the seed itself."""
    jobs: int
    bench: int
    path: Path
    notes: tuple[str, ...]
    """Lines for people about what was chosen for them."""
    sitting_out_lines: tuple[str, ...]
    """Of these, the bots that this machine cannot run."""


def prepare(options: RunOptions) -> Preparation:
    """Check everything that can be checked before a game. Raises BadInput."""
    from arena.cheat.deal import is_full_seed
    from arena.referee.block import Terms
    from arena.roster.discovery import find_bots

    part = chosen_part(options)
    _check_format(options.format)
    rules = chosen_rules(options.rules)
    check_sandbox(options.sandbox)
    path = results_file(options.out)
    roster = find_bots(options.bots, options.bot)
    bots = len(roster.entrants)
    seats = table_for(bots, options.seats, rules)
    budget = budget_for(
        bots, seats, deals=options.deals, games=options.games, games_per_block=options.games_per_block
    )
    check_share(part, budget.blocks)
    notes = [safe(note, 500) for note in roster.notes]
    sits_out = tuple(f"{safe(name)} sits out: {safe(reason, 500)}." for name, reason in roster.sitting_out)
    jobs, cut = _jobs(options.jobs, seats)
    terms = Terms(
        rules=rules,
        seats=seats,
        seed=_seed(options.seed),
        start_time=options.start_time,
        move_time=options.move_time,
        bank=options.bank,
        forfeit=options.forfeit,
        fresh=options.fresh,
        names=options.names,
        memory=options.memory,
    )
    return Preparation(
        roster=roster,
        terms=terms,
        budget=dataclasses.replace(budget, part=part),
        seed_given=None if options.seed is None or is_full_seed(options.seed) else options.seed,
        jobs=jobs,
        bench=options.bench if part is None else 0,
        path=path,
        notes=(*notes, *sits_out, *cut),
        sitting_out_lines=sits_out,
    )


def _seed(text: str | None) -> bytes:
    from arena.cheat.deal import seed_bytes

    if text is None:
        return secrets.token_bytes(16)
    if not text.strip():
        raise BadInput("--seed is empty; give some text or 32 hexadecimal digits, or leave it out")
    try:
        return seed_bytes(text)
    except UnicodeEncodeError:
        raise BadInput("--seed is not UTF-8 text; give plain text or 32 hexadecimal digits") from None


def _check_format(word: str) -> None:
    if word in FORMATS:
        return
    if word in COMING:
        raise BadInput(f"--format {word} is not available yet in this version; there is round-robin")
    raise BadInput(f"there is no format {word!r}; there is round-robin{near(word, FORMATS)}")


def _jobs(asked: int | None, seats: int) -> tuple[int, tuple[str, ...]]:
    """Tables at the same time, and a note where the limit on open files allows fewer than asked."""
    limit = raise_file_limit()
    most = tables_under(limit, seats)
    wanted = asked or cores()
    if most < 1:
        raise BadInput(
            f"only {limit} files may be open, too few for a table of {seats}; raise the limit (ulimit -n)"
        )
    if wanted <= most:
        return wanted, ()
    return most, (f"only {limit} files may be open, so {most} tables play at once instead of {wanted}",)
