"""bot.toml, the file that makes a folder a bot: its keys, their types, and what is said when one is wrong."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import BadInput
from arena.roster.words import checked_words, near, shown, split_words
from arena.textfile import text_of
from arena.toml import table_in

KEYS: Final = ("run", "build", "name", "author", "version", "memory")
_LONGEST: Final = 64 * 1024
"""Bytes of a bot.toml; a longer file is something else."""
_LONGEST_TEXT: Final = 64
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.ASCII | re.IGNORECASE)
_LEAST_MEMORY: Final = 2**20
_MOST_MEMORY: Final = 2**50


class Manifest(msgspec.Struct, frozen=True):
    """What a bot.toml says; the name is not yet checked."""

    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    """Empty: nothing to build."""
    name: str | None = None
    author: str | None = None
    version: str | None = None
    memory: int | None = None
    """Bytes."""


def read_manifest(path: Path, called: str) -> Manifest:
    """Read a bot.toml; `called` is its path for messages. Raises BadInput for whatever is wrong with it."""
    text = text_of(path, called, _LONGEST)
    if text is None:
        raise BadInput(f"{called} cannot be read: it is not there")
    table = table_in(text, called)
    for key in table:
        if key not in KEYS:
            mend = near(key, KEYS) or f"; there are {', '.join(KEYS)}"
            raise BadInput(f"{called}: there is no key {shown(key)}{mend}")
    if "run" not in table:
        raise BadInput(f'{called} has no run; add the command that starts the bot, such as run = "bot.py"')
    return Manifest(
        run=_command(table["run"], f"{called}: run"),
        build=_command(table["build"], f"{called}: build") if "build" in table else (),
        name=_text(table.get("name"), f"{called}: name"),
        author=_line(table.get("author"), f"{called}: author"),
        version=_line(table.get("version"), f"{called}: version"),
        memory=_bytes(table["memory"], f"{called}: memory") if "memory" in table else None,
    )


def _command(value: Any, what: str) -> tuple[str, ...]:
    match value:
        case str():
            return split_words(value, what)
        case list() if all(isinstance(word, str) for word in value):
            return checked_words(value, what)
    raise BadInput(f'{what} is a command: one string, or a list of its words such as ["python3", "bot.py"]')


def _text(value: Any, what: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise BadInput(f'{what} is text; write it in quotes: "{shown(str(value))}"')


def _line(value: Any, what: str) -> str | None:
    text = _text(value, what)
    if text is not None and (len(text) > _LONGEST_TEXT or not text.isprintable()):
        raise BadInput(f"{what} is one line of at most {_LONGEST_TEXT} characters; shorten {shown(text)!r}")
    return text


def _bytes(value: Any, what: str) -> int:
    """A size in bytes: a whole number of them, or "64M" (powers of 1024)."""
    amount: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        amount = value
    elif isinstance(value, str) and len(value) <= _LONGEST_TEXT and (size := _SIZE.fullmatch(value.strip())):
        amount = round(float(size[1]) * 1024 ** " kmgt".index(size[2].lower() or " "))
    if amount is None:
        raise BadInput(
            f'{what} is a size such as "64M", or a whole number of bytes; {shown(repr(value))} is neither'
        )
    if not _LEAST_MEMORY <= amount <= _MOST_MEMORY:
        raise BadInput(f'{what} is at least "1M" and at most "1024T"; {shown(repr(value))} is outside that')
    return amount
