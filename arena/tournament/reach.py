"""How far a stored tournament has come in its schedule."""

from arena.tournament.store import Store


def first_unplayed(store: Store) -> int:
    """The first number of a block that is to be played, and is not stored whole yet."""
    stored = {block.number for block, state in store.blocks() if state != "begun"}
    part, number = store.header.part, 0
    given_up = {number for point, until in store.given_up() for number in range(point, until)}
    while number in stored or number in given_up or (part is not None and not part.owns(number)):
        number += 1
    return number
