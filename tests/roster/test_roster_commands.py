"""--bot NAME=COMMAND: which words are staged, what the first word is, and what the hash covers."""

import os
import shutil
import subprocess
import sys

import pytest

from arena.errors import BadInput
from arena.roster.discovery import find_again, find_bots
from arena.roster.staging import stage


def bot_of(command, **more):
    return find_bots([], [command], **more).entrants[0]


def refused(command):
    with pytest.raises(BadInput) as error:
        find_bots([], [command])
    return str(error.value)


def test_words_that_are_files_are_staged_and_the_command_runs_in_the_staged_folder(here, write, tmp_path):
    write("lib/words.txt", "forty-two\n")
    write("bots/read.py", "import sys; print(open(sys.argv[1]).read().strip(), sys.argv[2])\n")
    roster = find_bots([], ["a=python3 bots/read.py lib/words.txt bare"])
    (contestant,) = stage(roster, tmp_path / "staged")
    shutil.rmtree(here)
    assert contestant.argv[1:] == ("read.py", "words.txt", "bare")
    assert sorted(os.listdir(contestant.folder)) == ["read.py", "words.txt"]
    done = subprocess.run(contestant.argv, cwd=contestant.folder, capture_output=True, text=True)
    assert done.stdout == "forty-two bare\n", done.stderr


def test_the_hash_covers_the_files_and_the_text_and_not_where_they_lie(here, write):
    write("one/a.py", "print(1)")
    write("two/a.py", "print(1)")
    write("three/a.py", "print(2)")
    digest = bot_of("a=python3 one/a.py --x").digest
    assert bot_of("b=python3 two/a.py --x").digest == digest
    assert bot_of("a=python3 three/a.py --x").digest != digest
    assert bot_of("a=python3 one/a.py --y").digest != digest
    os.chmod("two/a.py", 0o755)
    assert bot_of("b=python3 two/a.py --x").digest != digest


def test_a_script_with_arguments_starts_as_the_script_alone_would(here, write):
    write("bots/greedy.py")
    write("run", "#!/bin/sh\n", 0o755)
    assert bot_of("a=bots/greedy.py --hard 'two words'").argv == (
        os.path.abspath(sys.executable),
        "greedy.py",
        "--hard",
        "two words",
    )
    (shell, *words) = bot_of("a=./run -v").argv
    assert os.path.samefile(shell, "/bin/sh")
    assert words == ["./run", "-v"]


def test_a_command_that_is_one_path_is_that_bot_under_the_given_name(here, write):
    write("x/bot.toml", 'run = "bot.py"\nname = "other"\n')
    write("x/bot.py")
    write("y.py")
    x, y = find_bots([], ["mine=x", "yours=y.py"]).entrants
    assert (x.name, x.kind, y.name, y.kind) == ("mine", "folder", "yours", "file")
    assert find_bots(["y.py"]).entrants[0].digest == y.digest


def test_a_first_word_is_looked_up_on_path_and_programs_of_the_machine_are_not_staged(
    here, write, programs_only
):
    path = programs_only("sh", "cat")
    write("data.txt", "x")
    bot = bot_of("a=sh -c 'cat data.txt' data.txt", path=path)
    assert os.path.samefile(bot.argv[0], shutil.which("sh"))
    assert bot.argv[1:] == ("-c", "cat data.txt", "data.txt")
    assert [part.name for part in bot.parts] == ["data.txt"]
    absolute = bot_of(f"a={shutil.which('cat')} data.txt")
    assert [part.name for part in absolute.parts] == ["data.txt"]


def test_an_own_interpreter_named_by_path_stays_where_its_packages_are(here, write):
    write("bot.py")
    bot = bot_of(f"a={sys.executable} bot.py")
    prefix = subprocess.run(
        [bot.argv[0], "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True
    )
    assert prefix.stdout == f"{sys.prefix}\n"
    assert bot.argv[1:] == ("bot.py",)
    assert [part.name for part in bot.parts] == ["bot.py"]


def test_a_word_that_is_a_program_here_and_on_path_is_the_one_here(here, write):
    write("cat", "#!/bin/sh\necho mine\n", 0o755)
    assert [part.name for part in bot_of("a=cat -").parts] == ["cat"]
    write("cat", "data", 0o644)
    assert bot_of("a=cat -").parts == ()


def test_two_files_of_one_name_are_both_staged(here, write, tmp_path):
    write("one/x.txt", "1")
    write("two/x.txt", "2")
    roster = find_bots([], ["a=cat one/x.txt two/x.txt one/x.txt"])
    (contestant,) = stage(roster, tmp_path / "staged")
    done = subprocess.run(contestant.argv, cwd=contestant.folder, capture_output=True)
    assert done.stdout == b"121"


def test_a_staged_program_started_by_another_is_found_beside_it(here, write, tmp_path):
    write("tools/bot", "#!/bin/sh\necho $WHO\n", 0o755)
    (contestant,) = stage(find_bots([], ["a=env WHO=me tools/bot"]), tmp_path / "staged")
    done = subprocess.run(contestant.argv, cwd=contestant.folder, capture_output=True)
    assert done.stdout == b"me\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("bots/greedy.py", "write --bots bots/greedy.py"),
        ("nothing", "--bot takes NAME=COMMAND"),
        ("a=", "is empty"),
        ("a=''", "is empty"),
        ("a=python3 'bots", "cannot be split into words (no closing quotation)"),
        ("a=cd bots && python3 greedy.py", "'&' means nothing"),
        ("a=python3 greedy.py > log", "'>' means nothing"),
        ("a=bots/gredy.py", "begins with bots/gredy.py, which does not exist; did you mean bots/greedy.py?"),
        (
            "a=bots/gredy.py --x",
            "begins with bots/gredy.py, which does not exist; did you mean bots/greedy.py?",
        ),
        ("a=greedi.py", "the command of --bot a begins with greedi.py, which does not exist"),
        ("a=bots", "is no bot: a folder without bot.toml"),
        ("a=bots/ --x", "begins with the folder bots/"),
        ("a=bots/data.txt --x", "cannot run: no known extension"),
        ("a=DEBUG=1 ./bots/greedy.py", "write env DEBUG=1"),
    ],
)
def test_a_command_that_cannot_run_is_an_error_with_its_mend(here, write, command, said):
    write("bots/greedy.py")
    write("bots/data.txt", "x")
    assert said in refused(command)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("memo2.py", "memo2.py does not exist"),
        ("bots/gredy.py", "bots/gredy.py does not exist; did you mean bots/greedy.py?"),
        ("memo2.py --x", "the command of bot memo2 begins with memo2.py, which does not exist"),
        ("python3 memo2.py", "the command of bot memo2 names memo2.py, which does not exist"),
        ("python3 'memo2.py", "the command of bot memo2 cannot be split into words"),
        ("julia9.9 bots/greedy.py", "memo2 sits out: julia9.9 is not installed"),
    ],
)
def test_of_a_recorded_command_no_message_speaks_of_an_option_that_nobody_gave(here, write, command, said):
    write("bots/greedy.py")
    with pytest.raises(BadInput) as error:
        find_again("memo2", command)
    assert str(error.value).startswith(said)
    assert "--bot" not in str(error.value)


def test_a_recorded_bot_is_found_again_by_its_command_whatever_its_name(here, write):
    write("bots/greedy.py")
    digest = bot_of("a=python3 bots/greedy.py").digest
    assert find_again("a=b", "python3 bots/greedy.py").digest == digest
    assert find_again("a", "bots/greedy.py").digest == find_bots(["bots/greedy.py"]).entrants[0].digest


def test_an_interpreter_that_is_not_installed_sits_out(here, write):
    write("greedy.py")
    roster = find_bots(["greedy.py"], ["a=julia9.9 greedy.py"])
    assert roster.sitting_out == (("a", "julia9.9 is not installed; did you mean julia?"),)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("a=nosuchprogram greedy.py", "begins with nosuchprogram, and no such program is installed"),
        ("a=pyhton3 greedy.py", "did you mean python3?"),
        ("a=python3 greeedy.py", "names greeedy.py, which does not exist; did you mean greedy.py?"),
    ],
)
def test_a_misspelt_program_or_script_is_refused_before_any_game(here, write, command, said):
    write("greedy.py")
    assert said in refused(command)
