"""`arena check`: does this bot speak the protocol? A line a step, and of a failed one all there is to say."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from arena.cli.exits import DONE, INTERRUPTED, LOOK_AT_IT
from arena.cli.options import CheckOptions, Conditions, conditions
from arena.cli.streams import LONGEST_LINE, give_up, say
from arena.errors import Unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.check.report import Report
    from arena.referee.block import Contestant, Terms
    from arena.roster.entrant import Entrant

_SEED: Final = b"arena check seed"


def check(
    bot: Annotated[str, Parameter(help="A bot, as arena run takes them: a path, or NAME=COMMAND.")],
    /,
    options: CheckOptions | None = None,
) -> int:
    """Try whether a bot speaks the protocol, at the limits of a tournament, and explain what goes wrong.

    It is started, put through scripted positions, plays whole games, and is asked to leave. Exit code 3 if a
    step failed.
    """
    from arena.cli.memory import fit_the_limit

    fit_the_limit()
    from arena.cli.checked import as_object, last_lines
    from arena.cli.files import raise_file_limit
    from arena.cli.interrupt import as_keyboard_interrupt, run_until_ended
    from arena.cli.rules import chosen_rules
    from arena.cli.sandbox import check_sandbox
    from arena.cli.shown import json_line
    from arena.referee.block import Terms
    from arena.referee.spawn import HostTrouble
    from arena.roster.discovery import find_one
    from arena.roster.staging import staged

    asked = options or CheckOptions()
    under = conditions(asked)
    terms = Terms(
        rules=chosen_rules(under.rules),
        seats=2,
        seed=_SEED,
        start_time=under.start_time,
        move_time=under.move_time,
        bank=under.bank,
        memory=asked.memory,
    )
    check_sandbox(under.sandbox)
    roster = find_one(bot, "BOT")
    raise_file_limit()
    checking = _Checking(roster.entrants[0], terms, under, quiet=asked.json)
    with as_keyboard_interrupt(), staged(roster, sandbox=under.sandbox, tell=say) as contestants:
        checking.contestant = contestants[0]
        try:
            ended = run_until_ended(checking.run, say)
        except HostTrouble as trouble:
            raise Unfinished(f"{trouble}; nothing is known of the bot") from None
    if not ended:
        say("interrupted")
        return INTERRUPTED
    if checking.unprinted is not None:
        raise checking.unprinted
    report = checking.report
    assert report is not None
    if asked.json:
        sys.stdout.write(json_line(as_object(report), indent=2))
    else:
        sys.stdout.write("\n".join(last_lines(report)) + "\n")
    return DONE if report.ok else LOOK_AT_IT


class _Checking:
    """One check, while it runs: prints each step as it ends."""

    def __init__(self, entrant: "Entrant", terms: "Terms", under: Conditions, *, quiet: bool) -> None:
        self.contestant: Contestant | None = None
        self.report: Report | None = None
        self.unprinted: OSError | None = None
        """Why stdout took nothing."""
        self._entrant = entrant
        self._terms = terms
        self._under = under
        self._quiet = quiet

    async def run(self) -> None:
        """Check it. Cancelled, it leaves nothing running."""
        from arena.check.course import check as tried
        from arena.check.origin import origin_of
        from arena.cli.checked import step_lines
        from arena.cli.sandbox import chosen_sandbox
        from arena.cli.shown import safe
        from arena.referee.machine import open_machine

        bot = self.contestant
        assert bot is not None
        sandbox, as_root = self._under.sandbox, self._under.allow_root_bots
        chosen = await chosen_sandbox(sandbox, (bot,), allow_root_bots=as_root)
        self._print(
            [
                f"{safe(bot.name)}: {safe(shlex.join(bot.argv), LONGEST_LINE)}",
                f"sandbox {chosen.tier.name}, rules {safe(self._terms.rules.name)}",
            ]
        )
        async with open_machine(tier=chosen.tier) as machine:
            self.report = await tried(
                bot,
                origin_of(self._entrant, bot),
                self._terms,
                machine,
                lambda step: self._print(step_lines(step)),
                None if self._quiet or not sys.stderr.isatty() else self._waiting,
            )

    def _waiting(self) -> None:
        """A terminal on which nothing is said for long looks dead."""
        assert self.contestant is not None
        say(f"waiting for {self.contestant.name} to answer hello ({self._terms.start_time:g} s)")

    def _print(self, lines: "list[str] | Iterator[str]") -> None:
        if self._quiet or self.unprinted is not None:
            return
        try:
            print("\n".join(lines), flush=True)
        except BrokenPipeError:
            # Whoever read it has seen enough; the exit code is still to come.
            give_up(sys.stdout)
        except OSError as error:
            # Not raised into the midst of the tasks.
            self.unprinted = error
