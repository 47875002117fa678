"""Rules: every knob of the game in one frozen value. Presets: presets.py. TOML files: rulesfile.py."""

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

Order: TypeAlias = Literal["up", "down_from_ace", "down_from_king", "up_or_down", "same_up_down", "free"]
Deal: TypeAlias = Literal["singly", "bicycle"]
FirstPlayer: TypeAlias = Literal["dealer_left", "random"]
NextGame: TypeAlias = Literal["deal_moves", "loser_starts"]
Callers: TypeAlias = Literal["seat_order", "first"]

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "deal": get_args(Deal),
        "first_player": get_args(FirstPlayer),
        "next_game": get_args(NextGame),
        "order": get_args(Order),
        "callers": get_args(Callers),
    }
)
"""The knobs that are one word of several."""

RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "min_players": (2, 10),
        "max_players": (2, 10),
        "decks": (1, 4),
        "second_deck_from": (2, 10),
        "max_cards": (1, 208),
        "turn_cap": (1, 100_000),
    }
)
"""The knobs that are numbers: the lowest and the highest allowed."""

MAY_BE_NONE: Final[Mapping[str, str]] = MappingProxyType(
    {"decks": "auto", "second_deck_from": "never", "max_cards": "none", "turn_cap": "auto"}
)
"""The numbers that may also be None, with the word that people write for it."""

SWITCHES: Final = ("passing", "wrong_count", "play_on")
"""The knobs that are true or false."""

LONGEST_NAME: Final = 60
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One way to play Cheat; the defaults are the preset `classic`. Raises ValueError for a bad value."""

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

    def __post_init__(self) -> None:
        for knob in ("name", *CHOICES, *RANGES, *SWITCHES):
            if (wrong := why_wrong(knob, getattr(self, knob))) is not None:
                raise ValueError(wrong)
        if self.min_players > self.max_players:
            raise ValueError(f"min_players {self.min_players} is above max_players {self.max_players}")

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

    def check_seats(self, seats: int) -> None:
        """Raises ValueError unless these rules take a table of this many seats."""
        if not self.min_players <= seats <= self.max_players:
            raise ValueError(f"{self.name} takes {self.min_players} to {self.max_players} seats, not {seats}")


def why_wrong(knob: str, value: object) -> str | None:
    """What is wrong with this value for a knob of Rules, in one sentence; None: nothing."""
    if knob == "name":
        if isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= LONGEST_NAME:
            return None
        return f"name must be 1 to {LONGEST_NAME} printable characters, not {_shown(value)}"
    if knob in CHOICES:
        if isinstance(value, str) and value in CHOICES[knob]:
            return None
        return f"{knob} must be one of {', '.join(CHOICES[knob])}, not {_shown(value)}"
    if knob in SWITCHES:
        return None if isinstance(value, bool) else f"{knob} must be true or false, not {_shown(value)}"
    if value is None and knob in MAY_BE_NONE:
        return None
    low, high = RANGES[knob]
    # bool is an int to Python, and no number to people
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return None
    other = f', or "{MAY_BE_NONE[knob]}"' if knob in MAY_BE_NONE else ""
    return f"{knob} must be a whole number from {low} to {high}{other}, not {_shown(value)}"


def _shown(value: object) -> str:
    """A value short enough for a message, the truths as files write them."""
    return str(value).lower() if isinstance(value, bool) else reprlib.repr(value)
