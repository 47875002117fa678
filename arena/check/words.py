"""What the last words of a bot on stderr tell: an error of its language, and what its author can do."""

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from arena.check.fields import lacking, taken_for_request
from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.protocol.escape import escape, quoted


@dataclass(frozen=True, slots=True)
class Reading:
    """What happened, in one sentence, and what to do, as a part of one."""

    headline: str
    mend: str


_Reader = Callable[[re.Match[str], Mishap, Origin], Reading | None]
_PYTHON_ERROR: Final = re.compile(
    r"^((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Iteration|NotFound)\b)(?:: ?(.*))?$", re.M
)
_NAMED: Final = re.compile(r"^(?:\w+[.:]+)*\w*(?:Error|Exception)\b(?!\()")
_TELLING: Final = re.compile(r"Error\b|Exception\b|^panic|panicked at|^\S*lua\S*: .+:\d+: ")
_TRACEBACK: Final = "Traceback (most recent call last)"
_NOT_FOUND: Final = re.compile(r"(?:^|[ :])([^\s:]+): (?:command )?not found|not found: (\S+)")
_OTHER_LANGUAGE: Final = re.compile(
    r"[Ss]yntax error|Bad substitution|bad substitution"
    r"|: (?:\[\[|import|from|def|class|print|use|my|const|let|var|require|include|package|begin|end|puts|"
    r"function|source|declare|typeset|mapfile|readarray|shopt|pushd|popd|select|coproc|async|try:?|"
    r"elif|except|raise|with|lambda|module|using|public|static|//.*|/\*.*): (?:command )?not found"
)
"""What a shell says of a program in another language, or for another shell."""
_AS_FOLDER: Final = (
    'put the bot and all its files in a folder with a bot.toml (run = "..."), and give that folder'
)


def read_words(mishap: Mishap, origin: Origin) -> Reading | None:
    """What stderr tells of a bot that ended; None where it tells nothing that is known.

    Only what it said since its last good answer counts, and of tracebacks the last: the others it has lived
    through.
    """
    mishap = replace(mishap, fresh=_decisive(mishap, origin))
    for pattern, reader in _READERS:
        for match in reversed(list(pattern.finditer(mishap.fresh))):
            if (reading := reader(match, mishap, origin)) is not None:
                return reading
    return _python_error(mishap)


def _decisive(mishap: Mishap, origin: Origin) -> str:
    start = mishap.fresh.rfind(_TRACEBACK)
    if start < 0:
        return mishap.fresh
    if origin.python and (mishap.signal is not None or mishap.exit_code not in (1, None)):
        # Python ends with 1 by an exception: this one it has printed itself, and gone on.
        return ""
    return mishap.fresh[start:]


def telling_line(text: str) -> str:
    """The line that says most of an end: the first that names an error, else the last."""
    text = text[max(0, text.rfind(_TRACEBACK)) :]
    lines = text.splitlines()
    # A line of the source, which stands before it, may name an error too.
    telling = next((line for sign in (_NAMED, _TELLING) for line in lines if sign.search(line)), None)
    return last_line(text if telling is None else telling)


def last_line(text: str) -> str:
    """The last line that is not blank, fit to stand in a sentence."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return escape(lines[-1].replace("\t", " "), 160).rstrip(".") if lines else ""


def answers(mishap: Mishap) -> str:
    """How many requests it had answered."""
    return f"{mishap.answered} answer{'' if mishap.answered == 1 else 's'}"


def _python_error(mishap: Mishap) -> Reading | None:
    errors = list(_PYTHON_ERROR.finditer(mishap.fresh))
    if not errors or _TRACEBACK not in mishap.fresh:
        return None
    line = last_line(errors[-1][0])
    mend = "mend the line that stderr names"
    if mishap.game > 1:
        mend += (
            f"; it was in game {mishap.game} of one process, and may need the games before it: look at what "
            "is kept from game to game"
        )
    return Reading(f"It ended by an exception that nobody caught{_place(mishap)}: {line}.", mend)


def _place(mishap: Mishap) -> str:
    """The line where the exception was raised, as Python tells it."""
    frames = re.findall(r'File "[^"]*?([^"/]+)", line (\d+)', mishap.fresh)
    return f" in line {frames[-1][1]} of {escape(frames[-1][0], 60)}" if frames else ""


def _hidden_module(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading | None:
    for name in origin.hiding():
        module = PurePath(name).stem
        signs = (f"module '{module}'", f"from '{module}'", f"'{module}' is not a package")
        if not any(sign in match[0] for sign in signs):
            continue
        return Reading(
            f"Its own {escape(name, 60)} hides the standard module {module}: whoever imports that gets it.",
            f"call the file something else than {escape(name, 60)}",
        )
    return None


def _missing_module(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    module = match[1].split(".")[0]
    shown = quoted(module)
    for name in (f"{module}.py", module):
        if origin.left_behind(name):
            return _not_staged(name)
    runs_on = escape(origin.argv[0], 200)
    if not origin.own_python and _has_arena(module):
        return Reading(
            f"The module {shown} is not installed for {runs_on}, which runs it; for arena's Python it is.",
            "leave the first line (#!) out, so that arena's Python runs it, or name the right one there",
        )
    return Reading(
        f"The module {shown} is not installed for {runs_on}, which runs it.",
        "name the interpreter that has it in the first line (#!), install it there, or put the module in the "
        "bot's folder",
    )


def _has_arena(module: str) -> bool:
    """Whether the Python that runs arena has it installed."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _missing_file(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    name = match[1]
    if origin.left_behind(name.removeprefix("./")):
        return _not_staged(name.removeprefix("./"))
    return Reading(
        f"It opens {quoted(name, 100)}, which is not there: a bot runs from a copy, in a folder of its own.",
        f"give the file with the bot: {_AS_FOLDER}",
    )


def _not_staged(name: str) -> Reading:
    return Reading(
        f"It needs {quoted(name, 100)}, which lies beside it and was not staged: one file is alone there.",
        _AS_FOLDER,
    )


def _missing_node_module(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    name = match[1]
    if name.startswith("."):
        for end in ("", ".js", ".mjs", ".cjs", ".json"):
            if origin.left_behind(name.removeprefix("./") + end):
                return _not_staged(name.removeprefix("./") + end)
    elif name.startswith("/"):
        own = PurePath(name).name
        if origin.left_behind(own):
            return _not_staged(own)
    elif origin.left_behind("node_modules"):
        return _not_staged("node_modules")
    return Reading(
        f"The module {quoted(name, 100)} is not there for Node.", f"give it with the bot: {_AS_FOLDER}"
    )


def _missing_perl_module(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    if origin.left_behind(match[1]):
        return _not_staged(match[1])
    return Reading(
        f"The Perl module {quoted(match[1])} is not installed for {escape(origin.argv[0], 200)}.",
        "do without it, install it there, or put it in the bot's folder",
    )


def _missing_library(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    name = match[1] or match[2]
    for end in ("", ".rb", ".lua"):
        if origin.left_behind(name + end):
            return _not_staged(name + end)
    return Reading(
        f"The library {quoted(name)} is not installed for {escape(origin.argv[0], 200)}.",
        "do without it, install it there, or put it in the bot's folder",
    )


def _old_python(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"It is written for Python 2, and the wrong interpreter, {escape(origin.argv[0], 200)}, runs it.",
        "write it for Python 3: print(...) is a function there",
    )


def _syntax(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"{escape(origin.argv[0], 200)} cannot read the program: {last_line(match[0])}.",
        "mend the line that stderr names; if it is right in another version of the language, the "
        "interpreter is the wrong one: name the right one in the first line (#!)",
    )


def _by_wrong_shell(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading | None:
    if origin.runner not in ("sh", "dash", "bash", "busybox"):
        return None
    missing = _NOT_FOUND.search(match[0])
    if missing is not None and not _OTHER_LANGUAGE.search(mishap.fresh):
        program = missing[1] or missing[2]
        return Reading(
            f"It calls {quoted(program)}, which is not there ({last_line(match[0])}).",
            "do without it, install it here, or give it with the bot, in one folder",
        )
    return Reading(
        f"{escape(origin.argv[0], 200)} runs it and does not understand it ({last_line(match[0])}): "
        "the wrong interpreter.",
        "name the right one in the first line, such as #!/usr/bin/env python3 or #!/usr/bin/env bash",
    )


def _read_only(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading | None:
    if _only_noted(match, mishap, origin):
        return None
    return Reading(
        f"It wants to write where it may not ({last_line(match[0])}): its own folder is read-only.",
        "write to the folder that the environment names in HOME or TMPDIR",
    )


def _only_noted(match: re.Match[str], mishap: Mishap, origin: Origin) -> bool:
    """Whether the words are the author's own, and neither an exception that ended it nor its last ones."""
    if not origin.python or _TRACEBACK in mishap.fresh:
        return False
    return mishap.exit_code != 1 or bool(mishap.fresh[match.end() :].strip())


def _no_network(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading | None:
    if _only_noted(match, mishap, origin):
        return None
    return Reading(
        f"It wants to reach the network ({last_line(match[0])}), and there is none.", "do without it"
    )


def _missing_key(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading | None:
    if (event := taken_for_request(match[1], mishap)) is not None:
        return Reading(
            f"It takes an event for a request: {event} has no {quoted(match[1])} ({last_line(match[0])}).",
            'look at "type" first; answer the lines that have an "id", and only those',
        )
    if (lack := lacking(match[1], mishap)) is not None:
        return Reading(
            f"It ended by {last_line(match[0])}{_place(mishap)}: {lack}.",
            "look at the type of a line first, and take from it only what lines of that type have",
        )
    return None


def _not_json(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"It could not read as JSON what it took for a line ({last_line(match[0])}).",
        "read one whole line at a time, and end where stdin does: an empty string is the end",
    )


def _libraries(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"The program was built for another machine: {last_line(match[0])}.",
        "build it here (a folder with a bot.toml and a build), or link it statically",
    )


def _javascript_module(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    kind = ".mjs" if "import statement" in match[0] else ".cjs"
    return Reading(
        f"Node reads it as the other kind of module: {last_line(match[0])}.", f"end its name in {kind}"
    )


def _class_version(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"It was compiled for a newer Java than {escape(origin.argv[0], 200)}: the wrong interpreter.",
        "compile it with --release for the Java that is here",
    )


def _mistake(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(f"{escape(match[0], 300)}.", "mend what it names; bots.md says what each may return")


def _unprintable(match: re.Match[str], mishap: Mishap, origin: Origin) -> Reading:
    return Reading(
        f"It cannot write what it wants to say: {last_line(match[0])}.", "write UTF-8, or ASCII alone"
    )


_READERS: Final[tuple[tuple[re.Pattern[str], _Reader], ...]] = (
    # What the helpers for bots say of a bot's mistake; nothing that it has printed before says more.
    (
        re.compile(
            r"^\S.*(?:, which cannot be played: |; it must return | neither play nor challenge, but )"
            r".+(?=\s*\Z)",
            re.M,
        ),
        _mistake,
    ),
    (
        re.compile(r"^(?:AttributeError|ImportError|ModuleNotFoundError): .*$", re.M),
        _hidden_module,
    ),
    (re.compile(r"^ModuleNotFoundError: No module named '([^']+)'", re.M), _missing_module),
    (
        re.compile(r"^FileNotFoundError: \[Errno 2\] No such file or directory: '([^']+)'", re.M),
        _missing_file,
    ),
    (re.compile(r"ENOENT: no such file or directory, open '([^']+)'"), _missing_node_module),
    (re.compile(r"Cannot find (?:module|package) '([^']+)'"), _missing_node_module),
    (re.compile(r"Can't locate (\S+) in @INC"), _missing_perl_module),
    (re.compile(r"module '([^']+)' not found:|cannot load such file -- (\S+)"), _missing_library),
    (re.compile(r"^SyntaxError: Missing parentheses in call to 'print'.*$", re.M), _old_python),
    (re.compile(r"^SyntaxError: Cannot use import statement outside a module", re.M), _javascript_module),
    (re.compile(r"^ReferenceError: require is not defined in ES module scope", re.M), _javascript_module),
    (re.compile(r"^SyntaxError: .*JSON.*$", re.M), _not_json),
    (re.compile(r"^(?:SyntaxError|IndentationError|TabError): .*$", re.M), _syntax),
    (
        re.compile(r"^.*(?:: not found|Syntax error: |Bad substitution|command not found).*$", re.M),
        _by_wrong_shell,
    ),
    (re.compile(r"^(?!\s).*(?:Read-only file system|EROFS|PermissionError|EACCES).*$", re.M), _read_only),
    (
        re.compile(
            r"^\S.*(?:Network is unreachable|Name or service not known|name resolution|EAI_AGAIN|NETUNR).*$",
            re.M,
        ),
        _no_network,
    ),
    (re.compile(r"^KeyError: ['\"](\w+)['\"]", re.M), _missing_key),
    (re.compile(r"^json\.decoder\.JSONDecodeError: .*$", re.M), _not_json),
    (
        re.compile(
            r"^.*(?:GLIBC\S* not found|error while loading shared libraries|Exec format error).*$", re.M
        ),
        _libraries,
    ),
    (re.compile(r"UnsupportedClassVersionError"), _class_version),
    (re.compile(r"^UnicodeEncodeError: .*$", re.M), _unprintable),
)
"""Signs in the order in which they count, and who reads each."""
