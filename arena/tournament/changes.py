"""What was changed in the middle of a tournament, and what each block was therefore played under."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from arena.errors import BadInput
from arena.tournament.difference import Difference, difference
from arena.tournament.header import BotRow, Header

CONTENT: Final = "content"
"""The option that stands for what a bot is made of."""
CHANGEABLE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "start_time": "--start-time",
        "move_time": "--move-time",
        "bank": "--bank",
        "forfeit": "--forfeit",
        "fresh": "--fresh",
        "names": "--names",
        "tier": "--sandbox",
        "memory": "--memory",
    }
)
"""Fields of the header that may change in the middle, and the options that set them."""
GONE: Final = ""
"""The digest of a bot that is missing: its games are forfeited."""


class Altered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that is not what it was."""

    option: str
    """One of CHANGEABLE, or CONTENT."""
    bot: int | None = None
    """Whose content."""
    old: Any
    new: Any
    """Of content: a digest; null for a bot that is missing."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What was not as before when a tournament was resumed. Blocks name the last change before them."""

    number: int
    """From 1, in the order they were made."""
    made: str
    """When, in UTC."""
    arena: str
    """Version of arena that made it."""
    block: int
    """The first block that was not stored yet: from here on blocks may be played under the change."""
    altered: tuple[Altered, ...]


def altered_in(text: str) -> tuple[Altered, ...]:
    """What a row of changes says was altered. Raises msgspec.MsgspecError for a damaged one."""
    return msgspec.json.decode(text, type=tuple[Altered, ...])


def conditions(
    header: Header, bots: Sequence[BotRow], changes: Sequence[Change], number: int
) -> tuple[Header, tuple[BotRow, ...]]:
    """The header and the bots under which the blocks of a change were played; number 0: as it was begun.

    Raises BadInput for a change that cannot have been made.
    """
    if not 0 <= number <= len(changes):
        last = f"the last is change {len(changes)}" if changes else "there is none"
        raise BadInput(f"a block was played after change {number}, and {last}")
    rows = list(bots)
    for change in changes[:number]:
        for one in change.altered:
            try:
                if one.option == CONTENT:
                    rows[_place(one.bot)] = msgspec.structs.replace(
                        rows[_place(one.bot)], digest=GONE if one.new is None else str(one.new)
                    )
                elif one.option in CHANGEABLE:
                    header = msgspec.convert(msgspec.to_builtins(header) | {one.option: one.new}, Header)
                else:
                    raise BadInput(f"change {change.number} is of {one.option!r}, which cannot change")
            except (msgspec.ValidationError, IndexError) as error:
                raise BadInput(f"change {change.number} cannot have been made: {error}") from None
    return header, tuple(rows)


def judge_changes(
    header: Header, bots: Sequence[BotRow], changes: Sequence[Change], played_after: Mapping[int, int]
) -> Iterator[Difference]:
    """What in the record of changes cannot be so. `played_after`: by block, the last change before it."""
    last = 0
    for number, change in enumerate(changes, 1):
        where = f"change {change.number}"
        if change.number != number:
            yield difference(where, "number", change.number, number)
            return
        if change.block < last:
            yield difference(where, "block", change.block, f"at least {last}")
        last = max(last, change.block)
        if not change.altered:
            yield difference(where, "altered", [], "something")
        try:
            was, rows = conditions(header, bots, changes, number - 1)
            conditions(header, bots, changes, number)
        except BadInput as error:
            yield difference(where, "altered", msgspec.to_builtins(change.altered), str(error))
            return
        for one in change.altered:
            old = (
                (rows[_place(one.bot)].digest or None) if one.option == CONTENT else getattr(was, one.option)
            )
            if one.old != old:
                yield difference(where, f"{one.option}: old", one.old, old)
            if one.new == one.old:
                yield difference(where, f"{one.option}: new", one.new, "another value")
    for block, number in sorted(played_after.items()):
        if not 0 <= number <= len(changes):
            yield difference(f"block {block}", "change", number, f"0 to {len(changes)}")
        elif number and block < changes[number - 1].block:
            yield difference(f"block {block}", "change", number, f"one made before block {block}")


def _place(bot: int | None) -> int:
    if bot is None or bot < 0:
        raise IndexError(f"there is no bot {bot}")
    return bot
