"""A tournament that a command plays: its steps, and what is left of it when it ends or is broken off."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from arena.cli.exits import DONE, INTERRUPTED, LOOK_AT_IT, STORE_FAILED, UNFINISHED
from arena.cli.options import RunOptions
from arena.cli.streams import give_up, say, why_unwritten
from arena.errors import BadInput, Unfinished

if TYPE_CHECKING:
    from pathlib import Path

    from arena.cli.prepare import Preparation
    from arena.cli.progress import Show
    from arena.cli.resume import Resumption
    from arena.protocol.faults import FaultRecord
    from arena.referee.block import Contestant, Terms
    from arena.referee.machine import Machine
    from arena.tournament.progress import Progress
    from arena.tournament.store import Store

LEADERS: Final = 3
FAILED_STARTS: Final = 5
"""Bots whose first failed start is told while others play; the summary and `arena faults` have all."""


class Playing:
    """One run: its steps, and what is left of it when it ends or is broken off."""

    def __init__(
        self,
        options: RunOptions,
        preparation: "Preparation | None",
        contestants: "Sequence[Contestant]",
        show: "Show | None",
        resumption: "Resumption | None" = None,
    ) -> None:
        self._options = options
        self._preparation = preparation
        self._contestants = contestants
        self._show = show
        self._resumption = resumption
        self._store: Store | None = None if resumption is None else resumption.store
        self._made = False
        """Whether the file was made by this run."""
        self._referee: dict[str, float] = {}
        self._told: set[int] = set()
        """The bots whose first failed start was told."""

    async def play(self) -> None:
        """Choose the tier, make the file, play every block. Cancelled, it leaves nothing running."""
        from arena.cli.memory import lack_of_memory
        from arena.cli.newstore import new_store
        from arena.cli.sandbox import chosen_sandbox
        from arena.referee.machine import open_machine
        from arena.referee.spawn import HostTrouble
        from arena.tournament.judging import judge_of
        from arena.tournament.progress import Progress
        from arena.tournament.run import Plan, run_tournament
        from arena.tournament.store import StoreError

        preparation = self._preparation
        assert preparation is not None
        chosen = await chosen_sandbox(
            preparation.sandbox,
            [bot for bot in self._contestants if bot.digest],
            allow_root_bots=preparation.allow_root_bots,
        )
        for finding in chosen.passed_over:
            self._tell(f"the sandbox {finding.tier} does not work here: {finding.reason}")
        terms = _in_tier(preparation.terms, chosen.tier.name)
        if self._resumption is None:
            self._store = new_store(preparation, terms, choose_again=self._options.out is None)
            self._made = True
        else:
            self._resumption.go_on()
        assert self._store is not None
        budget = preparation.budget
        most = "at most " if preparation.comparison is not None else ""
        self._tell(
            f"{self._going_on(budget.games)}{len(self._contestants)} bots, tables of {budget.seats}, "
            f"{most}{', '.join(budget.in_words)}, sandbox {terms.tier}; results in {self._store.path}"
        )
        self._progressed(Progress(budget.games))
        plan = Plan(
            terms=terms,
            contestants=self._contestants,
            blocks=budget.blocks,
            jobs=preparation.jobs,
            bench=preparation.bench,
            games_per_block=budget.games_per_block,
            part=budget.part,
            pairing=preparation.pairing,
            judge=judge_of(self._store.header),
            seconds=budget.seconds,
        )
        try:
            async with open_machine(tier=chosen.tier) as machine:
                await run_tournament(plan, self._store, machine, self._progressed)
        except StoreError as error:
            # Where it was removed meanwhile, what it held has another name by now.
            path = self._store.path
            raise StoreError(f"{error}; {self.leave()}{self._how_to_go_on(path)}") from error
        except (HostTrouble, OSError, MemoryError) as error:
            path, why = self._store.path, lack_of_memory(error) or str(error)
            raise Unfinished(f"{why}; {self.leave()}{self._how_to_go_on(path)}") from error
        self._referee = _referee_figures(machine)
        if machine.unkillable:
            from arena.cli.shown import counted

            self._tell(f"{counted(machine.unkillable, 'process')} did not end when killed")

    def _going_on(self, planned: int | None) -> str:
        """How far a tournament is that was begun before; nothing for a new one."""
        if self._resumption is None:
            return ""
        kept, of = self._resumption.store.kept(), "" if planned is None else f" of {planned:,}"
        are = "game is" if planned is None and kept == 1 else "games are"
        return f"going on: {kept:,}{of} {are} there; "

    def close(self) -> None:
        """Close the file, if there is one: all that was stored is in it."""
        from arena.cli.interrupt import held_back

        if self._store is not None:
            with held_back():
                self._store.close()

    def close_by_force(self) -> None:
        """The same where nothing more can be shown; all that is told is how to go on."""
        store = self._store
        self.close()
        if store is not None:
            from arena.cli.resume import resume_command

            say(f"every finished {self._unit} is kept; to go on: {resume_command(store.path, self._options)}")

    def _tell(self, text: str) -> None:
        if self._show is not None:
            self._show.tell(text)

    @property
    def _unit(self) -> str:
        """What is stored at a time."""
        preparation = self._preparation
        return "game" if preparation is not None and preparation.terms.fresh else "block"

    def _how_to_go_on(self, path: "Path") -> str:
        """The command that resumes, where the file is fit for that."""
        from arena.cli.resume import resume_command
        from arena.tournament.store import Store, StoreError

        try:
            with Store.open(path) as store:
                fit = store.unsound() is None
        except (BadInput, StoreError):
            fit = False
        return f"; to go on: {resume_command(path, self._options)}" if fit else ""

    def leave(self) -> str:
        """Close the file of a run that failed; what is kept of it, for people.

        A file made for nothing is gone: it would only stand in the way of the next run.
        """
        from arena.cli.shown import path_as_typed
        from arena.tournament.store import StoreError

        store, self._store = self._store, None
        if store is None:
            return "nothing was kept"
        try:
            empty = self._made and store.in_place and store.last_block is None
        except StoreError:
            empty = False
        store.close()
        log, index = (store.path.with_name(store.path.name + ending) for ending in ("-wal", "-shm"))
        if empty:
            for path in (log, index, store.path):
                path.unlink(missing_ok=True)
            return f"no {self._unit} was over, so no file is left"
        kept = f"every {self._unit} stored before is kept"
        if log.exists():
            kept = f"{kept}, some of them in {path_as_typed(log)}: let it lie there"
        return kept

    def results(self, *, ended: bool) -> int:
        """Show what the file holds; the exit code."""
        from arena.cli.budget import rounded
        from arena.cli.compared import comparison_words
        from arena.cli.outcome import outcome_of
        from arena.cli.shown import json_line, path_as_typed
        from arena.cli.summary import as_object, as_words
        from arena.cli.typed import command
        from arena.tournament.store import StoreError

        if self._store is None:
            say("interrupted before any game; nothing was kept")
            return INTERRUPTED
        try:
            self._store.must_be_in_place()
            outcome = outcome_of(self._store)
        except StoreError as error:
            raise StoreError(f"{error}{self._how_to_go_on(self._store.path)}") from error
        finally:
            self.close()
        code = INTERRUPTED if not ended else DONE if outcome.complete else UNFINISHED
        preparation = self._preparation
        sitting_out = () if preparation is None else preparation.roster.sitting_out
        if self._options.json:
            found = as_object(outcome)
            found["referee"] = self._referee
            found["games_asked"] = self._options.games
            found["sitting_out"] = [{"bot": name, "reason": reason} for name, reason in sitting_out]
            text = json_line(found)
        else:
            out_lines = () if preparation is None else preparation.sitting_out_lines
            whole = None if preparation is None else rounded(preparation.budget, self._options.games)
            more = [*([f"{whole}."] if whole else ()), *out_lines, *_referee_words(self._referee)]
            words = partial(as_words, outcome, "simple")
            if outcome.compared is not None:
                words = partial(comparison_words, outcome, outcome.compared)
            text = words(more)
        if outcome.compared is not None and code == DONE and outcome.compared.standing.answer != "better":
            code = LOOK_AT_IT
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read it has seen enough.
            give_up(sys.stdout)
        except OSError as error:
            why = why_unwritten(error)
            give_up(sys.stdout)
            say(f"the standings could not be written: {why}; {command('standings', outcome.path)}")
            code = code or STORE_FAILED
        if code in (INTERRUPTED, UNFINISHED):
            from arena.cli.resume import resume_command

            path = path_as_typed(outcome.path)
            what = "interrupted" if not ended else "not finished"
            shown = command("standings", outcome.path)
            say(f"{what}; every finished {self._unit} is kept in {path}: {shown}")
            say(f"to go on: {resume_command(outcome.path, self._options)}")
        return code

    def _progressed(self, progress: "Progress") -> None:
        for bot in progress.failed_starts.keys() - self._told:
            self._told.add(bot)
            if len(self._told) <= FAILED_STARTS:
                self._tell(self._failed_start(bot, progress.failed_starts[bot]))
        if self._show is not None:
            self._show.update(progress, self._leaders(progress))

    def _failed_start(self, bot: int, fault: "FaultRecord") -> str:
        from arena.cli.shown import safe
        from arena.cli.typed import command

        assert self._store is not None
        ended = fault.signal or (None if fault.exit_code is None else f"exit code {fault.exit_code}")
        name = self._contestants[bot].name
        why = ended or safe(fault.rule, 300).rstrip(".")
        return f"{safe(name)} failed to start: {why} ({command('faults', self._store.path, name)} tells more)"

    def _leaders(self, progress: "Progress") -> list[str]:
        from arena.cli.shown import safe

        shares = [
            (won / played, self._contestants[bot].name)
            for bot, (won, played) in enumerate(zip(progress.wins, progress.played, strict=True))
            if played and bot not in progress.benched
        ]
        shares.sort(key=lambda entry: (-entry[0], entry[1]))
        return [f"{safe(name, 24)} {100 * share:.0f} %" for share, name in shares[:LEADERS]]


def _in_tier(terms: "Terms", tier: str) -> "Terms":
    import msgspec

    return msgspec.structs.replace(terms, tier=tier)


def _referee_figures(machine: "Machine") -> dict[str, float]:
    """What the referee itself cost, in seconds, with at most 10 % of error."""
    return {
        "overhead_p50": machine.overhead.quantile(0.5),
        "overhead_p99": machine.overhead.quantile(0.99),
        "lag_p99": machine.lag.histogram.quantile(0.99),
    }


def _referee_words(figures: dict[str, float]) -> list[str]:
    if not figures or not figures["overhead_p50"]:
        return []
    half, most, lag = (1000 * figures[name] for name in ("overhead_p50", "overhead_p99", "lag_p99"))
    return [
        f"Referee: {half:.2f} ms a request, {most:.2f} at most for 99 %; its loop was late by at most "
        f"{lag:.1f} ms for 99 % of the time. Bots are billed for none of it."
    ]
