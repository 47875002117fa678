"""How far a stored tournament has come in its schedule, which more may have to fit or to follow."""

from arena.tournament.store import Store


def blocks_reached(store: Store) -> int:
    """How many blocks a budget must have for all that were played to be in it."""
    last = max((block.number for block, state in store.blocks() if state != "dropped"), default=-1)
    passed = sum(until - point for point, until in store.given_up() if until <= last)
    return last + 1 - passed


def first_unplayed(store: Store) -> int:
    """The first number of a block that is to be played, and is not stored whole yet."""
    stored = {block.number for block, state in store.blocks() if state != "begun"}
    part, number = store.header.part, 0
    given_up = {number for point, until in store.given_up() for number in range(point, until)}
    while number in stored or number in given_up or (part is not None and not part.owns(number)):
        number += 1
    return number
