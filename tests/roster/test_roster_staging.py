"""Staging: a bot runs alone, on the bytes that were found, from a folder it cannot write to."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.roster import copies
from arena.roster.discovery import find_bots
from arena.roster.staging import stage, staged


def run(contestant, **more):
    return subprocess.run(
        contestant.argv,
        cwd=contestant.folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        **more,
    )


def test_a_single_file_is_alone_and_no_later_edit_changes_it(here, write, tmp_path):
    write("bots/a.py", "import os; print(sorted(os.listdir()))\n")
    write("bots/json.py", "raise SystemExit('a neighbour was imported')\n")
    roster = find_bots(["bots/a.py"])
    (contestant,) = stage(roster, tmp_path / "staged")
    write("bots/a.py", "print('edited')\n")
    assert os.path.isabs(contestant.argv[0])
    assert os.path.isabs(contestant.folder)
    assert run(contestant).stdout == "['a.py']\n"


def test_a_binary_is_run_by_its_absolute_path(here, write, tmp_path):
    write("bots/true", Path(shutil.which("true")).read_bytes(), 0o755)
    (contestant,) = stage(find_bots(["bots/true"]), tmp_path / "staged")
    assert contestant.argv == (f"{contestant.folder}/true",)
    assert run(contestant).returncode == 0


def test_a_folder_is_copied_whole_and_run_words_start_from_it(here, write, tmp_path):
    write("x/bot.toml", 'run = ["bin/start", "lib/greeting.txt"]\nmemory = "64M"\n')
    write("x/bin/start", "#!/bin/sh\ncat $1\n", 0o755)
    write("x/lib/greeting.txt", "hello\n")
    (contestant,) = stage(find_bots(["x"]), tmp_path / "staged")
    assert run(contestant).stdout == "hello\n"
    assert contestant.memory == 64 * 2**20


@pytest.mark.parametrize("word", ["bot.py", "./bot.py", "-bot.py"])
def test_a_run_word_that_is_a_script_of_the_folder_starts_on_its_language(here, write, tmp_path, word):
    write("x/bot.toml", f'run = ["{word}", "-x"]\n')
    write(f"x/{word}", "import sys; print(sys.argv[1], sys.prefix)\n")
    (contestant,) = stage(find_bots(["x"]), tmp_path / "staged")
    assert run(contestant).stdout == f"-x {sys.prefix}\n"


@pytest.mark.parametrize(
    ("run_line", "said"),
    [
        ("./bto.py", "did you mean bot.py?"),
        ("bto.py", "did you mean bot.py?"),
        ("../other.py", "outside the folder"),
        ("lib/../../other.py", "outside the folder"),
        ("lib", "not a file of the folder"),
        ("./data.txt", "chmod +x x/data.txt"),
    ],
)
def test_a_run_word_that_cannot_start_is_an_error(here, write, run_line, said):
    write("x/bot.toml", f'run = "{run_line}"\n')
    write("x/bot.py")
    write("x/data.txt", "x")
    write("x/lib/a.txt", "x")
    write("other.py")
    with pytest.raises(BadInput) as error:
        find_bots(["x"])
    assert str(error.value).startswith("x/bot.toml: run names")
    assert said in str(error.value)


def test_bots_with_the_same_content_share_one_copy_and_files_of_other_names_do_not(here, write, tmp_path):
    write("a.py")
    write("b.py")
    one, two, three = stage(find_bots(["b.py"], ["x=a.py", "y=a.py"]), tmp_path / "staged")
    assert two.folder == three.folder != one.folder
    assert {one.digest} == {two.digest, three.digest}
    assert [one.name, two.name, three.name] == ["b", "x", "y"]
    assert os.listdir(one.folder) == ["b.py"]


def test_a_bot_edited_between_finding_and_staging_is_an_error(here, write, tmp_path):
    write("a.py")
    roster = find_bots(["a.py"])
    write("a.py", "print('edited')\n")
    with pytest.raises(BadInput, match=r"a.py changed while it was being copied; run it again"):
        stage(roster, tmp_path / "staged")


def test_a_folder_made_for_one_user_is_opened_to_all(here, write, tmp_path):
    write("a.py")
    (tmp_path / "private").mkdir(mode=0o700)
    stage(find_bots(["a.py"]), tmp_path / "private")
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o755


def test_where_nothing_can_be_staged_the_folder_is_named(here, write, tmp_path):
    write("a.py")
    write("file", "x")
    with pytest.raises(BadInput, match=r"bots cannot be staged in .*file/staged"):
        stage(find_bots(["a.py"]), here / "file" / "staged")


def test_staged_bots_lie_in_the_cache_and_are_gone_afterwards(here, write, cache):
    write("a.py", "print('hello')\n")
    with staged(find_bots(["a.py"])) as (contestant,):
        assert contestant.folder.startswith(f"{cache}/runs/")
        assert run(contestant).stdout == "hello\n"
    assert not os.path.exists(contestant.folder)
    assert os.listdir(cache / "runs") == []


def test_a_run_that_was_killed_leaves_a_folder_that_the_next_run_removes(here, write, cache, importing_arena):
    write("a.py")
    code = (
        "import os, signal\nfrom arena.roster.discovery import find_bots\n"
        "from arena.roster.staging import staged\n"
        "with staged(find_bots(['a.py'])) as (bot,):\n"
        "    print(bot.folder, flush=True)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=importing_arena)
    left = killed.stdout.strip()
    assert os.path.isdir(left), killed.stderr
    with staged(find_bots(["a.py"])) as (one,), staged(find_bots(["a.py"])) as (two,):
        assert not os.path.exists(left)
        assert os.path.isdir(one.folder)
        assert os.path.isdir(two.folder)


def test_staged_folders_can_be_removed_although_they_are_read_only(here, write, tmp_path):
    write("x/bot.toml", 'run = "bot.py"\n')
    write("x/lib/deep/bot.txt")
    write("x/bot.py")
    stage(find_bots(["x"]), tmp_path / "staged")
    copies.remove(tmp_path / "staged")
    assert not (tmp_path / "staged").exists()
