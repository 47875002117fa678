"""The languages whose files are known by their extension, and the programs that run each, best first."""

from pathlib import PurePath
from typing import Final

import msgspec


class Runner(msgspec.Struct, frozen=True):
    """A program that runs files of a language."""

    program: str
    options: tuple[str, ...] = ()
    """Words between the program and the file."""
    since: tuple[tuple[int, int], ...] = ()
    """Releases (major, minor) from which it can, one for each major that began without; empty: always.

    Every major after the last can.
    """


class Language(msgspec.Struct, frozen=True):
    """One language."""

    name: str
    extensions: tuple[str, ...]
    """Lower case, with the dot."""
    runners: tuple[Runner, ...]
    """Empty for Python: the interpreter that runs arena."""
    hint: str = ""
    """What else would run such a file, for people."""


LANGUAGES: Final = (
    Language("Python", (".py", ".pyz"), ()),
    Language(
        "JavaScript", (".js", ".mjs", ".cjs"), (Runner("node"), Runner("bun"), Runner("deno", ("run",)))
    ),
    Language(
        "TypeScript",
        (".ts", ".mts", ".cts"),
        # Node strips types by itself since 22.18, and since 23.6 of the releases between.
        (Runner("node", since=((22, 18), (23, 6))), Runner("deno", ("run",)), Runner("bun")),
        "older releases of Node run no .ts: make the bot a folder with a bot.toml whose build runs tsc",
    ),
    Language("Ruby", (".rb",), (Runner("ruby"),)),
    Language("Lua", (".lua",), (Runner("lua"), Runner("lua5.4"), Runner("lua5.3"), Runner("luajit"))),
    Language("Perl", (".pl",), (Runner("perl"),)),
    Language("Raku", (".raku",), (Runner("raku"),)),
    Language("Shell", (".sh",), (Runner("sh"),)),
    Language("Bash", (".bash",), (Runner("bash"),)),
    Language("PHP", (".php",), (Runner("php"),)),
    Language("Tcl", (".tcl",), (Runner("tclsh"), Runner("tclsh9.0"), Runner("tclsh8.6"))),
    Language("Java", (".jar",), (Runner("java", ("-jar",)),)),
    Language("Julia", (".jl",), (Runner("julia"),)),
    Language("R", (".r",), (Runner("Rscript", ("--vanilla",)),)),
    # mawk waits for a whole buffer of input unless told otherwise.
    Language("AWK", (".awk",), (Runner("gawk", ("-f",)), Runner("mawk", ("-W", "interactive", "-f")))),
    Language("Elixir", (".exs",), (Runner("elixir"),)),
)

COMPILED: Final = frozenset(
    (
        ".c",
        ".cc",
        ".cpp",
        ".cxx",
        ".rs",
        ".go",
        ".java",
        ".kt",
        ".cs",
        ".hs",
        ".ml",
        ".swift",
        ".zig",
        ".d",
        ".nim",
    )
)
"""Extensions of source that must be built before it runs."""

ASK: Final[dict[str, tuple[str, ...]]] = {
    "python": ("-c", "import sys; print(sys.executable)"),
    "pypy": ("-c", "import sys; print(sys.executable)"),
    "node": ("-p", "process.execPath"),
    "ruby": ("-e", "puts RbConfig.ruby"),
    "perl": ("-e", "print $^X"),
    "php": ("-r", "print PHP_BINARY;"),
    "bun": ("-p", "process.execPath"),
    "deno": ("eval", "console.log(Deno.execPath())"),
    "Rscript": ("-e", "cat(file.path(R.home('bin'), 'Rscript'))"),
}
"""By program (without its version): arguments that make it print where it really lies."""

_STEMS: Final = frozenset(("python", "pypy", "env"))


def language_of(name: str) -> Language | None:
    """The language that a file's extension names; None for one that is not known."""
    suffix = PurePath(name).suffix.lower()
    return next((language for language in LANGUAGES if suffix in language.extensions), None)


def stem_of(program: str) -> str:
    """A program's name without a version at its end: python3.11 is python, lua5.4 is lua."""
    return program.rstrip("0123456789.-") or program


def is_interpreter(program: str) -> bool:
    """Whether the name (any version of it) is that of a program which runs other people's files."""
    known = _STEMS | {stem_of(runner.program) for language in LANGUAGES for runner in language.runners}
    return stem_of(program) in known


def runs(runner: Runner, release: tuple[int, int]) -> bool:
    """Whether this release of the runner's program can run the language's files."""
    if not runner.since:
        return True
    return any(
        (release[0] == since[0] and release >= since) or release[0] > runner.since[-1][0]
        for since in runner.since
    )
