"""The mends speak the bot's language, which its command, its build or its files tell."""

import shlex
import shutil

import pytest
from checking import HASTY, checked

from arena.check.idioms import built_by, idioms_of, of_program, run_by
from arena.check.origin import origin_of
from arena.roster.discovery import find_bots
from arena.roster.staging import staged


@pytest.mark.parametrize(
    ("argv", "language"),
    [
        ("/usr/bin/python3.11 bot.py", "Python"),
        ("/usr/bin/env A=1 perl bot.pl", "Perl"),
        ("/usr/bin/lua5.4 bot.lua", "Lua"),
        ("/usr/bin/java -cp . Bot", "Java"),
        ("/tmp/a/bot", None),
    ],
)
def test_a_command_tells_the_language(argv, language):
    assert run_by(argv.split()) == language


@pytest.mark.parametrize(
    ("build", "files", "language"),
    [
        ("rustc -O -o bot bot.rs", ["bot.rs"], "Rust"),
        ("/opt/cargo/bin/cargo build --release", ["Cargo.toml", "src"], "Rust"),
        ("go build -o bot bot.go", ["bot.go"], "Go"),
        ("cc -O2 -o bot bot.c", ["bot.c"], "C"),
        ("clang-17 -o bot bot.cpp -lstdc++", ["bot.cpp"], "C++"),
        ("g++-12 *.cc", [], "C++"),
        ("make", ["Makefile", "bot.zig"], "Zig"),
        ("make", ["Makefile", "a.c", "b.cpp"], "C++"),
        ("make", ["Makefile", "a.go", "b.rs"], None),
        ("sh -c 'cargo build'", [], "Rust"),
    ],
)
def test_a_build_tells_the_language(build, files, language):
    assert built_by(shlex.split(build), files) == language


@pytest.mark.parametrize(
    ("name", "beside", "content", "language"),
    [
        ("bot", ["bot", "bot.rs", "other.go"], b"", "Rust"),
        ("bot", ["bot"], b"\x7fELF.../rustc/abc/library/core", "Rust"),
        ("bot", ["bot"], b"\x7fELF...\xff Go buildinf:", "Go"),
        ("bot", ["bot"], b"\x7fELF...", None),
        ("bot.rb", [], b"", "Ruby"),
    ],
)
def test_a_program_tells_the_language(name, beside, content, language):
    assert of_program(name, beside, content) == language


def test_each_language_has_its_own_words():
    assert idioms_of("Rust").to_stderr == "eprintln!(...)"
    assert idioms_of("Go").to_stderr == "fmt.Fprintln(os.Stderr, ...)"
    assert idioms_of("Java").to_stderr == "System.err.println(...)"
    assert "elsewhere" in idioms_of(None).to_stderr


def test_a_bot_that_is_built_or_lies_beside_its_source_is_known(tmp_path, lacking):
    if shutil.which("cc") is None:
        lacking("cc is not installed")
    built = tmp_path / "built"
    built.mkdir()
    (built / "bot.c").write_text("int main(void) { return 0; }\n")
    (built / "bot.toml").write_text('build = "cc -o bot bot.c"\nrun = "./bot"\n')
    shutil.copy(shutil.which("true") or "/bin/true", tmp_path / "ready")
    (tmp_path / "ready.go").write_text("package main\n")
    roster = find_bots((str(built), f"{tmp_path}/ready"))
    with staged(roster, sandbox="bare") as bots:
        found = [origin_of(*pair).language for pair in zip(roster.entrants, bots, strict=True)]
    assert found == ["C", "Go"]


def test_what_is_no_json_in_another_language_is_no_python_dict(tmp_path, lacking):
    if shutil.which("node") is None:
        lacking("node is not installed")
    (tmp_path / "shows.js").write_text("console.log({id: 'x'});\nprocess.stdin.resume();\n")
    report = checked({"shows": tmp_path / "shows.js"}, {"shows": HASTY["start-timeout"]})["shows"]
    told = next(step.explanation for step in report.steps if step.explanation)
    assert "as JavaScript shows it" in told.headline
    assert "JSON.stringify(answer)" in told.mend
