"""Namespaces for a build: no network, and no process of it that outlives it."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

Confine: TypeAlias = Callable[[tuple[str, ...], Path], tuple[str, ...]]
"""From a command and the one folder it may write to, the command that runs it confined."""

_APART: Final = (
    *("--user", "--map-current-user", "--net", "--ipc"),
    *("--pid", "--fork", "--kill-child=KILL", "--mount-proc", "--"),
)
_PATIENCE: Final = 10.0
"""Seconds for the probe."""


def namespaces(path: str | None = None) -> Confine:
    """Confinement by `unshare` where a probe shows that it works; elsewhere commands stay as they are."""
    unshare, true = shutil.which("unshare", path=path), shutil.which("true", path=path)
    if not unshare or not true or not _works((unshare, *_APART, true)):
        return lambda argv, folder: argv
    return lambda argv, folder: (unshare, *_APART, *argv)


def _works(command: tuple[str, ...]) -> bool:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
