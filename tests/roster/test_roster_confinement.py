"""What a build can see, reach and write in each sandbox: its own folder, the system's programs, no more."""

import json
import os
import socket
import subprocess
import sys

import pytest
import trio

from arena.errors import BadInput
from arena.referee.tiers import survey
from arena.roster.confine import choose_confinement
from arena.roster.discovery import find_bots
from arena.roster.staging import stage

# Run by whatever builds: it looks around, and leaves what it found for the bot to print.
LOOKS = """
import json, os, socket, sys
asked = json.loads(open("asked.json").read())


def readable(path):
    try:
        return bool(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1))
    except OSError:
        return False


def writable(folder):
    try:
        open(folder + "/was-here", "w").close()
        return True
    except OSError:
        return False


def connects(port):
    with socket.socket() as one:
        one.settimeout(2)
        return one.connect_ex(("127.0.0.1", port)) == 0


with open("big", "wb") as big:
    big.truncate(100 * 2**20)
os.remove("big")
found = {
    "readable": [path for path in asked["paths"] if readable(path)],
    "writable": [path for path in asked["folders"] if writable(path)],
    "own": [writable("."), writable(os.environ["HOME"]), writable(os.environ["TMPDIR"])],
    "connects": connects(asked["port"]),
    "processes": sorted(int(pid) for pid in os.listdir("/proc") if pid.isdigit()),
    "user": os.geteuid(),
}
with open("bot.sh", "w") as bot:
    bot.write("cat <<END\\n" + json.dumps(found) + "\\nEND\\n")
"""


def works(sandbox):
    """Whether this machine has it. Where every tool for testing is promised, none may be missing."""
    found = {finding.tier: finding.works for finding in trio.run(survey)}
    assert found[sandbox] or os.environ.get("CI") != "true", f"{sandbox} is not to be had here"
    return found[sandbox]


@pytest.fixture
def looks_around(here, write, tmp_path, listener):
    """A bot whose build looks around, and the folder of an organiser in which nothing is hidden by modes."""
    organisers = tmp_path / "organisers"
    (organisers / "rival").mkdir(parents=True)
    for folder in (organisers, organisers / "rival"):
        folder.chmod(0o777)
    write(str(organisers / "results.db"), "the seed")
    write(str(organisers / "rival/bot.py"), "its secret")
    asked = {
        "paths": [
            *map(str, (organisers, organisers / "results.db", organisers / "rival/bot.py", here)),
            *(os.path.expanduser("~/.profile"), f"/proc/{os.getpid()}/environ", "/etc/shadow"),
        ],
        "folders": [*map(str, (organisers, organisers / "rival", here)), "/var/tmp", "/usr/local"],
        "port": listener,
    }
    write("x/bot.toml", f'run = "bot.sh"\nbuild = ["{sys.executable}", "looks.py"]\n')
    write("x/looks.py", LOOKS)
    write("x/asked.json", json.dumps(asked))
    return find_bots(["x"])


@pytest.fixture
def listener():
    """The port of somebody who waits for calls."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def found_by(contestant):
    folder = contestant.folder
    done = subprocess.run(contestant.argv, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("sandbox", ["bwrap", "ns"])
def test_in_a_sandbox_a_build_sees_and_writes_its_own_folder_alone(looks_around, cache, tmp_path, sandbox):
    if not works(sandbox):
        return
    (contestant,) = stage(looks_around, tmp_path / "staged", confine=choose_confinement(sandbox))
    found = found_by(contestant)
    assert found["own"] == [True, True, True]
    assert found["readable"] == []
    assert found["writable"] == []
    assert found["connects"] is False
    assert os.getpid() not in found["processes"]
    assert len(found["processes"]) <= 4
    assert found["user"] == 65534


def test_without_a_sandbox_a_build_has_at_least_no_root_and_no_network(looks_around, cache, tmp_path):
    (contestant,) = stage(looks_around, tmp_path / "staged", confine=choose_confinement("bare"))
    found = found_by(contestant)
    assert found["own"] == [True, True, True]
    assert found["user"] == (65534 if os.geteuid() == 0 else os.geteuid())
    assert found["connects"] is False or not works("ns")


def test_what_a_build_runs_in_is_found_out_when_the_first_one_runs_and_once(here, write, cache, tmp_path):
    confine = choose_confinement("no-such-sandbox")
    write("y.py")
    stage(find_bots(["y.py"]), tmp_path / "staged", confine=confine)
    write("x/bot.toml", 'run = "bot.sh"\nbuild = ["cp", "a", "bot.sh"]\n')
    write("x/a", "echo built")
    with pytest.raises(BadInput, match="there is no sandbox 'no-such-sandbox'"):
        stage(find_bots(["x"]), tmp_path / "staged", confine=confine)
    stage(find_bots(["x"]), tmp_path / "staged", confine=choose_confinement())
    # What was built once needs no sandbox any more.
    stage(find_bots(["x"]), tmp_path / "again", confine=confine)
