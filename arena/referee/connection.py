"""The line to one process of a bot: what is written, what is read, when it arrived, and how it ended.

A connection is a seat (seat.py). It has one long-lived task for the bot's output, one for its
stderr and one that sees it end; none of them judges the game.
"""

import os
import time
from collections.abc import Callable
from typing import Final

import trio

from arena.protocol.decode import decode_reply
from arena.protocol.faults import FaultCode, Violation
from arena.protocol.framing import LineReader
from arena.protocol.lines import GOODBYE
from arena.referee.ask import Ask, Trouble
from arena.referee.ids import Ids
from arena.referee.machine import END_LIMIT, Machine
from arena.referee.pipes import has_data, still_held
from arena.referee.spawn import Process
from arena.referee.stderr import MOST_A_GAME, StderrLog
from arena.referee.tree import descendants_of

READ_SIZE: Final = 65_536
GRACE: Final = 0.2
"""Seconds a bot has to leave after goodbye."""
_CODE_WAIT: Final = 0.1
"""Seconds between a closed pipe and the exit code that explains it; one that lives on has only closed it."""
_PIPE_LOOK: Final = 0.1
"""Seconds a request is open before it is asked whether the bot still has its pipes."""
_PACE_MEMORY: Final = 0.5
_DRAIN_READS: Final = 16
"""A pipe holds 64 KiB unless a bot has widened it; never read for ever what it goes on writing."""
WORDS_KEPT: Final = 1500
"""Bytes of stderr in a fault record."""


class Connection:
    """One process, from its first line to its end. `run` must be running in the block's nursery.

    At most one request is open at a time; whatever arrives while none is, is trouble that waits for
    the next one.
    """

    def __init__(self, process: Process, machine: Machine, ids: Ids) -> None:
        self.process = process
        self.ids = ids
        self.stderr = StderrLog()
        self.pace = 0.0
        self.trouble: Trouble | None = None
        self.exited = trio.Event()
        self.on_output: Callable[[bytes], None] | None = None
        """Is told of every piece of its output that is read, as it came, whatever is made of it."""
        self.spared: Callable[[Ask, float], float] | None = None
        """Tells the seconds that do not count of a request whose answer is read at this moment."""
        self._machine = machine
        self._reader = LineReader()
        self._ask: Ask | None = None
        self._untold: list[bytes] = []
        self._unsent = b""
        self._writing = False
        self._input_closed = False
        self._scope = trio.CancelScope()
        self._done = trio.Event()
        self._tasks: trio.Nursery | None = None

    # The tasks.

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Read the process until `end`. Started with `nursery.start`."""
        try:
            with self._scope:
                async with trio.open_nursery() as tasks:
                    self._tasks = tasks
                    tasks.start_soon(self._read_output)
                    tasks.start_soon(self._read_stderr)
                    tasks.start_soon(self._see_exit)
                    if self.process.contained:
                        tasks.start_soon(self._see_closed_pipes)
                    task_status.started()
                    await trio.sleep_forever()
        finally:
            self._tasks = None
            self._done.set()

    async def _read_output(self) -> None:
        descriptor = self.process.stdout
        # After a trouble nothing it says counts any more: it is left to block on a full pipe.
        while self.trouble is None:
            await trio.lowlevel.wait_readable(descriptor)
            if not self._take_output():
                await self._explain("closed its output")
                return

    def _take_output(self) -> bool:
        """Read what is there, once; False at the end. The arrival is stamped before anything is parsed."""
        try:
            data = os.read(self.process.stdout, READ_SIZE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        now = time.perf_counter()
        if not data:
            return False
        if self.on_output is not None:
            self.on_output(data)
        if self.trouble is not None:
            return True
        self._reader.feed(data)
        ask = self._ask
        if ask is not None:
            ask.bytes_read += len(data)
        self._judge_lines(now)
        return True

    def _judge_lines(self, now: float) -> None:
        ask = self._ask
        if ask is not None:
            line = self._reader.next_line()
            if line is None:
                return
            if isinstance(line, Violation):
                self._finish(ask, now, Trouble(line.code, line.rule, self._reader.buffered))
                return
            ask.answer = line
            if self.spared is not None:
                ask.spared = self.spared(ask, now)
            if now > ask.deadline + ask.spared:
                lag = self._machine.lag.worst_since(ask.sent)
                self._finish(ask, now, self._late(ask, disturbed=now - ask.deadline <= lag))
                return
            reply = decode_reply(line, ask.kind, ask.id, self.ids.given)
            if isinstance(reply, Violation):
                self._finish(ask, now, Trouble(reply.code, reply.rule, line))
                return
            self._finish(ask, now, reply)
        # Nothing is open now: whatever else is here, nobody asked for.
        line = self._reader.next_line()
        if isinstance(line, Violation):
            self._note(Trouble(line.code, line.rule, self._reader.buffered))
        elif line is not None or self._reader.pending:
            shown = line if line is not None else self._reader.buffered
            self._note(
                Trouble(
                    "unsolicited",
                    "Nothing may be printed while no request is open: one request wants one line.",
                    shown,
                )
            )

    async def _read_stderr(self) -> None:
        while True:
            await trio.lowlevel.wait_readable(self.process.stderr)
            if not self._take_stderr():
                return

    def _take_stderr(self) -> bool:
        try:
            data = os.read(self.process.stderr, READ_SIZE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.stderr.feed(data)
        if self.stderr.this_game > MOST_A_GAME and self.trouble is None:
            self._fail(
                Trouble(
                    "flood-stderr", f"At most {MOST_A_GAME >> 20} MiB may be written to stderr in one game."
                )
            )
        return bool(data)

    async def _see_exit(self) -> None:
        if self.process.pidfd is not None:
            await trio.lowlevel.wait_readable(self.process.pidfd)
        while self.process.exit_status() is None:
            await trio.sleep(0.02)
        self.exited.set()
        # What it wrote before it ended counts, though a descendant may hold the pipe open for ever.
        self._drain()
        self._gone("ended")

    async def _see_closed_pipes(self) -> None:
        suspected: list[str] = []
        while self.trouble is None:
            await trio.sleep(_PIPE_LOOK)
            ask = self._ask
            if ask is None or time.perf_counter() - ask.sent < _PIPE_LOOK:
                suspected = []
                continue
            seen = self._closed_pipes()
            for what in seen:
                if what in suspected and ask.open:
                    self._drain()
                    self._gone(what)
            suspected = seen

    def _closed_pipes(self) -> list[str]:
        """What the bot seems to have closed: no process of it is seen to have that pipe open.

        Only what is seen twice is so. A look takes a while, and meanwhile the pipe may pass to a process
        that has just been forked, or to another number of one that is looked at; a start on a busy machine
        does both.
        """
        pid = self.process.pid
        family = descendants_of(pid)
        pipes = ((self.process.stdout, "closed its output"), (self.process.stdin, "closed its input"))
        closed = [what for pipe, what in pipes if not still_held((pid, *family), pipe)]
        # That a bot has ended is told soon, and says more.
        if not closed or self.process.bot_has_ended() or descendants_of(pid) != family:
            return []
        return closed

    def _drain(self) -> None:
        for _ in range(_DRAIN_READS):
            if not has_data(self.process.stdout) or not self._take_output():
                break
        self._drain_stderr()

    def _drain_stderr(self) -> None:
        for _ in range(_DRAIN_READS):
            if not has_data(self.process.stderr) or not self._take_stderr():
                break

    async def _explain(self, what: str) -> None:
        """A pipe is closed. If the process is ending, its exit code says more: give it a moment.

        On a busy machine it may take longer to be told than to end.
        """
        with trio.move_on_after(_CODE_WAIT):
            await self.exited.wait()
        with trio.move_on_after(END_LIMIT):
            while not self.exited.is_set() and self.process.bot_has_ended():
                await trio.sleep(_CODE_WAIT / 10)
        self._drain()
        self._gone(what)

    def _gone(self, what: str) -> None:
        code, signal = self.process.exit_status() or (None, None)
        if self.process.out_of_memory():
            rule = "The process, or one that it started, was ended for using more memory than it may."
            self._fail(Trouble("memory", rule, b"", code, signal))
        elif signal is not None:
            self._fail(Trouble("crash", f"The process was ended by {signal}.", b"", None, signal))
        elif code:
            self._fail(Trouble("crash", f"The process ended with exit code {code}.", b"", code))
        else:
            how = "The process ended with exit code 0" if code == 0 else f"The process {what}"
            rule = f"{how}; a bot stays until it is told goodbye."
            self._fail(Trouble("exit", rule, self._reader.buffered, code))

    # Troubles and verdicts.

    def _fail(self, trouble: Trouble) -> None:
        """Trouble now: the verdict of the open request, or what the next one will meet."""
        if self._ask is not None:
            self._finish(self._ask, time.perf_counter(), trouble)
        else:
            self._note(trouble)

    def _note(self, trouble: Trouble) -> None:
        if self.trouble is None:
            self.trouble = trouble

    def _finish(self, ask: Ask, arrived: float, outcome: object) -> None:
        self._ask = None
        if ask.kind != "hello":
            self.pace += (arrived - ask.sent - self.pace) * _PACE_MEMORY
        if isinstance(outcome, Trouble):
            self._note(outcome)
        ask.finish(arrived, outcome)  # type: ignore[arg-type]

    def _late(self, ask: Ask, *, disturbed: bool = False) -> Trouble:
        code: FaultCode
        if ask.kind == "hello":
            code, rule = "start-timeout", f"hello must be answered within {ask.allowed:g} s of the start."
        else:
            code = "timeout"
            rule = (
                f"The answer must arrive within {ask.allowed:.3f} s (the move limit and what is in the bank)."
            )
        if self._unsent:
            rule += " The bot did not even read all of the request."
        return Trouble(code, rule, disturbed=disturbed)

    # What the table does.

    def tell(self, line: bytes) -> None:
        """Keep an event until the next request is written."""
        self._untold.append(line)

    def begin(self, ask: Ask) -> None:
        """Write everything untold and the request in one write, and start its clock.

        A bot that has done wrong by now, while the request waited for its turn, is sent nothing, as if that
        had been known when the request fell due. Only hello goes out all the same: it is part of the start.
        """
        if self.trouble is not None and ask.kind != "hello":
            ask.finish(time.perf_counter(), self.trouble)
            return
        self._reader.fresh()
        self._ask = ask
        self._untold.append(ask.line)
        data = b"".join(self._untold)
        self._untold.clear()
        ask.stamp_send()
        self._write(data)
        if self.trouble is not None:
            self._finish(ask, time.perf_counter(), self.trouble)

    def expire(self, ask: Ask, now: float) -> None:
        """The deadline is past. What lies in the pipe unread may still say why there is no answer."""
        if self._ask is not ask:
            return
        if has_data(self.process.stdout):
            self._take_output()
        if not ask.open:
            return
        # If the referee was late itself, the answer may be on its way by as much: wait for it that long,
        # for a lateness that our own delay explains is no fault.
        ask.patience = ask.deadline + self._machine.lag.worst_since(ask.sent)
        if now >= ask.patience:
            self._finish(ask, now, self._late(ask))

    def _write(self, data: bytes) -> None:
        if self._unsent:
            self._unsent += data
            return
        self._unsent = data
        if not self._push() and not self._writing and self._tasks is not None:
            self._writing = True
            self._tasks.start_soon(self._write_rest)

    def _push(self) -> bool:
        """Write what the pipe takes; False if some is left."""
        try:
            written = os.write(self.process.stdin, self._unsent)
        except BlockingIOError:
            return False
        except OSError:
            # It closed its input. That is no crime until it is asked, and it is being asked.
            self._unsent = b""
            if self._tasks is not None and not self._input_closed:
                self._tasks.start_soon(self._explain, "closed its input")
            self._input_closed = True
            return True
        self._unsent = self._unsent[written:]
        return not self._unsent

    async def _write_rest(self) -> None:
        while self._unsent:
            await trio.lowlevel.wait_writable(self.process.stdin)
            self._push()
        self._writing = False

    def new_game(self, purpose: str) -> None:
        """Ids and limits of another game begin."""
        self.ids.begin(purpose)
        self.stderr.this_game = 0

    def last_words(self) -> bytes:
        """The end of what it wrote to stderr, for a fault record."""
        self._drain_stderr()
        return self.stderr.last(WORDS_KEPT)

    # The end.

    async def end(self, *, politely: bool) -> None:
        """End the process and its whole tree; `politely`, it is told goodbye first and has GRACE to go."""
        if politely and self.trouble is None:
            self.tell(GOODBYE)
            self._write(b"".join(self._untold))
            if not self._writing:
                self.close_input()
            with trio.move_on_after(GRACE):
                await self.exited.wait()
        await self._machine.end(self.process)
        self._scope.cancel()
        with trio.CancelScope(shield=True):
            await self._done.wait()
        self._close()

    def close_input(self) -> None:
        """Its stdin ends here."""
        if self.process.stdin >= 0:
            trio.lowlevel.notify_closing(self.process.stdin)
            os.close(self.process.stdin)
            self.process.stdin = -1

    def _close(self) -> None:
        self.close_input()
        for descriptor in (self.process.stdout, self.process.stderr, self.process.pidfd):
            if descriptor is not None:
                os.close(descriptor)
