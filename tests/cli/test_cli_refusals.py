"""What cannot be played is said in one message, with exit 2, before any game and before any file is made."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from cli_command import BOTS, FOUR, TRIO, inside, refused

BEFORE = frozenset(Path.cwd().glob("arena-*.db"))
"""What a reader's own runs have left here: taken when the tests are collected, before any of them runs."""


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--bots"], ["no bot", "--bots"]),
        ([], ["no bot", "--bots", "arena.toml in this folder"]),
        (["--bots", *TRIO, "--seats", "5"], ["--seats 5", "there are 3"]),
        (["--bots", *TRIO[:1]], ["1 bot", "at least 2"]),
        (["--bots", *FOUR, "--seats", "11"], ["--seats 11", "classic", "2 to 10"]),
        (
            ["--bots", *FOUR, "--seats", "2", "--rules", "common-form"],
            ["--seats 2", "common-form", "3 to 10"],
        ),
        (["--bots", *FOUR, "--rules", "clasic"], ["'clasic'", "did you mean classic?"]),
        (["--bots", *FOUR, "--rules", "gone.toml"], ["gone.toml", "arena rules"]),
        (["--bots", *FOUR, "--games-per-block", "6"], ["--games-per-block 6", "multiple of 4", "4 or 8"]),
        (["--bots", *FOUR, "--games-per-block", "3"], ["--games-per-block 3", "take 4"]),
        (["--bots", *FOUR, "--games", "8", "--deals", "1"], ["--deals", "--games", "one of them"]),
        (
            ["--bots", *FOUR, "--format", "swis"],
            ["there is no format", "round-robin, gauntlet, swiss", "did you mean swiss?"],
        ),
        (["--bots", *FOUR, "--format", "round-robbin"], ["'round-robbin'", "did you mean round-robin?"]),
        (["--bots", *FOUR, "--sandbox", "bwarp"], ["'bwarp'", "did you mean bwrap?"]),
        (["--bots", *FOUR, "--seed", ""], ["--seed", "empty"]),
        (["--bots", *FOUR, "--seed", b"\xff\xfe"], ["--seed", "UTF-8"]),
        (["--bots", *FOUR, "--out", "no/such/folder/x.db"], ["no/such/folder", "x.db"]),
        (["--bots", *FOUR, "--out", "."], ["--out .", "folder"]),
        (["--bots", "nobody.py"], ["nobody.py"]),
        (["--bots", *FOUR, "--memory", "-5M"], ["--memory", "'-5M'", "such as 256M", "no limit"]),
        (["--bots", *FOUR, "--memory", "0"], ["--memory", "'0'", "1M to 1024T", "no limit"]),
        (["--bots", *FOUR, "--memory", "lots"], ["--memory", "'lots'", "such as 256M"]),
        (["--bots", *FOUR, "--move-time", "-1s"], ["--move-time", "'-1s'", "more than 0 to 24h", "500ms"]),
        (["--bots", *FOUR, "--bank", "-.5"], ["--bank", "'-.5'", "0 to 24h", "500ms"]),
        (["--bots", *FOUR, "--start-time", "0"], ["--start-time", "'0'", "more than 0"]),
        (["--bots", *FOUR, "--start-time", "2d"], ["--start-time", "'2d'", "500ms"]),
        (["--bots", *FOUR, "--bank"], ["--bank needs a value", "--bank=VALUE"]),
        (["--no-such"], ["no option --no-such", "arena run --help"]),
        (["--bnch", "3"], ["no option --bnch", "did you mean --bench?"]),
        (["--bots", *FOUR, "--bot", "noequals"], ["noequals"]),
    ],
)
def test_a_bad_option_of_a_run_is_refused(tmp_path, words, parts):
    message = refused("run", *map(os.fsdecode, words), cwd=tmp_path)
    for part in parts:
        assert part in message
    assert list(tmp_path.iterdir()) == []


def test_a_name_in_the_wrong_case_is_met_with_the_right_one(tmp_path):
    shutil.copy(BOTS / "honest.py", tmp_path / "Honest.py")
    message = refused("run", "--bots", "honest.py", cwd=tmp_path)
    assert "honest.py" in message
    assert "Honest.py" in message


def test_a_near_miss_is_met_with_the_file_that_is_there(tmp_path):
    shutil.copy(BOTS / "honest.py", tmp_path)
    assert "honest.py" in refused("run", "--bots", "honset.py", cwd=tmp_path)


def test_what_looks_like_a_bot_and_is_not_executable_is_named(tmp_path):
    tool = tmp_path / "tool"
    tool.write_text("#!/usr/bin/env python3\n")
    message = refused("run", "--bots", *TRIO, tool, cwd=tmp_path)
    assert "tool" in message
    assert "chmod +x" in message


def test_a_folder_with_nothing_to_play_says_what_was_passed_over(tmp_path):
    (tmp_path / "notes.txt").write_text("no bot")
    message = refused("run", "--bots", "notes.txt", cwd=tmp_path)
    assert "notes.txt" in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("decks = 9", ["decks", "9"]),
        ("max_card = 3", ["max_card", "did you mean max_cards?"]),
        ("order = 'upp'", ["order", "upp"]),
        ("decks = ", ["TOML"]),
        ("preset = 'clasic'", ["clasic", "classic"]),
    ],
)
def test_a_rules_file_with_a_bad_knob_is_refused(tmp_path, text, parts):
    (tmp_path / "house.toml").write_text(text)
    message = refused("run", "--bots", *FOUR, "--rules", "house.toml", cwd=tmp_path)
    for part in ("house.toml", *parts):
        assert part in message


def test_no_file_is_ever_written_over(tmp_path):
    file = tmp_path / "mine.db"
    file.write_text("precious")
    message = refused("run", "--bots", *FOUR, "--out", file)
    assert "mine.db" in message
    assert "exists" in message
    assert file.read_text() == "precious"


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "elsewhere.db")
    refused("run", "--bots", *FOUR, "--out", "link.db", cwd=tmp_path)
    assert not (tmp_path / "elsewhere.db").exists()


def test_standings_of_what_is_no_results_file(tmp_path):
    (tmp_path / "notes.db").write_text("not a database at all, but long enough to be looked at closely")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.commit()
    other.close()
    (tmp_path / "empty.db").touch()
    for name in ("notes.db", "other.db", "empty.db"):
        message = refused("standings", name, cwd=tmp_path)
        assert name in message
        assert "results file" in message
    assert "folder" in refused("standings", tmp_path)
    assert "did you mean other.db?" in refused("standings", "othr.db", cwd=tmp_path)
    assert "did you mean other.db?" in refused("standings", "Other.db", cwd=tmp_path)


def test_standings_options_that_do_not_go_together(played):
    file, _ = played
    assert "did you mean github?" in refused("standings", file, "--table-format", "gihub")
    assert "one of them" in refused("standings", file, "--json", "--csv")
    assert "at least 1" in refused("standings", file, "--top", "0")


def test_a_results_file_of_another_version_is_named(tmp_path, played):
    file = tmp_path / "later.db"
    shutil.copy(played[0], file)
    store = sqlite3.connect(file)
    store.execute("PRAGMA user_version = 99")
    store.commit()
    store.close()
    assert "99" in refused("standings", file)


def test_refusals_leave_no_results_behind():
    assert set(Path.cwd().glob("arena-*.db")) <= BEFORE


ODD = "a\nb\x1b[2J\u202ec"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--bots", *TRIO, "--out", f"{ODD}/x.db"),
        ("run", "--bots", *TRIO, "--out", "taken\n.db"),
        ("run", "--bots", ODD),
        ("run", "--bots", *TRIO, "--bot", ODD),
        ("run", "--bots", *TRIO, "--bot", f"{ODD}=x"),
        ("run", "--bots", *TRIO, "--bot", f"x={ODD}"),
        ("run", "--bots", *TRIO, "--rules", ODD),
        ("run", "--bots", *TRIO, "--rules", f"{ODD}.toml"),
        ("run", "--bots", *TRIO, "--sandbox", ODD),
        ("run", "--bots", *TRIO, "--format", ODD),
        ("run", "--bots", *TRIO, "--memory", ODD),
        ("run", "--bots", *TRIO, "--bank", ODD),
        ("run", "--bots", *TRIO, "--games", ODD),
        ("run", "--bots", *TRIO, "--part", ODD),
        ("run", "--bots", *TRIO, "--config", ODD),
        ("run", "--resume", ODD),
        ("run", f"--{ODD}"),
        ("run", ODD),
        (ODD,),
        ("standings", ODD),
        ("standings", "taken\n.db"),
        ("standings", "taken\n.db", f"--table-format={ODD}"),
        ("faults", "taken\n.db"),
        ("replay", ODD, ODD),
        ("replay", "taken\n.db", "0.0"),
        ("verify", "taken\n.db"),
        ("rerun", "taken\n.db", ODD),
        ("export", ODD, "--csv"),
        ("export", "taken\n.db", "--csv"),
        ("import", ODD, "-o", "x.db"),
        ("import", "taken\n.db", "-o", ODD),
        ("merge", ODD, "-o", "x.db"),
        ("merge", "taken\n.db", "-o", f"{ODD}/x"),
        ("rules", ODD),
        ("completion", ODD),
    ],
)
def test_whatever_is_typed_a_message_is_one_line_and_moves_no_cursor(tmp_path, monkeypatch, words):
    (tmp_path / "taken\n.db").write_text("no results")
    monkeypatch.chdir(tmp_path)
    done = inside(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("arena: ")
    assert done.stderr.rstrip("\n").isprintable(), done.stderr
