"""Bots to begin with: one for each language, as files that come with arena, and their copies for somebody.

The files of each language lie in a folder of `arena/templates`; where a bot.toml is among them the bot is a
folder, else it is the one file.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.roster.discovery import find_bots
from arena.roster.entrant import MANIFEST
from arena.roster.words import near, shown

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
_PYTHONS_HELPER: Final = Path(__file__).parents[1] / "bot.py"
_HELPER: Final = "arena_bot"
"""The name of the helper's file beside a bot, before its extension."""


class Template(msgspec.Struct, frozen=True):
    """One language that a bot can be begun in."""

    language: str
    """As people write it."""
    names: tuple[str, ...]
    """Words for it on a command line; the first is also the name of its folder."""
    helped: bool = False
    """Whether there is a helper for it."""

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return TEMPLATES / self.names[0]

    def files(self, *, helper: bool = False) -> dict[str, Path]:
        """The files of a bot by their names in its folder; `helper`: of one that comes with the helper."""
        files = dict(_files_in(self.folder / "helper" if helper else self.folder))
        if helper and self.names[0] == "python":
            files[f"{_HELPER}.py"] = _PYTHONS_HELPER
        return files

    @property
    def extension(self) -> str | None:
        """Of a bot that is one file, with the dot; None of one that is a folder."""
        files = self.files()
        return None if MANIFEST in files else Path(*files).suffix


LANGUAGES: Final = (
    Template("Python", ("python", "py", "python3"), helped=True),
    Template("JavaScript", ("javascript", "js", "node"), helped=True),
    Template("TypeScript", ("typescript", "ts")),
    Template("Ruby", ("ruby", "rb")),
    Template("Lua", ("lua",)),
    Template("Perl", ("perl", "pl")),
    Template("PHP", ("php",)),
    Template("Tcl", ("tcl",)),
    Template("shell", ("shell", "sh", "bash")),
    Template("C", ("c",), helped=True),
    Template("C++", ("cpp", "c++", "cxx")),
    Template("Rust", ("rust", "rs")),
    Template("Go", ("go", "golang")),
    Template("Java", ("java",)),
)


def template_of(word: str) -> Template:
    """The template that a word stands for. Raises BadInput, with the nearest word that is known."""
    for template in LANGUAGES:
        if word.casefold() in template.names:
            return template
    known = [name for template in LANGUAGES for name in template.names]
    firsts = ", ".join(template.names[0] for template in LANGUAGES)
    raise BadInput(
        f"there is no bot to begin with in {shown(word)}{near(word, known) or f'; there are {firsts}'}"
    )


def missing_here(templates: tuple[Template, ...] = LANGUAGES) -> dict[str, str]:
    """Why bots of these languages would sit out on this machine, by the first name of the language."""
    commands = [
        f"{template.names[0]}={shlex.quote(str(_bot_in(template)))}"
        for template in templates
        if template.names[0] != "python"
    ]
    # The bot in Python runs wherever arena does, so that there is always one.
    return dict(find_bots([str(_bot_in(LANGUAGES[0]))], commands).sitting_out)


def make(template: Template, place: Path, *, helper: bool = False) -> None:
    """Write a bot of this language to `place`, a file or a folder that must not exist yet.

    Raises FileExistsError where it does, and OSError; what was begun is then taken away again.
    """
    files = template.files(helper=helper)
    if MANIFEST not in files:
        (source,) = files.values()
        _write(source, place)
        return
    place.mkdir()
    written: list[Path] = []
    try:
        for name, source in files.items():
            _write(source, place / name)
            written.append(place / name)
    except OSError:
        for path in written:
            path.unlink()
        place.rmdir()
        raise


def _bot_in(template: Template) -> Path:
    files = template.files()
    return template.folder if MANIFEST in files else next(iter(files.values()))


def _files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files by name; installers leave a folder of compiled Python among them."""
    for path in sorted(folder.iterdir()):
        if path.is_file():
            yield path.name, path


def _write(source: Path, place: Path) -> None:
    """A copy with the mode of any new file, never over a file; what cannot be written whole is removed."""
    with place.open("xb") as file:
        try:
            file.write(source.read_bytes())
            file.flush()
        except OSError:
            os.unlink(place)
            raise
