"""How the seats of a game behaved, counted when it is stored: lies, challenges, and how they turned out."""

from collections.abc import Sequence

import msgspec

from arena.cheat.events import Event, Out, Played, Resolved


class Conduct(msgspec.Struct, array_like=True):
    """What one seat did in a game, or one bot in many. Stored as a JSON array in this order."""

    plays: int = 0
    lies: int = 0
    """Plays whose cards were not what was claimed."""
    caught: int = 0
    """Lies that somebody called."""
    asked: int = 0
    """Windows in which it was asked."""
    calls: int = 0
    """Windows in which it called."""
    right: int = 0
    """Calls of a lie."""

    def add(self, other: "Conduct") -> None:
        """Count the other's with one's own."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def conduct_of(events: Sequence[Event], seats: int) -> tuple[Conduct, ...]:
    """By seat, from the events of one whole game."""
    found = tuple(Conduct() for _ in range(seats))
    active = set(range(seats))
    windows = 0
    lied = False
    for event in events:
        if isinstance(event, Played):
            cards, rank = event.cards, event.rank
            lied = event.count != len(cards) or any(card[0] != rank for card in cards)
            windows += 1
            found[event.seat].plays += 1
            found[event.seat].lies += lied
        elif isinstance(event, Resolved):
            if event.callers:
                found[event.claimant].caught += lied
            for seat in event.callers:
                found[seat].calls += 1
                found[seat].right += lied
        elif isinstance(event, Out):
            active.remove(event.seat)
            # In every window so far it was asked, or it was the one that had played.
            found[event.seat].asked = windows - found[event.seat].plays
    for seat in active:
        found[seat].asked = windows - found[seat].plays
    return found
