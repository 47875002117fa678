"""Names of bots: which are allowed, which a path gives, and how two bots with one name are told apart."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.roster.languages import language_of
from arena.roster.words import shown

MAX_NAME: Final = 64
"""Characters of a name."""
_EXTENSION: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,3}")


class Named(msgspec.Struct, frozen=True):
    """A bot's name before others are looked at, and what it can be told apart by, the most telling first."""

    name: str
    given: bool
    """Whether --bot gave it: such a name stays as it is where no other --bot gave it too."""
    marks: tuple[str, ...]


def checked_name(name: str, where: str) -> str:
    """The name without space around it, in Unicode's composed form; `where` says in messages who gave it.

    Raises BadInput for one that is empty, longer than MAX_NAME characters or not printable.
    """
    checked = unicodedata.normalize("NFC", name).strip()
    if not checked:
        raise BadInput(f"{where} gives an empty name; a name has 1 to {MAX_NAME} characters")
    if len(checked) > MAX_NAME:
        raise BadInput(
            f"{where} gives the name {shown(checked)!r} of {len(checked)} characters; at most {MAX_NAME} are "
            "allowed: shorten it, or enter the bot with --bot NAME=COMMAND"
        )
    if not checked.isprintable():
        raise BadInput(
            f"{where} gives the name {shown(checked)!r}, which holds characters that cannot be printed; "
            "take them out, or enter the bot with --bot NAME=COMMAND"
        )
    return checked


def name_of_file(path: PurePath) -> str:
    """The file's name without the extension; `bot-1.2` has none."""
    suffix = path.suffix
    known = language_of(path.name) is not None or _EXTENSION.fullmatch(suffix)
    return path.stem if known else path.name


def marks_of_path(path: PurePath, digest: str) -> tuple[str, ...]:
    """What tells bots of one name apart: extension, own file or folder, where that lies, content."""
    *folders, own = path.parts[1:] or ("",)
    return (
        path.suffix.lstrip("."),
        own,
        "-".join(folders[-1:]),
        "-".join(folders[-2:]),
        "-".join([*folders[-1:], own]),
        digest[:8],
    )


def marks_of_command(file: str, digest: str) -> tuple[str, ...]:
    """The same of a command, which is known by the first of its files, if it has any."""
    return ("", file, "", "", "", digest[:8])


def distinct(bots: Sequence[Named]) -> list[str]:
    """A name for each bot, no two the same, whatever the order they come in.

    Bots that share a name all get the first kind of mark that tells every one of them from the others
    (`greedy-py` and `greedy-js`, `jay-jb` and `jay-nm` after folders whose bot.toml says jay, or `greedy-old`
    and `greedy-new` after the folders they lie in); a name that --bot alone gave is kept.
    """
    count = Counter(bot.name for bot in bots)
    given = Counter(bot.name for bot in bots if bot.given)
    taken = {name for name in count if count[name] == 1 or given[name] == 1}
    names = [bot.name for bot in bots]
    for name in sorted(count, key=lambda name: (unicodedata.normalize("NFC", name), name)):
        group = [
            number
            for number, bot in enumerate(bots)
            if bot.name == name and count[name] > 1 and not (bot.given and given[name] == 1)
        ]
        if not group:
            continue
        for kind in range(min(len(bots[number].marks) for number in group)):
            marked = [_marked(name, bots[number].marks[kind]) for number in group]
            if all(marked) and len(set(marked)) == len(marked) and not taken & set(marked):
                break
        else:
            marked = _numbered(name, [bots[number].marks for number in group], taken)
        taken |= set(marked)
        for number, new in zip(group, marked, strict=True):
            names[number] = new
    return names


def _marked(name: str, mark: str) -> str:
    if not mark or not mark.isprintable():
        return ""
    return f"{name[: MAX_NAME - len(mark) - 1]}-{mark}" if len(mark) < MAX_NAME // 2 else ""


def _numbered(name: str, marks: Sequence[tuple[str, ...]], taken: set[str]) -> list[str]:
    """Where no mark will do: numbers, in the order of the marks."""
    numbers: dict[int, str] = {}
    number = 1
    for position in sorted(range(len(marks)), key=lambda position: marks[position]):
        while (new := f"{name[: MAX_NAME - 8]}-{number}") in taken:
            number += 1
        numbers[position] = new
        number += 1
    return [numbers[position] for position in range(len(marks))]
