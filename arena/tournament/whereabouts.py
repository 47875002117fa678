"""Where the bots of a results file are now: each as it was, another, or missing."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.roster.discovery import find_again
from arena.roster.entrant import Entrant
from arena.tournament.header import BotRow, Header


@dataclass(frozen=True)
class Whereabouts:
    """What was found in a bot's place."""

    bot: BotRow
    entrant: Entrant | None
    """Under the recorded name; None: it is missing."""
    reason: str = ""
    """Why it is missing."""

    @property
    def same(self) -> bool:
        """Whether it is what it was."""
        return (self.entrant.digest if self.entrant else "") == self.bot.digest


def looked_for_in(file: Path, header: Header) -> tuple[Path, ...]:
    """The folders that a bot's command is tried from: where the tournament was begun, then this one."""
    begun_in = Path(os.path.realpath(file)).parent / header.folder
    return (Path(),) if _is_here(begun_in) else (begun_in, Path())


def whereabouts(
    bots: Sequence[BotRow],
    given: Sequence[Entrant],
    folders: Sequence[Path],
    listed: Sequence[Entrant] = (),
) -> list[Whereabouts]:
    """Look for each bot among those `given`, then among those `listed` and by its command from each folder.

    Content goes before name. Where one of its name is given, it is this one, whatever else is in the old
    place: who names another version means it.
    """
    return [_one(bot, given, folders, listed) for bot in bots]


def _one(
    bot: BotRow, given: Sequence[Entrant], folders: Sequence[Path], listed: Sequence[Entrant]
) -> Whereabouts:
    if meant := _like(bot, given):
        return Whereabouts(bot, msgspec.structs.replace(meant[0], name=bot.name))
    found = _like(bot, listed)
    reason = ""
    for folder in folders:
        if found and found[0].digest == bot.digest:
            break
        try:
            there = _by_command(bot, folder)
        except BadInput as error:
            seen_from = "" if folder == Path() else f"in {escape(os.path.relpath(folder), 300)}, "
            reason = reason or f"{seen_from}{error}"
            continue
        found = [there, *found] if there.digest == bot.digest else [*found, there]
    if not found:
        return Whereabouts(bot, None, reason)
    return Whereabouts(bot, msgspec.structs.replace(found[0], name=bot.name))


def _like(bot: BotRow, among: Sequence[Entrant]) -> list[Entrant]:
    """Those of its content, and of equals first the one of its name; then those of its name alone."""
    return sorted(
        (one for one in among if one.digest == bot.digest or one.name == bot.name),
        key=lambda one: (one.digest != bot.digest, one.name != bot.name),
    )


def _by_command(bot: BotRow, folder: Path) -> Entrant:
    """The bot that its recorded command is, seen from the folder. Raises BadInput."""
    if not folder.is_dir():
        raise BadInput("which is not there any more")
    # Whatever is relative in a command counts from there, in every word of it.
    with contextlib.chdir(folder):
        return find_again(bot.name, bot.command)


def _is_here(folder: Path) -> bool:
    return folder.is_dir() and os.path.samefile(folder, Path())
