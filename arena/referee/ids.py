"""Request ids: opaque, unguessable, and the same again for the same seed."""

import hashlib
import hmac


def for_hello(block: int, bot: int, start: int) -> str:
    """The purpose of the id in hello: the bot's start number `start` in this block, counted from 1."""
    return f"hello:{block}:{bot}:{start}"


def for_game(block: int, game: int, seat: int) -> str:
    """The purpose of the ids of one seat in one game."""
    return f"game:{block}:{game}:{seat}"


class Ids:
    """The ids one process is given.

    A bot could answer before it is asked if it could guess ids, so each is a keyed hash of a counter,
    with a key of its own for each game and seat. `given` holds every id this process was handed, so
    that its reader can tell a spent id from an invented one.
    """

    __slots__ = ("_count", "_key", "_seed", "given")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._key = b""
        self._count = 0
        self.given: set[str] = set()

    def begin(self, purpose: str) -> None:
        """Ids for another game (or for hello): they depend on the seed, this text and their number alone."""
        self._key = hmac.digest(self._seed, f"ids:{purpose}".encode(), "sha256")
        self._count = 0

    def next(self) -> str:
        """Twelve hexadecimal digits, never given before."""
        self._count += 1
        name = hashlib.blake2b(self._count.to_bytes(8, "big"), key=self._key, digest_size=6).hexdigest()
        self.given.add(name)
        return name
