"""`arena.toml`: a whole tournament in a file. Its keys are the options of `arena run`, which go before it."""

import dataclasses
import glob
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints

from cyclopts import App, Group, Parameter
from cyclopts.argument import Argument, ArgumentCollection
from cyclopts.token import Token

from arena.cli.complaints import near
from arena.cli.options import RunOptions
from arena.cli.shown import path_as_typed
from arena.errors import BadInput
from arena.textfile import text_of
from arena.toml import table_in

FILE_NAME: Final = "arena.toml"
OF_OTHER_COMMANDS: Final = frozenset(
    {
        *("rules", "seats", "names", "move-time", "bank", "start-time", "sandbox", "allow-root-bots"),
        *("memory", "forfeit", "fresh", "jobs"),
    }
)
"""The keys that other commands with an option of that name take as well: the game and its conditions."""
FREE: Final = frozenset(("resume", "changed", "dry-run", "jobs", "json", "quiet"))
"""The keys that are followed when a tournament is resumed: all others were settled when it was begun."""
LENGTHS: Final = frozenset(("deals", "games"))
"""Ways to say how much is played: one on the command line replaces another in the file."""
_KINDS: Final[Mapping[type, str]] = MappingProxyType(
    {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "a table",
    }
)


@dataclasses.dataclass(frozen=True)
class Key:
    """What a key of the file takes."""

    name: str
    takes: tuple[type, ...]
    """The kinds of TOML values."""
    words: str
    """The same for people."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """A tournament file that was read: each known key with its words, as the command line would have them."""

    path: Path
    words: Mapping[str, tuple[str, ...]]

    @property
    def shown(self) -> str:
        """The file's name for messages."""
        return path_as_typed(self.path)


def keys() -> dict[str, Key]:
    """Every key by its name, in the order of --help. `config` alone is an option and no key."""
    found = {}
    for name, hint in sorted(get_type_hints(RunOptions, include_extras=True).items(), key=_section):
        if name != "config":
            key = name.replace("_", "-")
            found[key] = Key(key, *_takes(key, hint))
    return found


def _section(option: tuple[str, Any]) -> int:
    """The place in --help of the group that an option, by name and type, is in."""
    abouts = [about for about in get_args(option[1])[1:] if isinstance(about, Parameter)]
    # A tuple, whatever was given.
    groups = [group for about in abouts for group in cast("tuple[Group, ...]", about.group)]
    return min(int(group.sort_key) for group in groups)


def read_settings(path: Path) -> Settings:
    """Read a tournament file. Raises BadInput that names the key and what it takes."""
    shown = path_as_typed(path)
    text = text_of(path, shown)
    if text is None:
        raise BadInput(f"there is no file {shown}; --config names a tournament file")
    table = table_in(text, shown)
    known = keys()
    words = {}
    for name, value in table.items():
        if name not in known:
            meant = near(name.replace("_", "-"), known) or f"; the keys are {', '.join(known)}"
            raise BadInput(f"{shown}: there is no key {name!r}{meant}")
        words[name] = tuple(_in_folder(name, word, path) for word in _words(known[name], value, path))
    return Settings(path, words)


def from_file(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Give the parser the words of the file for every option that the command line leaves open.

    A source of the parser's configuration: called with the arguments of the command when the command line
    has been read. Raises BadInput for a bad file, if this command takes anything from it.
    """
    if not commands:
        return
    runs = commands == ("run",)
    keyed = [(key, argument) for argument in arguments if (key := _key_of(argument, runs=runs))]
    by_key = {key: argument for key, argument in keyed if not argument.tokens}
    path = _chosen(arguments) if runs else Path(FILE_NAME)
    if not by_key or not os.path.exists(path):
        return
    settings = read_settings(path)
    resumes = runs and (any(settings.words.get("resume", ())) or "resume" not in by_key)
    given = {key for key, argument in keyed if argument.tokens}
    for key, words in settings.words.items():
        if resumes and key not in FREE:
            continue
        if key in by_key and not (key in LENGTHS and given & LENGTHS):
            for number, word in enumerate(words):
                keyword = f"{settings.shown}: {key}"
                by_key[key].append(Token(keyword=keyword, value=word, source=settings.shown, index=number))


def settings_beside(config: str | None) -> Settings | None:
    """The tournament file that a run with this --config looks at; None if there is none."""
    path = Path(FILE_NAME if config is None else config)
    path = path / FILE_NAME if os.path.isdir(path) else path
    return read_settings(path) if os.path.exists(path) else None


def options_in(settings: Settings) -> RunOptions:
    """What the words of the file come to, all of them."""
    app = App(
        default_parameter=Parameter(negative=()),
        help_flags=(),
        version_flags=(),
        result_action="return_value",
    )

    @app.default
    def take(options: RunOptions | None = None) -> RunOptions:
        return options or RunOptions()

    words = [f"--{key}={word}" for key, found in settings.words.items() for word in found]
    taken = app(words, print_error=False, exit_on_error=False, verbose=False)
    assert isinstance(taken, RunOptions)
    return taken


def with_origin(message: str, words: Sequence[str]) -> str:
    """The message of an error, and where the options in it come from if the command line has them not."""
    if any(word.split("=", 1)[0] == "--resume" for word in words):
        # The results file says all, whatever the tournament file has.
        return message
    path = _config_in(words)
    try:
        settings = read_settings(path)
    except BadInput:
        return message
    typed = {word.split("=", 1)[0].lstrip("-") for word in words if word.startswith("--")}
    typed |= {"out"} if any(word.startswith("-o") for word in words) else set()
    said = re.findall(r"--([a-z]+(?:-[a-z]+)*)", message)
    found = [key for key in settings.words if key in said and key not in typed]
    return f"{message} ({settings.shown} sets {' and '.join(found)})" if found else message


def _key_of(argument: Argument, *, runs: bool) -> str | None:
    """The key whose words this argument takes; None for no key's."""
    name = argument.names[0] if argument.names else ""
    if not runs and name == "FILE":
        # The results file of the tournament in this folder.
        return "out"
    key = name.removeprefix("--")
    return key if name.startswith("--") and (runs or key in OF_OTHER_COMMANDS) else None


def _chosen(arguments: Iterable[Argument]) -> Path:
    for argument in arguments:
        if "--config" in argument.names and argument.tokens:
            word = argument.tokens[-1].value
            path = Path(word, FILE_NAME) if os.path.isdir(word) else Path(word)
            if not os.path.exists(path):
                raise BadInput(f"--config {path_as_typed(word)}: there is no file {path_as_typed(path)}")
            return path
    return Path(FILE_NAME)


def _config_in(words: Sequence[str]) -> Path:
    """The same, from the words of a command line that could not be carried out."""
    path = Path(FILE_NAME)
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--config" or word.startswith("--config="):
            path = Path(word.partition("=")[2] or following)
    return path / FILE_NAME if os.path.isdir(path) else path


def _takes(key: str, hint: Any) -> tuple[tuple[type, ...], str]:
    """The kinds of TOML values an option of this type takes, and those in words."""
    parameter = next((extra for extra in get_args(hint)[1:] if isinstance(extra, Parameter)), None)
    metavar = parameter.metavar if parameter else None
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if key == "bot":
        return (str, list, dict), "NAME=COMMAND, a list of such, or a table of names and commands"
    if key == "rules":
        return (str, dict), "the name of a preset, a file, or a table of knobs"
    if key == "seed":
        return (str, int), "text, or a whole number"
    if get_origin(bare) is tuple:
        return (str, list), "a list of texts"
    if bool in (bare, *get_args(bare)):
        return (bool,), _KINDS[bool]
    if metavar == "TIME":
        return (str, int, float), 'a time such as "500ms" or "2m", or seconds'
    if metavar == "SIZE":
        return (str, int), 'a size such as "512M", or bytes'
    kinds = {kind for kind in (get_args(bare) or (bare,)) if kind is not type(None)}
    if kinds == {int}:
        return (int,), _KINDS[int]
    if kinds == {float}:
        return (int, float), _KINDS[float]
    return (str,), _KINDS[str]


def _words(key: Key, value: object, path: Path) -> list[str]:
    """The value as words of a command line. Raises BadInput for one of a wrong type."""
    where = f"{path_as_typed(path)}: {key.name}"
    if type(value) not in key.takes:
        raise BadInput(f"{where} takes {key.words}, not {_shown(value)}")
    if isinstance(value, dict):
        if key.name == "rules":
            # The rules are read from the file itself, where they are looked up by its name.
            return [os.fspath(path)]
        for name, command in value.items():
            if not isinstance(command, str):
                raise BadInput(f"{where}.{name} takes a command as text, not {_shown(command)}")
        return [f"{name}={command}" for name, command in value.items()]
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, str):
                raise BadInput(f"{where} takes {key.words}, and {_shown(item)} in it is none")
        return list(value)
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def _in_folder(key: str, word: str, path: Path) -> str:
    """A word of the file, its path relative to the file's folder made relative to this process's."""
    folder = os.fspath(path.parent)
    if folder == "." or not word.strip():
        return word
    if key in ("bots", "out", "resume"):
        return _beside(folder, word, magic=key == "bots")
    if (
        key == "rules"
        and word != os.fspath(path)
        and (word.endswith(".toml") or os.sep in word or os.path.isfile(os.path.join(folder, word)))
    ):
        return _beside(folder, word)
    if key == "bot":
        return _command_in_folder(folder, word)
    return word


def _beside(folder: str, word: str, *, magic: bool = False) -> str:
    if word.startswith("~"):
        return word
    return os.path.join(glob.escape(folder) if magic and glob.has_magic(word) else folder, word)


def _command_in_folder(folder: str, word: str) -> str:
    """NAME=COMMAND with the words of the command that are files of the folder as paths to them."""
    import shlex

    name, equals, command = word.partition("=")
    try:
        parts = shlex.split(command)
    except ValueError:
        # What is wrong with it is said where commands are read.
        return word
    beside = [os.path.join(folder, part) for part in parts]
    if not any(map(os.path.exists, beside)):
        return word
    found = [there if os.path.exists(there) else part for part, there in zip(parts, beside, strict=True)]
    return f"{name}{equals}{shlex.join(found)}"


def _shown(value: object) -> str:
    """A value of a wrong type, for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    kind = _KINDS.get(type(value), "a date or time")
    if not isinstance(value, str | int | float):
        return kind
    text = repr(value)
    return f"{kind} ({text if len(text) <= 40 else text[:37] + '...'})"
