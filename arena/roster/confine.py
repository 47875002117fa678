"""What a build runs in: what the bots of the run play in, or at least no network and never root's rights."""

import dataclasses
import functools
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import trio

from arena.errors import BadInput
from arena.referee.block import Contestant
from arena.referee.bwrap import Bubblewrap
from arena.referee.launch import NO_ROOT, NOBODY, Command, Limits, tool
from arena.referee.namespace import Namespaces
from arena.referee.places import beneath, closed_to, places
from arena.referee.tiers import choose_tier


class Job(msgspec.Struct, frozen=True):
    """A build to be confined."""

    argv: tuple[str, ...]
    """The first word is an absolute path."""
    folder: str
    """Where it starts."""
    work: str
    """The one folder it must be able to write to; confining it may change who owns what is there."""
    scratch: str
    """An empty folder of its own, in which confining it may leave what is needed for that."""
    token: str
    """By which its processes are known."""
    tools: tuple[str, ...] = ()
    """Programs it may start besides, by absolute paths, which may lie where only root can go."""


Confine: TypeAlias = Callable[[Job], Command]
"""From a build to the command that runs it confined."""

_APART: Final = ("--net", "--ipc", "--pid", "--fork", "--kill-child=KILL", "--mount-proc")
_PATIENCE: Final = 10.0
"""Seconds for a probe."""
_DESCRIPTORS: Final = range(3, 10)
"""Those that any shell can name."""
_LIMITS: Final = Limits(tasks=1024, files=4096, file_bytes=2 * 1024**3)
"""Compilers may have more of everything than bots."""


def as_it_is(job: Job) -> Command:
    """No confinement at all: what the build starts is still ended with it, and its limits hold."""
    return _command(job, job.argv)


def choose_confinement(sandbox: str = "auto") -> Confine:
    """What the builds of a run run in whose bots play in this sandbox, found out when the first is to run.

    A sandbox of the referee shows a build the system's programs, its own and its folder, in which alone it
    can write. Raises BadInput, then, where the sandbox is not to be had.
    """

    @functools.cache
    def chosen() -> Confine:
        if sandbox != "bare":
            tier = trio.run(functools.partial(choose_tier, sandbox, allow_root_bots=True)).tier
            if isinstance(tier, Namespaces | Bubblewrap):
                return _in_tier(tier)
        return _without_walls()

    return lambda job: chosen()(job)


def _in_tier(tier: Namespaces | Bubblewrap) -> Confine:
    def confine(job: Job) -> Command:
        if os.geteuid() == 0:
            _give_to_nobody(job.work)
        more = tuple(place for program in job.tools for place in places(program))
        shown = dataclasses.replace(tier, more=(*tier.more, *more))
        bot = Contestant("build", job.argv, job.folder, "")
        return shown.command(bot, Path(job.scratch), job.token, _LIMITS, job.work)

    return confine


def _without_walls() -> Confine:
    """The best that a probe shows to work here where there is no sandbox, or none is wanted.

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


def _command(job: Job, argv: tuple[str, ...]) -> Command:
    return Command(argv, job.folder, job.work)


def _apart(unshare: str) -> Confine:
    """The user's own rights in namespaces."""
    before = (unshare, "--user", "--map-current-user", *_APART, "--")
    return lambda job: _command(job, (*before, *job.argv))


def _nobody(setpriv: str) -> Confine:
    """Nobody's rights, without namespaces: what is in root's home cannot be reached."""

    def confine(job: Job) -> Command:
        _give_to_nobody(job.work)
        return _command(job, (setpriv, *NO_ROOT, "--no-new-privs", "--", *job.argv))

    return confine


def _nobody_apart(unshare: str, setpriv: str, mount: str, mkdir: str) -> Confine:
    """Nobody's rights in namespaces, with the compiler in sight even where it lies in root's home."""

    def confine(job: Job) -> Command:
        _give_to_nobody(job.work)
        tools = [place for program in (job.argv[0], *job.tools) for place in places(program)]
        steps = "; ".join(["set -e", *_opened_up([job.work, *tools], mount, mkdir)])
        script = f'{steps}; cd {shlex.quote(job.folder)}; exec "$@"'
        less = (setpriv, *NO_ROOT, "--no-new-privs", "--", *job.argv)
        return _command(job, (unshare, *_APART, "--", "/bin/sh", "-c", script, "build", *less))

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
                confine(Job((true,), work, work, work, "")).argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0
