"""Long lines on a terminal are folded at blanks, commands stay whole, and in pipes nothing is changed."""

import re

import pytest
from cli_command import BOTS, QUICK, arena
from cli_terminal import on_terminal
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.cli.folding import _COMMANDS, folded, folded_text
from arena.cli.main import build
from arena.cli.typed import command

WIDE = "\u6f22\u5b57"
PROSE = st.text("abc.;:'\"()\u6f22", min_size=1, max_size=12).filter(lambda word: "arena" not in word)
COMMAND = st.lists(st.text("ab '\"$\\;,.=-", min_size=1, max_size=9), min_size=1, max_size=4).map(
    lambda words: command("run", *words)
)
CLAUSE = st.tuples(st.lists(PROSE, min_size=1, max_size=9).map(" ".join), COMMAND)


def test_every_command_is_known_as_one():
    assert set(_COMMANDS.split("|")) == {name for name in build() if not name.startswith("-")}


@given(st.lists(CLAUSE, max_size=4), st.integers(40, 90))
def test_a_folded_line_says_the_same_and_breaks_no_command(clauses, width):
    # A quote that is left open in words of others may hide where a command begins, but not break it.
    line = "".join(
        f"{prose.replace(chr(39), '').replace(chr(34), '')}: {given}; " for prose, given in clauses
    )
    lines = list(folded(f"{line}end", width, "   "))
    assert re.sub(" +", " ", " ".join(lines)) == re.sub(" +", " ", f"{line}end")
    for _, given_command in clauses:
        assert any(given_command in part for part in lines)
    for part in lines:
        if cell_len(part) > width:
            assert " arena run " in part


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("arena: short", ["arena: short"]),
        (
            "arena: not finished; every game is kept in a/long/path/cup.db: arena standings cup.db",
            [
                "arena: not finished; every game is kept in a/long/path/cup.db:",
                "  arena standings cup.db",
            ],
        ),
        (
            "arena: to go on: arena run --resume 'a cup.db' --out " + "x" * 60 + "; so it is",
            ["arena: to go on:", "  arena run --resume 'a cup.db' --out " + "x" * 60 + ";", "  so it is"],
        ),
        (
            "Part 1 of a tournament of 100 blocks; it benches no bots. Now `arena merge` joins all.",
            ["Part 1 of a tournament of 100 blocks; it benches no bots. Now", "  `arena merge` joins all."],
        ),
        ("request " + "x" * 100, ["request " + "x" * 100]),
        (f"{WIDE} " * 20 + "end", [f"{WIDE} " * 13 + WIDE, f"  {f'{WIDE} ' * 6}end"]),
    ],
)
def test_known_lines_at_70_columns(line, lines):
    assert list(folded(line, 70)) == lines
    assert list(folded(line, None)) == [line]


def test_what_a_message_quotes_is_folded_below_itself():
    text = folded_text("arena: it said:\n    " + "word " * 10 + "end", 40)
    assert text.splitlines() == ["arena: it said:", "    " + "word " * 6 + "word", "      word word word end"]


def test_no_word_is_broken_on_a_terminal_and_in_a_pipe_lines_are_whole(tmp_path, crasher):
    honest = BOTS / "honest.py"
    words = ("run", "--bots", crasher, honest, "--games", 2, "--seed", "short", "--out", "a-cup-of-tea.db")
    status, said = on_terminal(*words, *QUICK, cwd=tmp_path)
    assert status == 0
    warning = next(line for line in said.splitlines() if "Warning" in line)
    warning = warning[warning.index("arena: ") :]
    assert warning == "arena: Warning: a bot could guess so short a seed from its own hand, and then"
    assert max(map(len, said[said.rindex("Results:") :].splitlines())) <= 80
    assert "  arena faults a-cup-of-tea.db crasher" in said or "(arena faults a-cup-of-tea.db crasher" in said
    piped = arena("faults", "a-cup-of-tea.db", cwd=tmp_path).stdout
    status, shown = on_terminal("faults", "a-cup-of-tea.db", cwd=tmp_path)
    assert status == 0
    assert max(map(len, piped.splitlines())) > 80
    assert shown.split() == piped.split()
    again = [line for line in shown.splitlines() if "arena replay" in line]
    assert all(line.strip().removeprefix("again").strip() in piped for line in again)
    assert all(len(line) <= 80 or line in [*again] or " " not in line[11:] for line in shown.splitlines())
