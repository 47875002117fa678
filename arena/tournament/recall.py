"""The bots of a results file for a game that is played again: found, under their recorded names."""

from collections.abc import Collection, Sequence
from pathlib import Path

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.roster.content import shortened
from arena.roster.discovery import find_bots
from arena.roster.entrant import Roster
from arena.tournament.header import BotRow, Header
from arena.tournament.whereabouts import Whereabouts, looked_for_in, whereabouts


def recalled(
    file: Path,
    header: Header,
    bots: Sequence[BotRow],
    numbers: Collection[int],
    paths: Sequence[str],
    *,
    changed: bool = False,
) -> Roster:
    """The bots of these numbers, in that order, ready to be staged.

    Looked for among `paths` (files, folders, globs), then where `looked_for_in` says. Raises BadInput for
    bots that are not found, and unless `changed` for those that are not what they were.
    """
    given = find_bots(paths).entrants if paths else ()
    found = whereabouts([bots[number] for number in numbers], given, looked_for_in(file, header))
    missing = [f"{escape(one.bot.name, 64)} ({_why_missing(one)})" for one in found if one.entrant is None]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise BadInput(f"{'; '.join(missing)} {are} not to be found; say with --bots where")
    altered = [_how_altered(one) for one in found if not one.same]
    if altered and not changed:
        raise BadInput(
            f"not what played: {'; '.join(altered)}; name the right files with --bots, or play with these by "
            "--changed"
        )
    return Roster(
        tuple(one.entrant for one in found if one.entrant is not None),
        tuple(f"not what played: {one}" for one in altered),
    )


def _why_missing(one: Whereabouts) -> str:
    return one.reason if one.bot.digest else "it was missing when this was played, and forfeited its games"


def _how_altered(one: Whereabouts) -> str:
    assert one.entrant is not None
    return (
        f"{escape(one.bot.name, 64)} ({escape(one.entrant.command, 200)} has the digest "
        f"{shortened(one.entrant.digest)}, recorded is {shortened(one.bot.digest)})"
    )
