"""From where a tournament goes on: a store that failed, read-only places, imports, merges, sandboxes."""

import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest
import trio
from cli_command import BOTS, QUICK, arena, environment, inside, refused

from arena.referee.tiers import survey

NAMES = ("hello.py", "honest.py", "chancer.py")
CUP = ("run", "--bots", *NAMES, "--seats", 2, "--seed", "000102030405060708090a0b0c0d0e0f")


def copy_bots(folder):
    for name in NAMES:
        shutil.copy(BOTS / name, folder)


def games_of(file):
    lines = [json.loads(line) for line in arena("export", file, "--jsonl").stdout.splitlines()]
    own = ("id", "block", "game", "seats", "places", "winner", "reason", "turns", "events", "debug")
    return [[line[name] for name in own] for line in lines if line["type"] == "game"]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """A tournament of 60 games, without benching, played in one go."""
    folder = tmp_path_factory.mktemp("unbroken")
    copy_bots(folder)
    done = arena(*CUP, "--games", 60, "--bench", 0, "--out", "cup.db", "--quiet", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "cup.db"


@pytest.mark.parametrize("more", [(), ("--fresh",)], ids=["blocks", "games"])
def test_after_a_store_that_failed_the_printed_command_goes_on(tmp_path, unbroken, more):
    copy_bots(tmp_path)
    words = [
        sys.executable,
        "-m",
        "arena",
        *map(str, CUP),
        "--games",
        "60",
        "--bench",
        "0",
        "--out",
        "cup.db",
    ]
    # No file may grow beyond 200 KiB, which some of the games fill.
    limited = f"ulimit -f 400; exec {shlex.join([*words, *more, '--quiet', *QUICK])}"
    failed = subprocess.run(
        ["/bin/sh", "-c", limited],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert failed.returncode == 74, failed
    (said,) = failed.stderr.splitlines()
    unit = "game" if more else "block"
    assert f"every {unit} stored before is kept" in said
    command = said.rpartition("to go on: ")[2]
    kept = json.loads(inside("standings", tmp_path / "cup.db", "--json").stdout)["games"]
    assert 0 < kept < 60
    done = arena(*shlex.split(command)[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert games_of(tmp_path / "cup.db") == games_of(unbroken)


def test_a_bot_that_is_named_is_meant_though_the_old_one_still_lies_where_it_was(tmp_path, unbroken):
    copy_bots(tmp_path)
    shutil.copy(unbroken, tmp_path / "cup.db")
    (tmp_path / "v2").mkdir()
    (tmp_path / "v2" / "hello.py").write_text((BOTS / "hello.py").read_text() + "# the second version\n")
    again = ("--bots", "v2/hello.py")
    assert "not what played: hello (v2/hello.py has" in refused(
        "rerun", "cup.db", "0.0", *again, cwd=tmp_path
    )
    message = refused("run", "--resume", "cup.db", "--games", 64, *again, cwd=tmp_path)
    assert "was not played like this: bot hello: content " in message
    assert "(v2/hello.py)" in message
    words = ("run", "--resume", "cup.db", "--games", 64, "--changed", *again, "--allow-root-bots", "--json")
    (change,) = json.loads(arena(*words, cwd=tmp_path).stdout)["changes"]
    assert [one["bot"] for one in change["altered"]] == [NAMES.index("hello.py")]
    # Where the finished file needs none, what is named must be there all the same.
    assert "nobody.py does not exist" in refused(
        "run", "--resume", "cup.db", "--bots", "nobody.py", cwd=tmp_path
    )


def test_a_file_or_a_folder_that_cannot_be_written_is_said_to_be_so_and_is_still_read(
    tmp_path, unbroken, lacking
):
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        lacking("setpriv, to be nobody with, is not to be had here")
    folder = tmp_path / "shelf"
    folder.mkdir()
    file = shutil.copy(unbroken, folder / "cup.db")
    os.chmod(file, 0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.geteuid() and parent.stat().st_mode & 0o055 != 0o055:
            parent.chmod(parent.stat().st_mode | 0o055)
    # Nobody's rights where root runs the tests; its Python may lie where only root can go.
    less = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    python = "/usr/bin/python3" if less else sys.executable
    paths = os.pathsep.join(path for path in sys.path if path)

    def run(*words):
        return subprocess.run(
            [*less, python, "-m", "arena", *words], cwd=folder, capture_output=True, text=True, timeout=120,
            env=environment(PYTHONPATH=paths, PYTHONDONTWRITEBYTECODE="1"),
        )  # fmt: skip

    refusal = run("run", "--resume", "cup.db", "--games", "100")
    assert refusal.returncode == 2, refusal
    (said,) = refusal.stderr.splitlines()
    assert "cup.db cannot be written: Permission denied" in said
    shown = run("standings", "cup.db", "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["games"] == 60
    assert os.listdir(folder) == ["cup.db"]


def test_an_imported_file_is_made_longer_like_the_one_it_came_from(tmp_path, unbroken):
    copy_bots(tmp_path)
    shutil.copy(unbroken, tmp_path / "cup.db")
    (tmp_path / "cup.jsonl").write_text(arena("export", unbroken, "--jsonl").stdout)
    assert inside("import", tmp_path / "cup.jsonl", "--out", tmp_path / "again.db").returncode == 0
    for name in ("cup.db", "again.db"):
        done = arena(
            "run", "--resume", name, "--games", 90, "--bots", *NAMES, "--quiet", *QUICK, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        assert inside("verify", tmp_path / name).returncode == 0
    assert games_of(tmp_path / "again.db") == games_of(tmp_path / "cup.db")
    assert len(games_of(tmp_path / "again.db")) == 90


def test_merged_parts_are_made_longer_like_the_tournament_in_one(tmp_path, unbroken):
    copy_bots(tmp_path)
    for part in (1, 2):
        words = ("--games", 60, "--part", f"{part}/2", "--out", f"{part}.db", "--quiet", *QUICK)
        assert arena(*CUP, *words, cwd=tmp_path).returncode == 0
    assert arena("merge", "1.db", "2.db", "-o", "cup.db", cwd=tmp_path).returncode == 0
    assert games_of(tmp_path / "cup.db") == games_of(unbroken)
    done = arena("run", "--resume", "cup.db", "--games", 90, "--quiet", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(games_of(tmp_path / "cup.db")) == 90
    assert games_of(tmp_path / "cup.db")[:60] == games_of(unbroken)
    assert inside("verify", tmp_path / "cup.db").returncode == 0


@pytest.mark.parametrize("tier", ["bwrap", "ns"])
def test_in_a_sandbox_too_a_missing_bot_forfeits_once_that_is_allowed(tmp_path, tier):
    works = {finding.tier: finding.works for finding in trio.run(survey)}[tier]
    assert works or os.environ.get("CI") != "true", f"{tier} is not to be had here"
    if not works:
        return
    copy_bots(tmp_path)
    words = ("--sandbox", tier, "--games", 12, "--out", "cup.db", "--quiet")
    assert arena(*CUP, *words, cwd=tmp_path).returncode == 0
    (tmp_path / "chancer.py").unlink()
    assert "--changed" in refused("run", "--resume", "cup.db", "--games", 24, cwd=tmp_path)
    done = arena("run", "--resume", "cup.db", "--games", 24, "--changed", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)["standings"]}
    # At each of its tables the first game fails to start, and the other is forfeited.
    assert rows["chancer"]["faults"] == 4
    assert rows["hello"]["faults"] == rows["honest"]["faults"] == 0
    assert inside("verify", tmp_path / "cup.db").returncode == 0
