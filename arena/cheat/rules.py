"""Rules: every knob of the game in one frozen value. Presets stand in presets.py, TOML files in rulesfile.py."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Order: TypeAlias = Literal["up", "down_from_ace", "down_from_king", "up_or_down", "same_up_down", "free"]
Deal: TypeAlias = Literal["singly", "bicycle"]
FirstPlayer: TypeAlias = Literal["dealer_left", "random"]
NextGame: TypeAlias = Literal["deal_moves", "loser_starts"]
Callers: TypeAlias = Literal["seat_order", "first"]


@dataclass(frozen=True, slots=True)
class Rules:
    """One way to play Cheat; the defaults are the preset `classic`."""

    name: str = "classic"
    min_players: int = 2
    max_players: int = 10
    decks: int | None = None
    """1 to 4 decks, or None: one deck, two from `second_deck_from` players on."""
    second_deck_from: int | None = 5
    """With `decks` None: the number of players that brings a second deck; None never."""
    deal: Deal = "singly"
    first_player: FirstPlayer = "dealer_left"
    next_game: NextGame = "deal_moves"
    order: Order = "up"
    max_cards: int | None = 4
    """Most cards in one play, and highest count claimed; None: no cap."""
    passing: bool = False
    wrong_count: bool = False
    callers: Callers = "seat_order"
    play_on: bool = False
    turn_cap: int | None = None
    """Turns (plays and passes) before the game is capped; None: the default for the table."""

    def decks_for(self, seats: int) -> int:
        """How many decks a table of this many seats plays with."""
        if self.decks is not None:
            return self.decks
        return 2 if self.second_deck_from is not None and seats >= self.second_deck_from else 1

    def cap_for(self, seats: int) -> int:
        """After how many turns a game at a table of this many seats is capped."""
        if self.turn_cap is not None:
            return self.turn_cap
        if self.play_on or self.decks_for(seats) > 1:
            return 2000
        return 500 if seats == 2 else 1000
