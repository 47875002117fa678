"""What a build runs in: no network, no process of it that outlives it, and never root's rights."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from arena.errors import BadInput
from arena.referee.launch import NO_ROOT, NOBODY, tool
from arena.referee.places import beneath, closed_to, places


class Job(msgspec.Struct, frozen=True):
    """A build to be confined."""

    argv: tuple[str, ...]
    """The first word is an absolute path."""
    folder: str
    """Where it starts."""
    work: str
    """The one folder it must be able to write to; confining it may change who owns what is there."""
    tools: tuple[str, ...] = ()
    """Programs it may start besides, by absolute paths, which may lie where only root can go."""


Confine: TypeAlias = Callable[[Job], tuple[str, ...]]
"""From a build to the command that runs it confined."""

_APART: Final = ("--net", "--ipc", "--pid", "--fork", "--kill-child=KILL", "--mount-proc")
_PATIENCE: Final = 10.0
"""Seconds for a probe."""
_DESCRIPTORS: Final = range(3, 10)
"""Those that any shell can name."""


def as_it_is(job: Job) -> tuple[str, ...]:
    """No confinement at all: what the build starts is still ended with it, and its limits hold."""
    return job.argv


def choose_confinement() -> Confine:
    """The best confinement that a probe shows to work here.

    An ordinary user's builds run in namespaces, or as they are where the system has none. Root's run as
    nobody, in namespaces or without. Raises BadInput for root where that cannot be.
    """
    unshare, setpriv, true = map(tool, ("unshare", "setpriv", "true"))
    candidates: list[Confine] = []
    if os.geteuid() != 0:
        if unshare:
            candidates.append(_apart(unshare))
    elif setpriv:
        mount, mkdir = tool("mount"), tool("mkdir")
        if unshare and mount and mkdir:
            candidates.append(_nobody_apart(unshare, setpriv, mount, mkdir))
        candidates.append(_nobody(setpriv))
    for confine in candidates:
        if true and _works(confine, true):
            return confine
    if os.geteuid() == 0:
        raise BadInput(
            "arena is run by root, and bots are not built with root's rights, which setpriv cannot take away "
            "here; install util-linux, or run arena as an ordinary user"
        )
    return as_it_is


def _apart(unshare: str) -> Confine:
    """The user's own rights in namespaces."""
    return lambda job: (unshare, "--user", "--map-current-user", *_APART, "--", *job.argv)


def _nobody(setpriv: str) -> Confine:
    """Nobody's rights, without namespaces: what is in root's home cannot be reached."""

    def confine(job: Job) -> tuple[str, ...]:
        _give_to_nobody(job.work)
        return (setpriv, *NO_ROOT, "--no-new-privs", "--", *job.argv)

    return confine


def _nobody_apart(unshare: str, setpriv: str, mount: str, mkdir: str) -> Confine:
    """Nobody's rights in namespaces, with the compiler in sight even where it lies in root's home."""

    def confine(job: Job) -> tuple[str, ...]:
        _give_to_nobody(job.work)
        tools = [place for program in (job.argv[0], *job.tools) for place in places(program)]
        steps = "; ".join(["set -e", *_opened_up([job.work, *tools], mount, mkdir)])
        script = f'{steps}; cd {shlex.quote(job.folder)}; exec "$@"'
        less = (setpriv, *NO_ROOT, "--no-new-privs", "--", *job.argv)
        return (unshare, *_APART, "--", "/bin/sh", "-c", script, "build", *less)

    return confine


def _opened_up(needed: Iterable[str], mount: str, mkdir: str) -> Iterator[str]:
    """Shell commands that put places which nobody may not enter into his sight, and nothing else of theirs.

    Over the closed folder (a home) goes an empty one, and into it the place itself, held open meanwhile.
    """
    closed: dict[str, str] = {}
    for place in sorted({os.path.realpath(place) for place in needed}):
        step = closed_to(place, NOBODY)
        if step is not None and step != place and not any(beneath(place, other) for other in closed):
            closed[place] = step
    kept = list(zip(_DESCRIPTORS, closed, strict=False))
    for number, place in kept:
        yield f"exec {number}<{shlex.quote(place)}"
    for cover in sorted(set(closed.values())):
        yield f"{mount} -n -t tmpfs -o mode=755,size=1m tmpfs {shlex.quote(cover)}"
    for number, place in kept:
        target = shlex.quote(place)
        if os.path.isdir(place):
            yield f"{mkdir} -p {target}"
        else:
            yield f"{mkdir} -p {shlex.quote(os.path.dirname(place))}"
            yield f": >{target}"
        # By its name it is out of reach now, so the descriptor's own must not be turned into one.
        yield f"{mount} -n --no-canonicalize --bind /proc/self/fd/{number} {target}"
        yield f"exec {number}<&-"


def _give_to_nobody(work: str) -> None:
    for folder, folders, files in os.walk(work):
        for place in (folder, *(os.path.join(folder, name) for name in (*folders, *files))):
            os.chown(place, NOBODY, NOBODY, follow_symlinks=False)


def _works(confine: Confine, true: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="arena-") as work:
        try:
            done = subprocess.run(
                confine(Job((true,), work, work)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0
