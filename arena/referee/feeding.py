"""Giving a process again what another was sent, write by write, and hearing its answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from arena.protocol.lines import GOODBYE
from arena.protocol.messages import Reply
from arena.referee.ask import Ask, Round, Trouble
from arena.referee.block import Contestant
from arena.referee.connection import Connection
from arena.referee.ids import Ids
from arena.referee.machine import Machine
from arena.referee.sent import Sent
from arena.referee.spawn import CannotStart


@dataclass(frozen=True, slots=True)
class Heard:
    """What one request came to this time."""

    sent: Sent
    answer: Reply | Trouble
    words: str = ""
    """With a trouble: the end of what the bot wrote to stderr."""


async def feed(
    bot: Contestant,
    memory: int | None,
    seed: bytes,
    writes: Sequence[Sent],
    machine: Machine,
    on_heard: Callable[[Heard], None],
) -> None:
    """Start the bot and give it these writes, each when the request before it is answered.

    Ends with the first trouble, for a process in trouble is told no more. The process tree is ended
    before this returns.
    """
    try:
        process = machine.start(bot, bot.memory or memory)
    except CannotStart as error:
        on_heard(Heard(writes[0], Trouble("bad-exec", str(error))))
        return
    began = time.perf_counter()
    ids = Ids(seed)
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
                answer = connection.trouble or await _asked(connection, sent, ids, machine, began)
                words = ""
                if isinstance(answer, Trouble):
                    words = connection.last_words().decode(errors="backslashreplace")
                on_heard(Heard(sent, answer, words))
                if words or isinstance(answer, Trouble):
                    break
        finally:
            with trio.CancelScope(shield=True):
                await connection.end(politely=True)


async def _asked(
    connection: Connection, sent: Sent, ids: Ids, machine: Machine, began: float
) -> Reply | Trouble:
    asked = sent.asked
    assert asked is not None
    if events := sent.data.removesuffix(asked.line):
        connection.tell(events)
    ids.given.add(asked.id)
    since = began if asked.kind == "hello" else None
    ask = Ask(connection, asked.kind, asked.id, asked.line, asked.allowed, since=since)
    await Round(None, machine.clock_offset).gather([ask])
    answer = ask.trouble or ask.reply
    assert answer is not None
    return answer
