"""The record of one game: the rules, the deal and the actions, from which all else follows by replay."""

from dataclasses import dataclass

from arena.cheat.actions import Action
from arena.cheat.events import Hand, Reason
from arena.cheat.rules import Rules


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game. `places`, `winner`, `reason` and `turns` are what the referee announced; replay re-judges them."""

    rules: Rules
    hands: tuple[Hand, ...]
    actions: tuple[Action, ...]
    places: tuple[int, ...]
    winner: int | None
    reason: Reason
    turns: int
