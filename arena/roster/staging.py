"""Staging: every bot copied by content into a read-only folder of its own, from which it will be run."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from arena.errors import BadInput
from arena.referee.block import Contestant
from arena.roster import copies
from arena.roster.building import Workshop, built
from arena.roster.cache import open_cache, run_folder
from arena.roster.confine import Confine, choose_confinement
from arena.roster.content import digest_of, entries_of
from arena.roster.entrant import Entrant, Roster, SitsOut
from arena.roster.launch import launch_run
from arena.roster.process import Limits
from arena.roster.programs import Programs
from arena.roster.words import shown


@contextlib.contextmanager
def staged(
    roster: Roster, *, sandbox: str = "auto", tell: Callable[[str], None] | None = None
) -> Iterator[tuple[Contestant, ...]]:
    """The roster's bots ready to be run, in folders that every user can reach, removed afterwards.

    `sandbox`: what the bots of the run are to play in, and builds run in; the other arguments and the errors
    are those of `stage`.
    """
    with run_folder(open_cache()) as folder:
        yield stage(roster, folder, confine=choose_confinement(sandbox), tell=tell)


def stage(
    roster: Roster,
    folder: Path,
    *,
    confine: Confine | None = None,
    tell: Callable[[str], None] | None = None,
    limits: Limits | None = None,
    path: str | None = None,
) -> tuple[Contestant, ...]:
    """Copy every bot of the roster to a folder of its own below `folder`; build those that need it.

    `folder` is made if need be and opened to all users; `copies.remove` removes it. `confine` is what builds
    run in (by default the best sandbox there is), `tell` is called with a line for people
    before each build, `path` is the PATH that programs are looked up on. Raises BadInput for a failed build,
    and for a bot that changed since it was found.
    """
    programs = Programs(path)
    shop: Workshop | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    except OSError as error:
        raise BadInput(f"bots cannot be staged in {shown(str(folder))}: {error.strerror}") from None
    contestants = []
    for bot in roster.entrants:
        if bot.manifest and bot.manifest.build:
            shop = shop or Workshop(
                open_cache(), programs, confine or choose_confinement(), limits or Limits(), tell
            )
            place = built(bot, shop)
        else:
            place = _copied(bot, folder)
        argv = bot.argv or _after_build(bot, place, programs)
        if not os.path.isabs(argv[0]):
            argv = (str(place / argv[0]), *argv[1:])
        contestants.append(Contestant(bot.name, argv, str(place), bot.digest, bot.memory))
    return tuple(contestants)


def _copied(bot: Entrant, folder: Path) -> Path:
    """The bot's read-only copy; bots with the same content and file names share one."""
    names = "/".join(part.name for part in bot.parts)
    place = Path(os.path.abspath(folder)) / hashlib.sha256(f"{bot.digest}/{names}".encode()).hexdigest()[:16]
    if place.exists():
        return place
    new = place.with_suffix(".new")
    try:
        copied = copies.copy(entries_of(bot), new, writable=False)
        if digest_of(bot, copied) != bot.digest:
            raise BadInput(f"{shown(bot.command)} changed while it was being copied; run it again")
        os.rename(new, place)
    except OSError as error:
        raise BadInput(
            f"{shown(bot.command)} cannot be staged in {shown(str(folder))}: {error.strerror}"
        ) from None
    finally:
        copies.remove(new)
    return place


def _after_build(bot: Entrant, place: Path, programs: Programs) -> tuple[str, ...]:
    assert bot.manifest is not None
    try:
        return launch_run(bot.manifest.run, place, shown(bot.command), programs)
    except (SitsOut, BadInput) as reason:
        raise BadInput(f"{shown(bot.command)} was built, but {reason}") from None
