"""Who at a table is told what happens in a game, and from when on nothing more."""

from collections.abc import Collection, Iterator

from arena.cheat.events import Ended, Event, Out
from arena.protocol.lines import event_lines


class Audience:
    """The seats that follow a game. A seat that is out learns of its own leaving and of the end, no more."""

    def __init__(self, seats: int, absent: Collection[int] = ()) -> None:
        """`absent`: seats that are out before the first turn. Nobody sits there, and nothing is told."""
        self._seats = seats
        self._present = [seat for seat in range(seats) if seat not in absent]
        self._following = list(self._present)

    def lines(self, event: Event) -> Iterator[tuple[int, bytes]]:
        """Seat and line for each seat that is told of this event. Events come in their order, each once."""
        told = self._present if isinstance(event, Ended) else self._following
        lines = event_lines(event, self._seats)
        for seat in told:
            if (line := lines[seat]) is not None:
                yield seat, line
        if isinstance(event, Out) and event.seat in self._following:
            self._following.remove(event.seat)
