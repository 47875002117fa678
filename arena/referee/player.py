"""One bot over one block: its process, a new one after a fault, and the ladder from a fault to a forfeit."""

import trio

from arena.protocol.faults import FaultRecord
from arena.protocol.lines import hello_line
from arena.protocol.messages import HelloReply
from arena.referee.ask import Ask, Round, Trouble
from arena.referee.block import Contestant, GameResult, HelloSaid, Terms
from arena.referee.connection import Connection
from arena.referee.ids import Ids, for_hello
from arena.referee.ladder import Ladder
from arena.referee.machine import Machine
from arena.referee.spawn import CannotStart
from arena.referee.umpire import Umpire
from arena.referee.verdict import fault_record


class Player:
    """A bot at a table for a block. `connection` is its live process, None while it has none."""

    def __init__(
        self,
        number: int,
        bot: Contestant,
        block: int,
        terms: Terms,
        machine: Machine,
        umpire: Umpire,
        ladder: Ladder,
    ) -> None:
        """`ladder`: where the games of the block that were played before have brought it."""
        self.number = number
        self.bot = bot
        self.connection: Connection | None = None
        self.ladder = ladder
        self.said: HelloSaid | None = None
        self.spawn_seconds = 0.0
        self.hellos = 0
        self._block = block
        self._terms = terms
        self._machine = machine
        self._umpire = umpire

    @property
    def name(self) -> str:
        """As the roster has it."""
        return self.bot.name

    @property
    def seat(self) -> Connection | None:
        """Where it is asked: the line to its process."""
        return self.connection

    async def ready(self, tasks: trio.Nursery, seat: int) -> FaultRecord | None:
        """Have a live process that has said hello; the record of the failure if it would not start.

        `tasks` is the nursery its connection lives in, `seat` where it will sit.
        """
        if self.ladder.forfeited or self.connection is not None:
            return None
        async with self._machine.starts:
            record = await self._start(tasks, seat)
        if record is not None:
            self.ladder.failed_start()
            await self.leave(politely=False)
        return record

    async def _start(self, tasks: trio.Nursery, seat: int) -> FaultRecord | None:
        self.ladder.starts += 1
        try:
            process = await self._machine.start(self.bot, self.bot.memory or self._terms.memory)
        except CannotStart as error:
            return fault_record(Trouble("bad-exec", str(error)), None, "start", seat, self.bot.name, 0, b"")
        ids = Ids(self._terms.seed)
        ids.begin(for_hello(self._block, self.number, self.ladder.starts))
        connection = Connection(process, self._machine, ids)
        connection.spared = self._umpire.spared
        self.connection = connection
        self._umpire.watch(process.pid)
        await tasks.start(connection.run)
        ask = self._hello(connection)
        self.hellos += 1
        await Round(None, self._machine.clock_offset).gather([ask])
        self.spawn_seconds += ask.arrived - process.began
        if ask.trouble is not None:
            self._umpire.allow(ask.trouble, ask, self.number)
            trouble = never_ran(ask.trouble, connection) or ask.trouble
            return fault_record(trouble, ask, "hello", seat, self.bot.name, 0, connection.last_words())
        assert isinstance(ask.reply, HelloReply)
        if self.said is None:
            reply = ask.reply
            self.said = HelloSaid(
                self.number, reply.name, reply.version, reply.author, ask.arrived - process.began
            )
        return None

    def _hello(self, connection: Connection) -> Ask:
        terms = self._terms
        name = connection.ids.next()
        line = hello_line(name, terms.rules, terms.seats, terms.start_time, terms.move_time, terms.bank)
        # The limit counts from the start of the process, which has had some of it by now.
        return Ask(connection, "hello", name, line, terms.start_time, since=connection.process.began)

    def unnoticed(self, seat: int, game: GameResult) -> FaultRecord | None:
        """A trouble that came after the seat's last request: kept on record, without effect."""
        connection = self.connection
        if connection is None or connection.trouble is None or any(f.seat == seat for f in game.faults):
            return None
        turn, words = game.record.turns, connection.last_words()
        return fault_record(
            connection.trouble, None, "idle", seat, self.bot.name, turn, words, effective=False
        )

    async def leave(self, *, politely: bool) -> None:
        """End the process, if there is one, with its whole tree."""
        connection, self.connection = self.connection, None
        if connection is not None:
            await connection.end(politely=politely)


def never_ran(trouble: Trouble, connection: Connection) -> Trouble | None:
    """What set up the bot's limits or its sandbox has ended, and not the bot: that is no crash of it."""
    if trouble.code in ("crash", "exit") and (reason := connection.process.never_ran()):
        return Trouble("bad-exec", reason, exit_code=trouble.exit_code)
    return None
