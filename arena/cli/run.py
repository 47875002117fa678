"""`arena run`: a tournament from the first look at the bots to the standings."""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from arena.cli.exits import DONE, INTERRUPTED
from arena.cli.options import RunOptions
from arena.cli.playing import Playing
from arena.cli.streams import say

if TYPE_CHECKING:
    from arena.cli.prepare import Preparation
    from arena.cli.progress import Show
    from arena.cli.resume import Resumption


def run(options: RunOptions | None = None) -> int:
    """Play a tournament: progress on stderr, standings on stdout, results in one file."""
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.cli.memory import fit_the_limit
    from arena.cli.prepare import prepare
    from arena.cli.progress import show_for

    fit_the_limit()
    asked = options or RunOptions()
    with as_keyboard_interrupt(), ExitStack() as stack:
        resumption = None
        if not asked.resume:
            preparation = prepare(asked)
        else:
            from arena.cli.resume import resumed

            resumption = resumed(asked)
            stack.callback(resumption.store.close)
            if resumption.preparation is None:
                return _finished(asked, resumption)
            preparation = resumption.preparation
        show = show_for(quiet=asked.quiet)
        try:
            for note in preparation.notes:
                show.tell(note)
            return play(asked, preparation, show, resumption)
        finally:
            show.close()


def _finished(options: RunOptions, resumption: "Resumption") -> int:
    """Nothing is left to be played: the standings, and how to play on."""
    from arena.cli.shown import path_as_typed
    from arena.cli.typed import command

    store = resumption.store
    header, path = store.header, path_as_typed(store.path)
    if not options.quiet:
        more = 2 * header.blocks * header.games_per_block
        words = command("run", "--resume", store.path, "--games", str(more))
        # What has its answer is at its end.
        answered = header.ended is not None and header.ended.by == "answer"
        say(f"{path} is finished" + ("" if answered else f"; to play on: {words}"))
    if options.dry_run:
        from arena.cli.shown import json_line

        nothing = {"file": str(store.path), "complete": True, "blocks": header.own_blocks, "blocks_left": 0}
        words = f"{path} is finished: nothing is to be played\n"
        sys.stdout.write(json_line(nothing) if options.json else words)
        return DONE
    return Playing(options, None, (), None, resumption).results(ended=True)


def play(
    options: RunOptions, preparation: "Preparation", show: "Show", resumption: "Resumption | None"
) -> int:
    """Stage the bots, play, and show what came of it; the exit code."""
    from arena.cli.dryrun import Forecast
    from arena.cli.interrupt import left_whole, run_until_ended
    from arena.referee.block import Contestant
    from arena.roster.staging import staged

    with ExitStack() as at_end:
        with left_whole(staged(preparation.roster, sandbox=preparation.sandbox, tell=show.tell)) as present:
            contestants = list(present)
            for number, bot in resumption.missing if resumption is not None else ():
                # No program is there: it forfeits its games like any bot that cannot be started.
                folder = present[0].folder
                contestants.insert(
                    number, Contestant(bot.name, (f"{folder}/missing/{bot.name}",), folder, "")
                )
            if options.dry_run:
                plan = Forecast(
                    options, preparation, contestants, None if resumption is None else resumption.store
                )
                ended = run_until_ended(plan.make, show.tell)
                show.close()
                return plan.print() if ended else INTERRUPTED
            # What the standings need is loaded before there is a file that no memory could leave half made.
            import arena.cli.summary  # noqa: F401

            tournament = Playing(options, preparation, contestants, show, resumption)
            # Also when a signal comes while the copies are removed.
            at_end.callback(tournament.close)
            try:
                ended = run_until_ended(tournament.play, show.tell, tournament.close_by_force)
            except BaseException:
                tournament.leave()
                raise
        show.close()
        return tournament.results(ended=ended)
