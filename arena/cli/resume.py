"""`arena run --resume FILE`: from a results file to a run that goes on with it, all of it checked before."""

import dataclasses
import os
import time
from pathlib import Path
from typing import Final

import msgspec

from arena.cli.differing import Other, bots_differing, differing
from arena.cli.formats import check_deals, check_format
from arena.cli.longer import blocks_asked, longer_budget
from arena.cli.options import RunOptions
from arena.cli.outfile import existing_file
from arena.cli.prepare import Preparation, jobs_for
from arena.cli.sandbox import check_sandbox
from arena.cli.seeds import guessable
from arena.cli.settings import FREE, options_in, settings_beside
from arena.cli.shown import counted, path_as_typed, safe
from arena.cli.typed import command
from arena.errors import BadInput
from arena.roster.discovery import find_bots
from arena.roster.entrant import Entrant, Roster
from arena.tournament.changes import CONTENT, Change
from arena.tournament.comparing import compared
from arena.tournament.header import ENDLESS, BotRow, Header
from arena.tournament.pairing import SERIES
from arena.tournament.reach import first_unplayed
from arena.tournament.store import Store
from arena.tournament.whereabouts import Whereabouts, looked_for_in, whereabouts

_MOST_NOTED: Final = 5


def resume_command(path: Path, options: RunOptions | None) -> str:
    """What to type in this folder to go on with the file, as a run with these options would."""
    words: list[str | Path] = ["run", "--resume", path]
    if options is not None and options.resume is not None:
        words += [word for bots in options.bots for word in ("--bots", bots)]
        words += [word for bot in options.bot for word in ("--bot", bot)]
    if options is not None and options.jobs is not None:
        words += ["--jobs", str(options.jobs)]
    return command(*words)


@dataclasses.dataclass(frozen=True)
class Resumption:
    """A file that can be gone on with."""

    store: Store
    """Open; to be closed by whoever asked."""
    preparation: Preparation | None
    """None: the tournament is finished, and nothing more was asked for."""
    missing: tuple[tuple[int, BotRow], ...] = ()
    """The bots whose games are forfeited, by number."""
    altered: tuple[Other, ...] = ()

    def go_on(self) -> None:
        """Write down what is not as before."""
        from arena import __version__

        altered = tuple(one.altered for one in self.altered if one.altered is not None)
        change = None
        if altered:
            change = Change(
                number=len(self.store.changes) + 1,
                made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                arena=__version__,
                block=first_unplayed(self.store),
                altered=altered,
            )
        assert self.preparation is not None
        budget = self.preparation.budget
        header = msgspec.structs.replace(
            self.store.header, blocks=budget.blocks, precision=budget.precision, time=budget.seconds
        )
        self.store.go_on(header, change)


def resumed(options: RunOptions) -> Resumption:
    """Open the file and look at everything. Raises BadInput; then nothing was changed."""
    assert options.resume is not None
    path = existing_file(options.resume)
    if not path.stat().st_size:
        raise BadInput(
            f"{path_as_typed(path)} is empty: the run that made it was ended before it began; "
            "remove it and run again"
        )
    if options.out is not None and not _same_file(options.out, path):
        raise BadInput(f"--resume goes on in {path_as_typed(path)}; leave --out {options.out} out")
    if options.deals is not None and options.games is not None:
        raise BadInput("--deals and --games both set the length; give one of them")
    if options.format is not None:
        check_format(options.format)
    if options.sandbox is not None:
        check_sandbox(options.sandbox)
    store = Store.open(path, write=not options.dry_run)
    try:
        return _looked_at(options, path, store)
    except BaseException:
        store.close()
        raise


def _looked_at(options: RunOptions, path: Path, store: Store) -> Resumption:
    original = store.header
    if original.schedule == SERIES:
        raise BadInput(
            f"{path_as_typed(path)} is a series of arena play, which nothing goes on with; arena play begins "
            "another"
        )
    header, bots = store.conditions_after(len(store.changes))
    others = [*differing(header, options), *_other_challengers(options, header, bots)]
    if options.deals is not None:
        check_deals(header.schedule)
    if header.comparison is not None:
        _check_comparison(options, store)
    budget = longer_budget(options, header, len(bots), store)
    notes, listed = _beside(options, header, bots, path)
    finished = store.complete and budget.blocks == original.blocks
    found: list[Whereabouts] = []
    given = find_bots(options.bots, options.bot).entrants if options.bots or options.bot else ()
    if not finished:
        known = {bot.digest for bot in bots} | {bot.name for bot in bots}
        for one in given:
            if not {one.digest, one.name} & known:
                notes.append(
                    f"{safe(one.name)} is not among the bots of {path_as_typed(path)}: it does not play"
                )
        found = whereabouts(bots, given, looked_for_in(path, header), listed)
        others += bots_differing(found)
    _refuse(options, path, others)
    if finished:
        return Resumption(store, None)
    jobs, cut = jobs_for(options.jobs, header.seats)
    if store.complete:
        notes.append(
            "the seed of a finished tournament is no secret: whoever has seen it knows the deals to come"
        )
    roster = Roster(tuple(one.entrant for one in found if one.entrant is not None))
    _check_enough(roster, header)
    changed = {one.altered.option: one.altered.new for one in others if one.altered is not None}
    terms = _with(header, {name: value for name, value in changed.items() if name != "content"}).terms
    preparation = Preparation(
        roster=roster,
        terms=terms,
        budget=budget,
        pairing=header.pairing,
        seed_given=header.seed_given,
        jobs=jobs,
        bench=header.bench,
        sandbox=terms.tier,
        allow_root_bots=header.root_bots or bool(options.allow_root_bots),
        path=path,
        notes=(
            *notes,
            *(f"changed: {one}" for one in others),
            *_taken_back(store, others),
            *cut,
            *guessable(header.seed_given),
        ),
        sitting_out_lines=(),
        comparison=header.comparison,
    )
    missing = tuple((number, one.bot) for number, one in enumerate(found) if one.entrant is None)
    return Resumption(store, preparation, missing, tuple(others))


def _check_comparison(options: RunOptions, store: Store) -> None:
    """Raises BadInput for what a comparison cannot be made longer by, and for one that has its answer."""
    if options.precision is not None:
        raise BadInput("--precision is for a tournament; a comparison ends with its answer, or by --games")
    answer = compared(store).standing.answer
    if (options.games is not None or options.time is not None) and answer != "undecided":
        raise BadInput(
            f"the comparison in {path_as_typed(store.path)} has its answer ({answer}), and a test that goes "
            "on until it gives another says nothing; begin another comparison"
        )


def _other_challengers(options: RunOptions, header: Header, bots: tuple[BotRow, ...]) -> list[Other]:
    were = sorted(bots[number].name for number in header.challengers)
    given = sorted(set(options.challenger))
    if not given or given == were:
        return []
    old, new = (", ".join(map(safe, names)) or "none" for names in (were, given))
    return [Other("--challenger", ((old, new),))]


def _taken_back(store: Store, others: list[Other]) -> list[str]:
    begun = sum(state == "begun" for _, state in store.blocks())
    if not begun or all(one.altered is None for one in others):
        return []
    what = "a block that was begun is" if begun == 1 else f"{begun} blocks that were begun are"
    return [f"{what} played again from the first game: all games of a block are played alike"]


def _with(header: Header, changed: dict[str, object]) -> Header:
    return msgspec.structs.replace(header, **changed)


def _check_enough(roster: Roster, header: Header) -> None:
    if len(roster.entrants) < 2:
        raise BadInput(f"only {counted(len(roster.entrants), 'bot')} of the tournament is there; it needs 2")


def _refuse(options: RunOptions, path: Path, others: list[Other]) -> None:
    """Raises BadInput for what is not as it was, all in one message."""
    if not others:
        return
    what = f"{path_as_typed(path)} was not played like this: {'; '.join(map(str, others))}"
    settled = [one.option for one in others if one.altered is None]
    if settled:
        one = "it makes" if len(settled) == 1 else "they make"
        raise BadInput(
            f"{what}. Leave {' and '.join(settled)} out, for {one} another tournament: "
            "begin that with --out FILE"
        )
    if not options.changed:
        given = [one.option for one in others if one.altered is not None and one.altered.option != CONTENT]
        mends = [f"leave {' and '.join(given)} out"] if given else []
        if len(given) < len(others):
            mends.append("put the bots back as they were (--bots says where they are now)")
        mend = " and ".join(mends)
        mend = mend[0].upper() + mend[1:]
        raise BadInput(f"{what}. {mend}, or go on like this with --changed, which the file will tell")


def _beside(
    options: RunOptions, header: Header, bots: tuple[BotRow, ...], path: Path
) -> tuple[list[str], tuple[Entrant, ...]]:
    """What an arena.toml says otherwise, which is not followed, and the bots that it lists."""
    settings = settings_beside(options.config)
    if settings is None:
        return [], ()
    shown = path_as_typed(path)
    try:
        asked = options_in(settings)
        otherwise = [one.beside(shown, settings.shown) for one in differing(header, asked)]
        if (blocks := blocks_asked(asked, header, len(bots))) != header.blocks:
            own = "no set length" if header.blocks >= ENDLESS else counted(header.blocks, "block")
            otherwise.append(f"{shown} has {own}, {settings.shown} says {blocks:,}")
    except BadInput as error:
        return [f"{settings.shown} is passed over but for {', '.join(sorted(FREE))}: {error}"], ()
    listed: tuple[Entrant, ...] = ()
    if asked.bots or asked.bot:
        try:
            listed = find_bots(asked.bots, asked.bot).entrants
        except BadInput:
            # Where the bots of the file are is said of each of them.
            listed = ()
        known = {bot.digest for bot in bots} | {bot.name for bot in bots}
        new = [safe(one.name) for one in listed if not {one.digest, one.name} & known]
        here = {one.digest for one in listed} | {one.name for one in listed}
        old = [safe(bot.name) for bot in bots if listed and not {bot.digest, bot.name} & here]
        otherwise += [f"bots: new is {', '.join(new[:_MOST_NOTED])}"] if new else []
        otherwise += [f"bots: gone is {', '.join(old[:_MOST_NOTED])}"] if old else []
    if not otherwise:
        return [], listed
    return [
        f"{settings.shown} is not followed where it differs from {shown}, which goes on as it is: "
        f"{'; '.join(otherwise)}"
    ], listed


def _same_file(one: str, other: Path) -> bool:
    return os.path.exists(one) and os.path.samefile(one, other)
