"""Giving a process again what another was sent, write by write, and hearing its answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from arena.referee.spawn import CannotStart


@dataclass(frozen=True, slots=True)
class Heard:
    """What one request came to this time."""

    sent: Sent
    answer: Play | Pass | bool | Trouble | None
    """As a record has it; None: hello was answered."""
    debug: str | None = None
    words: str = ""
    """With a trouble: the end of what the bot wrote to stderr."""


async def feed(
    bot: Contestant,
    terms: Terms,
    writes: Sequence[Sent],
    machine: Machine,
    on_heard: Callable[[Heard], None],
) -> None:
    """Start the bot and give it these writes, each when the request before it is answered.

    Ends with the first trouble, for a process in trouble is told no more. The process tree is ended
    before this returns.
    """
    try:
        process = await machine.start(bot, bot.memory or terms.memory)
    except CannotStart as error:
        on_heard(Heard(writes[0], Trouble("bad-exec", str(error))))
        return
    ids = Ids(terms.seed)
    connection = Connection(process, machine, ids)
    async with trio.open_nursery() as tasks:
        try:
            await tasks.start(connection.run)
            game = writes[0].game
            for sent in writes:
                if sent.asked is None:
                    connection.tell(sent.data.removesuffix(GOODBYE))
                    break
                if sent.game != game:
                    connection.stderr.this_game, game = 0, sent.game
                reply = connection.trouble or await _asked(connection, sent, ids, machine)
                if isinstance(reply, Trouble):
                    words = connection.last_words().decode(errors="backslashreplace")
                    on_heard(Heard(sent, reply, words=words))
                    break
                on_heard(Heard(sent, _judged(reply, terms.rules, sent), reply.debug))
        finally:
            with trio.CancelScope(shield=True):
                await connection.end(politely=True)


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
    if events := sent.data.removesuffix(asked.line):
        connection.tell(events)
    ids.given.add(asked.id)
    since = connection.process.began if asked.kind == "hello" else None
    ask = Ask(connection, asked.kind, asked.id, asked.line, asked.allowed, since=since)
    await Round(None, machine.clock_offset).gather([ask])
    answer = ask.trouble or ask.reply
    assert answer is not None
    return answer
