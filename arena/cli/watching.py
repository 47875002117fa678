"""A game of bots shown at a pace for people: from a buffer, while it is played as fast as it always is.

The referee only puts what happens into the buffer, so nothing that is shown, however slowly, delays a request
or the reading of an answer; the next game begins when this one has been shown.
"""

import math
from collections.abc import Sequence

import trio

from arena.cheat.events import Dealt, Ended, Event, Out, Passed, Played, Resolved
from arena.cli.cardwords import Wording
from arena.cli.screen import Screen

_Told = Event | str | trio.Event


class Watcher:
    """Shows what it hears, all cards open. `run` must be running."""

    def __init__(self, screen: Screen, pace: float) -> None:
        """`pace`: seconds after each event."""
        self._screen = screen
        self._pace = pace
        self._heard, self._come = trio.open_memory_channel[_Told](math.inf)
        self._wording = Wording(screen.look, ())
        self._sizes: list[int | None] = []
        self._pile = 0
        self.failure: OSError | None = None
        """Why nothing can be shown any more."""

    def begin(self, title: str, names: Sequence[str]) -> None:
        """A game of these begins, by seat."""
        self._heard.send_nowait(title)
        self._names = names

    def hear(self, event: Event) -> None:
        """An event, to be shown in its turn."""
        self._heard.send_nowait(event)

    async def settled(self) -> None:
        """Wait until all has been shown that was heard by now."""
        shown = trio.Event()
        self._heard.send_nowait(shown)
        await shown.wait()

    async def run(self) -> None:
        """Show events until cancelled, or until nothing can be shown any more."""
        try:
            async for come in self._come:
                if isinstance(come, trio.Event):
                    come.set()
                elif isinstance(come, str):
                    self._wording = Wording(self._screen.look, self._names, places=False)
                    await self._screen.show("", self._screen.look.strong(come))
                else:
                    await self._screen.show(*self._lines(come))
                    await trio.sleep(self._pace)
        except OSError as error:
            self.failure = error

    def _lines(self, event: Event) -> list[str]:
        everybody = range(len(self._names))
        said = self._wording.event(event, everybody)
        match event:
            case Dealt():
                self._sizes, self._pile = [len(hand) for hand in event.hands], 0
                width = max(map(len, self._names))
                hands = enumerate(event.hands)
                return [
                    f"  {self._names[seat]:<{width}}  {self._screen.look.hand(hand)}" for seat, hand in hands
                ]
            case Played():
                self._move(event.seat, -len(event.cards))
                self._pile += len(event.cards)
                return ["", f"Turn {event.turn}: {said}"]
            case Resolved():
                if event.taker is not None:
                    self._move(event.taker, len(event.taken))
                    self._pile = 0
                return [f"  {said}", f"  {self._table()}"]
            case Passed():
                return ["", f"Turn {event.turn}: {said}"]
            case Out():
                self._sizes[event.seat] = None
                return [f"  {said}"]
            case Ended():
                return ["", self._screen.look.strong(f"{said[0].upper()}{said[1:]}")]

    def _move(self, seat: int, cards: int) -> None:
        held = self._sizes[seat]
        self._sizes[seat] = None if held is None else held + cards

    def _table(self) -> str:
        sizes = [f"{self._names[seat]} {size}" for seat, size in enumerate(self._sizes) if size is not None]
        return self._screen.look.faint(f"pile {self._pile}; hands: {', '.join(sizes)}")
