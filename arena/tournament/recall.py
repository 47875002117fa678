"""Finding the bots of a results file again: by the digest of their content, here or where they were."""

from collections.abc import Collection, Sequence

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.roster.discovery import find_again, find_bots
from arena.roster.entrant import Entrant, Roster
from arena.tournament.header import BotRow

_DIGITS = 12


def recalled(
    bots: Sequence[BotRow], numbers: Collection[int], paths: Sequence[str], *, changed: bool = False
) -> Roster:
    """The bots of these numbers, in that order and under their recorded names, ready to be staged.

    Looked for among `paths` (files, folders, globs), then by the commands that the file has of them, from
    the working directory. Raises BadInput for a bot that is not found, and unless `changed` for one that is
    not what it was.
    """
    given = find_bots(paths).entrants if paths else ()
    found: list[Entrant] = []
    altered: list[str] = []
    for number in numbers:
        bot = bots[number]
        entrant = _entrant(given, bot)
        if entrant.digest != bot.digest:
            altered.append(
                f"{escape(bot.name, 64)} ({escape(entrant.command, 200)} has the digest "
                f"{entrant.digest[:_DIGITS]}..., recorded is {escape(bot.digest, _DIGITS)}...)"
            )
        found.append(msgspec.structs.replace(entrant, name=bot.name))
    if altered and not changed:
        raise BadInput(
            f"not what played: {'; '.join(altered)}; name the right files with --bots, or play with these by "
            "--changed"
        )
    return Roster(tuple(found), tuple(f"not what played: {one}" for one in altered))


def _entrant(given: Sequence[Entrant], bot: BotRow) -> Entrant:
    """The bot itself if it is anywhere, else one of its name, else what lies where it was."""
    same = [entrant for entrant in given if entrant.digest == bot.digest]
    if same:
        return next((one for one in same if one.name == bot.name), same[0])
    named = next((entrant for entrant in given if entrant.name == bot.name), None)
    try:
        there = find_again(bot.name, bot.command)
    except BadInput as reason:
        if named is not None:
            return named
        name = escape(bot.name, 64)
        raise BadInput(f"{name} is not where it was ({reason}); say with --bots where it is") from None
    return there if named is None or there.digest == bot.digest else named
