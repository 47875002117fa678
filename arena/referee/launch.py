"""What a tier makes of a bot: the command that is spawned, the limits it carries, how its end is read."""

import os
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from arena.referee.block import Contestant, TierName

NOBODY: Final = 65534
"""The user and group that bots run as when arena is run by root, and see themselves as in a sandbox."""
NO_ROOT: Final = (
    *(f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
    *("--inh-caps=-all", "--bounding-set=-all"),
)
"""What setpriv is told for a process of root's to become nobody's, for good."""
MOST_FILES: Final = 256
"""Files a process of a bot may have open."""
MOST_FILE_BYTES: Final = 64 * 1024 * 1024
"""Bytes of the largest file it may write."""
TMP_BYTES: Final = 16 * 1024 * 1024
"""Bytes of the private /tmp."""
SHM_BYTES: Final = 1024 * 1024
"""Bytes of the private /dev/shm."""

SET_UP_FAILED: Final = 125
"""Exit code of a command that could not be limited as it should be. 126 and 127 are the shell's: it could not
become the bot."""

_SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process of a bot, with all it starts, may use beyond the limits that all have."""

    tasks: int
    """Processes and threads."""
    address_space: int | None = None
    """Bytes each of its processes may map: the poor man's memory limit."""
    groups: tuple[str, ...] = ()
    """Folders of the control groups it joins."""
    counted: bool = False
    """Whether one of these groups holds `tasks`, so that nothing else need."""
    files: int = MOST_FILES
    file_bytes: int = MOST_FILE_BYTES


@dataclass(frozen=True, slots=True)
class Command:
    """A bot's command in a tier, ready to be spawned in a session of its own."""

    argv: tuple[str, ...]
    folder: str
    """Where it is spawned."""
    home: str
    """Its home and its folder for temporary files, as it sees them."""
    inherited: tuple[int, ...] = ()
    """File descriptors it takes along. They are closed here once it is spawned."""
    status: int | None = None
    """Our end of a pipe in which bubblewrap tells that it has set up the sandbox, and the bot's end."""
    mark: Path | None = None
    """A file that the command makes when all is set up and only the bot is left to start."""
    traces: tuple[Path, ...] = ()
    """Files and folders that exist for this process alone."""


class Tier(Protocol):
    """How bots are kept apart. The three are `bare`, `namespace` and `bwrap`; `tiers` chooses."""

    @property
    def name(self) -> TierName:
        """The word for it."""

    @property
    def contained(self) -> bool:
        """Whether bots live in a pid namespace: it ends with its first process, whatever they have started.

        Then a process stands between the bot and us, which passes the end on as shells do (128 and the
        number of the signal).
        """

    def command(
        self, bot: Contestant, scratch: Path, token: str, limits: Limits, work: str | None = None
    ) -> Command:
        """The command that starts the bot. `scratch` is the run's folder, `token` names the process in it.

        `work`: a folder that it sees and may write to, as the build of a bot must.
        """


def limited(limits: Limits, then: Sequence[str]) -> tuple[str, ...]:
    """A shell that joins the control groups, sets the limits and becomes the command `then`."""
    steps = [f"umask 022; ulimit -c 0; ulimit -n {limits.files}; ulimit -f {limits.file_bytes // 512}"]
    if limits.address_space is not None:
        steps.append(f"ulimit -v {limits.address_space // 1024}")
    for group in limits.groups:
        # 0 is whoever writes it. Without its groups a bot would run unlimited, so then it does not run.
        steps.append(f"echo 0 >{shlex.quote(f'{group}/cgroup.procs')} || exit {SET_UP_FAILED}")
    return ("/bin/sh", "-c", "; ".join([*steps, 'exec "$@"']), "bot", *then)


def tasks_limit(limits: Limits) -> str:
    """The shell command that limits processes and threads, for a shell in a user namespace of the bot's own.

    Outside one the kernel counts all processes that the user has anywhere.
    """
    # dash says -p where all others say -u.
    return "" if limits.counted else f"ulimit -u {limits.tasks} 2>/dev/null || ulimit -p {limits.tasks}; "


def most_tasks() -> int:
    """Processes and threads a bot may have: the JVM alone starts several threads for each core."""
    return 64 + 4 * (os.cpu_count() or 1)


def tool(name: str) -> str | None:
    """The absolute path of a program of the system, None if it is not installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_SYSTEM_PATH}")
