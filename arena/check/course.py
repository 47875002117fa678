"""The check of one bot: which steps are tried in which order, and what is told of each."""

import time
from collections.abc import Callable
from typing import Final

import trio

from arena.cheat.rules import Rules
from arena.check.explain import explained
from arena.check.leaving import left
from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.positions import usual_seats
from arena.check.report import Explanation, Report, Step
from arena.check.session import terms_for
from arena.check.trials import Answered, Opened, Played, Trials
from arena.referee.block import Contestant, Terms
from arena.referee.machine import Machine
from arena.referee.spawn import HostTrouble

_OF_THE_START: Final = frozenset(
    ("bad-exec", "build-failed", "start-timeout", "crash", "exit", "memory", "flood-stderr")
)
"""Faults at hello by which a bot has not started; with any other it has, and does not speak as it should."""
_HIGH: Final = 0.5
"""The share of a limit from which on it is said that little is left."""


async def check(
    bot: Contestant,
    origin: Origin,
    terms: Terms,
    machine: Machine,
    tell: Callable[[Step], None],
    waits: Callable[[], None] | None = None,
) -> Report:
    """Try the steps; `tell` is called with each as it ends. `terms.seats` is set here.

    `waits` is called once if hello has been waited for so long that somebody may wonder.

    Cancelled, it leaves nothing running. Raises HostTrouble where no bot could be started.
    """
    course = _Course(
        bot, origin, terms_for(terms, terms.rules, usual_seats(terms.rules)), machine, tell, waits
    )
    trouble: HostTrouble | None = None
    began = time.perf_counter()
    try:
        await course.run()
    except* HostTrouble as troubles:
        trouble = _first_of(troubles)
    if trouble is not None:
        raise HostTrouble(*trouble.args)
    return Report(
        bot=bot.name,
        tier=machine.tier.name,
        steps=tuple(course.steps),
        seconds=round(time.perf_counter() - began, 3),
    )


def _first_of(group: BaseExceptionGroup[HostTrouble]) -> HostTrouble:
    first = group.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first


class _Course:
    def __init__(
        self,
        bot: Contestant,
        origin: Origin,
        terms: Terms,
        machine: Machine,
        tell: Callable[[Step], None],
        waits: Callable[[], None] | None,
    ) -> None:
        self.steps: list[Step] = []
        self._bot = bot
        self._origin = origin
        self._terms = terms
        self._machine = machine
        self._tell = tell
        self._trials = Trials(bot, terms, machine, waits)
        self._known: dict[tuple[str, str], str] = {}
        """The troubles that were explained, with the step."""

    async def run(self) -> None:
        """All steps that make sense."""
        opened = await self._trials.open()
        if not self._opened(opened) or not self._answered(opened.answered):
            return
        played = await self._trials.play()
        if not self._played(played):
            return
        sound = all(step.ok for step in self.steps)
        await self._side_by_side(played, sound=sound)

    async def _side_by_side(self, played: Played, *, sound: bool) -> None:
        """What asks for no quiet machine, at the same time, and told in order."""
        names = ("repeats", "tolerates", "leaves", "variants") if sound else ("leaves",)
        due = [*names[:-1], "memory", names[-1]] if sound else [*names]
        told: dict[str, Callable[[], None]] = {"memory": lambda: self._memory(played)}

        async def one(name: str) -> None:
            began = time.perf_counter()
            tell = await self._told_of(name, played)
            took = time.perf_counter() - began
            told[name] = lambda: tell(took)
            while due and due[0] in told:
                told[due.pop(0)]()

        async with trio.open_nursery() as trials:
            for name in names:
                trials.start_soon(one, name)

    async def _told_of(self, name: str, played: Played) -> Callable[[float], None]:
        """Try this step; what tells of it, given the seconds it took."""
        if name == "repeats":
            again = await self._trials.repeat(played)
            return lambda took: self._add(name, took, again.message, mishap=again.mishap)
        if name == "tolerates":
            mishap, requests = await self._trials.tolerate()
            message = f"fields and events that no bot knows, in {requests} requests"
            return lambda took: self._add(name, took, message, mishap=mishap)
        if name == "leaves":
            end = await left(self._bot, self._terms, self._machine)
            return lambda took: self._add(
                name, took, end.message, notes=end.notes, explanation=end.explanation
            )
        notes, message = await self._trials.vary(self._origin)
        return lambda took: self._add(name, took, message, notes=notes)

    # What is told of each.

    def _opened(self, opened: Opened) -> bool:
        mishap = opened.mishap
        failed = mishap is not None and mishap.code in _OF_THE_START and not opened.said_hello
        limit = f"{opened.start_seconds:.2f} of {self._terms.start_time:g} s"
        little = () if opened.start_seconds < _HIGH * self._terms.start_time else (
            "more than half of the start limit: answer hello first, and load what is slow afterwards",
        )  # fmt: skip
        self._add(
            "starts",
            opened.start_seconds,
            limit,
            notes=() if failed else little,
            mishap=mishap if failed else None,
        )
        if failed:
            return False
        self._add(
            "speaks", opened.seconds - opened.start_seconds, opened.manner, notes=opened.notes, mishap=mishap
        )
        return mishap is None

    def _answered(self, answered: Answered | None) -> bool:
        assert answered is not None
        message = (
            f"{answered.requests} requests in {answered.positions} positions of {self._terms.rules.name}"
        )
        mishap = answered.mishap
        self._add("answers", answered.seconds, message, mishap=mishap, rules=answered.rules)
        return mishap is None or mishap.code != "timeout"

    def _played(self, played: Played) -> bool:
        slowest, move = played.slowest, self._terms.move_time
        message = f"{played.outcome}; slowest answer {slowest:.3f} of {move:g} s"
        notes: tuple[str, ...] = ()
        if played.mishap is not None and played.mishap.code == "timeout":
            pass  # It never came.
        elif slowest > move:
            notes = (
                f"its slowest answer took {slowest - move:.2f} s from the bank of {self._terms.bank:g} s",
            )
        elif slowest > _HIGH * move:
            notes = ("its slowest answer took more than half of the move limit: a busy machine is slower",)
        self._add("plays", played.seconds, message, notes=notes, mishap=played.mishap)
        return played.mishap is None or played.mishap.code != "timeout"

    def _memory(self, played: Played) -> None:
        limit = self._bot.memory or self._terms.memory
        if played.memory is None:
            message = "not known on this system"
        else:
            allowed = "no limit is set" if limit is None else f"of {limit / 2**20:.0f} MiB"
            message = f"{played.memory / 2**20:.0f} MiB at its peak, {allowed}"
        notes: tuple[str, ...] = ()
        if limit is not None and played.memory is not None and played.memory > _HIGH * limit:
            notes = ("more than half of its memory limit",)
        self._add("memory", 0.0, message, notes=notes)

    def _add(
        self,
        name: str,
        seconds: float,
        message: str,
        *,
        notes: tuple[str, ...] = (),
        mishap: Mishap | None = None,
        rules: Rules | None = None,
        explanation: Explanation | None = None,
    ) -> None:
        if mishap is not None:
            explanation = explained(mishap, self._origin, rules or self._terms.rules)
        ok = explanation is None
        if explanation is not None:
            message = explanation.headline
            # A crash is known again by what it said, all else by its mend.
            key = explanation.code, message if explanation.code == "crash" else explanation.mend
            if key in self._known:
                here = f"; here: {explanation.where}" if mishap is not None and mishap.game > 1 else ""
                message, explanation = f"{message} (as in {self._known[key]}{here})", None
            else:
                self._known[key] = name
        step = Step(
            name=name,
            ok=ok,
            seconds=round(seconds, 3),
            message=message,
            notes=notes,
            explanation=explanation,
        )
        self.steps.append(step)
        self._tell(step)
