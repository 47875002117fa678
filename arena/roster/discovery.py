"""Finding the bots of a tournament: what is given becomes an entrant, sits out, or is passed over."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.roster.commands import Given, given_command, launch_command, read_command
from arena.roster.content import digest_of, entries_of
from arena.roster.entrant import MANIFEST, Entrant, Part, PassedOver, Roster, SitsOut
from arena.roster.languages import language_of
from arena.roster.launch import launch_file, launch_run
from arena.roster.manifest import Manifest, read_manifest
from arena.roster.naming import Named, checked_name, distinct, marks_of_command, marks_of_path, name_of_file
from arena.roster.paths import expand, identity, missing
from arena.roster.programs import Programs
from arena.roster.words import shown

_REASONS_SHOWN: Final = 5
_SELF_PLAY: Final = "to let it play against itself, enter it under two names with --bot NAME=COMMAND"


class _Found(msgspec.Struct, frozen=True):
    """A bot before the names of all are known: it can play, or sits out for a reason."""

    named: Named
    entrant: Entrant | None
    reason: str = ""


def find_bots(
    paths: Sequence[str], commands: Sequence[str] = (), *, path: str | None = None, option: str = "--bot"
) -> Roster:
    """The bots at `paths` (files, folders, globs) and those of `commands` (NAME=COMMAND), in that order.

    `path` is the PATH that programs are looked up on, by default that of this process; `option` is what gave
    the commands. Nothing is run but interpreters that are asked where they lie, and nothing is written.
    Raises BadInput for a path that does not exist, for what looks like a bot and cannot run, and where no bot
    is left.
    """
    roster = _found_at(paths, commands, path, option)
    if not roster.entrants:
        raise BadInput(_nothing_left(roster))
    return roster


def _found_at(paths: Sequence[str], commands: Sequence[str], path: str | None, option: str) -> Roster:
    """The same, where no bot may be left."""
    programs = Programs(path)
    found: list[_Found] = []
    notes: list[str] = []
    for called, times in expand(paths).items():
        try:
            found.append(_at_path(called, None, programs))
        except PassedOver as reason:
            notes.append(f"{shown(called)} was passed over: {reason}")
        else:
            if times > 1:
                notes.append(f"{shown(called)} was given {times} times and is one bot; {_SELF_PLAY}")
    seen: set[tuple[str, str]] = set()
    for given in (read_command(text, option) for text in commands):
        name = checked_name(given.name, f"{option} {shown(given.name)}=...")
        if (name, given.command) not in seen:
            seen.add((name, given.command))
            found.append(_at_command(given, name, f"{option} {shown(name)}", programs))
        else:
            notes.append(f"{option} {shown(name)} was given again and is one bot; {_SELF_PLAY}")
    names = distinct([one.named for one in found])
    named = list(zip(names, found, strict=True))
    return Roster(
        tuple(
            msgspec.structs.replace(one.entrant, name=name) for name, one in named if one.entrant is not None
        ),
        tuple(notes),
        tuple((name, one.reason) for name, one in named if one.entrant is None),
    )


def is_command(word: str) -> bool:
    """Whether this is NAME=COMMAND, and not the path of something with a = in its name."""
    return "=" in word and not os.path.lexists(os.path.expanduser(word))


def find_one(word: str, option: str) -> Roster:
    """The one bot that is given as a path or as NAME=COMMAND; `option` is what gave it.

    Raises BadInput as `find_bots` does, and where it is more than one.
    """
    if not is_command(word) and _holds_no_manifest(word):
        raise BadInput(f"{option} is one bot, and {_several(word)}")
    roster = (
        _found_at((), (word,), None, option) if is_command(word) else _found_at((word,), (), None, option)
    )
    if not roster.entrants:
        raise BadInput(f"{option} is no bot that can play here: {_reasons(roster)}")
    if len(roster.entrants) > 1:
        raise BadInput(f"{option} is one bot, and {shown(word)} is {len(roster.entrants)}; name one")
    return roster


def _holds_no_manifest(word: str) -> bool:
    place = os.path.expanduser(word)
    return os.path.isdir(place) and not os.path.lexists(os.path.join(place, MANIFEST))


def _several(word: str) -> str:
    """What a folder is that is no bot, and which of the bots in it may be meant."""
    place = os.path.expanduser(word)
    try:
        found = sorted(name for name in os.listdir(place) if _is_bot(os.path.join(place, name)))
    except OSError as error:
        raise BadInput(f"{shown(word)} cannot be read: {error.strerror}") from None
    called = f"{shown(word)} is a folder without {MANIFEST}"
    made = f"if the folder as a whole is the bot, give it a {MANIFEST} whose run starts it"
    if not found:
        return f"{called}, with no bot in it; {made}"
    one = shown(shlex.quote(os.path.join(word, found[0])))
    if len(found) == 1:
        return f"{called}; name the bot in it: {one}; or {made}"
    return f"{called}, with {len(found)} bots in it; name one of them, such as {one}; or {made}"


def _is_bot(place: str) -> bool:
    """Whether it looks like one, by its name and its mode."""
    name = os.path.basename(place)
    if name.startswith(".") or os.path.isdir(place):
        return not name.startswith(".") and os.path.lexists(os.path.join(place, MANIFEST))
    return os.path.isfile(place) and (language_of(name) is not None or os.access(place, os.X_OK))


def find_again(name: str, command: str) -> Entrant:
    """The bot that a results file has under this name and command, seen from the working directory.

    Raises BadInput where it is not there, or cannot run.
    """
    if os.path.lexists(os.path.expanduser(command)):
        return find_bots((command,)).entrants[0]
    whose = f"bot {shown(name)}"
    given = given_command(name, command, whose)
    if len(given.words) == 1 and ("/" in command or language_of(command)):
        raise BadInput(missing(command))
    found = _at_command(given, name, whose, Programs(None))
    if found.entrant is None:
        raise BadInput(f"{shown(name)} sits out: {found.reason}")
    return found.entrant


def _at_path(called: str, name: str | None, programs: Programs) -> _Found:
    """The bot at a path. `name` is the one --bot gave it. Raises PassedOver and BadInput."""
    place = Path(identity(called))
    if place.is_dir():
        return _in_folder(place, called, name, programs)
    named = checked_name(name or name_of_file(place), shown(called))
    try:
        argv = launch_file(place, _plain(place.name), shown(called), programs)
    except SitsOut as reason:
        return _Found(Named(named, name is not None, marks_of_path(place, "")), None, str(reason))
    part = Part(os.path.realpath(place), place.name)
    entrant = _weighed(Entrant(name=named, kind="file", command=called, digest="", argv=argv, parts=(part,)))
    return _Found(Named(named, name is not None, marks_of_path(place, entrant.digest)), entrant)


def _in_folder(place: Path, called: str, name: str | None, programs: Programs) -> _Found:
    if not os.path.lexists(place / MANIFEST):
        raise PassedOver(
            f"a folder without {MANIFEST}; to enter the bots in it, give {shown(shlex.quote(called))}/*"
        )
    title = f"{shown(called)}/{MANIFEST}"
    manifest = read_manifest(place / MANIFEST, title)
    where = shown(called) if manifest.name is None else title
    named = checked_name(name or (place.name if manifest.name is None else manifest.name), where)
    try:
        argv = _command_of(manifest, place, shown(called), programs)
    except SitsOut as reason:
        return _Found(Named(named, name is not None, marks_of_path(place, "")), None, str(reason))
    folder = os.path.realpath(place)
    entrant = _weighed(
        Entrant(
            name=named, kind="folder", command=called, digest="", argv=argv, folder=folder, manifest=manifest
        )
    )
    return _Found(Named(named, name is not None, marks_of_path(place, entrant.digest)), entrant)


def _command_of(manifest: Manifest, place: Path, called: str, programs: Programs) -> tuple[str, ...]:
    """The folder's command, or nothing where a build comes first. Raises SitsOut and BadInput."""
    if not manifest.build:
        return launch_run(manifest.run, place, called, programs)
    builder = manifest.build[0]
    if "/" in builder:
        if not os.path.exists(place / builder):
            if os.path.isabs(builder):
                raise SitsOut(f"{shown(builder)}, which its build needs, is not installed")
            raise BadInput(f"{called}/{MANIFEST}: build names {shown(builder)}, which is not in the folder")
    elif programs.find(builder) is None:
        raise SitsOut(f"{shown(builder)}, which its build needs, is not installed")
    launch_run(manifest.run, place, called, programs, to_build=True)
    return ()


def _at_command(given: Given, name: str, whose: str, programs: Programs) -> _Found:
    if given.path is not None:
        try:
            return _at_path(given.path, name, programs)
        except PassedOver as reason:
            raise BadInput(f"{whose}: {shown(given.path)} is no bot: {reason}") from None
    try:
        launched = launch_command(given.words, whose, programs)
    except SitsOut as reason:
        return _Found(Named(name, given=True, marks=marks_of_command("", "")), None, str(reason))
    entrant = _weighed(
        Entrant(
            name=name,
            kind="command",
            command=given.command,
            digest="",
            argv=launched.argv,
            words=launched.words,
            parts=launched.parts,
        )
    )
    file = os.path.basename(launched.parts[0].source) if launched.parts else ""
    return _Found(Named(name, given=True, marks=marks_of_command(file, entrant.digest)), entrant)


def _weighed(entrant: Entrant) -> Entrant:
    """The entrant with the digest of its content."""
    return msgspec.structs.replace(entrant, digest=digest_of(entrant, entries_of(entrant)))


def _plain(name: str) -> str:
    """A file's name as a word that no program takes for an option."""
    return f"./{name}" if name.startswith("-") else name


def _nothing_left(roster: Roster) -> str:
    if not roster.sitting_out and not roster.notes:
        return "no bot was given; name some with --bots PATH... or --bot NAME=COMMAND"
    return f"no bot is left to play: {_reasons(roster)}"


def _reasons(roster: Roster) -> str:
    reasons = [f"{name} sits out: {reason}" for name, reason in roster.sitting_out] + list(roster.notes)
    more = f"; and {len(reasons) - _REASONS_SHOWN} more" if len(reasons) > _REASONS_SHOWN else ""
    return f"{'; '.join(reasons[:_REASONS_SHOWN])}{more}"
