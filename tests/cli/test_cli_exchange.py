"""export, import, merge and --part as a user types them."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest
from cli_command import FOUR, QUICK, TRIO, arena, environment, inside

from arena.cli.options import RunOptions
from arena.cli.parts import chosen_part
from arena.errors import BadInput

PART = ("run", "--bots", *TRIO[:2], "--seats", "2", "--games", "32", "--seed", "winter", "--quiet", *QUICK)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*words):
    """The one line on stderr about what must be refused."""
    done = inside(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr.rstrip("\n")


def test_export_and_import_give_the_same_standings(played, folder):
    file, _ = played
    assert inside("export", file, "-o", "a.jsonl").stdout == ""
    printed = arena("export", file, "--jsonl").stdout
    assert (folder / "a.jsonl").read_text("utf-8") == printed
    done = inside("import", "a.jsonl", "--out", "b.db")
    assert done.stdout == "b.db: 40 games that count, and the digest of the file exported\n"
    assert (done.returncode, done.stderr) == (0, "")
    shown = [inside("standings", path, "--csv").stdout for path in (file, "b.db")]
    assert shown[0] == shown[1] != ""
    assert inside("export", "b.db", "-o", "b.jsonl").stdout == ""
    assert (folder / "b.jsonl").read_text("utf-8") == printed
    assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "b.db", "b.jsonl"]


def test_import_reads_stdin(played, folder):
    (folder / "a.jsonl").write_text(arena("export", played[0], "--jsonl").stdout)
    with (folder / "a.jsonl").open() as lines:
        done = arena("import", "-", "-o", "b.db", stdin=lines)
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "a.jsonl").write_text("{}\n")
    with (folder / "a.jsonl").open() as lines:
        done = arena("import", "-", "-o", "c.db", stdin=lines)
    assert (done.returncode, done.stderr) == (2, "arena: line 1 of stdin: it has no type\n")


def test_csv_is_chosen_by_option_or_by_ending(played, folder):
    file, found = played
    inside("export", file, "-o", "a.csv")
    inside("export", file, "--csv", "-o", "b.txt")
    text = (folder / "a.csv").read_bytes()
    assert text == (folder / "b.txt").read_bytes()
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    assert len(rows) == 4 * found["games"] == 160
    won = {row["bot"]: row["wins"] for row in found["standings"]}
    assert {bot: sum(int(row["won"]) for row in rows if row["bot"] == bot) for bot in won} == won


def test_what_cannot_be_exported_is_said_at_once(played, folder):
    file, _ = played
    (folder / "taken.csv").write_text("my thesis")
    for words, says in (
        ((file,), "say what to write: --jsonl for all of it, --csv for a row a game and seat"),
        ((file, "-o", "a.txt"), "say what to write: --jsonl for all of it, --csv"),
        ((file, "--csv", "--jsonl"), "--jsonl and --csv are two forms of an export; give one of them"),
        (("absent.db", "--csv"), "there is no results file absent.db"),
        ((file, "-o", "taken.csv"), "-o taken.csv exists already, and nothing is written over"),
        ((file, "-o", "no/such.csv"), "there is no folder no to write such.csv in; make it first"),
        (("taken.csv", "--csv"), "taken.csv is not a results file of arena"),
    ):
        assert says in refused("export", *words)
    assert [path.name for path in folder.iterdir()] == ["taken.csv"]
    assert (folder / "taken.csv").read_text() == "my thesis"


def test_what_cannot_be_imported_is_said_at_once(played, folder):
    file, _ = played
    (folder / "folder").mkdir()
    (folder / "a.jsonl").write_text("hello\n")
    for words, says in (
        (("a.jsonl",), "needs a name for the results file: arena import FILE.jsonl -o NEW.db"),
        (("a.jsonl", "-o", "b.db"), "line 1 of a.jsonl: it is not JSON: "),
        (("absent.jsonl", "-o", "b.db"), "there is no file absent.jsonl; `arena export --jsonl` makes one"),
        (("folder", "-o", "b.db"), "folder cannot be read: Is a directory"),
        ((file, "-o", "b.db"), "is a results file already; there is nothing to import"),
        (("-o", "b.db"), "arena import needs JSONL"),
    ):
        assert says in refused("import", *words)
    assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "folder"]


def test_a_reader_that_has_seen_enough_ends_an_export_quietly(played):
    command = f"{sys.executable} -m arena export {played[0]} --jsonl | head -c 9; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment(), check=True
    )
    assert (done.stdout, done.stderr) == ('{"type":"0\n', "")


def test_an_import_that_is_ended_leaves_nothing(played, tmp_path):
    lines = arena("export", played[0], "--jsonl").stdout.encode()
    words = [sys.executable, "-m", "arena", "import", "-", "-o", str(tmp_path / "b.db")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as run:
        run.stdin.write(lines[: len(lines) // 2])
        run.stdin.flush()
        limit = time.monotonic() + 240
        while not list(tmp_path.iterdir()) and time.monotonic() < limit:
            time.sleep(0.01)
        assert list(tmp_path.iterdir())
        run.send_signal(signal.SIGTERM)
        # The end of what is read comes after the signal, never instead of it.
        assert run.stderr.read() == b"arena: interrupted\n"
        assert run.wait() == 130
    assert list(tmp_path.iterdir()) == []


def test_parts_are_joined_to_what_a_run_in_one_would_be(folder):
    bad = ("--bot", f"bad={sys.executable} -c 'raise SystemExit(3)'", "--games", "32")
    words = [word for word in PART if word not in ("--games", "32")]
    for number in (1, 2):
        done = arena(*words, *bad, "--part", f"{number}/2", "--out", f"{number}.db")
        assert done.returncode == 0, done.stderr
        assert f"{number}.db, complete: 8 blocks, 16 games." in done.stdout
        assert f"Part {number}/2 of a tournament of 16 blocks; it benches nobody." in done.stdout
        assert "Seed: hidden until all parts are merged" in done.stdout
        found = json.loads(inside("standings", f"{number}.db", "--json").stdout)
        assert (found["part"], found["seed"], found["benched"]) == (f"{number}/2", None, [])
        assert (found["blocks"], found["blocks_planned"], found["games_planned"]) == (8, 8, 16)
    assert arena(*words, *bad, "--bench", "0", "--out", "whole.db").returncode == 0
    done = inside("merge", "2.db", "1.db", "-o", "merged.db")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "merged.db: 2 parts, 16 blocks, 32 games\n"
        "Parts bench nobody. A run in one would have benched, after faults in 5 blocks running: "
        "bad (from block 16)\n"
    )
    both = [inside("standings", path, "--csv").stdout for path in ("merged.db", "whole.db")]
    assert both[0] == both[1] != ""
    merged = json.loads(inside("standings", "merged.db", "--json").stdout)
    assert (merged["part"], merged["complete"], merged["games"]) == (None, True, 32)
    assert merged["seed"] is not None
    inside("export", "1.db", "-o", "1.jsonl")
    assert json.loads((folder / "1.jsonl").read_text().splitlines()[0])["seed"] is None


def test_what_cannot_be_merged_is_said_at_once(played, folder):
    file, _ = played
    for words, says in (
        ((), "arena merge needs a name for the whole: arena merge A.db B.db -o NEW.db"),
        (("-o", "new.db"), "arena merge needs the files of all parts: arena merge A.db B.db -o NEW.db"),
        ((file, "-o", "new.db"), "is no part of a tournament: it was not run with --part"),
        (("absent.db", "-o", "new.db"), "there is no results file absent.db"),
    ):
        assert says in refused("merge", *words)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--part", "3/2"), "--part 3/2: parts of 2 are numbered 1 to 2"),
        (("--part", "half"), "--part takes I/N, such as 1/4 for the first of four, and 'half' is none"),
        (
            ("--part", "17/20"),
            "--part 17/20 has nothing to play in a tournament of 16 blocks; make fewer parts",
        ),
        (
            ("--part", "1/2", "--format", "swiss"),
            "--format swiss pairs by all games so far, and --part plays",
        ),
    ],
)
def test_a_part_that_cannot_be_played_is_refused(folder, words, says):
    assert says in refused(*PART, *words)
    assert list(folder.iterdir()) == []


def test_parts_need_one_seed(folder):
    words = [word for word in PART if word not in ("--seed", "winter")]
    message = refused(*words, "--part", "1/2")
    assert message == "arena: --part needs --seed S, the same for every part: all parts deal from one seed"


def test_what_ends_a_run_by_its_games_is_nothing_for_a_part():
    @dataclass(frozen=True, kw_only=True)
    class Asked(RunOptions):
        precision: float | None = None
        time: float | None = None

    for name in ("precision", "time"):
        with pytest.raises(BadInput, match=f"--{name} decides by all games so far when to stop, and --part"):
            chosen_part(Asked(part="1/2", seed="winter", **{name: 5.0}))
    assert chosen_part(Asked(seed="winter", precision=5.0)) is None


def test_a_dry_run_of_a_part_counts_its_blocks_only(folder):
    done = arena(*PART, "--part", "2/3", "--dry-run", "--json")
    plan = json.loads(done.stdout)
    assert (plan["blocks"], plan["games"]) == (5, 10)
    assert plan["trial_blocks"] <= 5
    assert list(folder.iterdir()) == []


def test_export_of_a_tournament_that_was_broken_off_hides_its_seed_and_cannot_be_imported(folder):
    words = (
        "run",
        "--bots",
        *FOUR,
        "--games",
        "4000",
        "--seed",
        "winter",
        "--out",
        "a.db",
        "--quiet",
        *QUICK,
    )
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as run:
        time.sleep(0.5)
        limit = time.monotonic() + 240
        while time.monotonic() < limit:
            # While it is being played it can be exported as well.
            if (folder / "a.db").exists():
                text = arena("export", "a.db", "--jsonl").stdout
                if '"type":"game"' in text:
                    break
        run.send_signal(signal.SIGINT)
        said = run.stderr.read().decode()
        assert run.wait() == 130, said
    for lines in (text, arena("export", "a.db", "--jsonl").stdout):
        head, end = json.loads(lines.splitlines()[0]), json.loads(lines.splitlines()[-1])
        assert (head["seed"], head["seed_given"], head["state"]["complete"]) == (None, None, False)
        assert (end["content"], end["digest"]) == (None, None)
        assert "winter" not in lines
        (folder / "a.jsonl").write_text(lines)
        assert "line 1 of a.jsonl: the seed is hidden" in refused("import", "a.jsonl", "-o", "b.db")


def test_a_closed_stdout_is_said_by_whatever_reads_a_file(played):
    for words in ("standings", "standings --json", "export --jsonl", "export --csv", "faults", "verify"):
        command, *rest = words.split()
        line = f"{sys.executable} -m arena {command} {played[0]} {' '.join(rest)} >&-"
        done = subprocess.run(["sh", "-c", line], env=environment(), stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr.count(b"\n")) == (74, 1), words
        assert b"stdout is closed" in done.stderr
