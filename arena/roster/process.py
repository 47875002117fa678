"""One build's processes: run within limits of time, disk and output, and ended to the last of them."""

import contextlib
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from arena.referee.launch import Command
from arena.referee.tree import (
    all_pids,
    children_of,
    holds_token,
    is_ending,
    kill,
    kill_group,
    reap,
    session_of,
)

_LOOK: Final = 0.1
"""Seconds between two looks at a running build."""
_END_LIMIT: Final = 2.0
"""Seconds after a kill in which processes must be gone."""


class Limits(msgspec.Struct, frozen=True):
    """What a build may use."""

    seconds: float = 120.0
    disk: int = 2 * 1024**3
    """Bytes of all it writes."""
    output: int = 64 * 1024
    """Bytes of its output that are kept: the last."""


class Ended(msgspec.Struct, frozen=True):
    """How a build ended."""

    reason: str | None
    """Why it failed, for people; None: it succeeded."""
    output: bytes


def run_limited(
    command: Command, disk: Path, environment: Mapping[str, str], token: str, limits: Limits
) -> Ended:
    """Run a command until it ends or breaks a limit; then nothing it started is left running.

    `disk` is the folder whose size is limited; `token` is a text in the environment by which its processes
    are known when they have left its session.
    """
    with contextlib.ExitStack() as ours:
        if command.status is not None:
            # Bubblewrap gives up where nobody holds the other end.
            ours.callback(os.close, command.status)
        try:
            process = subprocess.Popen(
                command.argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                cwd=command.folder,
                env=environment,
                start_new_session=True,
                pass_fds=command.inherited,
            )
        except OSError as error:
            return Ended(f"{command.argv[0]} could not be started: {error.strerror}", b"")
        finally:
            for descriptor in command.inherited:
                os.close(descriptor)
        output = bytearray()
        reason = _watched(process, output, disk, token, limits)
    if not reason and command.mark is not None and not command.mark.exists():
        reason = "what it is to run in could not be set up"
    return Ended(reason or _failure(process.returncode), bytes(output))


def _watched(
    process: "subprocess.Popen[bytes]", output: bytearray, disk: Path, token: str, limits: Limits
) -> str | None:
    """Until nothing of the process is left; which limit it broke, if one."""
    assert process.stdout is not None
    with process.stdout as pipe:
        try:
            with selectors.DefaultSelector() as ready:
                os.set_blocking(pipe.fileno(), False)
                ready.register(pipe, selectors.EVENT_READ)
                return _watch(process, ready, output, disk, limits)
        finally:
            end_tree(process, token)
            # What a daemon holds open never ends, so this takes what is there and does not wait for the end.
            _drain(pipe.fileno(), output, limits.output)


def _watch(
    process: "subprocess.Popen[bytes]",
    ready: selectors.BaseSelector,
    output: bytearray,
    disk: Path,
    limits: Limits,
) -> str | None:
    """Until the process ends (None) or breaks a limit (which)."""
    assert process.stdout is not None
    deadline = time.monotonic() + limits.seconds
    look_at_disk = time.monotonic()
    while process.poll() is None:
        now = time.monotonic()
        if now >= deadline:
            return f"it took longer than {limits.seconds:g} s"
        if now >= look_at_disk:
            if disk_used(disk) > limits.disk:
                return f"it wrote more than {limits.disk / 2**20:.0f} MiB"
            # Large trees take long to look at: that may cost a tenth of the time.
            look_at_disk = time.monotonic() + max(_LOOK, 10 * (time.monotonic() - now))
        if ready.get_map() and ready.select(_LOOK):
            if not _drain(process.stdout.fileno(), output, limits.output):
                ready.unregister(process.stdout)
        elif not ready.get_map():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK)
    return f"it wrote more than {limits.disk / 2**20:.0f} MiB" if disk_used(disk) > limits.disk else None


def _drain(pipe: int, output: bytearray, most: int) -> bool:
    """Take what is there now, at most 1 MiB, and keep the last `most` bytes; False at the end."""
    for _ in range(16):
        try:
            piece = os.read(pipe, 65536)
        except BlockingIOError:
            return True
        if not piece:
            return False
        output += piece
        del output[: max(0, len(output) - most)]
    return True


def _failure(code: int | None) -> str | None:
    if code is None:
        return "it could not be ended"
    if code == 0:
        return None
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def end_tree(process: "subprocess.Popen[bytes]", token: str) -> None:
    """End the process and all it started, also what left its group or session; wait until all is gone."""
    deadline = time.monotonic() + _END_LIMIT
    kill_group(process.pid)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_END_LIMIT)
    if sys.platform != "linux":
        return
    # One that was being started while we looked is found by the next look.
    killed: set[int] = set()
    while (left := _members(process.pid, token)) and time.monotonic() < deadline:
        killed.update(left)
        for pid in left:
            kill(pid)
        time.sleep(0.002)
    # Where this process adopts orphans (the referee does) they wait for it to take notice.
    killed.update(pid for pid in children_of(os.getpid()) if session_of(pid) == process.pid)
    while time.monotonic() < deadline and (adopted := killed.intersection(children_of(os.getpid()))):
        for pid in adopted:
            reap(pid)
        time.sleep(0.002)


def _members(session: int, token: str) -> list[int]:
    """The live processes of a session, and all others started with the token in their environment."""
    return [
        pid
        for pid in all_pids()
        if not is_ending(pid) and (session_of(pid) == session or holds_token(pid, token))
    ]


def disk_used(folder: Path) -> int:
    """Bytes on disk of everything in a folder, a file with several names counted once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    waiting = [str(folder)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as items:
            for item in items:
                with contextlib.suppress(OSError):
                    if item.is_dir(follow_symlinks=False):
                        waiting.append(item.path)
                    state = item.stat(follow_symlinks=False)
                    if state.st_nlink > 1 and not item.is_dir(follow_symlinks=False):
                        if (state.st_dev, state.st_ino) in seen:
                            continue
                        seen.add((state.st_dev, state.st_ino))
                    total += state.st_blocks * 512
    return total
