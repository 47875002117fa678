"""What each tier promises, tried by bots that try to break it: as root, and as an ordinary user."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tier_stage import ORDINARY, PROJECT, as_ordinary_user, make_stage, remove_stage

from arena.referee.launch import NOBODY
from arena.referee.seccomp import compiled_filter

TIERS = ("bwrap", "ns", "bare")
ROOT = os.geteuid() == 0
USERS = ("root", "ordinary") if ROOT else ("ordinary",)
CI = os.environ.get("CI") == "true"
KILLS = max(5, round(100 * float(os.environ.get("ARENA_SOAK", "0.1"))))
"""Bots ended within 12 ms of their start, in each tier for each user."""
HARNESS = Path(__file__).with_name("tier_harness.py")
PATIENCE = 200


@pytest.fixture(scope="session")
def harnessed() -> Iterator[dict[tuple[str, str], dict[str, Any]]]:
    """What came of the trials, by user and tier. All run at once, since each has to wait for 15 s."""
    stage = make_stage()
    try:
        running = {(user, tier): _started(stage, user, tier) for user in USERS for tier in TIERS}
        found = {}
        for pair, (process, folder) in running.items():
            said, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, (pair, said.decode())
            found[pair] = json.loads((folder / "out.json").read_text())
        yield found
    finally:
        remove_stage(stage)


def _started(stage: Path, user: str, tier: str) -> "tuple[subprocess.Popen[bytes], Path]":
    home = stage / f"{user}-{tier}"
    home.mkdir(mode=0o755)
    (home / "diary.txt").write_text("dear diary\n")
    command = [sys.executable, str(HARNESS), tier, str(stage), str(home / "out.json"), str(KILLS)]
    if ROOT and user == "ordinary":
        os.chown(home, ORDINARY, ORDINARY)
        command = as_ordinary_user(command)
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(PROJECT),
        "HOME": str(home),
        "TMPDIR": str(home),
        "THE_ORGANISERS_SECRET": "yes",
    }
    process = subprocess.Popen(command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return process, home


@pytest.fixture(scope="session")
def trials(harnessed: dict[tuple[str, str], dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The trials in the tiers that this machine has."""
    return {pair: found["trials"] for pair, found in harnessed.items() if "trials" in found}


@pytest.fixture(scope="session")
def sandboxed(trials: dict[tuple[str, str], dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The trials in the tiers that hide something."""
    return {pair: found for pair, found in trials.items() if pair[1] != "bare"}


def test_this_machine_has_the_tiers(harnessed) -> None:
    missing = {pair: found["reason"] for pair, found in harnessed.items() if "trials" not in found}
    assert not (CI and missing), missing
    assert all(missing.values())
    for (user, _), found in harnessed.items():
        assert found["user"] == (0 if user == "root" else ORDINARY if ROOT else os.geteuid())
        works = [tier for tier in TIERS if not harnessed[user, tier]["reason"]]
        assert found["auto"] == works[0]


def test_nothing_is_left_of_a_machine(harnessed) -> None:
    for pair, found in harnessed.items():
        if "trials" in found:
            assert (found["left"], found["children"]) == ([], []), pair


def test_a_bot_that_says_nothing_for_fifteen_seconds_is_alive(trials) -> None:
    for pair, found in trials.items():
        quiet = found["quiet"]
        assert (quiet["alive"], quiet["said"], quiet["status"]) == (True, "still here\n", [0, None]), pair


def test_no_bot_is_root_on_the_host(trials) -> None:
    for (user, tier), found in trials.items():
        own = ORDINARY if ROOT else os.geteuid()
        assert found["quiet"]["users"] == [NOBODY if user == "root" else own], (user, tier)


def test_no_bot_has_rights_or_can_gain_any(trials) -> None:
    for pair, found in trials.items():
        status = found["spy"]["status"]
        assert status["NoNewPrivs"] == "1", pair
        sets = [
            "CapInh",
            "CapPrm",
            "CapEff",
            "CapAmb",
            *(() if pair == ("ordinary", "bare") else ("CapBnd",)),
        ]
        assert {int(status[name], 16) for name in sets} == {0}, pair


def test_a_bot_finds_the_same_environment_in_every_tier(trials) -> None:
    for pair, found in trials.items():
        environment = found["spy"]["environment"]
        assert environment.pop("ARENA_TOKEN"), pair
        home, temporary = environment.pop("HOME"), environment.pop("TMPDIR")
        assert home == temporary, pair
        assert (home == "/tmp") == (pair[1] != "bare"), pair
        # What a shell itself adds.
        for name in ("PWD", "SHLVL", "_"):
            environment.pop(name, None)
        assert environment == {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }, pair


def test_a_bot_is_in_its_own_folder_and_holds_its_three_pipes_alone(trials) -> None:
    for pair, found in trials.items():
        assert found["spy"]["folder"].endswith("/bots/spy"), pair
        descriptors = found["spy"]["descriptors"]
        assert sorted(descriptors) == ["0", "1", "2"], (pair, descriptors)
        assert all(name.startswith("pipe:") for name in descriptors.values()), pair


def test_a_bots_own_folder_cannot_be_written_to(trials) -> None:
    for (user, tier), found in trials.items():
        spy = found["spy"]
        assert spy["writes"]["written"] != "done", (user, tier)
        # In bare an ordinary user's bots own what that user owns; here the stage is root's.
        if tier != "bare" or ROOT:
            assert spy["opens_up"] != "done", (user, tier)


def test_in_a_sandbox_nothing_else_can_be_written_to_but_tmp(sandboxed) -> None:
    for pair, found in sandboxed.items():
        writes = found["spy"]["writes"]
        assert [path for path, result in writes.items() if result == "done"] == ["/tmp/written"], pair


def test_in_a_sandbox_no_file_of_others_is_in_sight(sandboxed) -> None:
    for pair, found in sandboxed.items():
        spy = found["spy"]
        assert set(spy["reads"].values()) == {"ENOENT"}, (pair, spy["reads"])
        assert spy["beside"] == ["spy"], pair
        assert not spy["organiser"], pair
        assert len(spy["devices"]) == 10, pair


def test_in_a_sandbox_no_process_of_others_is_in_sight_or_in_reach(sandboxed) -> None:
    for pair, found in sandboxed.items():
        assert found["spy"]["processes"] == 2, pair
        assert set(found["spy"]["signals"].values()) == {"ESRCH"}, pair
        assert found["kills_all"]["said"] == "alive\n", pair


def test_in_a_sandbox_there_is_no_network(sandboxed) -> None:
    for pair, found in sandboxed.items():
        assert found["spy"]["loopback"] in ("ECONNREFUSED", "ENETUNREACH"), pair
        assert found["spy"]["abstract"] == "ECONNREFUSED", pair


def test_in_a_sandbox_there_are_no_user_namespaces(sandboxed) -> None:
    for pair, found in sandboxed.items():
        assert found["spy"]["user_namespace"] in ("EPERM", "ENOSPC"), pair


def test_bubblewrap_closes_system_calls_that_no_namespace_covers(sandboxed) -> None:
    assert compiled_filter() is not None or not CI
    for pair, found in sandboxed.items():
        if pair[1] == "bwrap" and compiled_filter() is not None:
            spy = found["spy"]
            closed = ("EAFNOSUPPORT", "EAFNOSUPPORT", "ENOSYS")
            assert (spy["vsock"], spy["crypto"], spy["keyring"]) == closed, pair


def test_in_a_sandbox_tmp_and_shared_memory_are_private_and_small(sandboxed) -> None:
    for pair, found in sandboxed.items():
        assert 15 << 20 <= found["spy"]["tmp"] <= 16 << 20, pair
        assert 0 < found["spy"]["shm"] <= 1 << 20, pair


def test_no_bot_can_open_many_files(trials) -> None:
    for pair, found in trials.items():
        assert 200 < found["spy"]["files"] <= 256, pair


def test_no_bot_can_fork_without_end(trials) -> None:
    for pair, found in trials.items():
        forks = found["forks"]
        # Nothing but a control group counts processes of one bot outside a user namespace of its own.
        if forks["counted"] or (pair[0] == "ordinary" and pair[1] != "bare"):
            assert 32 < forks["forks"] < 70 + 4 * (os.cpu_count() or 1), pair
        assert (forks["left"], forks["took"] < 2) == ([], True), pair


def test_the_exit_code_and_the_signal_are_the_bots_own(trials) -> None:
    for pair, found in trials.items():
        assert {name: end["status"] for name, end in found["ends"].items()} == {
            "nothing": [0, None],
            "three": [3, None],
            "most": [255, None],
            "segmentation": [None, "SIGSEGV"],
            "abort": [None, "SIGABRT"],
            "killed": [None, "SIGKILL"],
            "terminated": [None, "SIGTERM"],
        }, pair
        assert {end["stderr"] for end in found["ends"].values()} == {""}, pair


def test_the_end_of_a_bot_is_known_before_it_is_told(sandboxed) -> None:
    for pair, found in sandboxed.items():
        late = found["told_late"]
        assert late == {"before": False, "told": None, "status": [None, "SIGKILL"]}, pair


def test_too_much_memory_is_a_fault_of_its_own_where_a_control_group_tells(trials) -> None:
    for (user, tier), found in trials.items():
        memory = found["memory"]
        (fault,) = memory["faults"]
        counted = user == "root" and found["forks"]["counted"]
        assert fault[:2] == (["memory", 1] if counted else ["crash", 1]), (user, tier)
        assert memory["alone"]["said"] == "", (user, tier)
        assert memory["alone"]["memory"] == counted, (user, tier)
        assert memory["free"]["said"] == f"{128 << 20}\n", (user, tier)


def test_what_cannot_be_executed_is_bad_exec_and_never_a_crash(trials) -> None:
    for pair, found in trials.items():
        for name in ("bad-shebang", "garbage"):
            (fault,) = found["cannot"][name]
            assert fault[:2] == ["bad-exec", 0], (pair, name)
            assert name in fault[2], (pair, name)
        if pair[1] == "ns":
            assert "could not be set up" in found["cannot"]["broken"], pair


def test_pipes_that_pass_from_process_to_process_are_not_taken_for_closed(trials) -> None:
    for pair, found in trials.items():
        assert found["handed_on"] == [], pair


def test_bots_in_a_virtual_environment_in_c_node_and_perl_play_in_every_tier(trials) -> None:
    for pair, found in trials.items():
        assert found["languages"] == [], pair


def test_what_a_bot_leaves_in_its_home_is_removed_and_no_link_followed(trials) -> None:
    for pair, found in trials.items():
        links = found["links"]
        assert links["stderr"] == "", pair
        assert (links["kept"], links["left"]) == (["precious"], []), pair


def test_a_bot_ended_at_the_moment_of_its_start_leaves_no_process(trials) -> None:
    for pair, found in trials.items():
        survivors = found["survivors"]
        assert (survivors["left"], survivors["unkillable"]) == ([], 0), pair
        assert survivors["tried"] == KILLS
