"""Building: a bot.toml's `build`, run once for each content in a writable copy, its result kept read-only."""

import contextlib
import os
import platform
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import BadInput
from arena.protocol.escape import escape
from arena.referee.aftermath import Register, new_scratch, remove_scratch
from arena.roster import copies
from arena.roster.cache import locked
from arena.roster.confine import Confine, Job
from arena.roster.content import Entry, digest, entries_of, scan
from arena.roster.entrant import MANIFEST, Entrant
from arena.roster.process import Ended, Limits, run_limited
from arena.roster.programs import Programs, behind_rustup
from arena.roster.words import shown

_LINES_SHOWN: Final = 12
_LINE_SHOWN: Final = 200
_SHELL_MARKS: Final = frozenset("*?$~`")


class Workshop(msgspec.Struct, frozen=True):
    """What all builds of a run share."""

    cache: Path
    programs: Programs
    confine: Confine
    limits: Limits = Limits()
    tell: Callable[[str], None] | None = None
    """Called with a line for people before a build that is really run."""


def built(bot: Entrant, shop: Workshop) -> Path:
    """The read-only folder with a bot and all that its build made, from the cache where it was built before.

    Of several processes that build one content at the same time, one does and the others wait for it.
    Raises BadInput with the last lines of the build's output when it fails.
    """
    key = f"{bot.digest}-{platform.system()}-{platform.machine()}".lower()
    kept = shop.cache / "built" / key
    try:
        with locked(shop.cache, key):
            if not _is_whole(kept):
                copies.remove(kept)
                place = shop.cache / "building" / key
                copies.remove(place)
                try:
                    _build(bot, place, kept, shop)
                finally:
                    copies.remove(place)
    except OSError as error:
        raise BadInput(
            f"what the build of {shown(bot.command)} made cannot be kept: "
            f"{shown(str(error.filename))}: {error.strerror}"
        ) from None
    return kept / "bot"


def _build(bot: Entrant, place: Path, kept: Path, shop: Workshop) -> None:
    """Build in the folder `place` and move the finished result, whole, to `kept`."""
    assert bot.manifest is not None
    work = place / "work"
    for above in (place, work):
        above.mkdir(mode=0o755)
        above.chmod(0o755)
    folder, home, temporary = work / "bot", work / "home", work / "tmp"
    copied = copies.copy(entries_of(bot), folder, writable=True)
    if digest(bot.kind, bot.words, copied) != bot.digest:
        raise BadInput(f"{shown(bot.command)} changed while it was being copied; run it again")
    home.mkdir(mode=0o755)
    temporary.mkdir(mode=0o755)
    if shop.tell:
        shop.tell(f"building {bot.name}: {shown(' '.join(bot.manifest.build))}")
    compilers = behind_rustup(shop.programs, folder)
    path = (*((compilers,) if compilers else ()), *shop.programs.folders())
    environment = {
        "PATH": os.pathsep.join(path),
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "LANG": "C.UTF-8",
    }
    argv = _command(bot.manifest.build, folder, environment["PATH"])
    tools = (os.path.join(compilers, "rustc"),) if compilers else ()
    with _registered() as (scratch, token):
        confined = shop.confine(Job(argv, str(folder), str(work), str(scratch), token, tools))
        ended = run_limited(confined, work, {**environment, "ARENA_TOKEN": token}, token, shop.limits)
    if ended.reason:
        raise BadInput(_complaint(bot, ended))
    result = place / "kept"
    result.mkdir(mode=0o755)
    made = scan(folder, f"what the build of {shown(bot.command)} made", most=None, links_out=True)
    sealed = copies.copy(made, result / "bot", writable=False)
    (result / "digest").write_text(_sum(sealed))
    result.chmod(0o755)
    result.rename(kept)


@contextlib.contextmanager
def _registered() -> Iterator[tuple[Path, str]]:
    """A folder for what a build is confined by, and the token by which its processes are known.

    Should arena be killed meanwhile, its next start ends those processes and removes the folder.
    """
    run = secrets.token_hex(8)
    scratch = new_scratch()
    register = Register(scratch, run)
    try:
        yield scratch, f"{run}-build."
    finally:
        register.close()
        remove_scratch(scratch)


def _command(words: tuple[str, ...], folder: Path, path: str) -> tuple[str, ...]:
    """The build's words, the first as an absolute path."""
    first = words[0]
    if "/" in first:
        return (os.path.join(folder, first), *words[1:])
    return (Programs(path).find(first) or first, *words[1:])


def _is_whole(kept: Path) -> bool:
    """Whether the cache holds the result with every byte it was kept with."""
    with contextlib.suppress(OSError, BadInput):
        return (kept / "digest").read_text() == _sum(
            scan(kept / "bot", "the cache", most=None, links_out=True)
        )
    return False


def _sum(entries: list[Entry]) -> str:
    return digest("built", (), entries)


def _complaint(bot: Entrant, ended: Ended) -> str:
    assert bot.manifest is not None
    command = " ".join(bot.manifest.build)
    title = f"{shown(bot.command)}/{MANIFEST}: the build failed ({ended.reason}): {shown(command)}"
    if _SHELL_MARKS & set(command):
        title += " (no shell runs it; write sh -c '...' where one should)"
    lines = [line for line in ended.output.decode(errors="backslashreplace").splitlines() if line.strip()]
    tail = [f"    {escape(line, _LINE_SHOWN)}" for line in lines[-_LINES_SHOWN:]]
    return "\n".join([title, *(tail or ["    (it printed nothing)"])])
