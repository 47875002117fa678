"""The script of the C floor: every line the referee sent in recorded games, in its order, to each process."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.cheat.deal import bot_seed
from arena.cheat.game import Game
from arena.protocol.lines import GOODBYE, hello_line, start_line
from arena.referee.audience import Audience
from arena.referee.block import Contestant, Terms
from arena.referee.ids import Ids, for_hello
from arena.referee.retrace import retrace
from benchmarks.recorded import Recorded, RecordedBlock


def write_script(path: Path, recorded: Recorded, bots: Mapping[str, Contestant]) -> None:
    """Write the script for these games, played by these bots (by name), for floor.c to read."""
    with path.open("wb") as file:
        for block in recorded.blocks:
            file.write(b"block %d\n" % len(block.names))
            for name in block.names:
                bot = bots[name]
                file.write("\t".join([f"bot {bot.folder}", *bot.argv]).encode() + b"\n")
            for part in _Processes(recorded.terms, block).lines():
                file.write(part)
            file.write(b"end\n")


class _Processes:
    """The processes of one block, and what each has not been sent yet."""

    def __init__(self, terms: Terms, block: RecordedBlock) -> None:
        self._terms = terms
        self._block = block
        self._untold = [b""] * len(block.names)

    def lines(self) -> Iterator[bytes]:
        """The steps of the block, from hello to goodbye."""
        terms, block = self._terms, self._block
        processes = range(len(block.names))
        for process in processes:
            ids = Ids(terms.seed)
            ids.begin(for_hello(block.number, block.numbers[process], 1))
            limits = (terms.start_time, terms.move_time, terms.bank)
            yield self._send(process, hello_line(ids.next(), terms.rules, terms.seats, *limits))
        yield from map(_wait, processes)
        for number in range(len(block.games)):
            yield from self._game(number)
        for process in processes:
            yield self._send(process, GOODBYE)

    def _send(self, process: int, line: bytes) -> bytes:
        data = self._untold[process] + line
        self._untold[process] = b""
        return b"send %d %d\n" % (process, len(data)) + data

    def _game(self, number: int) -> Iterator[bytes]:
        terms, block = self._terms, self._block
        played, at = block.games[number], block.seatings[number]
        game = Game(terms.rules, played.record.hands)
        audience = Audience(terms.seats)
        for seat in range(terms.seats):
            own_seed = bot_seed(terms.seed, block.number, number, seat)
            self._untold[at[seat]] += start_line(game, seat, played.id, own_seed)
        for step in retrace(terms, block.number, played, range(terms.seats)):
            for asked in step.asked:
                yield self._send(at[asked.seat], asked.line)
            for asked in step.asked:
                yield _wait(at[asked.seat])
            for event in step.events:
                for seat, line in audience.lines(event):
                    self._untold[at[seat]] += line


def _wait(process: int) -> bytes:
    return b"wait %d\n" % process
