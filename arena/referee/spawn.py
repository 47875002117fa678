"""Starting one process of a bot: its command, its environment, its pipes. Nothing is read or judged here."""

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.referee.block import Contestant
from arena.referee.cgroup import Group
from arena.referee.launch import SET_UP_FAILED, Command, Limits, Tier
from arena.referee.tree import descendants_of, is_ending

_SHELLS_SIGNAL: Final = 128
"""What a shell adds to the number of the signal that ended a command."""
_NOT_EXECUTED: Final = (126, 127)
_STATUS_READ: Final = 65_536


class CannotStart(Exception):
    """The program could not be started, which is the bot's affair; the text says which and why."""


class HostTrouble(Exception):
    """The machine has not what it takes to start any bot: no memory, no room on the disk, no process."""


_OF_THE_HOST: Final = frozenset(
    (
        *(errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO),
        *(errno.EROFS, errno.ENOBUFS),
    )
)
"""What the system says when it is not the bot's program that something is wrong with."""


def cannot_start(text: str, error: OSError) -> CannotStart | HostTrouble:
    """What an error at a start means: whose trouble it is."""
    if error.errno in _OF_THE_HOST:
        return HostTrouble(f"the machine cannot start a bot now: {error.strerror}")
    return CannotStart(f"{text}: {error.strerror}.")


@dataclass(slots=True)
class Process:
    """A started process and our ends of its pipes; the pipes never block."""

    popen: "subprocess.Popen[bytes]"
    stdin: int
    stdout: int
    stderr: int
    pidfd: int | None
    """Becomes readable when the process ends; None where the system has none."""
    token: str
    program: str
    """The first word of the bot's own command."""
    command: Command
    contained: bool
    """It stands before a pid namespace in which the bot is."""
    group: Group | None
    """The control group that holds it and all it starts."""
    began: float
    """When it was started, on the clock of `time.perf_counter`."""

    @property
    def pid(self) -> int:
        """Also the number of its session and of its process group."""
        return self.popen.pid

    def exit_status(self) -> tuple[int | None, str | None] | None:
        """(exit code, None) or (None, name of the signal) once it has ended, None while it lives.

        It is the bot's own. Where a process stands between, a code of 128 and more is taken for the signal
        it stands for: a bot in a sandbox that ends with code 139 is told from one with a segmentation fault
        by nobody.
        """
        status = self.popen.poll()
        if status is None:
            return None
        number = -status if status < 0 else status - _SHELLS_SIGNAL if self.contained else 0
        if number > 0:
            with contextlib.suppress(ValueError):
                return None, signal.Signals(number).name
            if status < 0:
                return None, f"signal {number}"
        return status, None

    def bot_has_ended(self) -> bool:
        """Whether the bot is no more, though what stands between may not have told its end yet."""
        if not self.contained:
            return is_ending(self.pid)
        # The first process of the namespace is there besides the bot as long as the bot is.
        return sum(not is_ending(pid) for pid in descendants_of(self.pid)) < 2

    def never_ran(self) -> str | None:
        """For a process that has ended: why the bot itself was never reached, in one sentence, or None."""
        code = self.popen.poll()
        if not self._is_set_up() or code == SET_UP_FAILED:
            return f"What {self.program} is to run in could not be set up; its last words on stderr say why."
        if code in _NOT_EXECUTED:
            return (
                f"{self.program} could not be executed: check its first line, its format and its execute bit."
            )
        return None

    def out_of_memory(self) -> bool:
        """Whether the kernel has ended it, or something it started, for using more memory than it may."""
        return self.group is not None and self.group.out_of_memory()

    def _is_set_up(self) -> bool:
        if self.command.mark is not None:
            return self.command.mark.exists()
        if self.command.status is None:
            return True
        with contextlib.suppress(OSError, ValueError):
            # One JSON object a line; bubblewrap tells an exit code only of a command that it has started.
            said = os.read(self.command.status, _STATUS_READ).decode().splitlines()
            return any("exit-code" in json.loads(line) for line in said)
        return False

    def members(self) -> list[int]:
        """The processes that its control group knows of; none where it has no group."""
        return self.group.members() if self.group is not None else []

    def leave_group(self) -> bool:
        """Remove the control group; False while anything is left in it."""
        return self.group is None or self.group.remove()

    def close(self) -> None:
        """Close what is ours of it beside its pipes."""
        if self.command.status is not None:
            os.close(self.command.status)

    def close_pipes(self) -> None:
        """Close our ends of its pipes, and the descriptor that stands for it."""
        for descriptor in (self.stdin, self.stdout, self.stderr, self.pidfd):
            if descriptor is not None:
                os.close(descriptor)

    def remove_small_traces(self) -> bool:
        """Remove what exists on disk for it alone, unless that may take long; whether all is gone."""
        for trace in self.command.traces:
            try:
                if trace.is_dir():
                    trace.rmdir()
                else:
                    trace.unlink(missing_ok=True)
            except OSError:
                return False
        return True


def environment(home: str, token: str) -> dict[str, str]:
    """All a bot finds in its environment: nothing of the organiser's is handed on."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        # Two starts of a Python bot iterate over a set in the same order, so that a rerun is the same game.
        "PYTHONHASHSEED": "0",
        # The bot's folder is read-only.
        "PYTHONDONTWRITEBYTECODE": "1",
        "ARENA_TOKEN": token,
    }


def start(
    bot: Contestant, tier: Tier, scratch: Path, token: str, limits: Limits, group: Group | None = None
) -> Process:
    """Start the bot in a session of its own, as the tier has it.

    `scratch` is the run's folder; `group` holds the folders that `limits` names.

    Blocks for about a millisecond and must be called from the thread that lives as long as the run:
    a parent-death signal follows the thread that forked, not the process (bubblewrap#692).
    Raises CannotStart, and HostTrouble where no bot could be started.
    """
    program = Path(bot.argv[0])
    if not program.exists():
        raise CannotStart(f"{program} does not exist any more: put it back, or leave {bot.name} out.")
    if not os.access(program, os.X_OK):
        raise CannotStart(f"{program} is not executable: chmod +x it.")
    if not os.path.isdir(bot.folder):
        raise CannotStart(f"{bot.folder} does not exist any more: put it back, or leave {bot.name} out.")
    try:
        command = tier.command(bot, scratch, token, limits)
    except OSError as error:
        raise cannot_start(f"{program} could not be started", error) from error
    began = time.perf_counter()
    try:
        popen = subprocess.Popen(
            command.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=command.folder,
            env=environment(command.home, token),
            start_new_session=True,
            close_fds=True,
            pass_fds=command.inherited,
        )
    except OSError as error:
        if command.status is not None:
            os.close(command.status)
        remove_traces(command)
        raise cannot_start(f"{bot.argv[0]} could not be started", error) from error
    finally:
        for descriptor in command.inherited:
            os.close(descriptor)
    assert popen.stdin is not None
    assert popen.stdout is not None
    assert popen.stderr is not None
    ends: list[int] = []
    try:
        ends += [os.dup(pipe.fileno()) for pipe in (popen.stdin, popen.stdout, popen.stderr)]
    except OSError as error:
        for end in (*ends, *(() if command.status is None else (command.status,))):
            os.close(end)
        popen.kill()
        popen.wait()
        remove_traces(command)
        raise cannot_start(f"{bot.argv[0]} could not be started", error) from error
    finally:
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            pipe.close()
    for end in (*ends, *(() if command.status is None else (command.status,))):
        os.set_blocking(end, False)
    pidfd = None
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            pidfd = os.pidfd_open(popen.pid)
    return Process(
        popen, ends[0], ends[1], ends[2], pidfd, token, bot.argv[0], command, tier.contained, group, began
    )


def remove_traces(command: Command) -> None:
    """Remove what exists on disk for one process alone, whatever it left there."""
    for trace in command.traces:
        trace.unlink() if trace.is_file() else remove_tree(trace)


def remove_tree(folder: Path) -> None:
    """Remove a bot's home, whatever it left there; links are removed, never followed."""
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        return
    # A folder that is closed even to its owner has to be opened before it can be emptied.
    for path, folders, _ in os.walk(folder):
        for closed in (os.path.join(path, name) for name in folders):
            if not os.path.islink(closed):
                with contextlib.suppress(OSError):
                    os.chmod(closed, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
