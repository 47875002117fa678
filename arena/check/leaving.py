"""Whether a bot leaves when it is told goodbye, and when its stdin ends without a word."""

import time
from dataclasses import dataclass
from typing import Final

import trio

from arena.check.excerpt import excerpt
from arena.check.explain import last_lines
from arena.check.report import Explanation
from arena.check.session import session
from arena.check.words import last_line
from arena.protocol.lines import GOODBYE
from arena.referee.block import Contestant, Terms
from arena.referee.connection import GRACE
from arena.referee.machine import Machine

_PATIENCE: Final = 2.0
"""Seconds after which a bot is taken to stay for ever."""
_GOODBYE: Final = 50
_NO_WORD: Final = 51
_RULE: Final = (
    f"A bot leaves when it is told goodbye and when its stdin ends; {1000 * GRACE:g} ms later it is ended."
)


@dataclass(frozen=True, slots=True)
class Leaving:
    """How it left."""

    message: str
    notes: tuple[str, ...]
    explanation: Explanation | None


@dataclass(frozen=True, slots=True)
class _End:
    """One way to be asked to leave: what was said, and what came of it."""

    how: str
    said: str
    seconds: float | None
    """Until it was gone; None: it stayed."""
    code: int | None
    signal: str | None
    received: bytes
    stderr: str


async def left(bot: Contestant, terms: Terms, machine: Machine) -> Leaving:
    """Try both, each with a process of its own."""
    found: dict[int, _End] = {}

    async def one(number: int) -> None:
        async with session(bot, terms, machine, number, stands=True) as process:
            connection = process.connection
            if process.mishap is not None or connection is None:
                return
            before = len(connection.exchanges[-1].received)
            if number == _GOODBYE:
                connection.say_goodbye()
            connection.close_stdin()
            began = time.perf_counter()
            with trio.move_on_after(_PATIENCE):
                await connection.exited.wait()
            gone = time.perf_counter() - began if connection.exited.is_set() else None
            code, signal = connection.process.exit_status() or (None, None)
            goodbye = number == _GOODBYE
            found[number] = _End(
                "goodbye" if goodbye else "the end of stdin",
                GOODBYE.decode().rstrip("\n") if goodbye else "",
                gone,
                code,
                signal,
                bytes(connection.exchanges[-1].received[before:]),
                connection.last_words().decode(errors="backslashreplace"),
            )

    async with trio.open_nursery() as tasks:
        for number in (_GOODBYE, _NO_WORD):
            tasks.start_soon(one, number)
    return _judged([found[number] for number in sorted(found)])


def _judged(ends: list[_End]) -> Leaving:
    notes: list[str] = []
    for end in ends:
        if end.seconds is None:
            return Leaving("", (), _stayed(end))
        if end.received.strip():
            return Leaving("", (), _spoke(end))
        if end.seconds > GRACE:
            notes.append(f"{end.seconds:.2f} s after {end.how}: after {GRACE:g} s it would have been ended")
        if end.code or end.signal:
            words = f" ({last_line(end.stderr)})" if end.stderr.strip() else ""
            how = f"by {end.signal}" if end.signal else f"with exit code {end.code}"
            notes.append(f"it leaves {how} after {end.how}{words}; that is no fault")
    if not ends:
        return Leaving("not seen: the process did not start again", (), None)
    slowest = max(end.seconds or 0.0 for end in ends)
    return Leaving(f"on goodbye and at the end of stdin, {slowest:.2f} of {GRACE:g} s", tuple(notes), None)


def _stayed(end: _End) -> Explanation:
    return _explanation(
        end,
        f"It does not leave: {_PATIENCE:g} s after {end.how} it was still there.",
        "end the program when reading stdin says that there is no more",
        None,
    )


def _spoke(end: _End) -> Explanation:
    return _explanation(
        end,
        f"It prints something after {end.how}.",
        "print nothing for goodbye: it has no id, and wants no answer",
        0,
    )


def _explanation(end: _End, headline: str, mend: str, at: int | None) -> Explanation:
    received, column = excerpt(end.received, at)
    return Explanation(
        headline=headline,
        mend=mend,
        code="leaves",
        rule=_RULE,
        anchor="protocol.md#goodbye",
        sent=end.said or "(nothing: stdin was closed)",
        received=received,
        caret=column,
        valid="(nothing)",
        stderr=last_lines(end.stderr),
    )
