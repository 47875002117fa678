"""From the options of a run to everything it needs, checked before any bot is started."""

import dataclasses
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.budget import Budget, budget_for, rounded, table_for, too_few
from arena.cli.doctor import cores
from arena.cli.files import raise_file_limit, tables_under
from arena.cli.formats import check_format, chosen_pairing, fits_a_table
from arena.cli.options import RunOptions, conditions
from arena.cli.outfile import results_file
from arena.cli.parts import check_share, chosen_part
from arena.cli.rules import chosen_rules
from arena.cli.sandbox import check_sandbox
from arena.cli.seeds import guessable, seed_of
from arena.cli.shown import counted, safe
from arena.errors import BadInput
from arena.tournament.comparison import Comparison
from arena.tournament.pairing import PAIRED, Pairing

if TYPE_CHECKING:
    from arena.referee.block import Terms
    from arena.roster.entrant import Roster


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """A run that can begin."""

    roster: "Roster"
    terms: "Terms"
    """All but the tier, which is chosen when the bots are there to be tried in it."""
    budget: Budget
    pairing: Pairing
    seed_given: str | None
    """The text of --seed, unless it was the seed itself."""
    jobs: int
    bench: int
    sandbox: str
    """The tier demanded, or auto."""
    allow_root_bots: bool
    path: Path
    notes: tuple[str, ...]
    """Lines for people about what was chosen for them."""
    sitting_out_lines: tuple[str, ...]
    """Of these, the bots that this machine cannot run."""
    comparison: Comparison | None = None
    """What two of the bots are compared for; then the format is paired."""


@dataclass(frozen=True, slots=True)
class Versus:
    """Two of the bots that are compared."""

    new: str
    """The digest of its content, as of the other's."""
    old: str
    comparison: Comparison


def prepare(options: RunOptions, versus: Versus | None = None) -> Preparation:
    """Check everything that can be checked before a game. Raises BadInput.

    With `versus` it is a comparison of these two, and the other bots are the field.
    """
    from arena.cheat.deal import is_full_seed
    from arena.referee.block import Terms
    from arena.roster.discovery import find_bots

    under = conditions(options)
    part = chosen_part(options)
    check_format(under.format)
    rules = chosen_rules(under.rules)
    check_sandbox(under.sandbox)
    if options.changed:
        raise BadInput("--changed is for a tournament that goes on, and --resume FILE says which")
    path, taken = _path_for(options)
    if not options.bots and not options.bot:
        raise BadInput(
            "no bot was given; name some with --bots PATH... or --bot NAME=COMMAND, or as bots in an "
            "arena.toml in this folder"
        )
    roster = find_bots(options.bots, options.bot)
    bots = len(roster.entrants)
    notes = [safe(note, 500) for note in roster.notes]
    sits_out = tuple(f"{safe(name)} sits out: {safe(reason, 500)}." for name, reason in roster.sitting_out)
    if versus is None:
        pairing = chosen_pairing(options, under.format, [bot.name for bot in roster.entrants])
    else:
        digests = [bot.digest for bot in roster.entrants]
        pairing = Pairing(PAIRED, (digests.index(versus.new), digests.index(versus.old)))
    room, more = fits_a_table(pairing, bots), "--field" if pairing.paired else "--bots"
    seats = table_for(room, options.seats, rules, [*sits_out, *notes], more)
    budget = budget_for(
        bots,
        seats,
        challengers=len(pairing.challengers),
        paired=pairing.paired,
        deals=options.deals,
        games=options.games,
        games_per_block=options.games_per_block,
        precision=options.precision,
        seconds=options.time,
    )
    check_share(part, budget.blocks)
    about_length = (rounded(budget, options.games), too_few(budget) if pairing.paired else None)
    jobs, cut = jobs_for(options.jobs, seats)
    terms = Terms(
        rules=rules,
        seats=seats,
        seed=secrets.token_bytes(16) if options.seed is None else seed_of(options.seed),
        start_time=under.start_time,
        move_time=under.move_time,
        bank=under.bank,
        forfeit=under.forfeit,
        fresh=under.fresh,
        names=under.names,
        memory=options.memory,
        paired=pairing.paired,
    )
    seed_given = None if options.seed is None or is_full_seed(options.seed) else options.seed
    return Preparation(
        roster=roster,
        terms=terms,
        budget=dataclasses.replace(budget, part=part),
        pairing=pairing,
        seed_given=seed_given,
        jobs=jobs,
        bench=under.bench if part is None else 0,
        sandbox=under.sandbox,
        allow_root_bots=under.allow_root_bots,
        path=path,
        notes=(*notes, *sits_out, *cut, *filter(None, about_length), *taken, *guessable(seed_given)),
        sitting_out_lines=sits_out,
        comparison=None if versus is None else versus.comparison,
    )


def _path_for(options: RunOptions) -> tuple[Path, tuple[str, ...]]:
    """The results file to be made. A dry run makes none: what is in its way is a note. Raises BadInput."""
    try:
        return results_file(options.out), ()
    except BadInput as error:
        if not options.dry_run:
            raise
        return Path(), (f"without --dry-run this would be refused: {error}",)


def jobs_for(asked: int | None, seats: int) -> tuple[int, tuple[str, ...]]:
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
    return most, (
        f"only {limit} files may be open, so no more than {counted(most, 'table')} at once, not {wanted}",
    )
