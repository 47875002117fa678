"""From a seed to the hands of a game, by steps that any language can repeat (docs/deal.md tells them)."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from typing import Final

from arena.cheat.cards import Card, in_order, pack
from arena.cheat.events import Hand
from arena.cheat.rules import Rules

SEED_BYTES: Final = 16
STRETCH_ROUNDS: Final = 600_000
BICYCLE_ROUNDS: Final = (2, 3)
"""Cards a player gets in one round, alternating, while a whole round is left."""

_FULL_SEED: Final = re.compile(r"[0-9a-fA-F]{32}", re.ASCII)
_WORDS: Final = 1 << 32


def is_full_seed(text: str) -> bool:
    """Whether this text is itself a seed of 128 bits (32 hexadecimal digits), so that nobody can guess it."""
    return _FULL_SEED.fullmatch(text) is not None


def seed_bytes(text: str) -> bytes:
    """The 16 bytes of a seed: 32 hexadecimal digits are the seed itself, any other text is stretched.

    The stretching is PBKDF2 (RFC 8018) with HMAC-SHA256, salt `arena`, 600,000 rounds.
    """
    if is_full_seed(text):
        return bytes.fromhex(text)
    return hashlib.pbkdf2_hmac("sha256", text.encode(), b"arena", STRETCH_ROUNDS, SEED_BYTES)


def derived(seed: bytes, purpose: str) -> bytes:
    """32 bytes for one purpose: HMAC-SHA256 (RFC 2104) with the seed as key, so that none tells another."""
    return hmac.digest(seed, purpose.encode(), "sha256")


def deal_key(seed: bytes, block: int, game: int) -> bytes:
    """The key that shuffles the pack of one game: 32 bytes."""
    return derived(seed, f"deal:{block}:{game}")


def game_id(seed: bytes, block: int, game: int) -> str:
    """The name of one game in every record: 16 hexadecimal digits that tell nothing of the seed."""
    return derived(seed, f"game:{block}:{game}").hex()[:16]


def bot_seed(seed: bytes, block: int, game: int, seat: int) -> int:
    """A number from 0 to 2**53 - 1 for a bot's own dice, exact in every language's floating point."""
    return int.from_bytes(derived(seed, f"bot:{block}:{game}:{seat}")[:8], "big") >> 11


def random_words(key: bytes) -> Iterator[int]:
    """32-bit numbers without end: SHA-256 of the key and a 64-bit counter from 0, all big-endian."""
    counter = 0
    while True:
        digest = hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        counter += 1


def number_below(bound: int, words: Iterator[int]) -> int:
    """An unbiased number from 0 to bound - 1, for a bound up to 2**32.

    Words of the last span, which does not hold the bound whole, are passed over.
    """
    limit = _WORDS - _WORDS % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def shuffled(key: bytes, decks: int) -> list[Card]:
    """The pack after a Fisher-Yates shuffle (Knuth, TAOCP volume 2, 3.4.2, algorithm P) under this key."""
    cards = pack(decks)
    words = random_words(key)
    for last in range(len(cards) - 1, 0, -1):
        chosen = number_below(last + 1, words)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def deal(rules: Rules, seats: int, key: bytes) -> tuple[Hand, ...]:
    """Every card of the shuffled pack, seat 0 first; each hand in the order of a fresh pack.

    Hands differ by at most one card. Raises ValueError if the rules do not take this many seats.
    """
    rules.check_seats(seats)
    cards = shuffled(key, rules.decks_for(seats))
    hands: list[list[Card]] = [[] for _ in range(seats)]
    dealt = 0
    for each in _rounds(rules, seats, len(cards)):
        for hand in hands:
            hand.extend(cards[dealt : dealt + each])
            dealt += each
    return tuple(tuple(in_order(hand)) for hand in hands)


def _rounds(rules: Rules, seats: int, cards: int) -> Iterator[int]:
    """Cards for each player, round by round; the last round of one may run out before the last seat."""
    left = cards
    if rules.deal == "bicycle":
        turn = 0
        while (each := BICYCLE_ROUNDS[turn % 2]) * seats <= left:
            yield each
            left -= each * seats
            turn += 1
    while left > 0:
        yield 1
        left -= seats
