"""Trouble of the machine is nobody's fault: the run ends, all is kept, and it goes on when there is room."""

import errno
import json
import os
import subprocess
import sys

import pytest
import trio
from cli_command import BOTS, QUICK, environment, inside

from arena.referee import spawn
from arena.referee.block import Contestant
from arena.referee.machine import open_machine
from arena.referee.spawn import CannotStart, HostTrouble

PAIR = ("--bots", BOTS / "hello.py", BOTS / "honest.py", "--games", 4000, "--out", "cup.db")
# Runs arena, and after so many starts lets the system refuse every other.
REFUSING = """
import errno, os, subprocess, sys
real, left = subprocess.Popen, [int(sys.argv[1])]


class Refusing(real):
    def __init__(self, argv, *more, **words):
        if words.get("start_new_session") and words.get("stderr") == subprocess.PIPE:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(int(sys.argv[2]), os.strerror(int(sys.argv[2])))
        super().__init__(argv, *more, **words)


subprocess.Popen = Refusing
from arena.cli.main import main
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOSPC])
def test_a_machine_that_can_start_no_more_bots_ends_the_run_and_no_bot_is_blamed(tmp_path, number):
    words = ["run", *map(str, PAIR), *QUICK, "--quiet", "--jobs", "2"]
    done = subprocess.run(
        [sys.executable, "-c", REFUSING, "60", str(number), *words],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done
    (said,) = done.stderr.splitlines()
    assert os.strerror(number) in said
    assert "every block stored before is kept; to go on: arena run --resume cup.db" in said
    found = json.loads(inside("standings", tmp_path / "cup.db", "--json").stdout)
    assert found["games"] > 0
    assert not found["complete"]
    assert [row["faults"] for row in found["standings"]] == [0, 0]
    assert inside("verify", tmp_path / "cup.db").returncode == 0


def test_what_is_wrong_with_the_program_is_still_the_bots_own(tmp_path, monkeypatch):
    def refusing(number):
        def popen(*_, **__):
            raise OSError(number, os.strerror(number))

        return popen

    async def start(number):
        bot = Contestant("one", ("/bin/cat",), str(tmp_path), "")
        async with open_machine() as machine:
            with monkeypatch.context() as patch:
                patch.setattr(spawn.subprocess, "Popen", refusing(number))
                try:
                    await machine.start(bot)
                except (CannotStart, HostTrouble) as error:
                    return type(error)

    for number in (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.ELOOP):
        assert trio.run(start, number) is CannotStart
    for number in (errno.ENOSPC, errno.ENOMEM, errno.EAGAIN, errno.ENFILE):
        assert trio.run(start, number) is HostTrouble
