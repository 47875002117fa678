"""`arena play`: games at one table in the terminal, with a person among the bots, or bots to be watched."""

import sys
from typing import Annotated

from cyclopts import Parameter

from arena.cli.exits import DONE, INTERRUPTED
from arena.cli.options import SeriesOptions
from arena.cli.streams import say


def play(
    *bot: Annotated[
        str, Parameter(help="Who sits at the table, clockwise: paths, NAME=COMMAND, and human for yourself.")
    ],
    options: SeriesOptions | None = None,
) -> int:
    """Play against bots in the terminal, or let bots play one game after another.

    At a prompt ? says what may be typed. You have no clock unless --clock gives you one. Without human the
    bots play by themselves, and --watch shows it.

    Every game that is over is kept in a results file. Ctrl-D or Ctrl-C leaves the table; the game that is
    broken off is not kept.
    """
    from contextlib import ExitStack

    from arena.cli.interrupt import as_keyboard_interrupt, left_whole, run_until_ended
    from arena.cli.memory import fit_the_limit

    fit_the_limit()
    from arena.cli.atable import AtTable, laid
    from arena.roster.staging import staged

    asked = options or SeriesOptions()
    with as_keyboard_interrupt(), ExitStack() as at_end:
        table = AtTable(asked, laid(bot, asked))
        for note in table.laid.notes:
            table.tell(note)
        roster, sandbox = table.laid.seated.roster, table.laid.under.sandbox
        # Also when a signal comes while the copies are removed.
        at_end.callback(table.close)
        with left_whole(staged(roster, sandbox=sandbox, tell=table.tell)) as bots:
            ended = run_until_ended(lambda: table.play(bots), table.tell_of_the_end, table.close)
        if table.failure is not None:
            say(table.finish())
            raise table.failure
        if text := table.result(ended=ended):
            sys.stdout.write(text)
    return DONE if ended else INTERRUPTED
