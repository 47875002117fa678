"""The tier `bwrap`: bubblewrap makes the sandbox, a program that does nothing else and does it well."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from arena.referee.block import Contestant
from arena.referee.launch import (
    NO_ROOT,
    NOBODY,
    SHM_BYTES,
    TMP_BYTES,
    Command,
    Limits,
    limited,
    tasks_limit,
)
from arena.referee.namespace import Tools, fstab_line
from arena.referee.places import closed_to
from arena.referee.root import Root, Roots

_APART: Final = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--uid", str(NOBODY), "--gid", str(NOBODY), "--cap-drop", "ALL"),
    *("--new-session", "--die-with-parent"),
)


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Bots in bubblewrap's sandboxes."""

    program: str
    tools: Tools | None
    """For root alone: what gives up root's rights before bubblewrap is started."""
    closes_userns: bool = True
    """Whether this bubblewrap can close user namespaces to the bot."""
    filter: bytes | None = None
    """A seccomp program."""
    more: tuple[str, ...] = ()
    """Folders and files that all bots may read besides what they need."""
    roots: Roots = field(default_factory=Roots, compare=False)

    name: Literal["bwrap"] = "bwrap"
    contained: Literal[True] = True

    def command(
        self, bot: Contestant, scratch: Path, token: str, limits: Limits, work: str | None = None
    ) -> Command:
        """The bot behind bubblewrap, and behind a shell that sets the limit bubblewrap has no option for."""
        root = self.roots.of(bot, scratch, self.more, work)
        sources, before = self._reachable(root)
        status, told = os.pipe()
        inherited = [told]
        options = [*_APART, "--json-status-fd", str(told)]
        if self.closes_userns:
            options.append("--disable-userns")
        if self.filter is not None:
            program, filled = os.pipe()
            os.write(filled, self.filter)
            os.close(filled)
            inherited.append(program)
            options += ["--seccomp", str(program)]
        shell = ("/bin/sh", "-c", f'{tasks_limit(limits)}exec "$@"', "bot", *bot.argv)
        argv = (*before, self.program, *options, *_tree(root, sources, bot.folder), "--", *shell)
        return Command(limited(limits, argv), "/", "/tmp", tuple(inherited), status)

    def _reachable(self, root: Root) -> tuple[dict[str, str], tuple[str, ...]]:
        """Where each source of a bind is found, and what must come before bubblewrap.

        Root starts bubblewrap as nobody, so that a bot has nothing of root's rights even outside all
        namespaces. What nobody cannot reach (an interpreter in root's home) is first shown at a place that
        it can, in a mount namespace that ends with the bot.
        """
        if self.tools is None:
            return {}, ()
        less = (self.tools.setpriv, *NO_ROOT, "--no-new-privs", "--")
        sources: dict[str, str] = {}
        for number, bind in enumerate(root.binds):
            if not bind.device and closed_to(os.path.dirname(bind.source), NOBODY):
                sources[bind.source] = f"{root.folder}.places/{number}"
        if not sources:
            return sources, less
        table = root.folder.with_suffix(".mounts")
        if not table.exists():
            _make_places(sources)
            lines = (
                fstab_line(
                    *(bind.source, sources[bind.source], "none", f"rbind,{'rw' if bind.writable else 'ro'}"),
                    bind.source,
                )
                for bind in root.binds
                if bind.source in sources
            )
            table.write_text("".join(f"{line}\n" for line in lines))
        script = f'{self.tools.mount} -n -a -T {shlex.quote(str(table))} && exec "$@"'
        return sources, (self.tools.unshare, "--mount", "--", "/bin/sh", "-c", script, "bot", *less)


def _tree(root: Root, sources: dict[str, str], folder: str) -> Iterator[str]:
    yield from ("--ro-bind", str(root.folder), "/", "--proc", "/proc")
    yield from ("--perms", "1777", "--size", str(TMP_BYTES), "--tmpfs", "/tmp")
    yield from ("--perms", "1777", "--size", str(SHM_BYTES), "--tmpfs", "/dev/shm")
    for bind in root.binds:
        how = "--dev-bind" if bind.device else "--bind" if bind.writable else "--ro-bind"
        yield from (how, sources.get(bind.source, bind.source), bind.target)
    yield from ("--chdir", folder)


def _make_places(sources: dict[str, str]) -> None:
    for source, place in sources.items():
        parent = Path(place).parent
        parent.mkdir(exist_ok=True)
        parent.chmod(0o755)
        if os.path.isdir(source):
            Path(place).mkdir()
        else:
            Path(place).touch()
