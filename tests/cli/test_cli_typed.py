"""Commands in messages are made in one place, and a shell reads back the words they were made of."""

import os
import re
import shlex
import subprocess
from pathlib import Path

from cli_command import ROOT, inside
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.main import build
from arena.cli.typed import command

PRINTABLE = st.text(st.characters(max_codepoint=0x7E, min_codepoint=0x20), max_size=40)


@given(st.lists(PRINTABLE, max_size=4))
def test_a_shell_reads_back_the_words(words):
    assert shlex.split(command(*words)) == ["arena", *words]


def test_a_file_is_no_option_and_a_terminal_is_safe():
    assert command("verify", Path("-x.db")) == "arena verify ./-x.db"
    assert command("verify", Path("class two/a.db")) == "arena verify 'class two/a.db'"
    assert "\x1b" not in command("verify", Path("\x1b[2J.db"))


def test_bash_reads_back_names_that_no_terminal_should_see():
    names = [
        "new\nline.db",
        "M\u202e\x1b[31m.db",
        "\udcff.db",
        "it's \\ \x07.db",
        "\x1b5f",
        "\u00e9 \u00fc.db",
    ]
    line = command(*names).replace("arena", "printf '%s\\0'", 1)
    assert line.isprintable()
    said = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    assert said.split(b"\0")[:-1] == [os.fsencode(name) for name in names]


def test_no_other_place_puts_a_value_into_a_command():
    names = "|".join(name for name in build() if not name.startswith("-"))
    by_hand = re.compile(rf"arena ({names})\b[^\"`;,]*\{{")
    for path in sorted((ROOT / "arena").rglob("*.py")):
        found = [line for line in path.read_text().splitlines() if by_hand.search(line)]
        assert not found, (path, found)


def test_a_message_can_be_pasted_for_a_file_in_a_folder_with_a_space(played, tmp_path):
    file = tmp_path / "class two" / "it's.db"
    file.parent.mkdir()
    file.write_bytes(played[0].read_bytes())
    said = inside("run", "--resume", file).stderr
    assert shlex.split(said.partition("to play on: ")[2])[:4] == ["arena", "run", "--resume", str(file)]
