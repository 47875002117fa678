"""`arena check`: does this bot speak the protocol? A line a step, and of a failed one all there is to say."""

import json as json_lines
import os
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from arena.cli.durations import duration
from arena.cli.options import Conditions
from arena.cli.streams import LONGEST_LINE, give_up, say
from arena.cli.values import lasting, size
from arena.errors import BadInput, Unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.check.report import Explanation, Report, Step
    from arena.referee.block import Contestant, Terms
    from arena.roster.entrant import Entrant, Roster

DONE: Final = 0
FAILED: Final = 3
INTERRUPTED: Final = 130
_SEED: Final = b"arena check seed"
_USUAL: Final = Conditions()
_MARK: Final = 8
_NAME: Final = 11
_LABEL: Final = 10
_WIDTH: Final = 100
"""Columns where stdout is no terminal."""
_LEAST: Final = 60


def check(
    bot: Annotated[str, Parameter(help="A bot, as arena run takes them: a path, or NAME=COMMAND.")],
    /,
    *,
    rules: Annotated[
        str,
        Parameter(
            metavar="PRESET|FILE.toml", help=f"The rules it must be able to play [default: {_USUAL.rules}]."
        ),
    ] = _USUAL.rules,
    move_time: Annotated[
        float,
        Parameter(
            converter=lasting(),
            metavar="TIME",
            help=f"For each move, before the bank is touched [default: {duration(_USUAL.move_time)}].",
        ),
    ] = _USUAL.move_time,
    bank: Annotated[
        float,
        Parameter(
            converter=lasting(zero=True),
            metavar="TIME",
            help=f"Spare time of each game [default: {duration(_USUAL.bank)}].",
        ),
    ] = _USUAL.bank,
    start_time: Annotated[
        float,
        Parameter(
            converter=lasting(),
            metavar="TIME",
            help=f"To answer hello after being started [default: {duration(_USUAL.start_time)}].",
        ),
    ] = _USUAL.start_time,
    memory: Annotated[
        int | None,
        Parameter(converter=size, metavar="SIZE", help="Memory, if the bot names no limit: 512M, 2G."),
    ] = None,
    sandbox: Annotated[
        str, Parameter(metavar="TIER", help=f"auto, bwrap, ns or bare [default: {_USUAL.sandbox}].")
    ] = _USUAL.sandbox,
    allow_root_bots: Annotated[
        bool, Parameter(help="As root, where no other user can run a bot: run it as root.")
    ] = False,
    json: Annotated[bool, Parameter(help="One JSON object, for editors and CI.")] = False,
) -> int:
    """Try whether a bot speaks the protocol, at the limits of a tournament, and explain what goes wrong.

    It is started, put through scripted positions, plays whole games, and is asked to leave. Exit code 3 if a
    step failed.
    """
    from arena.cli.memory import fit_the_limit

    fit_the_limit()
    from arena.cli.files import raise_file_limit
    from arena.cli.interrupt import as_keyboard_interrupt, run_until_ended
    from arena.cli.rules import chosen_rules
    from arena.cli.sandbox import check_sandbox
    from arena.cli.shown import json_line
    from arena.referee.block import Terms
    from arena.referee.spawn import HostTrouble
    from arena.roster.staging import staged

    terms = Terms(
        rules=chosen_rules(rules),
        seats=2,
        seed=_SEED,
        start_time=start_time,
        move_time=move_time,
        bank=bank,
        memory=memory,
    )
    check_sandbox(sandbox)
    roster = _roster(bot)
    raise_file_limit()
    checking = _Checking(roster.entrants[0], terms, sandbox, allow_root_bots=allow_root_bots, quiet=json)
    with as_keyboard_interrupt(), staged(roster, sandbox=sandbox, tell=say) as contestants:
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
    if json:
        sys.stdout.write(json_line(as_object(report), indent=2))
    else:
        sys.stdout.write("\n".join(_close(report)) + "\n")
    return DONE if report.ok else FAILED


def _roster(word: str) -> "Roster":
    """The one bot that is meant. Raises BadInput."""
    from arena.roster.discovery import find_bots

    named = "=" in word and not os.path.lexists(os.path.expanduser(word))
    roster = find_bots((), (word,), option="BOT") if named else find_bots((word,))
    if len(roster.entrants) > 1:
        raise BadInput(f"arena check takes one bot, and {word!r} names {len(roster.entrants)}; name one")
    return roster


class _Checking:
    """One check, while it runs: prints each step as it ends."""

    def __init__(
        self, entrant: "Entrant", terms: "Terms", sandbox: str, *, allow_root_bots: bool, quiet: bool
    ) -> None:
        self.contestant: Contestant | None = None
        self.report: Report | None = None
        self.unprinted: OSError | None = None
        """Why stdout took nothing."""
        self._entrant = entrant
        self._terms = terms
        self._sandbox = sandbox
        self._allow_root_bots = allow_root_bots
        self._quiet = quiet

    async def run(self) -> None:
        """Check it. Cancelled, it leaves nothing running."""
        from arena.check.course import check as tried
        from arena.check.origin import origin_of
        from arena.cli.sandbox import chosen_sandbox
        from arena.referee.machine import open_machine

        bot = self.contestant
        assert bot is not None
        chosen = await chosen_sandbox(self._sandbox, (bot,), allow_root_bots=self._allow_root_bots)
        self._print(
            [
                f"{_safe(bot.name)}: {_safe(shlex.join(bot.argv))}",
                f"sandbox {chosen.tier.name}, rules {_safe(self._terms.rules.name)}",
            ]
        )
        async with open_machine(tier=chosen.tier) as machine:
            self.report = await tried(
                bot,
                origin_of(self._entrant, bot),
                self._terms,
                machine,
                lambda step: self._print(_lines(step)),
            )

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


def as_object(report: "Report") -> dict[str, Any]:
    """What --json prints."""
    import msgspec

    return {
        "ok": report.ok,
        "bot": report.bot,
        "sandbox": report.tier,
        "seconds": report.seconds,
        "steps": msgspec.to_builtins(report.steps),
        "not_tried": list(report.not_tried),
    }


def _close(report: "Report") -> "Iterator[str]":
    name = _safe(report.bot)
    if report.not_tried:
        yield f"not tried after that: {', '.join(report.not_tried)}"
    failed = [step.name for step in report.steps if not step.ok]
    if not failed:
        yield f"{name} is fit to play: checked in {report.seconds:.1f} s"
    else:
        yield f"{name} is not fit to play yet: {', '.join(failed)} failed"


def _lines(step: "Step") -> "Iterator[str]":
    indent = " " * (_MARK + _NAME)
    first, *more = _cut(_safe(step.message), _columns() - len(indent), at_words=True)
    yield f"{'ok' if step.ok else 'FAILED':<{_MARK}}{step.name:<{_NAME}}{first}"
    yield from (f"{indent}{line}" for line in more)
    for note in step.notes:
        yield from _field("note", note)
    if step.explanation is not None:
        yield from _explained(step.explanation)


def _explained(told: "Explanation") -> "Iterator[str]":
    yield from _field("mend", told.mend)
    yield from _field("rule", f"{told.rule} ({told.anchor})")
    if told.where:
        yield from _field("where", told.where)
    if told.before:
        kinds = ", ".join(str(json_lines.loads(line)["type"]) for line in told.before)
        yield from _field("before", f"events in the same write: {kinds}")
    if told.sent is not None:
        yield from _field("sent", told.sent)
    if told.received is not None:
        yield from _field("received", told.received or "(nothing)", told.caret)
    if told.valid is not None:
        yield from _field("valid", told.valid)
    for number, line in enumerate(told.stderr.splitlines()):
        yield from _field("stderr" if number == 0 else "", line)


def _field(label: str, text: str, caret: int | None = None) -> "Iterator[str]":
    """A label and a text, in as many lines as the screen needs, with a caret under column `caret`."""
    indent = " " * (_MARK + _NAME)
    room = _columns() - len(indent)
    text = _safe(text)
    words = label in ("mend", "rule", "note", "where")
    first = f"{' ' * _MARK}{label:<{_LABEL}} "
    start = 0
    for line in _cut(text, room, at_words=words):
        yield f"{first}{line}"
        if caret is not None and start <= caret < start + max(room, 1):
            yield f"{indent}{' ' * (caret - start)}^"
        first = indent
        start += room


def _cut(text: str, room: int, *, at_words: bool) -> list[str]:
    import textwrap

    if at_words:
        return textwrap.wrap(text, room) or [""]
    return [text[at : at + room] for at in range(0, max(len(text), 1), room)]


def _columns() -> int:
    from arena.cli.shown import screen_width

    return max(_LEAST, screen_width() or _WIDTH)


def _safe(text: str) -> str:
    from arena.cli.shown import safe

    return safe(text, LONGEST_LINE)
