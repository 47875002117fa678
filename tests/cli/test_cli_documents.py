"""What the documents say is so: their commands run, their bots play, their tables are complete."""

import csv
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cli_command import QUICK, ROOT, arena, environment, inside

from arena.cli.examples import EXAMPLES
from arena.cli.main import build
from arena.cli.options import RunOptions

README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "protocol.md", ROOT / "bots" / "README.md"]
FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TABLES = ("crosstable", "seat-effects")
SMALL = {"--games": "4", "--deals": "1"}
"""Budgets that the examples are run with."""


def blocks(document, *kinds):
    """The fenced blocks of these kinds."""
    return [text for kind, text in FENCED.findall(document.read_text("utf-8")) if kind in kinds]


def commands(document):
    """Every command to be typed, but those that set a machine up: these are what CI starts with."""
    lines = "".join(blocks(document, "sh", "console")).splitlines()
    return [line.removeprefix("$ ") for line in lines if line and "python3 -m venv" not in line]


def cheap(command):
    """The same command with a budget that is soon played, and shown."""
    command = re.sub(r"--pace \S+", "--pace 0", command)
    if not command.startswith(("arena run", "arena compare")) or "--help" in command:
        return command
    words = command.split()
    for option, budget in SMALL.items():
        if option in words:
            words[words.index(option) + 1] = budget if "--part" not in words else "16"
    if not {*SMALL, "--dry-run"} & set(words):
        words += ["--games", SMALL["--games"]]
    return " ".join(words)


@pytest.fixture
def folder(tmp_path):
    """A folder like a reader's: the bots, the files that the documents show, `arena` on the path."""
    shutil.copytree(ROOT / "bots", tmp_path / "bots")
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "arena"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m arena "$@"\n')
    script.chmod(0o755)
    for document in DOCUMENTS:
        for text in blocks(document, "toml"):
            named = re.match(r"# (\S+\.toml)\b", text)
            if named and named[1] != "bot.toml":
                (tmp_path / named[1]).write_text(text)
        for text in blocks(document, "python bot"):
            (tmp_path / "mine.py").write_text(text)
    return tmp_path


def test_every_command_of_the_documents_runs(folder):
    found = {document: commands(document) for document in DOCUMENTS}
    assert len(found[README]) > 10
    there = {"cwd": folder, "env": environment(PATH=f"{folder / 'bin'}:{os.environ['PATH']}")}
    for document, lines in found.items():
        for line in lines:
            done = subprocess.run(
                ["bash", "-c", cheap(line)], **there, capture_output=True, text=True, timeout=120, check=False
            )
            # A comparison of a few games ends undecided.
            fine = (0, 3) if line.startswith("arena compare") else (0,)
            assert done.returncode in fine, (document.name, line, done.stderr)
            assert "Traceback" not in done.stderr


def test_every_command_has_an_example_in_its_help_and_every_example_runs(folder):
    assert list(EXAMPLES) == [name for name in build() if not name.startswith("-")]
    words = ("mine.py", "bots/hello.py", "bots/honest.py", "bots/closer.py", "--games", 4, "--out", "cup.db")
    assert arena("run", "--bots", *words, cwd=folder).returncode == 0
    there = {"cwd": folder, "env": environment(PATH=f"{folder / 'bin'}:{os.environ['PATH']}")}
    elsewhere = {line for document in DOCUMENTS for line in commands(document)}
    for name, (typed, _) in EXAMPLES.items():
        assert typed in " ".join(inside(name, "--help").stdout.split())
        # The first of all is what README begins with, and what CI runs as it stands.
        if typed not in elsewhere and name != "run":
            done = subprocess.run(["bash", "-c", typed], **there, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), typed


def test_the_bot_of_the_readme_plays_without_a_fault(folder):
    (text,) = blocks(README, "python bot")
    assert len(text.splitlines()) <= 12
    words = ("--bots", "mine.py", "bots/honest.py", "bots/closer.py", "bots/tracker.py")
    done = arena("run", *words, "--games", 4, "--rules", "cheat", "--json", *QUICK, cwd=folder)
    (mine,) = [row for row in json.loads(done.stdout)["standings"] if row["bot"] == "mine"]
    assert mine["faults"] == 0


def test_the_readme_has_every_option_of_a_run_and_no_other():
    options = {"--" + field.name.replace("_", "-") for field in dataclasses.fields(RunOptions)}
    tables = re.findall(r"^\| `(--[a-z-]+)", README.read_text("utf-8"), re.MULTILINE)
    assert sorted(tables) == sorted(options)


def test_every_field_of_the_json_object_is_in_the_document_and_no_other(folder):
    words = ("--bots", "mine.py", "bots/hello.py", "--games", 2, "--out", "cup.db", "--json", *QUICK)
    ran = json.loads(arena("run", *words, cwd=folder).stdout)
    shown = [
        json.loads(inside("standings", folder / "cup.db", "--json", f"--{table}").stdout) for table in TABLES
    ]
    text = (ROOT / "docs" / "formats.md").read_text("utf-8").split("## The object of --json")[1]
    rows = re.findall(r"^\| ((?:`[a-z_0-9]+`(?:, )?)+) \|", text.split("\n## ")[0], re.MULTILINE)
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(told) == sorted({*ran, *shown[0], *shown[1]})


def test_every_command_that_a_document_names_exists_and_the_readme_names_all():
    known = {name for name in build() if not name.startswith("-")}
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        named = set(re.findall(r"(?:`|^|^    |\()arena ([a-z]+)", text, re.MULTILINE))
        assert named <= known, document.name
        if document == README:
            assert known <= named


def test_every_document_is_linked_in_the_readme():
    linked = set(re.findall(r"\]\(([^)#\s]+)", README.read_text("utf-8")))
    own = {str(document.relative_to(ROOT)) for document in (*DOCUMENTS, ROOT / "CHANGELOG.md")}
    assert own - {"README.md"} <= linked


def test_the_study_of_the_readme_counts_every_play_of_a_tournament(folder):
    (text,) = blocks(README, "python study")
    done = arena("run", "--bots", "bots/*.py", "--games", 40, "--out", "cup.db", "--json", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    there = {"cwd": folder, "env": environment(PATH=f"{folder / 'bin'}:{os.environ['PATH']}")}
    said = subprocess.run([sys.executable, "-c", text], **there, capture_output=True, text=True, check=True)
    plays = [int(line.split(" of ")[1].split()[0]) for line in said.stdout.splitlines()]
    rows = csv.DictReader(arena("export", "cup.db", "--csv", cwd=folder).stdout.splitlines())
    assert sum(plays) == sum(int(row["plays"]) for row in rows) > 0


def test_the_readme_names_every_exit_code():
    from arena.cli import exits

    codes = re.findall(r"^\| (\d+) \| ", README.read_text("utf-8"), re.MULTILINE)
    own = [code for code in vars(exits).values() if isinstance(code, int)]
    assert [int(code) for code in codes] == sorted(own)


def test_the_bot_toml_of_the_readme_is_one(tmp_path):
    from arena.roster.manifest import read_manifest

    (text,) = [text for text in blocks(README, "toml") if text.startswith("# bot.toml")]
    (tmp_path / "bot.toml").write_text(text)
    manifest = read_manifest(tmp_path / "bot.toml", "bot.toml")
    assert manifest.run == ("./mine",)
    assert set(tomllib.loads(text)) == {"run", "build", "name", "author", "version", "memory"}


def test_the_links_of_the_documents_lead_somewhere():
    for document in [*DOCUMENTS, ROOT / "CHANGELOG.md"]:
        text = document.read_text("utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            there = document.parent / path if path else document
            assert there.exists(), (document.name, target)
            if anchor:
                assert anchor in anchors(there), (document.name, target)


def anchors(document: Path):
    """The names that headings get."""
    heads = re.findall(r"^#+ (.+)$", FENCED.sub("", document.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_ci_finds_the_test_command():
    marked = re.search(r"<!-- command: test -->\n```sh\n(.*?)\n```", README.read_text("utf-8"))
    assert marked
    assert marked[1].startswith("python3 -m venv .venv && ")
