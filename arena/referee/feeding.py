"""Giving a process again what another was sent, write by write, and hearing its answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import trio

from arena.cheat.actions import Pass, Play
from arena.cheat.rules import Rules
from arena.protocol.lines import GOODBYE
from arena.protocol.messages import ChallengeReply, HelloReply, Reply
from arena.referee.ask import Ask, Round, Trouble
from arena.referee.block import Contestant, Terms
from arena.referee.connection import Connection
from arena.referee.ids import Ids
from arena.referee.machine import Machine
from arena.referee.ruling import ruled_by_line
from arena.referee.sent import Sent
from arena.referee.spawn import CannotStart, HostTrouble

_BREATH: Final = 0.005
"""Seconds between an answer and the next request, in which a stray line shows as one."""
_SETTLE: Final = 0.5
"""Seconds after the last answer in which a stray line, or the end of the process, is waited for."""
_AGAIN: Final = 2.0
"""Seconds in which trouble that the record has is waited for: in the game others were asked meanwhile."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one request came to this time."""

    sent: Sent
    answer: Play | Pass | bool | Trouble | None
    """As a record has it; None: hello was answered."""
    debug: str | None = None
    words: str = ""
    """With a trouble: the end of what the bot wrote to stderr."""
    idle: bool = False
    """The trouble came while nothing was asked; the request was not sent."""


async def feed(
    bot: Contestant,
    terms: Terms,
    writes: Sequence[Sent],
    machine: Machine,
    on_heard: Callable[[Heard], None],
    *,
    late: bool = False,
) -> Heard | None:
    """Start the bot and give it these writes, each when the request before it is answered.

    Ends with the first trouble, for a process in trouble is told no more. What is returned is trouble that
    came after the last answer, if there was any; `late`: the record has some, and it is waited for longer.
    A write that was never made is made where the process is not in trouble by then. The process tree is
    ended before this returns.
    """
    try:
        process = await machine.start(bot, bot.memory or terms.memory)
    except (CannotStart, HostTrouble) as error:
        on_heard(Heard(writes[0], Trouble("bad-exec", str(error))))
        return None
    ids = Ids(terms.seed)
    connection = Connection(process, machine, ids)
    heard: Heard | None = None
    failure: Exception | None = None
    async with trio.open_nursery() as tasks:
        try:
            await tasks.start(connection.run)
            heard = await _fed(connection, terms, writes, machine, ids, on_heard, late=late)
        except Exception as error:
            # What `on_heard` raises, if nobody reads what it prints, leaves as itself, in no group.
            failure = error
        finally:
            with trio.CancelScope(shield=True):
                await connection.end(politely=True)
    if failure is not None:
        raise failure
    return heard


async def _fed(
    connection: Connection,
    terms: Terms,
    writes: Sequence[Sent],
    machine: Machine,
    ids: Ids,
    on_heard: Callable[[Heard], None],
    *,
    late: bool,
) -> Heard | None:
    """Make the writes to the process that runs; what `feed` returns."""
    game = writes[0].game
    for sent in writes:
        if sent.asked is None:
            break
        if sent.game != game:
            connection.stderr.this_game, game = 0, sent.game
        await _quiet(connection, _AGAIN if sent.missed else _BREATH)
        idle = connection.trouble is not None
        reply = connection.trouble or await _asked(connection, sent, ids, machine)
        if isinstance(reply, Trouble):
            on_heard(Heard(sent, reply, words=_words(connection), idle=idle))
            return None
        on_heard(Heard(sent, _judged(reply, terms.rules, sent), reply.debug))
    await _quiet(connection, _AGAIN if late else _SETTLE)
    if connection.trouble is not None:
        return Heard(writes[-1], connection.trouble, words=_words(connection), idle=True)
    if writes[-1].asked is None:
        connection.tell(writes[-1].data.removesuffix(GOODBYE))
    return None


async def _quiet(connection: Connection, seconds: float) -> None:
    """Ask nothing for so long, or until the process is in trouble."""
    until = time.perf_counter() + seconds
    while connection.trouble is None and time.perf_counter() < until:
        await trio.sleep(_BREATH / 2)


def _words(connection: Connection) -> str:
    return connection.last_words().decode(errors="backslashreplace")


def _judged(reply: Reply, rules: Rules, sent: Sent) -> Play | Pass | bool | Trouble | None:
    if isinstance(reply, ChallengeReply):
        return reply.challenge
    if isinstance(reply, HelloReply):
        return None
    assert sent.asked is not None
    return ruled_by_line(reply, rules, sent.asked.line)


async def _asked(connection: Connection, sent: Sent, ids: Ids, machine: Machine) -> Reply | Trouble:
    asked = sent.asked
    assert asked is not None
    if events := (sent.missed or sent.data).removesuffix(asked.line):
        connection.tell(events)
    ids.given.add(asked.id)
    since = connection.process.began if asked.kind == "hello" else None
    ask = Ask(connection, asked.kind, asked.id, asked.line, asked.allowed, since=since)
    await Round(None, machine.clock_offset).gather([ask])
    answer = ask.trouble or ask.reply
    assert answer is not None
    return answer
