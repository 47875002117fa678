"""Starting one process of a bot: its command, its environment, its pipes. Nothing is read or judged here."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.referee.block import Contestant

MOST_FILES: Final = 256
MOST_FILE_BYTES: Final = 64 * 1024 * 1024

# The shell sets the limits and becomes the bot: no process of ours stays between the bot and us.
_LIMITS: Final = f'ulimit -c 0; ulimit -n {MOST_FILES}; ulimit -f {MOST_FILE_BYTES // 512}; exec "$@"'


class CannotStart(Exception):
    """The program could not be started; the text says which and why."""


@dataclass(slots=True)
class Process:
    """A started process and our ends of its pipes; the pipes never block."""

    popen: "subprocess.Popen[bytes]"
    stdin: int
    stdout: int
    stderr: int
    pidfd: int | None
    """Becomes readable when the process ends; None where the system has none."""
    home: Path
    token: str

    @property
    def pid(self) -> int:
        """Also the number of its session and of its process group."""
        return self.popen.pid

    def exit_status(self) -> tuple[int | None, str | None] | None:
        """(exit code, None) or (None, name of the signal) once it has ended, None while it lives."""
        status = self.popen.poll()
        if status is None:
            return None
        if status >= 0:
            return status, None
        try:
            return None, signal.Signals(-status).name
        except ValueError:
            return None, f"signal {-status}"


def environment(home: Path, token: str) -> dict[str, str]:
    """All a bot finds in its environment: nothing of the organiser's is handed on."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        # Two starts of a Python bot iterate over a set in the same order, so that a rerun is the same game.
        "PYTHONHASHSEED": "0",
        # The bot's folder is read-only.
        "PYTHONDONTWRITEBYTECODE": "1",
        "ARENA_TOKEN": token,
    }


def start(bot: Contestant, scratch: Path, token: str) -> Process:
    """Start the bot in a session of its own, with a fresh home below `scratch`.

    Blocks for about a millisecond and must be called from the thread that lives as long as the run:
    a parent-death signal follows the thread that forked, not the process (bubblewrap#692).
    Raises CannotStart.
    """
    program = Path(bot.argv[0])
    if not program.exists():
        raise CannotStart(f"{program} does not exist any more: put it back, or leave {bot.name} out.")
    if not os.access(program, os.X_OK):
        raise CannotStart(f"{program} is not executable: chmod +x it.")
    home = Path(tempfile.mkdtemp(dir=scratch))
    try:
        popen = subprocess.Popen(
            ["/bin/sh", "-c", _LIMITS, "bot", *bot.argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=bot.folder,
            env=environment(home, token),
            start_new_session=True,
            close_fds=True,
        )
    except OSError as error:
        home.rmdir()
        raise CannotStart(f"{bot.argv[0]} could not be started: {error.strerror}.") from error
    assert popen.stdin is not None
    assert popen.stdout is not None
    assert popen.stderr is not None
    ends = [os.dup(pipe.fileno()) for pipe in (popen.stdin, popen.stdout, popen.stderr)]
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        pipe.close()
    for end in ends:
        os.set_blocking(end, False)
    pidfd = None
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            pidfd = os.pidfd_open(popen.pid)
    return Process(popen, ends[0], ends[1], ends[2], pidfd, home, token)


def remove_tree(folder: Path) -> None:
    """Remove a bot's home, whatever it left there; links are removed, never followed."""
    shutil.rmtree(folder, ignore_errors=True)
