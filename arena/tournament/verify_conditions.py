"""Re-judging what lies beside a game's record: its faults, forfeits, timings and what bots said."""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from arena.cheat.actions import Answers
from arena.protocol.faults import FaultCode, FaultRecord, Phase
from arena.protocol.lines import hello_line
from arena.protocol.messages import MAX_DEBUG
from arena.referee.attendance import Attendance
from arena.referee.block import GameResult, Terms
from arena.referee.ids import Ids, for_hello
from arena.referee.retrace import Asked, Step
from arena.tournament.difference import Difference, difference

SLACK: Final = 1e-6
"""Seconds by which sums of stamped times may be off: the last bits of the clock's readings."""
_TALK: Final = frozenset[FaultCode](
    ("exit", "crash", "memory", "flood", "flood-stderr", "bad-json", "bad-type", "bad-shape", "wrong-id")
)
_CODES: Final[Mapping[Phase, frozenset[FaultCode]]] = MappingProxyType(
    {
        "start": frozenset(("bad-exec", "build-failed")),
        "hello": _TALK | {"start-timeout", "bad-exec", "unsolicited"},
        "play": _TALK | {"timeout", "unsolicited", "illegal"},
        "challenge": _TALK | {"timeout", "unsolicited"},
        "idle": frozenset(("exit", "crash", "memory", "flood", "flood-stderr", "unsolicited")),
    }
)
"""The faults there can be in each phase."""


def judge_faults(
    where: str,
    terms: Terms,
    names: Sequence[str],
    block: int,
    game: GameResult,
    steps: Sequence[Step],
    came: Mapping[int, Attendance] | None,
) -> Iterator[Difference]:
    """Every seat that left by a fault has its record, and every record with effect its seat that left."""
    strangers = sorted({fault.seat for fault in game.faults} - set(range(terms.seats)))
    if strangers:
        yield difference(where, "faults: seats", strangers, f"0 to {terms.seats - 1}")
        return
    forfeited = game.forfeited
    if came is not None:
        forfeited = tuple(seat for seat, entry in sorted(came.items()) if entry.forfeited)
        if game.forfeited != forfeited:
            yield difference(where, "forfeited", game.forfeited, forfeited)
            return
    left = list(_left(steps, forfeited))
    effective = [fault for fault in game.faults if fault.effective]
    if [fault.seat for fault in effective] != [seat for seat, _, _ in left]:
        said = " ".join(f"seat {fault.seat} on turn {fault.turn}" for fault in effective)
        found = " ".join(f"seat {seat} on turn {turn}" for seat, turn, _ in left)
        yield difference(where, "faults", said or "none", found or "none")
        return
    absent = {seat for step in steps[:1] if step.turn == 0 for seat in _leaving(step)}
    if forfeited and not set(forfeited) <= absent:
        yield difference(where, "forfeited", forfeited, sorted(absent))
    for number, (fault, (seat, turn, asked)) in enumerate(zip(effective, left, strict=True), 1):
        entry = came[seat] if came is not None else None
        if asked is None and turn == 0 and entry is not None:
            if entry.failed is None:
                yield difference(where, f"fault {number}", f"a failed start of seat {seat}", "a live process")
                continue
            asked = _hello(terms, block, game.seating[seat], entry)
        yield from _wrong_fault(where, f"fault {number}", terms, fault, turn, asked)
    yield from _without_effect(where, terms, game, absent)
    for number, fault in enumerate(game.faults, 1):
        name = names[game.seating[fault.seat]]
        if fault.bot != name:
            yield difference(where, f"fault {number}: bot", fault.bot, name)


def _leaving(step: Step) -> tuple[int, ...]:
    return step.action.faulted if isinstance(step.action, Answers) else getattr(step.action, "seats", ())


def _left(steps: Sequence[Step], forfeited: Sequence[int]) -> Iterator[tuple[int, int, Asked | None]]:
    """Seat, turn and request of every fault with effect, in the order they are recorded in."""
    for step in steps:
        leaving = _leaving(step)
        if step.turn == 0:
            yield from ((seat, 0, None) for seat in leaving if seat not in forfeited)
            continue
        yield from ((seat, step.turn, None) for seat in step.idle)
        yield from ((asked.seat, step.turn, asked) for asked in step.asked if asked.seat in leaving)


def _hello(terms: Terms, block: int, bot: int, entry: Attendance) -> Asked | None:
    """The request that a failed start did not answer; None if the program did not even start."""
    if entry.failed is None or entry.failed.phase == "start" or entry.start is None:
        return None
    ids = Ids(terms.seed)
    ids.begin(for_hello(block, bot, entry.start))
    name = ids.next()
    line = hello_line(name, terms.rules, terms.seats, terms.start_time, terms.move_time, terms.bank)
    return Asked(0, entry.seat, "hello", entry.failed, 0.0, terms.start_time, name, line)


def _wrong_fault(
    where: str, what: str, terms: Terms, fault: FaultRecord, turn: int, asked: Asked | None
) -> Iterator[Difference]:
    if fault.turn != turn:
        yield difference(where, f"{what}: turn", fault.turn, turn)
    phases: tuple[Phase, ...] = ("start", "hello") if turn == 0 else ("idle",)
    if asked is not None:
        phases = (asked.kind,)
    if fault.phase not in phases:
        yield difference(where, f"{what}: phase", fault.phase, " or ".join(phases))
        return
    if fault.code not in _CODES[fault.phase]:
        yield difference(where, f"{what}: code", fault.code, f"none that there can be in phase {fault.phase}")
    request = asked.line.decode().rstrip("\n") if asked is not None else None
    for field, said, found in (
        ("request_id", fault.request_id, asked.id if asked is not None else None),
        ("request", fault.request, request),
        ("limit", fault.limit, asked.allowed if asked is not None else None),
    ):
        if said != found:
            yield difference(where, f"{what}: {field}", said, found)
    if (fault.used is None) != (asked is None):
        yield difference(where, f"{what}: used", fault.used, "a number of seconds" if asked else None)
    elif fault.code in ("timeout", "start-timeout") and (fault.used or 0) < (fault.limit or 0) - SLACK:
        yield difference(where, f"{what}: used", fault.used, f"at least {fault.limit}")


def _without_effect(where: str, terms: Terms, game: GameResult, absent: set[int]) -> Iterator[Difference]:
    """What a bot did wrong after its last request: only recorded, behind the faults with effect."""
    noted = [fault for fault in game.faults if not fault.effective]
    if list(game.faults[len(game.faults) - len(noted) :]) != noted:
        yield difference(where, "faults", "out of order", "those without effect last")
    faulted = {fault.seat for fault in game.faults if fault.effective}
    seats = [fault.seat for fault in noted]
    possible = sorted(set(range(terms.seats)) - absent - faulted)
    if sorted(set(seats)) != seats or not set(seats) <= set(possible):
        yield difference(where, "faults without effect: seats", seats, f"once each, in order, of {possible}")
    for fault in noted:
        said = (fault.phase, fault.turn, fault.request, fault.request_id, fault.limit, fault.used)
        found = ("idle", game.record.turns, None, None, None, None)
        if said != found:
            yield difference(where, f"fault of seat {fault.seat}", said, found)
        elif fault.code not in _CODES["idle"]:
            yield difference(where, f"fault of seat {fault.seat}: code", fault.code, "one of phase idle")


def judge_timings(where: str, terms: Terms, game: GameResult, steps: Sequence[Step]) -> Iterator[Difference]:
    """Who was asked when, with what in the bank; and that no answer was accepted after its time."""
    asked = [one for step in steps for one in step.asked]
    if len(asked) != len(game.timings):
        yield difference(where, "timing", f"{len(game.timings)} requests", f"{len(asked)} requests")
        return
    for number, (one, timing) in enumerate(zip(asked, game.timings, strict=True), 1):
        said, found = (timing.turn, timing.seat, timing.bank), (one.turn, one.seat, one.bank)
        if said != found:
            yield difference(where, f"timing {number}: turn, seat, bank", said, found)
            return
        fault = one.answer if isinstance(one.answer, FaultRecord) else None
        allowed = math.inf if game.seating[one.seat] == terms.untimed else one.allowed + SLACK
        if timing.used < 0 or (fault is None and timing.used > allowed):
            yield difference(where, f"timing {number}: used", timing.used, f"0 to {one.allowed}")
        if fault is not None and fault.used != timing.used:
            yield difference(where, f"timing {number}: used", timing.used, fault.used)
    yield from _together(where, terms, game, steps)


def _together(where: str, terms: Terms, game: GameResult, steps: Sequence[Step]) -> Iterator[Difference]:
    """Windows follow one another, so a game lasts at least as long as its slowest answers together."""
    used = iter([timing.used for timing in game.timings])
    least = 0.0
    for step in steps:
        took = {asked.seat: next(used) for asked in step.asked}
        least += max(took.values(), default=0.0)
        if isinstance(step.action, Answers) and terms.rules.callers == "first":
            calling = [asked.seat for asked in step.asked if asked.answer is True]
            heard = tuple(sorted(calling, key=took.__getitem__))
            if step.action.callers != heard:
                yield difference(where, f"callers of turn {step.turn}", step.action.callers, heard)
    if game.seconds < least - SLACK:
        yield difference(where, "seconds", game.seconds, f"at least {least}")


def judge_debug(where: str, game: GameResult, steps: Sequence[Step]) -> Iterator[Difference]:
    """All that bots said came with an answer, in the order of the requests, and is not too long."""
    answered = iter([(one.turn, one.seat) for step in steps for one in step.asked if _has_answer(one)])
    for number, said in enumerate(game.debug, 1):
        if (said.turn, said.seat) not in answered:
            yield difference(
                where, f"debug {number}", f"seat {said.seat} on turn {said.turn}", "no answer of it there"
            )
            return
        if len(said.text.encode(errors="surrogatepass")) > MAX_DEBUG:
            yield difference(where, f"debug {number}", said.text, f"at most {MAX_DEBUG} bytes")


def _has_answer(asked: Asked) -> bool:
    """Whether there was an answer that may have said something: one that was only illegal was read."""
    if not isinstance(asked.answer, FaultRecord):
        return True
    return asked.kind == "play" and asked.answer.code in ("illegal", "bad-shape")
