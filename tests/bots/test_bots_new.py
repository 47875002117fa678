"""`arena new`: what it makes and where, what it refuses, what it says next."""

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from begun_bots import ALL, new

from arena.roster import templates
from arena.roster.templates import LANGUAGES, TEMPLATES


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*words: str) -> str:
    """Exit 2, nothing on stdout, one line on stderr, which is returned; and nothing was made."""
    before = sorted(Path().rglob("*"))
    code, out, said = new(*words)
    assert (code, out, said.count("\n")) == (2, "", 1)
    assert sorted(Path().rglob("*")) == before
    return said.removeprefix("arena: ").rstrip()


def test_without_arguments_it_lists_the_languages_and_what_runs_here(monkeypatch):
    code, out, said = new()
    assert (code, said) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[: len(ALL)]] == ALL
    monkeypatch.setenv("PATH", "")
    rows = {line.split()[0]: line for line in new()[1].splitlines() if line}
    assert rows["python"].endswith("runs here")
    assert rows["rust"].endswith("rustc, which its build needs, is not installed")
    assert "looked for lua, lua5.4" in rows["lua"]


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (("python", "greedy"), {"greedy.py": "python/bot.py"}),
        (("Python", "greedy.py"), {"greedy.py": "python/bot.py"}),
        (("js", "greedy"), {"greedy.mjs": "javascript/bot.mjs"}),
        (("C++", "greedy"), {"greedy/bot.cpp": "cpp/bot.cpp", "greedy/bot.toml": "cpp/bot.toml"}),
        (("rust", "greedy.rs"), {"greedy/bot.rs": "rust/bot.rs", "greedy/bot.toml": "rust/bot.toml"}),
        (("lua", "bots/v1.2"), {"bots/v1.2.lua": "lua/bot.lua"}),
        (
            ("py", "größer", "--helper"),
            {
                "größer/bot.py": "python/helper/bot.py",
                "größer/bot.toml": "python/helper/bot.toml",
                "größer/arena_bot.py": "../bot.py",
            },
        ),
    ],
)
def test_it_makes_the_files_of_the_language_under_the_name(words, made):
    os.mkdir("bots")
    code, out, _ = new(*words)
    assert code == 0
    assert {str(path) for path in Path().rglob("*") if path.is_file()} == set(made)
    for path, source in made.items():
        assert Path(path).read_bytes() == (TEMPLATES / source).read_bytes()
        assert os.access(path, os.W_OK)
    assert next(iter(made)).split("/")[0] in out


def told(*words: str) -> list[str]:
    """The commands that it tells, without the word arena."""
    code, out, said = new(*words)
    assert (code, said) == (0, "")
    return [line.split(":  arena ")[1] for line in out.splitlines()[1:]]


def test_the_commands_that_it_tells_play_and_check():
    play, check = told("python", "greedy", "--helper")
    options = [*play.removesuffix("100").split(), "1", "--out", "a.db", "--json"]
    done = subprocess.run([sys.executable, "-m", "arena", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [row["faults"] for row in json.loads(done.stdout)["standings"]] == [0, 0]
    assert check == "check greedy"
    command = [sys.executable, "-m", "arena", *check.split()]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_commands_hold_for_a_folder_with_a_space():
    os.mkdir("class two")
    play, check = map(shlex.split, told("ruby", "class two/greedy"))
    assert play[:3] == ["run", "--bot", "one='class two/greedy.rb'"]
    assert check == ["check", "class two/greedy.rb"]


def test_it_is_to_play_against_the_bots_that_are_there():
    os.mkdir("bots")
    assert "against itself" in new("python", "greedy")[1]
    new("python", "bots/other")
    assert told("ruby", "greedy") == ["run --bots greedy.rb bots/*", "check greedy.rb"]


def test_a_bot_made_among_the_bots_is_not_named_twice():
    os.mkdir("bots")
    assert told("ruby", "bots/greedy") == ["run --bots bots/*", "check bots/greedy.rb"]


def test_it_says_what_is_missing_on_this_machine(monkeypatch):
    monkeypatch.setenv("PATH", "")
    code, out, said = new("go", "greedy")
    assert code == 0
    assert "arena run" in out
    assert (
        said == "arena: note: on this machine it would sit out: go, which its build needs, is not installed\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pyton", "x"), "there is no bot to begin with in pyton; did you mean python?"),
        (("cobol", "x"), "there is no bot to begin with in cobol; there are python, javascript,"),
        (("greedy", "js"), "the language comes before the name: arena new js greedy"),
        (("greedy", "bots/js"), "there is no bot to begin with in greedy; there are python,"),
        (("c",), "what is the bot to be called? arena new c NAME"),
        (("ruby", "x", "--helper"), "there is no helper in Ruby; leave --helper out, or take python,"),
        (("python", ""), "'' is no name; give the bot one, such as python_bot"),
        (("python", "bots/"), "'bots/' is no name"),
        (("python", ".."), "'..' is no name"),
        (("python", ".hidden"), "'.hidden' cannot be a bot's name; it has letters, digits"),
        (("python", "two words"), "'two words' cannot be a bot's name"),
        (("python", "__init__"), "__init__.py is taken for a package marker, and passed over"),
        (("python", "a=b"), "'a=b' cannot be a bot's name"),
        (("python", "two\nlines"), "'two\\x0alines' cannot be a bot's name"),
        (("python", "x" * 65), "x' has 65 characters; a bot's name has at most 64"),
        (("python", "random"), "a bot in Python cannot be called random: its file would hide the module"),
        (("python", "arena.py"), "a bot in Python cannot be called arena"),
        (("python", "nowhere/x"), "there is no folder nowhere to make x in; make it first"),
        (("python", "there"), "there.py exists already; give another name, or remove it first"),
        (("c", "folder"), "folder exists already"),
        (("lua", "dangling"), "dangling.lua exists already"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_touched(words, message):
    Path("there.py").write_text("mine")
    os.mkdir("folder")
    os.symlink("nowhere.lua", "dangling.lua")
    assert message in refused(*words)
    assert Path("there.py").read_text() == "mine"


def test_a_folder_is_taken_away_again_where_a_file_of_it_cannot_be_written(here, monkeypatch):
    files = {"bot.c": TEMPLATES / "c" / "bot.c", "bot.toml": here / "gone"}
    monkeypatch.setattr(templates.Template, "files", lambda self, helper=False: files)
    assert "greedy cannot be made: No such file" in refused("c", "greedy")


def test_every_folder_of_the_templates_is_a_language():
    assert {path.name for path in TEMPLATES.iterdir()} == {template.names[0] for template in LANGUAGES}
    words = [name for template in LANGUAGES for name in template.names]
    assert len(set(words)) == len(words)


@pytest.mark.soak
def test_an_installation_from_a_wheel_has_every_template(here):
    root = Path(__file__).parents[2]
    pip = [sys.executable, "-m", "pip", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", "wheels", str(root)], check=True)
    (wheel,) = here.glob("wheels/*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", "there", str(wheel)], check=True)
    own = {path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("*") if "__pycache__" not in path.parts}
    there = here / "there" / "arena" / "templates"
    assert {path.relative_to(there) for path in there.rglob("*") if "__pycache__" not in path.parts} == own
    paths = os.pathsep.join([str(here / "there"), sysconfig.get_path("purelib")])
    command = [sys.executable, "-S", "-m", "arena", "new", "python", "greedy", "--helper"]
    subprocess.run(command, env={"PYTHONPATH": paths}, check=True)
    assert sorted(os.listdir("greedy")) == ["arena_bot.py", "bot.py", "bot.toml"]


def test_where_one_may_not_write_it_says_so_and_what_to_do(here):
    folder = here / "closed"
    folder.mkdir(mode=0o555)
    # Root may write to any folder but those of the kernel.
    said = refused("ruby", "/sys/x" if os.access(folder, os.W_OK) else "closed/x")
    assert "x.rb cannot be made: Permission denied; give a path to where you may write" in said
