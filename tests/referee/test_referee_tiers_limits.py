"""Control groups, and the address space that stands in for them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tier_stage import PROJECT, TESTS

from arena.referee.cgroup import Group, Groups, Place, open_groups, sweep, writable_places
from arena.referee.launch import tool
from arena.referee.memory import address_space

FORKS = TESTS / "sandbox" / "forks.py"
MIB = 1024 * 1024
UNIFIED = [
    Path(fields[4])
    for fields in (line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines())
    if "cgroup2" in fields
]


def started(group: Group, *command: str) -> "subprocess.Popen[str]":
    join = "; ".join(f"echo 0 >{folder}/cgroup.procs" for folder in group.folders)
    shell = ["/bin/sh", "-c", f'{join}; exec "$@"', "sh", *command]
    return subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ended(group: Group, process: "subprocess.Popen[str]") -> None:
    while members := group.members():
        for pid in members:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    process.communicate()


def test_a_group_limits_memory_and_processes_and_tells_which_it_was() -> None:
    groups = open_groups("limits")
    assert (groups is not None) == bool(writable_places())
    if groups is None:
        return
    eats = (sys.executable, "-c", "bytearray(b'x') * (256 << 20)")
    try:
        small, large = groups.make(1, 64 * MIB, 20), groups.make(2, 512 * MIB, 20)
        assert small is not None
        assert large is not None
        if "memory" in groups.controllers:
            for group, killed in ((small, True), (large, False)):
                process = started(group, *eats)
                process.communicate()
                assert (process.returncode != 0) == killed
            assert (small.out_of_memory(), large.out_of_memory()) == (True, False)
        if "pids" in groups.controllers:
            process = started(large, sys.executable, str(FORKS))
            assert process.stdout is not None
            assert int(process.stdout.readline()) == 19
            ended(large, process)
            assert not large.out_of_memory()
        assert small.remove()
        assert large.remove()
    finally:
        groups.close()
    for place in writable_places():
        assert list(place.folder.glob(f"arena-{os.getpid()}-limits*")) == []


def test_a_group_knows_its_members_and_stays_while_there_are_any() -> None:
    groups = open_groups("members")
    if groups is None:
        assert writable_places() == ()
        return
    group = groups.make(1, None, 20)
    try:
        assert group is not None
        process = started(group, "/bin/sh", "-c", "echo; exec sleep 60")
        assert process.stdout is not None
        process.stdout.readline()
        assert group.members() == [process.pid]
        assert not group.remove()
        ended(group, process)
        assert group.remove()
    finally:
        groups.close()


def test_no_group_is_made_where_nothing_is_to_be_limited() -> None:
    groups = Groups("test")
    assert groups.make(1, 64 * MIB, 20) is None
    assert groups.controllers == frozenset()


def test_groups_of_a_dead_referee_are_swept_and_those_of_a_live_one_kept(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    for name in (f"arena-{dead.pid}-x/1", f"arena-{os.getpid()}-x/1", "arena-y", "other"):
        (tmp_path / name).mkdir(parents=True)
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"arena-{os.getpid()}-x", "arena-y", "other"]


MOVES = """
import os, sys
from pathlib import Path
from arena.referee.cgroup import Groups, Place, beside_the_referee

def mine():
    return [line.split(":", 2)[2].strip() for line in open("/proc/self/cgroup") if line.startswith("0:")][0]

folder, controller = Path(sys.argv[1]), sys.argv[2]
(folder / "cgroup.procs").write_text(str(os.getpid()))
before = mine()
groups = Groups("moves")
groups.open(Place(folder, 2, frozenset({controller})))
assert mine().startswith(before + "/arena-"), mine()
inside = folder / Path(mine()).name
assert beside_the_referee(inside) == folder
assert beside_the_referee(folder) == folder
(run,) = [path for path in folder.glob("arena-*-moves")]
assert controller in (run / "cgroup.controllers").read_text().split()
assert controller in (run / "cgroup.subtree_control").read_text().split()
groups.close()
assert mine() == before
assert list(folder.glob("arena-*")) == []
"""


def test_in_version_2_the_referee_makes_room_for_its_groups_and_moves_back() -> None:
    """Whatever controller is to be had there stands in for memory: the rule is the same for all."""
    offered = [
        (top, controller)
        for top in UNIFIED
        if os.access(top, os.W_OK)
        for controller in (top / "cgroup.subtree_control").read_text().split()
        or (top / "cgroup.controllers").read_text().split()
    ]
    for top, controller in offered[:1]:
        control, folder = top / "cgroup.subtree_control", top / f"moves-{os.getpid()}"
        was = control.read_text().split()
        folder.mkdir()
        try:
            control.write_text(f"+{controller}")
            done = subprocess.run(
                [sys.executable, "-c", MOVES, str(folder), controller],
                env={"PYTHONPATH": str(PROJECT)},
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, "")
        finally:
            folder.rmdir()
            if controller not in was:
                control.write_text(f"-{controller}")
    assert all(isinstance(place, Place) for place in writable_places())


@pytest.mark.parametrize(
    ("program", "asked", "given"),
    [
        ("/usr/bin/python3", 256 * MIB, 256 * MIB),
        ("/usr/bin/python3", 1 * MIB, 64 * MIB),
        ("/somewhere/node", 256 * MIB, 1024 * MIB),
        ("/somewhere/node", 2048 * MIB, 2048 * MIB),
        ("/somewhere/node-20", 256 * MIB, 1024 * MIB),
        ("/somewhere/java", 256 * MIB, 4096 * MIB),
        ("/somewhere/deno", 256 * MIB, None),
        ("/somewhere/bot", 64 * MIB, 64 * MIB),
    ],
)
def test_address_space_is_what_was_asked_for_or_the_least_a_runtime_starts_with(
    program: str, asked: int, given: int | None
) -> None:
    assert address_space(program, asked) == given


@pytest.mark.parametrize(("word", "script"), [("node", "0"), ("perl", "0"), ("python3", "0")])
def test_runtimes_start_with_the_least_they_are_given(word: str, script: str) -> None:
    program = tool(word)
    assert program is not None
    space = address_space(program, 1)
    assert space is not None
    option = "-c" if word == "python3" else "-e"
    shell = f'ulimit -v {space // 1024}; exec "$@"'
    subprocess.run(["/bin/sh", "-c", shell, "sh", program, option, script], check=True, timeout=60)
