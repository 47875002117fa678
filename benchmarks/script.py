"""The script of the C floor: every line the referee sent in recorded games, in its order, to each process."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.cheat.deal import bot_seed, game_id
from arena.cheat.events import Ended, Out
from arena.cheat.game import Game, Phase
from arena.protocol.lines import GOODBYE, challenge_line, event_lines, hello_line, play_line, start_line
from arena.referee.block import Contestant, Terms
from arena.referee.ids import Ids
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
    """The processes of one block, and what each has not been sent yet.

    No bot here uses its bank, so that every request says the same seconds.
    """

    def __init__(self, terms: Terms, block: RecordedBlock) -> None:
        self._terms = terms
        self._block = block
        self._untold = [b""] * len(block.names)
        self._ids = [Ids(terms.seed) for _ in block.names]

    def lines(self) -> Iterator[bytes]:
        """The steps of the block, from hello to goodbye."""
        terms = self._terms
        processes = range(len(self._block.names))
        for process in processes:
            name = self._begin(process, f"hello:{self._block.number}:{self._block.numbers[process]}:1")
            limits = (terms.start_time, terms.move_time, terms.bank)
            yield self._send(process, hello_line(name, terms.rules, terms.seats, *limits))
        yield from map(_wait, processes)
        for number in range(len(self._block.games)):
            yield from self._game(number)
        for process in processes:
            yield self._send(process, GOODBYE)

    def _begin(self, process: int, purpose: str) -> str:
        self._ids[process].begin(purpose)
        return self._ids[process].next()

    def _send(self, process: int, line: bytes) -> bytes:
        data = self._untold[process] + line
        self._untold[process] = b""
        return b"send %d %d\n" % (process, len(data)) + data

    def _game(self, number: int) -> Iterator[bytes]:
        terms, block = self._terms, self._block
        record, at = block.games[number], block.seatings[number]
        game = Game(record.rules, record.hands)
        following = list(range(game.seats))
        for seat in following:
            self._ids[at[seat]].begin(f"game:{block.number}:{number}:{seat}")
            own_seed = bot_seed(terms.seed, block.number, number, seat)
            self._untold[at[seat]] += start_line(
                game, seat, game_id(terms.seed, block.number, number), own_seed
            )
        for action in record.actions:
            playing = game.phase is Phase.PLAY
            asked = (game.seat_to_play,) if playing else game.asked
            make = play_line if playing else challenge_line
            for seat in asked:
                line = make(game, seat, self._ids[at[seat]].next(), terms.move_time, terms.bank)
                yield self._send(at[seat], line)
            for seat in asked:
                yield _wait(at[seat])
            for event in game.apply(action):
                told = range(game.seats) if isinstance(event, Ended) else following
                lines = event_lines(event, game.seats)
                for seat in told:
                    self._untold[at[seat]] += lines[seat] or b""
                if isinstance(event, Out):
                    following.remove(event.seat)


def _wait(process: int) -> bytes:
    return b"wait %d\n" % process
