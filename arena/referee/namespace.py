"""The tier `ns`: namespaces and a file tree of the bot's own, made with util-linux alone.

Four programs hand the process on. `unshare` makes the namespaces; `mount` puts the tree together; a second
`unshare` enters it; `setpriv` drops what rights are left. In the end a shell is the first process of the pid
namespace: the bot is not, because the kernel keeps most signals from such a process, even its own.
"""

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
from arena.referee.places import beneath
from arena.referee.root import Bind, Root, Roots

_APART: Final = ("--pid", "--fork", "--kill-child=KILL", "--net", "--ipc", "--uts", "--mount")
# A change of user has the kernel forget that the process is to end with its parent.
_LESS: Final = ("--no-new-privs", "--pdeathsig", "KILL")
_MOST_INODES: Final = 4096
# The shell holds none of the bot's pipes while it waits, so that one the bot closes is closed; what it has
# to say of the bot's end ("Segmentation fault") stays out of the bot's stderr.
_WAIT: Final = (
    "exec 7<&0 8>&1 9>&2 </dev/null >/dev/null 2>&1; "
    '(exec "$@" <&7 >&8 2>&9 7<&- 8>&- 9>&-) & exec 7<&- 8>&- 9>&-; wait $!; exit $?'
)


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs of util-linux, by their absolute paths."""

    unshare: str
    setpriv: str
    mount: str


@dataclass(frozen=True, slots=True)
class Namespaces:
    """Bots in namespaces of their own."""

    tools: Tools
    as_root: bool
    """Root makes the namespaces with its own rights; anybody else is root of a user namespace for that."""
    more: tuple[str, ...] = ()
    """Folders and files that all bots may read besides what they need."""
    roots: Roots = field(default_factory=Roots, compare=False)

    name: Literal["ns"] = "ns"
    contained: Literal[True] = True

    def command(
        self, bot: Contestant, scratch: Path, token: str, limits: Limits, work: str | None = None
    ) -> Command:
        """The bot behind the chain of programs that puts it into its namespaces."""
        root = self.roots.of(bot, scratch, self.more, work)
        mark = scratch / f"{token}up"
        steps = (
            f"{self.tools.mount} -n -a -T {shlex.quote(str(_table(root)))}",
            f"cd {shlex.quote(str(root.folder))} && unset OLDPWD",
            f': >{shlex.quote(str(mark))} && exec "$@"',
        )
        user = () if self.as_root else ("--user", "--map-root-user")
        argv = limited(
            limits,
            (
                *(self.tools.setpriv, "--pdeathsig", "KILL", "--"),
                *(self.tools.unshare, *user, *_APART, "--", "/bin/sh", "-c", " && ".join(steps), "bot"),
                *self._enter(bot.folder),
                *("/bin/sh", "-c", self._wait(limits), "bot", *bot.argv),
            ),
        )
        return Command(argv, "/", "/tmp", mark=mark, traces=(mark,))

    def _enter(self, folder: str) -> tuple[str, ...]:
        """Make the tree the root folder and give up every right.

        A process that was put into another root folder cannot make user namespaces, so none of the
        kernel's doors that only root may open come into the bot's reach that way.
        """
        into = ("--root=.", f"--wd={folder}")
        if self.as_root:
            # Its real user is nobody: what is root's alone stays closed to it, whatever it finds.
            less = (self.tools.setpriv, *NO_ROOT, *_LESS, "--")
            return (self.tools.unshare, *into, "--", *less)
        user = ("--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--keep-caps")
        rights = ("--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all")
        return (
            *(self.tools.unshare, *user, *into, "--"),
            *(self.tools.setpriv, *rights, *_LESS, "--"),
        )

    def _wait(self, limits: Limits) -> str:
        # Of root's bots the kernel would count all that are nobody's together.
        return _WAIT if self.as_root else tasks_limit(limits) + _WAIT


def _table(root: Root) -> Path:
    """The tree's mounts as a file that `mount -a` reads; one program then makes them all."""
    table = root.folder.with_suffix(".mounts")
    if not table.exists():
        table.write_text("".join(f"{line}\n" for line in _lines(root)))
    return table


def _lines(root: Root) -> Iterator[str]:
    top = str(root.folder)
    # The skeleton over itself: read-only there, for a user who owns it.
    yield fstab_line(top, top, "none", "bind,ro,nosuid,nodev", top)
    yield fstab_line("proc", f"{top}/proc", "proc", "nosuid,nodev,noexec")
    memory = f"mode=1777,nosuid,nodev,nr_inodes={_MOST_INODES}"
    yield fstab_line("tmpfs", f"{top}/tmp", "tmpfs", f"size={TMP_BYTES},{memory}")
    yield fstab_line("tmpfs", f"{top}/dev/shm", "tmpfs", f"size={SHM_BYTES},{memory}")
    for bind in root.binds:
        if beneath(bind.target, "/tmp") and not os.path.isdir(bind.source):
            # A file has nowhere to go on the private /tmp: its bot cannot run here, and a probe will say so.
            continue
        yield fstab_line(bind.source, f"{top}{bind.target}", "none", _options(bind), bind.source)


def _options(bind: Bind) -> str:
    if bind.device:
        return "bind,nosuid,noexec"
    # Its place under /tmp went under the private /tmp and is made again there.
    again = ",X-mount.mkdir" if beneath(bind.target, "/tmp") else ""
    return f"rbind,{'rw' if bind.writable else 'ro'},nosuid,nodev{again}"


def fstab_line(source: str, target: str, kind: str, options: str, real: str | None = None) -> str:
    """One mount as a line of a table of mounts; `real` is the folder that is shown, if one is."""
    if real is not None and os.statvfs(real).f_flag & os.ST_NOEXEC and "noexec" not in options:
        # In a user namespace the kernel lets nobody take back what the mount it comes from forbids.
        options += ",noexec"
    return f"{_escaped(source)} {_escaped(target)} {kind} {options} 0 0"


def _escaped(path: str) -> str:
    """A path as a table of mounts has it: white space and backslashes in octal."""
    return "".join(f"\\{ord(c):03o}" if c in " \t\n\\#" else c for c in path)
