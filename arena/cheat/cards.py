"""Cards, ranks, suits and packs. A card is its two characters on the wire: rank, then suit."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = str
"""Two characters, rank then suit: "AS", "TD". Equal cards of two decks are equal."""

Rank: TypeAlias = str
"""One character of RANKS."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

ONE_DECK: Final[tuple[Card, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""AC AD AH AS 2C ... KS: the order of a fresh pack, and the order hands are shown in."""

_PLACE: Final[dict[Card, int]] = {card: place for place, card in enumerate(ONE_DECK)}


def pack(decks: int) -> list[Card]:
    """A fresh pack, deck after deck, before any shuffle."""
    return list(ONE_DECK) * decks


def is_card(word: object) -> bool:
    """Whether this is the name of a card that exists."""
    return isinstance(word, str) and word in _PLACE


def in_order(cards: Iterable[Card]) -> list[Card]:
    """The cards sorted as a fresh pack is: by rank from the ace up, then by suit."""
    return sorted(cards, key=_PLACE.__getitem__)
