"""Names: distinct whatever the order, bounded, printable."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.roster.discovery import find_bots
from arena.roster.naming import (
    MAX_NAME,
    Named,
    checked_name,
    distinct,
    marks_of_command,
    marks_of_path,
    name_of_file,
)

BOTS = st.builds(
    Named,
    name=st.sampled_from(["a", "b", "a-py", "a-x", "b-1", "x" * 64, "a-1"]),
    given=st.booleans(),
    marks=st.tuples(
        st.sampled_from(["py", "js", ""]),
        st.sampled_from(["x", "y", ""]),
        st.sampled_from(["x-x", "y-x", "long" * 20]),
        st.text("0123456789abcdef", min_size=8, max_size=8),
    ),
)


@given(st.lists(BOTS, max_size=12))
def test_names_are_distinct_and_bounded(bots):
    names = distinct(bots)
    assert len(set(names)) == len(bots)
    assert all(1 <= len(name) <= MAX_NAME for name in names)


@given(st.lists(BOTS, max_size=10, unique=True), st.randoms(use_true_random=False))
def test_a_bots_name_does_not_depend_on_the_order(bots, random):
    named = dict(zip(bots, distinct(bots), strict=True))
    mixed = list(bots)
    random.shuffle(mixed)
    assert dict(zip(mixed, distinct(mixed), strict=True)) == named


def test_a_name_that_one_option_gave_is_kept_and_the_others_yield():
    bots = [
        Named("a", False, ("py", "x", "y-x", "12345678")),
        Named("a", True, ("js", "x", "y-x", "87654321")),
    ]
    assert distinct(bots) == ["a-py", "a"]


def test_a_mark_that_would_give_one_of_another_groups_names_is_not_used():
    a = [Named("a", False, ("", "f", f"x-{last}", f"{last}0000000")) for last in "yz"]
    b = [Named("a-x", False, (last, "f", "f", f"{last}1111111")) for last in "yz"]
    assert distinct([*a, *b]) == ["a-x-y", "a-x-z", "a-x-y1111111", "a-x-z1111111"]


def test_a_name_no_other_bot_has_is_left_alone():
    bots = [Named(name, False, ("py", "x", "x", "0" * 8)) for name in ("a", "b", "c")]
    random.Random(1).shuffle(bots)
    assert distinct(bots) == [bot.name for bot in bots]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("greedy.py", "greedy"),
        ("greedy.v2.py", "greedy.v2"),
        ("greedy", "greedy"),
        ("greedy-1.2", "greedy-1.2"),
        ("greedy.exe", "greedy"),
        ("bot.R", "bot"),
        (".hidden", ".hidden"),
    ],
)
def test_a_file_gives_its_name_without_the_extension(tmp_path, file, name):
    assert name_of_file(tmp_path / file) == name


def test_marks_are_extension_own_name_folders_and_content(tmp_path):
    place = tmp_path / "old" / "bots" / "greedy.py"
    marks = ("py", "greedy.py", "bots", "old-bots", "bots-greedy.py", "01234567")
    assert marks_of_path(place, "0123456789abcdef") == marks
    # Of one kind at one place, or a command and a path could not be told apart.
    assert len(marks_of_command("greedy.py", "0123456789abcdef")) == len(marks)


def folder_of(write, place, name="jay"):
    write(f"{place}/bot.toml", f'name = "{name}"\nrun = "python3 main.py"\n')
    write(f"{place}/main.py", f"# {place}")
    return place


def names_in(*paths, commands=()):
    """By path or command, in whatever order they are given: the names must be the same."""
    found = {one.command: one.name for one in find_bots(paths, commands).entrants}
    assert {one.command: one.name for one in find_bots(paths[::-1], commands[::-1]).entrants} == found
    return found


def test_folders_that_give_themselves_one_name_are_told_apart_by_their_own(here, write):
    jb, nm = folder_of(write, "jb"), folder_of(write, "nm")
    assert names_in(jb, nm) == {jb: "jay-jb", nm: "jay-nm"}
    write("jay.py")
    assert names_in(jb, "jay.py") == {jb: "jay-jb", "jay.py": "jay-jay.py"}
    old = folder_of(write, "old/nm")
    assert names_in(nm, old) == {nm: f"jay-{here.name}", old: "jay-old"}
    names = names_in(jb, nm, old)
    assert names == {jb: f"jay-{here.name}-jb", nm: f"jay-{here.name}-nm", old: "jay-old-nm"}


def test_commands_of_one_name_are_told_apart_by_their_files_else_by_content(here, write):
    write("a.py")
    write("b.py", "pass")
    commands = ("x=python3 a.py", "x=python3 b.py")
    assert names_in(commands=commands) == {"python3 a.py": "x-a.py", "python3 b.py": "x-b.py"}
    names = names_in(commands=("x=python3 a.py 1", "x=python3 a.py 2"))
    assert all(re.fullmatch("x-[0-9a-f]{8}", name) for name in names.values())
    assert len(set(names.values())) == 2


def test_a_name_is_composed_and_trimmed():
    assert checked_name(" e\u0301te ", "x") == "\u00e9te"
