"""`arena new`: a bot that already plays, in the language asked for."""

import errno
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from arena.cli.candidates import languages
from arena.cli.exits import DONE
from arena.cli.shown import path_as_typed
from arena.cli.streams import say
from arena.cli.typed import command
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.roster.templates import Template

_BOTS: Final = Path("bots")
"""Where bots to play against are looked for."""
_NAME: Final = re.compile(r"\w[\w.+-]*")
_FORBIDDEN: Final = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
_TAKEN: Final = frozenset(("arena", "arena_bot"))
"""Names that would hide a helper from a bot in Python, besides those of the standard library."""


def new(
    language: Annotated[
        str | None,
        Parameter(completer=languages, help="Such as python, c, rust; all languages if not given."),
    ] = None,
    name: Annotated[str | None, Parameter(help="What the bot is called: a name, or a path to it.")] = None,
    /,
    *,
    helper: Annotated[
        bool, Parameter(negative=(), help="Build on the helper, which is copied beside the bot.")
    ] = False,
) -> int:
    """Make a bot that already plays: one file, or a folder with its build.

    Without arguments, list the languages and which of them this machine can run.
    """
    from arena.roster.templates import make, missing_here, template_of

    if language is None:
        sys.stdout.write("\n".join(_languages()) + "\n")
        return DONE
    try:
        template = template_of(language)
    except BadInput:
        if name is not None and _is_language(name):
            raise BadInput(f"the language comes before the name: {command('new', name, language)}") from None
        raise
    word = template.names[0]
    if name is None:
        raise BadInput(f"what is the bot to be called? {command('new', word, 'NAME')}")
    if helper and not template.helped:
        raise BadInput(f"there is no helper in {template.language}; leave --helper out, or take {_helped()}")
    extension = None if helper else template.extension
    place = _place(name, template, extension)
    called = path_as_typed(place)
    try:
        make(template, place, helper=helper)
    except FileExistsError:
        raise BadInput(f"{called} exists already; give another name, or remove it first") from None
    except OSError as error:
        mend = "; give a path to where you may write" if error.errno in _FORBIDDEN else ""
        raise BadInput(f"{called} cannot be made: {error.strerror}{mend}") from None
    for line in _what_next(template, place, helper=helper):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if reason := missing_here((template,)).get(word):
        say(f"note: on this machine it would sit out: {reason}")
    return DONE


def _languages() -> list[str]:
    from arena.roster.templates import LANGUAGES, missing_here

    missing = missing_here()
    rows = [
        (
            template.names[0],
            f"NAME{template.extension or '/'}",
            missing.get(template.names[0], "runs here"),
        )
        for template in LANGUAGES
    ]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{word:{widths[0]}}  {made:{widths[1]}}  {here}" for word, made, here in rows]
    return [
        *lines,
        "",
        "arena new LANGUAGE NAME makes one: a file, or a folder with its build.",
        f"With --helper ({_helped()}) it is a folder, with a helper to build on.",
    ]


def _is_language(word: str) -> bool:
    from arena.roster.templates import LANGUAGES

    return any(word.casefold() in template.names for template in LANGUAGES)


def _helped() -> str:
    from arena.roster.templates import LANGUAGES

    return ", ".join(template.names[0] for template in LANGUAGES if template.helped)


def _place(name: str, template: "Template", extension: str | None) -> Path:
    """Where a bot of this name is made. Raises BadInput for what cannot be a name, and where no folder is."""
    from arena.roster.launch import no_bot_by_name
    from arena.roster.naming import MAX_NAME

    path = Path(os.path.expanduser(name))
    typed = path_as_typed(name)
    suffixes = {Path(file).suffix for file in template.files()} - {".toml"}
    own = path.stem if path.suffix in suffixes else path.name
    if not own or own == ".." or name.endswith("/"):
        raise BadInput(f"'{typed}' is no name; give the bot one, such as {template.names[0]}_bot")
    if not _NAME.fullmatch(own):
        raise BadInput(
            f"'{typed}' cannot be a bot's name; it has letters, digits and _ . + -, and begins with "
            "a letter, a digit or _"
        )
    if len(own) > MAX_NAME:
        raise BadInput(f"'{typed}' has {len(own)} characters; a bot's name has at most {MAX_NAME}")
    if template.names[0] == "python" and own in (sys.stdlib_module_names | _TAKEN) and extension:
        raise BadInput(
            f"a bot in Python cannot be called {own}: its file would hide the module of that name from it; "
            f"take another, such as {own}_bot"
        )
    if extension and (what := no_bot_by_name(own + extension)) is not None:
        raise BadInput(
            f"a bot cannot be called {own}: {own}{extension} is taken for {what}, and passed over where bots "
            f"are looked for; take another name, such as {template.names[0]}_bot"
        )
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path_as_typed(path.parent)} to make {own} in; make it first")
    return path.with_name(own + (extension or ""))


def _what_next(template: "Template", place: Path, *, helper: bool) -> list[str]:
    from arena.roster.entrant import MANIFEST

    files = template.files(helper=helper)
    own = next(file for file in files if file != MANIFEST and not file.startswith("arena_bot"))
    text = path_as_typed(place / own if MANIFEST in files else place)
    where = "`play` and `challenge`" if helper else "`decide`"
    others = _others()
    if not others:
        # What stands behind the name is a command, which is read as a shell would.
        twice = [part for name in ("one", "two") for part in ("--bot", f"{name}={shlex.quote(str(place))}")]
        play = command("run", *twice, "--games", "100")
    else:
        own_too = () if place.parent == _BOTS else (place,)
        play = f"{command('run', '--bots', *own_too)} {others}"
    return [
        f"{path_as_typed(place)} is a bot that plays; what it does is decided in {where} of {text}.",
        f"let it play{'' if others else ' against itself'}:  {play}",
        f"see whether it is fit to play:  {command('check', place)}",
    ]


def _others() -> str:
    """The bots in the working directory's folder of them; nothing where there is none."""
    from arena.roster.languages import language_of

    there = _BOTS.is_dir() and any(language_of(path.name) for path in _BOTS.iterdir())
    return f"{_BOTS}/*" if there else ""
