"""One who takes part in a block and is no program: the seat is there before the block and after it."""

import trio

from arena.protocol.faults import FaultRecord
from arena.protocol.lines import hello_line
from arena.referee.ask import Ask, Round
from arena.referee.block import GameResult, HelloSaid, Terms
from arena.referee.ids import for_hello
from arena.referee.ladder import Ladder
from arena.referee.machine import Machine
from arena.referee.seat import Seat


class Guest:
    """A person, say. Is told the rules by the same hello as a bot, and nothing has to be started for it."""

    def __init__(
        self, number: int, name: str, seat: Seat, block: int, terms: Terms, machine: Machine, ladder: Ladder
    ) -> None:
        """`seat.ids` must be of the seed of the terms."""
        self.number = number
        self.name = name
        self.ladder = ladder
        self.said: HelloSaid | None = None
        self.spawn_seconds = 0.0
        self.hellos = 0
        self.seat: Seat | None = None
        self._here = seat
        self._block = block
        self._terms = terms
        self._machine = machine

    async def ready(self, tasks: trio.Nursery, seat: int) -> FaultRecord | None:
        """Sit down, with a hello as a process gets; it cannot fail."""
        if self.ladder.forfeited or self.seat is not None:
            return None
        terms = self._terms
        self.ladder.starts += 1
        self.seat = self._here
        self.seat.ids.begin(for_hello(self._block, self.number, self.ladder.starts))
        name = self.seat.ids.next()
        line = hello_line(name, terms.rules, terms.seats, terms.start_time, terms.move_time, terms.bank)
        self.hellos += 1
        await Round(None, self._machine.clock_offset).gather(
            [Ask(self.seat, "hello", name, line, terms.start_time)]
        )
        return None

    def unnoticed(self, seat: int, game: GameResult) -> FaultRecord | None:
        """Nothing: whoever is asked nothing can do nothing wrong."""
        return None

    async def leave(self, *, politely: bool) -> None:
        """Get up."""
        self.seat = None
