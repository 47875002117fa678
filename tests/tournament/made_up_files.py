"""Results files of made up blocks."""

from pathlib import Path

from made_up_blocks import made_up
from small_tournaments import header_for

from arena.referee.block import BlockResult
from arena.tournament.header import BotRow
from arena.tournament.schedule import Course
from arena.tournament.store import Store

BOTS = [BotRow(name=name, digest="0" * 64, command=f"./{name}") for name in ("a", "b", "c", "d", "e")]


def blocks(count: int) -> list[BlockResult]:
    course = Course(bytes(16), 5, 4, 4)
    return [made_up(course.next(), faulted=(3,) if number % 2 else ()) for number in range(count)]


def made(path: Path, count: int = 3) -> Store:
    store = Store.create(path, header_for(), BOTS)
    for result in blocks(count):
        store.add(result)
    return store
