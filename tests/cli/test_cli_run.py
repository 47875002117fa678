"""`arena run` with real bots: what it plays, prints and keeps."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest
from cli_command import BOTS, FOUR, QUICK, TRIO, arena, environment, inside, refused

from arena.cheat.presets import preset
from arena.cli.budget import budget_for, table_for

NAMED = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:
        say = {"id": ask["id"], "name": "\\x1b[2Jsly", "version": "2.1", "author": "Ann", "challenge": False}
        if ask["type"] == "play":
            say |= {"cards": ask["hand"][:1], "rank": ask["ranks"][0]}
        print(json.dumps(say), flush=True)
"""
CONTRACT = {"standings", "games", "blocks", "seed", "rules", "seats", "file", "complete"}
ROW = {"rank", "bot", "elo", "error", "games", "blocks", "wins", "faults"}


def run_json(*words, **more):
    done = arena("run", *words, "--json", *QUICK, **more)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    return json.loads(done.stdout), done.stderr


def test_json_is_one_object_with_everything_scripts_rely_on(played):
    file, found = played
    assert set(found) >= CONTRACT
    assert (found["games"], found["blocks"], found["seats"]) == (40, 10, 4)
    assert (found["rules"], found["complete"], found["file"]) == ("classic", True, str(file))
    assert re.fullmatch("[0-9a-f]{32}", found["seed"])
    rows = found["standings"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert {row["bot"] for row in rows} == {"hello", "honest", "chancer", "closer"}
    for row in rows:
        assert set(row) >= ROW
        assert (row["games"], row["blocks"], row["faults"]) == (40, 10, 0)
        assert row["error"] > 0
    assert sum(row["wins"] for row in rows) <= 40
    assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)


def test_a_run_prints_the_table_its_assumptions_and_where_the_results_are(tmp_path):
    done = arena("run", "--bots", *FOUR, "--games", 8, "--seed", "try", *QUICK, cwd=tmp_path)
    assert done.returncode == 0
    (file,) = tmp_path.iterdir()
    assert re.fullmatch(r"arena-\d{8}-\d{6}\.db", file.name)
    head, *rest = done.stdout.splitlines()
    assert head.split()[:4] == ["Rank", "Bot", "Elo", "+/-"]
    text = "\n".join(rest)
    for part in (
        "Scale: Elo",
        "Model: Plackett-Luce",
        f"Results: {file.name}, complete: 2 blocks, 8 games.",
        "Rules: classic, 4 seats. Time: 1s a move and 5s in the bank. Sandbox: bare.",
        "(from the text 'try')",
        "Warning: a bot could guess so short a seed",
    ):
        assert part in text
    assert file.name in done.stderr
    assert "Traceback" not in done.stderr
    # Also where it can still be heeded.
    assert done.stderr.startswith("arena: Warning: a bot could guess so short a seed")


def test_a_name_that_is_taken_is_numbered(tmp_path):
    code = (
        "import time, arena.cli.outfile as o; time.strftime = lambda form: form; "
        "a = o.results_file(None); a.touch(); b = o.results_file(None); b.touch(); "
        "print(a, b, o.results_file(None))"
    )
    names = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    ).stdout.split()
    stem = "arena-%Y%m%d-%H%M%S"
    assert names == [f"{stem}.db", f"{stem}-2.db", f"{stem}-3.db"]


def test_quiet_says_nothing_on_stderr_and_fewer_bots_sit_at_a_smaller_table(tmp_path):
    done = arena("run", "--bots", *TRIO, "--games", 1, "--quiet", *QUICK, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"Results: arena-\S+\.db, complete: 1 block, 6 games\.", done.stdout)
    assert "Rules: classic, 3 seats." in done.stdout


@pytest.mark.parametrize(
    ("bots", "asked", "rules", "seats"),
    [
        (12, None, "classic", 4),
        (3, None, "classic", 3),
        (2, None, "classic", 2),
        (3, None, "common-form", 3),
        (10, 10, "classic", 10),
    ],
)
def test_a_table_has_the_seats_asked_for_or_the_most_that_fit_up_to_four(bots, asked, rules, seats):
    assert table_for(bots, asked, preset(rules)) == seats


@pytest.mark.parametrize(
    ("bots", "seats", "options", "blocks", "games"),
    [
        (4, 4, {"games": 5}, 2, 8),
        (4, 4, {"games": 8}, 2, 8),
        (3, 3, {"games": 1}, 1, 6),
        (8, 4, {"deals": 2}, 2 * 70, 2 * 70 * 4),
        (4, 3, {"deals": 2, "games_per_block": 12}, 2 * 4, 2 * 4 * 12),
        (4, 4, {"games": 9, "games_per_block": 8}, 2, 16),
        (12, 4, {}, 120, 480),
        (15, 4, {}, 150, 600),
        (3, 2, {}, 60, 120),
    ],
)
def test_a_budget_is_whole_blocks(bots, seats, options, blocks, games):
    asked = {"deals": None, "games": None, "games_per_block": None, **options}
    found = budget_for(bots, seats, **asked)
    assert (found.blocks, found.games) == (blocks, games)


def test_deals_and_squares_are_played_as_asked(tmp_path):
    words = ("--bots", *FOUR, "--seats", 2, "--deals", 1, "--games-per-block", 4)
    found, _ = run_json(*words, cwd=tmp_path)
    assert (found["blocks"], found["games"], found["seats"]) == (6, 24, 2)


def test_commands_globs_and_names(tmp_path):
    shutil.copy(BOTS / "honest.py", tmp_path / "b1.py")
    shutil.copy(BOTS / "hello.py", tmp_path / "b2.py")
    command = f"{sys.executable} b1.py"
    found, _ = run_json(
        "--bots", "b*.py", "--bot", f"again={command}", "--bot", f"twin={command}", "--games", 4, cwd=tmp_path
    )
    assert {row["bot"] for row in found["standings"]} == {"b1", "b2", "again", "twin"}


def test_one_seed_is_one_tournament_whatever_the_jobs(tmp_path):
    both = []
    for jobs in (1, 3):
        file = tmp_path / f"{jobs}.db"
        found, _ = run_json(
            "--bots", *FOUR, "--games", 16, "--seed", "00112233445566778899aabbccddeeff",
            "--jobs", jobs, "--out", file,
        )  # fmt: skip
        with sqlite3.connect(file) as store:
            games = store.execute("SELECT id, seats, places, winner, log FROM games ORDER BY id").fetchall()
        store.close()
        both.append((found["seed"], found["standings"], games))
    assert both[0] == both[1]
    assert both[0][0] == "00112233445566778899aabbccddeeff"


def test_a_bot_that_always_faults_is_shown_and_benched(tmp_path, crasher):
    words = ("--bots", *TRIO, crasher, "--seats", 2, "--bench", 2, "--games", 40)
    found, _ = run_json(*words, cwd=tmp_path)
    (row,) = [row for row in found["standings"] if row["bot"] == "crasher"]
    assert row["wins"] == 0
    assert row["faults"] > 0
    assert "benched" in row["flags"]
    assert found["benched"] == ["crasher"]
    assert found["complete"] is True
    text = inside("standings", tmp_path / found["file"]).stdout
    assert "Benched after faults in 2 blocks running: crasher." in text
    verified = json.loads(inside("verify", tmp_path / found["file"], "--json").stdout)
    dropped = verified["games_dropped"]
    assert verified["games"] == found["games"] + dropped
    text = inside("verify", tmp_path / found["file"]).stdout
    assert (f" ({dropped} of them in dropped blocks, which count nowhere)" in text) == (dropped > 0)


def test_bots_that_this_machine_cannot_run_sit_out(tmp_path):
    folder = tmp_path / "needy"
    folder.mkdir()
    (folder / "bot.toml").write_text('build = "no-such-compiler-anywhere x"\nrun = "./x"\n')
    found, said = run_json("--bots", *TRIO, folder, "--games", 1, cwd=tmp_path)
    assert found["sitting_out"][0]["bot"] == "needy"
    assert "no-such-compiler-anywhere" in found["sitting_out"][0]["reason"]
    assert "needy sits out" in said
    (tmp_path / "notes.txt").write_text("no bot")
    message = refused("run", "--bots", TRIO[0], TRIO[0], folder, "notes.txt", cwd=tmp_path)
    for part in (
        "there is 1 bot",
        "needy sits out",
        "no-such-compiler-anywhere",
        "given 2 times",
        "notes.txt",
    ):
        assert part in message
    message = refused("run", "--bots", *TRIO, folder, "--seats", 4, cwd=tmp_path)
    assert "needy sits out" in message


def test_games_that_were_rounded_up_are_told_in_every_form(tmp_path):
    words = ("--bots", *TRIO[:2], "--games", 3)
    found, said = run_json(*words, cwd=tmp_path)
    assert (found["games_asked"], found["games"]) == (3, 4)
    told = "--games 3 is rounded up to 4: a block is 2 games"
    assert f"arena: {told}\n" in said
    done = arena("run", *words, "--quiet", *QUICK, cwd=tmp_path)
    assert f"\n{told}.\n" in done.stdout
    assert done.stderr == ""
    done = arena("run", *words, "--dry-run", "--jobs", 1, *QUICK, cwd=tmp_path)
    assert "tables of 2 (the only one there can be)" in done.stdout
    assert f"2 blocks, 4 games; 2 games a block, 1 table at a time\n{told}\n" in done.stdout
    assert "rounded" not in arena("run", *words[:-1], 4, "--dry-run", *QUICK, cwd=tmp_path).stdout


def test_rules_may_come_from_a_file(tmp_path):
    (tmp_path / "house.toml").write_text('preset = "british-pass"\nname = "our house"\nturn_cap = 60\n')
    found, _ = run_json("--bots", *FOUR, "--games", 4, "--rules", "house.toml", cwd=tmp_path)
    assert found["rules"] == "our house"
    text = arena("run", "--bots", *TRIO, "--rules", "cheat", "--games", 1, *QUICK, cwd=tmp_path).stdout
    assert "next_game of the rules are not applied" in text


def test_a_dry_run_plays_nothing_that_is_kept(tmp_path):
    done = arena("run", "--bots", *FOUR, "--seats", 3, "--games", 60, "--dry-run", *QUICK, cwd=tmp_path)
    assert done.returncode == 0
    assert "4 bots, tables of 3 (4 different ones), rules classic" in done.stdout
    assert "10 blocks, 60 games; 6 games a block" in done.stdout
    assert re.search(r"about \d+|less than a second", done.stdout)
    plan = json.loads(
        arena("run", "--bots", *TRIO, "--deals", 3, "--dry-run", "--json", *QUICK, cwd=tmp_path).stdout
    )
    assert (plan["bots"], plan["seats"], plan["tables"], plan["blocks"], plan["games"]) == (3, 3, 1, 3, 18)
    assert plan["seconds"] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_in_which_no_block_ends_says_the_least_that_the_run_will_take(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.cli.dryrun.PATIENCE", 1.0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sleeps.py").write_text("import time\ntime.sleep(60)\n")
    words = ("run", "--bots", "sleeps.py", BOTS / "hello.py", "--deals", 7, "--jobs", 2, "--dry-run", *QUICK)
    # Seven blocks at two tables: four after each other at the one of them.
    assert "more than 4 s: no trial block was over after 1 s of trial" in inside(*words).stdout
    plan = json.loads(inside(*words, "--json").stdout)
    assert (plan["seconds"], plan["seconds_at_least"]) == (None, 4.0)


def test_no_name_of_a_file_or_a_bot_reaches_the_terminal_raw(tmp_path):
    odd = "red\n\x1b[31m\u202e"
    (tmp_path / odd).mkdir()
    (tmp_path / "named.py").write_text(NAMED)
    bots = (*TRIO, odd, "named.py")
    done = arena("run", "--bots", *bots, "--games", 4, "--out", f"{odd}.db", *QUICK, cwd=tmp_path)
    assert done.returncode == 0
    assert "red\\x0a\\x1b[31m\\u202e was passed over" in done.stderr
    assert all(line.startswith("arena: ") for line in done.stderr.splitlines())
    assert "Results: red\\x0a\\x1b[31m\\u202e.db, complete" in done.stdout
    again = inside("standings", tmp_path / f"{odd}.db", "--json")
    assert '"\\u001b[2Jsly 2.1 by Ann"' in again.stdout
    assert 'By their own words: named calls itself "\\x1b[2Jsly 2.1 by Ann".\n' in done.stdout
    for stream in (done.stdout, done.stderr, again.stdout):
        assert "\x1b" not in stream
        assert "\u202e" not in stream


def test_a_full_disk_stops_the_run_with_74_and_keeps_what_was_stored(tmp_path):
    file = tmp_path / "full.db"
    words = [sys.executable, "-m", "arena", "run", "--bots", *FOUR, "--games", "100000", "--out", str(file)]
    limit = f"ulimit -f 400; exec {' '.join([*words, *QUICK, '--json', '--quiet'])}"
    done = subprocess.run(
        ["bash", "-c", limit], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 74, done.stderr
    assert re.fullmatch(r"arena: [^\n]*full\.db[^\n]*\n", done.stderr)
    kept = json.loads(inside("standings", file, "--json").stdout)
    assert kept["blocks"] > 0
    assert kept["complete"] is False


def test_a_run_whose_stdout_is_closed_says_so_and_keeps_everything(tmp_path):
    words = [sys.executable, "-m", "arena", "run", "--bots", *TRIO[:2], "--games", "2", "--out", "it.db"]
    done = subprocess.run(
        ["sh", "-c", f"{' '.join([*words, *QUICK])} --quiet >&-"],
        cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 74
    assert done.stderr == (
        "arena: the standings could not be written: stdout is closed; arena standings it.db\n"
    )
    assert json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)["complete"]


def test_nothing_of_a_run_is_left_on_disk_but_its_file(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    cache = tmp_path / "cache"
    done = arena(
        "run", "--bots", *TRIO, "--games", 1, "--quiet", "--out", tmp_path / "it.db", *QUICK,
        TMPDIR=str(scratch), ARENA_CACHE=str(cache),
    )  # fmt: skip
    assert done.returncode == 0
    assert list(scratch.iterdir()) == []
    assert list((cache / "runs").iterdir()) == []
    assert sorted(os.listdir(tmp_path)) == ["cache", "it.db", "scratch"]


def test_every_sandbox_is_named_in_the_results_or_refused(tmp_path):
    tiers = {tier["tier"]: tier["works"] for tier in json.loads(inside("doctor", "--json").stdout)["sandbox"]}
    for sandbox in ("auto", "ns", "bwrap"):
        file = tmp_path / f"{sandbox}.db"
        words = ("--bots", *TRIO[:2], "--games", 1, "--json", "--sandbox", sandbox, "--out", file)
        done = arena("run", *words)
        wanted = next((tier for tier in tiers if tiers[tier]), None) if sandbox == "auto" else sandbox
        if wanted is not None and tiers[wanted]:
            assert json.loads(done.stdout)["tier"] == wanted
        else:
            assert done.returncode == 2
            assert done.stderr.startswith("arena: ")
            assert not file.exists()
