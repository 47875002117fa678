"""What the shipped bots promise as texts: short, on their standard library, and in nobody's way."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shipped_bots import BOTS, HELLOS, STRATEGIES, build_command, programs, runs_here, sources

LONGEST = 88
LONGEST_RECKONER = 312
"""The strongest is there to be beaten rather than copied."""
LONGEST_HELLO = 12


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_every_strategy_and_every_hello_bot_is_there_under_its_name():
    assert sorted(path.stem for path in programs()) == sorted(STRATEGIES + HELLOS)


def test_the_hello_bots_are_written_in_five_languages_and_one_bot_is_compiled():
    assert {path.suffix for path in sources() if path.stem in HELLOS} == {".py", ".js", ".rb", ".lua", ".pl"}
    assert ".c" in {path.suffix for path in sources()}


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_a_bot_can_be_read_in_one_sitting(path):
    assert lines(path) <= (LONGEST_RECKONER if path.stem == "reckoner" else LONGEST)
    assert max(len(line) for line in path.read_text().splitlines()) <= 115


def test_a_hello_bot_is_at_most_twelve_lines():
    hellos = [path for path in sources() if path.stem in HELLOS]
    assert {path.stem: lines(path) for path in hellos if lines(path) > LONGEST_HELLO} == {}


@pytest.mark.parametrize("path", sorted(BOTS.glob("*.py")), ids=lambda path: path.name)
def test_a_python_bot_imports_little_and_all_of_it_standard(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert imported <= {"json", "sys", "random", "math", "collections"}


def test_bots_in_other_languages_ask_for_nothing_that_is_not_shipped_with_the_language():
    asked = set()
    for path in sources():
        text = path.read_text()
        if path.suffix in (".js", ".mjs"):
            asked |= set(re.findall(r"""(?:require\(|from )["']([^"']+)["']""", text))
        elif path.suffix == ".pl":
            asked |= set(re.findall(r"^\s*(?:use|require)\s+([\w:]+)", text.replace("; ", "\n"), re.M))
        elif path.suffix == ".rb":
            asked |= set(re.findall(r"^\s*require \"([^\"]+)", text, re.M))
        elif path.suffix == ".lua":
            asked |= set(re.findall(r"\brequire\b", text))
        elif path.suffix == ".c":
            asked |= set(re.findall(r"#include\s*[<\"]([^>\"]+)", text))
    known = {"node:readline", "strict", "warnings", "JSON::PP", "json"}
    known |= {"stdint.h", "stdio.h", "stdlib.h", "string.h"}
    assert asked <= known


def test_no_bot_has_the_name_of_a_standard_module():
    assert not {path.stem for path in programs()} & set(sys.stdlib_module_names)


def test_what_is_built_compiles_without_a_warning(tmp_path):
    folders = [path for path in programs() if path.is_dir() and runs_here(path)]
    for folder in folders:
        command = build_command(folder).replace("bot.c", str(folder / "bot.c"))
        built = subprocess.run(
            f"{command} -Wall -Wextra -Werror", shell=True, cwd=tmp_path, capture_output=True, text=True
        )
        assert (built.returncode, built.stderr) == (0, "")
