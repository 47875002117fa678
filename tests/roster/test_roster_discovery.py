"""What is a bot, what is passed over, what sits out, and what is said of the rest."""

import os
import sys

import pytest

from arena.errors import BadInput
from arena.roster.discovery import find_bots

SCRIPT = "#!/bin/sh\ncat\n"


def names(roster):
    return [bot.name for bot in roster.entrants]


def complaint(*paths, commands=(), **more):
    with pytest.raises(BadInput) as error:
        find_bots(paths, commands, **more)
    message = str(error.value)
    assert message == message.strip()
    return message


def test_a_python_file_without_shebang_runs_on_the_interpreter_that_runs_arena(here, write):
    write("greedy.py")
    (bot,) = find_bots(["greedy.py"]).entrants
    assert (bot.name, bot.kind) == ("greedy", "file")
    assert bot.argv == (os.path.abspath(sys.executable), "greedy.py")


def test_a_quoted_glob_is_expanded_and_sorted_and_each_path_is_one_bot(here, write):
    for name in ("c.py", "a.py", "b.py"):
        write(f"bots/{name}")
    roster = find_bots(["bots/*.py", "bots/a.py", "./bots/../bots/b.py", str(here / "bots/c.py")])
    assert names(roster) == ["a", "b", "c"]


def test_a_path_through_a_linked_folder_is_the_same_path_and_a_link_of_another_name_is_another_bot(
    here, write
):
    write("bots/a.py")
    os.symlink("bots", "also")
    os.symlink("a.py", "bots/b.py")
    assert names(find_bots(["bots/a.py", "also/a.py", "bots/b.py"])) == ["a", "b"]


def test_a_glob_that_names_an_existing_file_is_that_file(here, write):
    write("a[1].py")
    write("a1.py")
    assert names(find_bots(["a[1].py"])) == ["a[1]"]


def test_what_is_no_bot_is_passed_over_with_a_note(here, write):
    write("bots/greedy.py")
    write("bots/README.md", "# bots\n")
    write("bots/data.json", "{}")
    write("bots/__pycache__/greedy.cpython-311.pyc", b"\0")
    write("bots/notes/later.txt", "x")
    write("bots/__init__.py", "")
    write("bots/old.py~", SCRIPT, 0o755)
    write("bots/bot.c", "int main(void) { return 0; }")
    os.mkfifo("bots/pipe")
    roster = find_bots(["bots/*"])
    assert names(roster) == ["greedy"]
    assert len(roster.notes) == 8
    text = "\n".join(roster.notes)
    assert "bots/README.md was passed over: no known extension, no #! line, no execute bit" in text
    assert "bots/notes was passed over: a folder without bot.toml" in text
    assert "bots/pipe was passed over: neither a file nor a folder" in text
    assert "bots/bot.c was passed over: source that must be built" in text
    assert not roster.sitting_out


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("Bots/greedy.py", "did you mean bots?"),
        ("bots/Greedy.py", "did you mean bots/greedy.py?"),
        ("bots/gredy.py", "did you mean bots/greedy.py?"),
        ("bots/greedy.PY", "did you mean bots/greedy.py?"),
    ],
)
def test_a_path_that_does_not_exist_is_named_with_its_near_match(here, write, given, near):
    write("bots/greedy.py")
    write("bots/zzz.py")
    message = complaint(given)
    assert message.startswith(f"{given} does not exist")
    assert near in message


def test_an_absolute_path_that_does_not_exist_names_the_near_match_in_full(here, write):
    write("bots/greedy.py")
    assert f"did you mean {here}/bots/greedy.py?" in complaint(str(here / "bots/greedi.py"))


def test_a_missing_path_without_a_near_name_names_the_folder_that_is_missing(here):
    assert complaint("nowhere/greedy.py") == "nowhere/greedy.py does not exist: there is no folder nowhere"


def test_a_glob_that_matches_nothing_is_an_error(here, write):
    write("bots/greedy.py")
    assert complaint("bots/*.rb") == "bots/*.rb matches nothing"
    assert "did you mean bots?" in complaint("bot/*.py")


def test_a_link_that_leads_nowhere_is_an_error(here, write):
    write("bots/a.py")
    os.symlink("gone.py", "bots/b.py")
    assert "bots/b.py is a link to gone.py, which does not exist" in complaint("bots/*")


@pytest.mark.parametrize(
    ("name", "text", "mode", "said"),
    [
        ("bot", SCRIPT, 0o644, "is not executable; chmod +x bots/bot"),
        ("bot", "plain text\n", 0o755, "neither a compiled program nor a script with a #! line"),
        ("bot", b"", 0o755, "is empty"),
        ("bot.py", b"", 0o644, "is empty"),
        ("bot.exe", b"MZ\x90\0" + bytes(80), 0o755, "is a program for Windows"),
        ("bot.py", "#!python3\n", 0o755, "write #!/usr/bin/env python3"),
        ("bot.py", "#!/usr/bin/env python3\r\n", 0o755, "save it with Unix line ends"),
        ("bot.py", "#!\n", 0o755, "names no program"),
        ("bot", "\ufeff#!/bin/sh\n", 0o755, "byte order mark"),
    ],
)
def test_what_looks_like_a_bot_and_cannot_run_is_an_error_that_names_it_and_the_mend(
    here, write, name, text, mode, said
):
    write("bots/fine.py")
    write(f"bots/{name}", text, mode)
    message = complaint("bots/*")
    assert f"bots/{name}" in message
    assert said in message


def test_a_missing_interpreter_sits_out_and_the_others_play(here, write, programs_only):
    path = programs_only("sh")
    write("a.rb", "puts 1")
    write("b.sh", "cat")
    write("c", "#!/usr/bin/env nosuchlanguage\n", 0o755)
    write("d", "#!/opt/nosuch/bin/lang\n", 0o755)
    roster = find_bots(["a.rb", "b.sh", "c", "d"], path=path)
    assert names(roster) == ["b"]
    assert roster.sitting_out == (
        ("a", "nothing that runs Ruby is installed (looked for ruby)"),
        ("c", "nosuchlanguage, which its #! line names, is not installed"),
        ("d", "/opt/nosuch/bin/lang, which its #! line names, is not installed"),
    )


def test_where_all_sit_out_or_are_passed_over_no_bot_is_left_and_the_reasons_are_said(
    here, write, programs_only
):
    write("a.rb", "puts 1")
    write("README.md", "x")
    message = complaint("*", path=programs_only("sh"))
    assert message.startswith("no bot is left to play: a sits out: nothing that runs Ruby is installed")
    assert "README.md was passed over" in message


def test_a_folder_of_bots_given_as_a_path_says_how_to_enter_them(here, write):
    write("bots/a.py")
    assert "give bots/*" in complaint("bots/")


def test_no_bot_given_at_all_says_how_to_give_one():
    assert complaint() == "no bot was given; name some with --bots PATH... or --bot NAME=COMMAND"


def test_typescript_needs_a_node_that_strips_types_which_is_found_by_asking(here, write, programs_only):
    write("a.ts", "const x: number = 1\n")
    write("b.py")
    old = programs_only(node="#!/bin/sh\necho v20.19.2\n")
    ((name, reason),) = find_bots(["a.ts", "b.py"], path=old).sitting_out
    assert name == "a"
    assert "bot.toml whose build runs tsc" in reason
    for release in ("v22.18.0", "v23.6.1", "v24.0.0"):
        answer = f'#!/bin/sh\ncase $1 in --version) echo {release};; *) echo "$0";; esac\n'
        new = programs_only(node=answer)
        (bot, _) = find_bots(["a.ts", "b.py"], path=new).entrants
        assert bot.argv == (f"{new}/node", "a.ts")
    for release in ("v22.17.1", "v23.5.0"):
        answer = f'#!/bin/sh\ncase $1 in --version) echo {release};; *) echo "$0";; esac\n'
        assert find_bots(["a.ts", "b.py"], path=programs_only(node=answer)).sitting_out


def test_a_file_that_cannot_be_read_through_is_too_big(here, write):
    with write("big.py").open("r+b") as file:
        file.truncate(257 * 1024 * 1024)
    message = complaint("big.py")
    assert message.startswith("big.py has 257 MiB and a bot may have 256")


def test_names_come_from_the_option_then_bot_toml_then_the_file(here, write):
    write("one/bot.toml", 'run = "bot.py"\nname = "From the file"\n')
    write("one/bot.py")
    write("two/bot.toml", 'run = "bot.py"\n')
    write("two/bot.py")
    write("three.v2.py")
    roster = find_bots(["one", "two/", "three.v2.py"], ["mine=one", "yours=three.v2.py"])
    assert names(roster) == ["From the file", "two", "three.v2", "mine", "yours"]


def test_two_bots_with_one_name_get_the_same_distinct_names_in_either_order(here, write):
    write("old/greedy.py", "print(1)")
    write("new/greedy.py", "print(2)")
    paths = ["old/greedy.py", "new/greedy.py"]
    forwards = {bot.command: bot.name for bot in find_bots(paths).entrants}
    backwards = {bot.command: bot.name for bot in find_bots(paths[::-1]).entrants}
    assert forwards == backwards == {"old/greedy.py": "greedy-old", "new/greedy.py": "greedy-new"}


def test_self_play_by_two_names_is_two_bots_of_one_content(here, write):
    write("greedy.py")
    a, b = find_bots([], ["a=greedy.py", "b=greedy.py"]).entrants
    assert (a.name, b.name) == ("a", "b")
    assert a.digest == b.digest
    (one,) = find_bots([], ["a=greedy.py", "a=greedy.py"]).entrants
    assert one.name == "a"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "gives an empty name"),
        ("  ", "gives an empty name"),
        ("x" * 65, "at most 64 are allowed"),
        ("a\x1b[31mb", "cannot be printed"),
        ("\u202eevil", "cannot be printed"),
    ],
)
def test_a_name_is_printable_and_has_1_to_64_characters(here, write, name, said):
    write("greedy.py")
    message = complaint(commands=[f"{name}=greedy.py"])
    assert said in message
    assert "\x1b" not in message
    assert "\u202e" not in message


def test_a_file_name_that_is_not_text_is_refused_with_the_mend(here):
    with open(b"gr\xff.py", "wb") as file:
        file.write(b"print(1)\n")
    message = complaint("*.py")
    assert "--bot NAME=COMMAND" in message
    assert message.isprintable()


def test_a_bot_keeps_its_folder_manifest_facts(here, write):
    write("x/bot.toml", 'run = ["./bot.py"]\nauthor = "Ada"\nversion = "1.2"\nmemory = "64M"\n')
    write("x/bot.py", "#!/usr/bin/env python3\n", 0o755)
    (bot,) = find_bots(["x"]).entrants
    assert (bot.author, bot.version, bot.memory) == ("Ada", "1.2", 64 * 1024 * 1024)


def test_bot_toml_itself_among_the_paths_is_passed_over_and_names_its_folder(here, write):
    write("x/bot.toml", 'run = "bot.py"\n')
    write("x/bot.py")
    roster = find_bots(["x/*"])
    assert names(roster) == ["bot"]
    assert "it belongs to its folder" in roster.notes[0]
