"""The values of a roster: a bot that was found, the files it is made of, and what became of all else."""

from typing import Final, Literal, TypeAlias

import msgspec

from arena.roster.manifest import Manifest

Kind: TypeAlias = Literal["file", "folder", "command"]
MANIFEST: Final = "bot.toml"


class PassedOver(Exception):
    """What was looked at is no bot; the text says what it is. Never an error."""


class SitsOut(Exception):
    """A bot that this machine cannot run because a program is not installed; the text names the program."""


class Part(msgspec.Struct, frozen=True):
    """One file of a bot that is not a folder."""

    source: str
    """Absolute path of the file to copy."""
    name: str
    """Its path in the staged folder."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that can be staged."""

    name: str
    kind: Kind
    command: str
    """As the user gave it: a path, or a command's text."""
    digest: str
    """SHA-256 of its content (hexadecimal): the same bytes give the same digest wherever they lie."""
    argv: tuple[str, ...]
    """Its command; empty where a build must come first.

    The first word is an absolute path, or a path in the staged folder.
    """
    words: tuple[str, ...] = ()
    """Of a command: its text, which the digest covers."""
    parts: tuple[Part, ...] = ()
    """The files to copy, unless it is a folder."""
    folder: str | None = None
    """Absolute path of the folder to copy."""
    manifest: Manifest | None = None
    """What the folder's bot.toml says."""

    @property
    def author(self) -> str | None:
        """Who wrote it, if bot.toml says so."""
        return self.manifest.author if self.manifest else None

    @property
    def version(self) -> str | None:
        """Its version, if bot.toml says so."""
        return self.manifest.version if self.manifest else None

    @property
    def memory(self) -> int | None:
        """Bytes it may use, if bot.toml asks for a limit of its own."""
        return self.manifest.memory if self.manifest else None


class Roster(msgspec.Struct, frozen=True):
    """All bots of a tournament in the order they were given, and what was left out of it."""

    entrants: tuple[Entrant, ...]
    notes: tuple[str, ...] = ()
    """What was passed over and why, one line each."""
    sitting_out: tuple[tuple[str, str], ...] = ()
    """Bots that cannot run on this machine: name and reason."""
