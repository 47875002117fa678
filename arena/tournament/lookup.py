"""Finding one game of a results file by what somebody calls it."""

import re
from typing import Final

from arena.errors import BadInput
from arena.protocol.escape import escape, quoted
from arena.referee.block import Block, GameResult
from arena.tournament.store import Store

_PLACE: Final = re.compile(r"(\d{1,15})\.(\d{1,9})", re.ASCII)
_ID: Final = re.compile(r"[0-9a-f]{1,16}", re.ASCII)
_SHOWN: Final = 4


def find_game(store: Store, word: str) -> tuple[Block, tuple[GameResult, ...], int]:
    """The block of a game, all games of it, and which of them it is.

    `word` is the game's id, the beginning of it, or BLOCK.GAME, both counted from 0. Raises BadInput where
    that is no game of the file, or several.
    """
    number, game = _place_of(store, word.strip().lower())
    found = store.block(number)
    if found is None:
        last = store.last_block
        there = "there is none yet" if last is None else f"the last is {last}"
        raise BadInput(f"{escape(str(store.path), 300)} has no block {number}; {there}")
    block, games = found
    for index, one in enumerate(games):
        if one.game == game:
            return block, games, index
    raise BadInput(f"block {number} has no game {game}; its games are 0 to {len(games) - 1}")


def _place_of(store: Store, word: str) -> tuple[int, int]:
    match = _PLACE.fullmatch(word)
    if match is not None:
        return int(match[1]), int(match[2])
    if _ID.fullmatch(word) is None:
        raise BadInput(
            f"{quoted(word)} names no game; give an id (16 hexadecimal digits, or the first of them) "
            "or BLOCK.GAME, such as 0.0 for the very first"
        )
    found = store.named(word)
    if not found:
        raise BadInput(f"no game of {escape(str(store.path), 300)} has an id that begins with {word}")
    if len(found) > 1:
        some = ", ".join(f"{escape(str(id), 16)} ({block}.{game})" for id, block, game in found[:_SHOWN])
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise BadInput(f"{word} may be any of {len(found)} games: {some}{more}; give more of the id")
    _, block, game = found[0]
    return block, game
