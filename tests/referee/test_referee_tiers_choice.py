"""Which tier a run gets, what it is told where it gets none, and what a bot's program needs of the disk."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
import trio
from tier_stage import PROJECT

from arena.errors import BadInput
from arena.referee import tree
from arena.referee.aftermath import clean_up
from arena.referee.bare import Bare
from arena.referee.block import Contestant
from arena.referee.cgroup import writable_places
from arena.referee.launch import NOBODY, tool
from arena.referee.machine import open_machine
from arena.referee.places import closed_to, places
from arena.referee.spawn import CannotStart
from arena.referee.tiers import ORDER, PROMISES, Chosen, choose_tier, survey

ROOT = os.geteuid() == 0
PATHS = os.pathsep.join([str(PROJECT), *(path for path in sys.path if path.endswith("site-packages"))])


def chosen(name: str, *contestants: Contestant) -> Chosen:
    return trio.run(choose_tier, name, contestants)


def test_auto_takes_the_first_tier_that_works_and_tells_why_not_those_before() -> None:
    found = trio.run(survey)
    assert [finding.tier for finding in found] == list(ORDER)
    assert [finding.promises for finding in found] == [PROMISES[tier] for tier in ORDER]
    assert all(finding.works == (finding.reason == "") for finding in found)
    first = next(number for number, finding in enumerate(found) if finding.works)
    choice = chosen("auto")
    assert choice.tier.name == ORDER[first]
    assert choice.passed_over == found[:first]


@pytest.mark.parametrize(
    ("word", "near"), [("bwarp", "bwrap"), ("bar", "bare"), ("", None), ("docker", None)]
)
def test_a_sandbox_that_does_not_exist_is_bad_input_with_what_there_is(word: str, near: str | None) -> None:
    with pytest.raises(BadInput) as caught:
        chosen(word)
    assert repr(word) in str(caught.value)
    assert "auto, bwrap, ns or bare" in str(caught.value)
    assert (f"did you mean {near}?" in str(caught.value)) == (near is not None)


@pytest.mark.parametrize("name", ["auto", *ORDER])
def test_a_program_out_of_reach_is_bad_input_that_names_it(name: str, tmp_path: Path) -> None:
    bot = Contestant("lost", ("/no/such/program",), str(tmp_path), "")
    with pytest.raises(BadInput) as caught:
        chosen(name, bot)
    assert "; " in str(caught.value)
    works = {finding.tier for finding in trio.run(survey) if finding.works}
    if name == "auto" or name in works:
        assert "/no/such/program" in str(caught.value)


def test_what_all_bots_may_read_is_there_in_every_tier(tmp_path: Path) -> None:
    shown = tmp_path / "book"
    shown.mkdir()
    (shown / "moves").write_text("e4\n")
    for folder in (shown, *shown.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    bot = Contestant("reader", ("/bin/cat", str(shown / "moves")), "/usr", "")

    async def main(name: str) -> bytes:
        tier = (await choose_tier(name, more=[str(shown)])).tier
        async with open_machine(tier=tier) as machine:
            process = await machine.start(bot)
            await trio.lowlevel.wait_readable(process.stdout)
            said = os.read(process.stdout, 100)
            await machine.end(process)
            process.close_pipes()
            return said

    works = [finding.tier for finding in trio.run(survey) if finding.works]
    assert {name: trio.run(main, name) for name in works} == dict.fromkeys(works, b"e4\n")


@pytest.mark.parametrize("gone", ["folder", "scratch"])
def test_a_folder_that_is_gone_is_a_start_that_failed_in_every_tier(tmp_path: Path, gone: str) -> None:
    async def main(name: str) -> str:
        tier = (await choose_tier(name)).tier
        folder = tmp_path / name
        folder.mkdir()
        async with open_machine(tier=tier) as machine:
            shutil.rmtree(folder if gone == "folder" else machine.scratch)
            with pytest.raises(CannotStart) as caught:
                await machine.start(Contestant("lost", ("/bin/cat",), str(folder), ""))
            return str(caught.value)

    for finding in trio.run(survey):
        if finding.works:
            said = trio.run(main, finding.tier)
            assert str(tmp_path / finding.tier) in said or "/bin/cat could not be started" in said


@pytest.mark.parametrize("path", ["/no/such/folder", "relative"])
def test_what_is_not_there_cannot_be_shown(path: str) -> None:
    with pytest.raises(BadInput, match=path):
        trio.run(lambda: choose_tier("auto", more=[path]))


@pytest.fixture
def closed_python(tmp_path: Path) -> str:
    """A virtual environment in a folder that only its owner can enter."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    assert closed_to(str(folder / "venv"), NOBODY) == next(
        str(step) for step in (*reversed(folder.parents), folder) if step.stat().st_mode & 1 == 0
    )
    return str(folder / "venv" / "bin" / "python")


def test_an_interpreter_that_only_its_owner_can_reach_runs_in_a_sandbox(closed_python: str) -> None:
    script = """
import sys, trio
from arena.errors import BadInput
from arena.referee.tiers import choose_tier
for name in ("auto", "bare"):
    try:
        print(trio.run(choose_tier, name).tier.name)
    except BadInput as error:
        print(error)
"""
    said = subprocess.run(
        [closed_python, "-c", script],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    sandboxes = [finding.tier for finding in trio.run(survey) if finding.works and finding.tier != "bare"]
    if ROOT:
        # Bots of root's are nobody's, and nobody cannot enter the folder.
        assert "bare is not to be had" in said[-1]
        assert "/usr/local" in said[-1]
    else:
        assert said[-1] == "bare"
    assert said[0] == sandboxes[0] if sandboxes else "/usr/local" in said[0] or said[0] == "bare"


def test_root_may_run_bots_as_root_only_where_that_is_said(closed_python: str) -> None:
    script = """
import trio
from arena.referee.tiers import choose_tier
async def main():
    print((await choose_tier("bare", allow_root_bots=True)).tier.as_nobody)

trio.run(main)
"""
    said = subprocess.run(
        [closed_python, "-c", script],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said == "False\n"


KILLED = """
import os, sys, trio
from arena.referee.bare import Bare
from arena.referee.block import Contestant
from arena.referee.launch import tool
from arena.referee.machine import open_machine
from arena.referee.tiers import survey, choose_tier

async def main():
    tiers = [Bare(tool("setpriv")), *([Bare(tool("setpriv"), as_nobody=True)] if os.geteuid() == 0 else [])]
    for finding in await survey():
        if finding.works and finding.tier != "bare":
            tiers.append((await choose_tier(finding.tier)).tier)
    async with open_machine() as machine:
        for tier in tiers:
            # What a bot has started itself is the pid namespace's business; bare has none.
            script = "sleep 1000 & wait" if tier.contained else "exec sleep 1000"
            bot = Contestant("sleeper", ("/bin/sh", "-c", script), sys.argv[1], "")
            process = await machine.start(bot, tier=tier)
            print(tier.name, process.token)
        await trio.sleep(0.3)
        print("ready", flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, list[str]]]:
    """The pid of a referee that was killed outright with a bot in each tier, and the tokens of the bots."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        if ROOT:
            folder.chmod(folder.stat().st_mode | 0o011)
    referee = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert referee.stdout is not None
    lines = list(takewhile("ready\n".__ne__, referee.stdout))
    assert referee.poll() is None
    tokens = [line.split()[1] for line in lines]
    assert all(_holding(tokens)), "each bot was there"
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    yield referee.pid, tokens
    clean_up()


def _holding(tokens: list[str]) -> list[list[int]]:
    pids = tree.all_pids()
    return [[pid for pid in pids if tree.holds_token(pid, token)] for token in tokens]


def test_a_referee_that_is_killed_outright_takes_its_bots_with_it(killed: tuple[int, list[str]]) -> None:
    deadline = time.monotonic() + 10
    while any(_holding(killed[1])) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert _holding(killed[1]) == [[] for _ in killed[1]]


def test_the_next_start_removes_the_control_groups_it_left(killed: tuple[int, list[str]]) -> None:
    deadline = time.monotonic() + 10
    while any(_holding(killed[1])) and time.monotonic() < deadline:
        time.sleep(0.01)
    trio.run(survey)
    left = [group for place in writable_places() for group in place.folder.glob(f"arena-{killed[0]}-*")]
    assert left == []


class Home:
    """A home with programs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def program(self, path: str, *folders: str) -> str:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/bin/true", place)
        for folder in folders:
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        return str(place)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Home(tmp_path / "home")


@pytest.mark.parametrize(
    ("program", "library", "shown"),
    [
        (".nvm/versions/node/v20/bin/node", ".nvm/versions/node/v20/lib", ".nvm/versions/node/v20"),
        ("node-v20/bin/node", "node-v20/lib", "node-v20"),
        (".local/bin/tool", ".local/lib", ".local/bin/tool"),
        (".cargo/bin/tool", ".cargo/lib", ".cargo/bin/tool"),
        ("bin/tool", "lib", "bin/tool"),
        ("go/bin/tool", "go/src", "go/bin/tool"),
        ("tool", "lib", "tool"),
    ],
)
def test_an_installation_is_shown_and_a_home_never(
    home: Home, program: str, library: str, shown: str
) -> None:
    assert places(home.program(program, library)) == (str(home.folder / shown),)


def test_an_installation_that_holds_the_working_folder_is_not_shown_whole(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = home.program("contest/bin/engine", "contest/lib", "contest/results")
    monkeypatch.chdir(home.folder / "contest" / "results")
    assert places(program) == (program,)


def test_a_program_by_way_of_links_is_shown_with_all_of_them(home: Home) -> None:
    program = home.program("versions/2/bin/lua", "versions/2/lib")
    (home.folder / "bin").mkdir()
    link = home.folder / "bin" / "lua"
    link.symlink_to("../current/bin/lua")
    (home.folder / "current").symlink_to("versions/2")
    assert set(places(str(link))) >= {str(link), str(Path(program).parents[1])}
    assert str(home.folder) not in places(str(link))


def test_a_virtual_environment_is_shown_with_the_python_behind_it(home: Home) -> None:
    venv = home.folder / "project" / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    shown = places(str(venv / "bin" / "python"))
    assert str(venv) in shown
    base = os.path.realpath(sys.base_prefix)
    assert base in shown or base == "/usr"


def test_of_a_virtual_environment_one_works_in_only_python_is_shown(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home.folder / "project"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project], check=True)
    (project / "results.db").touch()
    monkeypatch.chdir(project)
    shown = [Path(place) for place in places(str(project / "bin" / "python"))]
    assert project / "bin" in shown
    assert not any((project / "results.db").is_relative_to(place) for place in shown)


def test_the_systems_own_programs_need_nothing() -> None:
    assert places("/bin/sh") == ()


def test_closed_to_names_the_first_folder_in_the_way(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    stranger = 54322
    first = closed_to(str(inner), stranger)
    assert first is None or Path(first) in (*inner.parents, inner)
    (tmp_path / "a").chmod(0o700)
    assert closed_to(str(inner), stranger) == (first or str(tmp_path / "a"))
    assert closed_to(str(inner), os.geteuid()) is None or not ROOT
    assert closed_to("/bin/sh", stranger) is None


def test_bare_with_setpriv_takes_no_more_than_it_is_told(tmp_path: Path) -> None:
    setpriv = tool("setpriv")
    assert setpriv is not None or sys.platform != "linux"
    assert not Bare(setpriv).as_nobody
