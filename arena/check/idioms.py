"""How programs of each language do what a mend asks for: let go of a line, write to stderr, write JSON."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from arena.roster.languages import language_of, stem_of


@dataclass(frozen=True, slots=True)
class Idioms:
    """What a language says for it, each to stand in a sentence."""

    flush: str
    to_stderr: str
    json: str
    """What writes an object on one line."""


_ELSE: Final = Idioms(
    "fflush(stdout) in C, std::flush in C++, flush of the stream elsewhere",
    "fprintf(stderr, ...) in C, std::cerr in C++, the stream for errors elsewhere",
    "the object on one line, by a JSON library",
)
_JAVASCRIPT: Final = Idioms(
    'process.stdout.write(answer + "\\n"), and no process.exit() behind it',
    "console.error(...)",
    "JSON.stringify(answer)",
)
_SHELL: Final = Idioms(
    "printf or echo for each answer, and stdbuf -oL before a program that holds lines back",
    "echo ... >&2",
    'printf \'{"id":"%s"}\\n\' "$id"',
)
_IDIOMS: Final = MappingProxyType(
    {
        "Python": Idioms("print(answer, flush=True)", "print(..., file=sys.stderr)", "json.dumps(answer)"),
        "JavaScript": _JAVASCRIPT,
        "TypeScript": _JAVASCRIPT,
        "Ruby": Idioms("$stdout.sync = true at the start", "warn ...", "answer.to_json"),
        "Lua": Idioms(
            'io.stdout:setvbuf("line") at the start', "io.stderr:write(...)", "the object on one line"
        ),
        "Perl": Idioms("$| = 1; at the start", "print STDERR ...", "encode_json($answer)"),
        "Raku": Idioms("$*OUT.flush after each answer", "note ...", "to-json($answer, :!pretty)"),
        "Shell": _SHELL,
        "Bash": _SHELL,
        "PHP": Idioms(
            "fflush(STDOUT) after each answer, and no ob_start()",
            "fwrite(STDERR, ...)",
            "json_encode($answer)",
        ),
        "Tcl": Idioms(
            "fconfigure stdout -buffering line at the start", "puts stderr ...", "the object on one line"
        ),
        "Java": Idioms(
            "System.out.flush() after each answer",
            "System.err.println(...)",
            "the object on one line, by System.out.println(...)",
        ),
        "Kotlin": Idioms(
            "System.out.flush() after each answer",
            "System.err.println(...)",
            "the object on one line, by println(...)",
        ),
        "Julia": Idioms("flush(stdout) after each answer", "println(stderr, ...)", "JSON.json(answer)"),
        "R": Idioms("flush(stdout())", "message(...)", "jsonlite::toJSON(answer, auto_unbox = TRUE)"),
        "AWK": Idioms("fflush() after each print", 'print ... > "/dev/stderr"', "the object on one line"),
        "Elixir": Idioms("IO.puts(answer)", "IO.puts(:stderr, ...)", "JSON.encode!(answer)"),
        "C": Idioms(
            "fflush(stdout) after each answer", "fprintf(stderr, ...)", "the object on one line, by printf"
        ),
        "C++": Idioms(
            "std::cout << std::flush after each answer",
            'std::cerr << ... << "\\n"',
            "the object on one line, by std::cout",
        ),
        "Rust": Idioms(
            "io::stdout().flush() after each answer",
            "eprintln!(...)",
            "serde_json::to_string(&answer), or the object on one line by println!",
        ),
        "Go": Idioms(
            "Flush() of its bufio.Writer after each answer",
            "fmt.Fprintln(os.Stderr, ...)",
            "json.Marshal(answer)",
        ),
        "C#": Idioms(
            "Console.Out.Flush() after each answer",
            "Console.Error.WriteLine(...)",
            "JsonSerializer.Serialize(answer)",
        ),
        "Haskell": Idioms(
            "hSetBuffering stdout LineBuffering at the start",
            "hPutStrLn stderr ...",
            "the object on one line",
        ),
        "OCaml": Idioms(
            "print_endline, or flush stdout after each answer", "prerr_endline ...", "the object on one line"
        ),
        "Swift": Idioms(
            "fflush(stdout) after each answer",
            "FileHandle.standardError.write(...)",
            "the object on one line",
        ),
        "Zig": Idioms(
            "flush() of the writer after each answer", "std.debug.print(...)", "std.json.Stringify"
        ),
        "D": Idioms("stdout.flush() after each answer", "stderr.writeln(...)", "JSONValue.toString()"),
        "Nim": Idioms("stdout.flushFile() after each answer", "stderr.writeLine(...)", "$answer of std/json"),
    }
)
"""By the name of the language."""
_RUN_BY: Final = MappingProxyType(
    {
        "python": "Python",
        "pypy": "Python",
        "node": "JavaScript",
        "bun": "JavaScript",
        "deno": "JavaScript",
        "ruby": "Ruby",
        "lua": "Lua",
        "luajit": "Lua",
        "perl": "Perl",
        "raku": "Raku",
        "sh": "Shell",
        "dash": "Shell",
        "bash": "Bash",
        "php": "PHP",
        "tclsh": "Tcl",
        "java": "Java",
        "julia": "Julia",
        "Rscript": "R",
        "R": "R",
        "mawk": "AWK",
        "gawk": "AWK",
        "awk": "AWK",
        "elixir": "Elixir",
        "dotnet": "C#",
        "mono": "C#",
        "runghc": "Haskell",
        "ocaml": "OCaml",
    }
)
_BUILT_BY: Final = MappingProxyType(
    {
        "rustc": "Rust",
        "cargo": "Rust",
        "go": "Go",
        "gccgo": "Go",
        "cc": "C",
        "gcc": "C",
        "clang": "C",
        "tcc": "C",
        "c++": "C++",
        "g++": "C++",
        "clang++": "C++",
        "javac": "Java",
        "kotlinc": "Kotlin",
        "tsc": "TypeScript",
        "dotnet": "C#",
        "mcs": "C#",
        "csc": "C#",
        "ghc": "Haskell",
        "cabal": "Haskell",
        "stack": "Haskell",
        "ocamlfind": "OCaml",
        "ocamlopt": "OCaml",
        "dune": "OCaml",
        "swiftc": "Swift",
        "swift": "Swift",
        "zig": "Zig",
        "dmd": "D",
        "ldc2": "D",
        "gdc": "D",
        "nim": "Nim",
    }
)
_SOURCES: Final = MappingProxyType(
    {
        ".rs": "Rust",
        ".go": "Go",
        ".c": "C",
        ".cc": "C++",
        ".cpp": "C++",
        ".cxx": "C++",
        ".java": "Java",
        ".kt": "Kotlin",
        ".cs": "C#",
        ".hs": "Haskell",
        ".ml": "OCaml",
        ".swift": "Swift",
        ".zig": "Zig",
        ".d": "D",
        ".nim": "Nim",
    }
)
_PROJECTS: Final = MappingProxyType({"Cargo.toml": "Rust", "go.mod": "Go", "pom.xml": "Java"})
_LEFT_BY: Final = (
    (b"/rustc/", "Rust"),
    (b"\xff Go buildinf:", "Go"),
    (b"GLIBCXX_", "C++"),
    (b"libc++.so", "C++"),
)
"""What compilers leave in the programs they make; C leaves nothing of its own."""
_ASSIGNMENT: Final = re.compile(r"\w+=")


def idioms_of(language: str | None) -> Idioms:
    """What is said in it; of no language, or one that is not known, what helps whatever it is."""
    return _IDIOMS.get(language or "", _ELSE)


def run_by(argv: Iterable[str]) -> str | None:
    """The language that the program of a command runs; `env` before it is passed over."""
    for word in argv:
        if PurePath(word).name != "env" and not _ASSIGNMENT.match(word):
            return _RUN_BY.get(stem_of(PurePath(word).name))
    return None


def built_by(build: Iterable[str], files: Iterable[str]) -> str | None:
    """The language of a build: that of its compiler, of the source it names, or of the only source there."""
    words = tuple(build)
    # A compiler of C compiles C++ too, by the name of the file.
    named = [_SOURCES[end] for word in words if (end := PurePath(word).suffix) in _SOURCES]
    for word in (*words, *" ".join(words).split()):
        language = _BUILT_BY.get(PurePath(word).name) or _BUILT_BY.get(stem_of(PurePath(word).name))
        if language is not None:
            return "C++" if language == "C" and "C++" in named else language
    return named[0] if named else _of_files(files)


def _of_files(files: Iterable[str]) -> str | None:
    there = tuple(files)
    for name, language in _PROJECTS.items():
        if name in there:
            return language
    found = {_SOURCES[end] for name in there if (end := PurePath(name).suffix) in _SOURCES}
    if found == {"C", "C++"}:
        return "C++"
    return found.pop() if len(found) == 1 else None


def of_program(name: str, beside: Iterable[str], content: bytes) -> str | None:
    """The language of a file: by its extension, by its source beside it, by what its compiler left in it."""
    known = language_of(name)
    if known is not None:
        return known.name
    own = [one for one in beside if PurePath(one).stem == PurePath(name).stem]
    if (language := _of_files(own)) is not None:
        return language
    for sign, language in _LEFT_BY:
        if sign in content:
            return language
    return None
