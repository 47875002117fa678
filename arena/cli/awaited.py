"""Who is waited for in a game, followed from its events by the order of the turns, which everybody knows."""

from arena.cheat.events import Dealt, Ended, Event, Out, Passed, Played, Resolved
from arena.cheat.game import clockwise


class Awaited:
    """The seats that must act next. Of hands it keeps nothing."""

    def __init__(self) -> None:
        self._active: tuple[int, ...] = ()
        self._last: int | None = None
        """Whose turn was the last; None before the first."""
        self._open = False
        """Whether the others may call."""

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that are still in the game; nobody before the deal and after the end."""
        return self._active

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat whose turn it is, or in a challenge window those who are asked; nobody outside a game."""
        if not self._active:
            return ()
        if self._last is None:
            return self._active[:1]
        others = clockwise(self._active, self._last)
        return others if self._open else others[:1]

    def hear(self, event: Event) -> None:
        """What has happened."""
        match event:
            case Dealt():
                self._active, self._last, self._open = tuple(range(len(event.hands))), None, False
            case Played():
                self._last, self._open = event.seat, True
            case Passed():
                self._last = event.seat
            case Resolved():
                self._open = False
            case Out():
                self._active = tuple(seat for seat in self._active if seat != event.seat)
            case Ended():
                self._active = ()
