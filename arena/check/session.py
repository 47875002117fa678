"""One process of the bot that is checked: started, asked, seated at tables of the referee's, and ended."""

import contextlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

import trio

from arena.cheat.rules import Rules
from arena.check.mishap import Mishap
from arena.check.opponents import Opponent
from arena.check.strategies import Strategy
from arena.check.watched import Exchange, Watched
from arena.protocol.faults import FaultRecord
from arena.protocol.lines import hello_line
from arena.protocol.messages import HelloReply
from arena.referee.ask import Ask, Round, Trouble
from arena.referee.block import Contestant, GameResult, Terms
from arena.referee.ids import Ids, for_hello
from arena.referee.machine import Machine
from arena.referee.pipes import has_data
from arena.referee.player import never_ran
from arena.referee.seat import Seat
from arena.referee.spawn import CannotStart
from arena.referee.table import Sitting, Table
from arena.referee.umpire import BlockVoid, Umpire
from arena.referee.usage import tree_seconds

BREATH: Final = 0.003
"""Seconds without a question in which a line that nobody wanted shows as one."""
_LOOK: Final = 0.3
"""Seconds after a timeout in which it is seen what the bot is doing."""
_FLUSHED: Final = 0.7
"""Seconds that a bot has to end, and to let go of what it held back, once its stdin is closed."""
_COMPUTES: Final = 0.1
"""The share of one core above which a bot is computing: one that waits needs none."""
_REST: Final = 0.03
"""Seconds after a wrong line in which what belongs to it comes: it tells what the line was meant to be."""
_SPOKEN: Final = frozenset(("bad-json", "bad-type", "bad-shape", "wrong-id", "unsolicited"))
_SILENT: Final = frozenset(("crash", "exit", "memory", "timeout"))
"""Faults that may come of anything in the last write."""
_LAST_WORDS: Final = 4000


class Session:
    """A process. Made by `session`; `mishap` is the first thing that went wrong in it.

    `void`: the host has disturbed a verdict, and whatever was seen counts for nothing.
    """

    def __init__(self, bot: Contestant, terms: Terms, machine: Machine, number: int, umpire: Umpire) -> None:
        self.bot = bot
        self.terms = terms
        self.mishap: Mishap | None = None
        self.void = False
        self.start_seconds = 0.0
        self.said: HelloReply | None = None
        self.connection: Watched | None = None
        self._machine = machine
        self._number = number
        self._umpire = umpire
        self._strange = False
        self._games = 0
        """Begun."""

    async def start(self, tasks: trio.Nursery, *, breath: float, strange: bool) -> None:
        """Start it and hear its answer to hello."""
        terms = self.terms
        try:
            process = await self._machine.start(self.bot, self.bot.memory or terms.memory)
        except CannotStart as error:
            self.mishap = Mishap(code="bad-exec", rule=str(error))
            return
        ids = Ids(terms.seed)
        ids.begin(for_hello(self._number, 0, 1))
        self._strange = strange
        self.connection = connection = Watched(process, self._machine, ids, breath=breath, strange=strange)
        self._umpire.watch(process.pid)
        await tasks.start(connection.run)
        name = ids.next()
        line = hello_line(name, terms.rules, terms.seats, terms.start_time, terms.move_time, terms.bank)
        ask = Ask(connection, "hello", name, line, terms.start_time, since=process.began)
        await Round(None, self._machine.clock_offset).gather([ask])
        self.start_seconds = ask.arrived - process.began
        if ask.trouble is not None:
            trouble = never_ran(ask.trouble, connection) or ask.trouble
            await self._went_wrong(trouble, ask)
        elif isinstance(ask.reply, HelloReply):
            self.said = ask.reply

    async def settle(self, seconds: float) -> None:
        """Ask nothing for so long, and see whether something comes."""
        connection = self.connection
        if connection is None or self.mishap is not None:
            return
        with trio.move_on_after(seconds):
            while connection.trouble is None:
                await trio.sleep(min(BREATH, seconds / 2))
        if connection.trouble is not None:
            where = f"after game {self._games} of this process" if self._games else ""
            await self._went_wrong(connection.trouble, None, where)

    async def play(
        self, game: int, seat: int, strategies: Sequence[Strategy], leaves: int | None = None, where: str = ""
    ) -> GameResult | None:
        """Play one game; None where the bot did something wrong in it or before, or where it is void."""
        if self.mishap is not None or self.void or self.connection is None:
            return None
        others: list[Seat] = [
            Opponent(strategy, self.terms.rules, self.terms.seats, seat, leaves) for strategy in strategies
        ]
        self._games += 1
        if self._games > 1:
            where = f"{where}, in game {self._games} of this process"
        seats = [*others[:seat], self.connection, *others[seat:]]
        names = tuple(str(number) for number in range(self.terms.seats))
        sitting = Sitting(self._number, game, tuple(range(self.terms.seats)), names)
        table = Table(self.terms, sitting, seats, self._machine, {}, self._umpire)
        try:
            result = await table.play()
        except BlockVoid:
            self.void = True
            return None
        fault = next((one for one in result.faults if one.seat == seat), None)
        if fault is not None:
            await self._went_wrong(fault, None, where)
            return None
        if self.connection.trouble is not None:
            await self._went_wrong(self.connection.trouble, None, where)
            return None
        return result

    async def end(self) -> None:
        """End the process and all it started, without a word."""
        if self.connection is not None:
            await self.connection.end(politely=False)

    async def _went_wrong(self, trouble: Trouble | FaultRecord, ask: Ask | None, where: str = "") -> None:
        connection = self.connection
        assert connection is not None
        last = connection.exchanges[-1] if connection.exchanges else None
        if ask is not None and isinstance(trouble, Trouble):
            try:
                self._umpire.allow(trouble, ask, 0)
            except BlockVoid:
                self.void = True
                return
        endless = False
        look = await self._look_closer(last) if trouble.code in ("timeout", "start-timeout") else {}
        if trouble.code in _SPOKEN:
            await trio.sleep(_REST)
            endless = await connection.hears_no_end()
        own = connection.trouble
        silent = trouble.code in _SILENT and last is not None and last.ask.reply is None
        if silent and last is not None and self._games > 1 and any(map(_ends_game, last.events)):
            where += f", or at the end of game {self._games - 1}, which it was told in the same write"
        idle = last is not None and last.ask.trouble is None and own is not None and own.code == trouble.code
        self.mishap = Mishap(
            code=trouble.code,
            rule=trouble.rule,
            exit_code=trouble.exit_code,
            signal=trouble.signal,
            idle=idle,
            kind=last.ask.kind if last else None,
            id=last.ask.id if last else "",
            sent=last.ask.line.removesuffix(b"\n") if last else b"",
            events=last.events if last else (),
            survived=connection.survived(),
            given=frozenset(connection.ids.given),
            received=bytes(last.received) if last else b"",
            endless=endless,
            answer=last.ask.answer if last else b"",
            offending=own.offending if own is not None else b"",
            answered=connection.answered,
            answered_such=connection.answered_such(last.ask.kind) if last else 0,
            game=self._games,
            full_bank=self.terms.bank,
            early=trouble.code == "unsolicited" and last is not None and not last.ask.answer,
            used=last.ask.used if last else 0.0,
            allowed=last.ask.allowed if last else 0.0,
            stderr=connection.last_words().decode(errors="backslashreplace")[-_LAST_WORDS:],
            fresh=connection.fresh_words(idle=idle).decode(errors="backslashreplace"),
            where=where,
            strange=self._strange,
            **look,  # type: ignore[arg-type]
        )

    async def _look_closer(self, last: Exchange | None) -> dict[str, object]:
        """Why there was no answer: what the bot does now, and what comes when its stdin ends."""
        connection = self.connection
        assert connection is not None
        pid = connection.process.pid
        unread, before = connection.unread(), tree_seconds(pid)
        in_time = len(last.received) if last is not None else 0
        late, took = False, 0.0
        with trio.move_on_after(_LOOK):
            while not late:
                await trio.sleep(BREATH)
                # Its reader takes one more piece, and then no more.
                more = last is not None and len(last.received) > in_time
                late = more or has_data(connection.process.stdout)
        if late and last is not None:
            took = time.perf_counter() - last.ask.sent
            await trio.sleep(_REST)
            connection.hear_on()
        computing = not late and tree_seconds(pid) - before > _COMPUTES * _LOOK
        after = b""
        if not late and not computing and last is not None:
            if connection.close_stdin():
                with trio.move_on_after(_FLUSHED):
                    while not connection.exited.is_set():
                        await trio.sleep(BREATH)
                        if not took and len(last.received) > in_time:
                            took = time.perf_counter() - last.ask.sent
            # What came since the look belongs here too.
            after = bytes(last.received[in_time:])
            if after and not took:
                took = time.perf_counter() - last.ask.sent
        return {
            "in_time": in_time,
            "unread": unread,
            "late": late,
            "took": took,
            "computing": computing,
            "after_end": after,
        }


def _ends_game(event: bytes) -> bool:
    return bool(json.loads(event)["type"] == "end")


@contextlib.asynccontextmanager
async def session(
    bot: Contestant,
    terms: Terms,
    machine: Machine,
    number: int,
    *,
    stands: bool = False,
    breath: float = 0.0,
    strange: bool = False,
) -> AsyncIterator[Session]:
    """A process that has been told hello, for as long as the block lasts; then it and its tree are ended.

    `number` takes the place of a block's: it gives the deals and the ids. `stands`: no verdict is void.
    Raises HostTrouble, in a group, where no bot could be started.
    """
    one = Session(bot, terms, machine, number, Umpire(machine, stands=stands))
    async with trio.open_nursery() as tasks:
        try:
            async with machine.starts:
                await one.start(tasks, breath=breath, strange=strange)
            yield one
        finally:
            with trio.CancelScope(shield=True):
                await one.end()


def terms_for(terms: Terms, rules: Rules, seats: int) -> Terms:
    """The same limits with other rules or at another table."""
    import msgspec

    return msgspec.structs.replace(terms, rules=rules, seats=seats)
