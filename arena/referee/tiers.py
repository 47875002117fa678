"""The table of sandbox tiers, and which of them a run takes: the first that a probe has shown to work."""

import dataclasses
import difflib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias, get_args

import trio

from arena.errors import BadInput
from arena.referee.bare import Bare
from arena.referee.block import Contestant, TierName
from arena.referee.bwrap import Bubblewrap
from arena.referee.launch import Tier, tool
from arena.referee.machine import open_machine
from arena.referee.namespace import Namespaces, Tools
from arena.referee.places import places
from arena.referee.probe import fails
from arena.referee.seccomp import compiled_filter

ORDER: Final[tuple[TierName, ...]] = ("bwrap", "ns", "bare")
"""The order in which `auto` takes them."""

PROMISES: Final = MappingProxyType[TierName, str](
    {
        "bwrap": "a bot sees nothing but its own folder and the system's programs; no network, no other "
        "process; system calls it has no use for are closed",
        "ns": "a bot sees nothing but its own folder and the system's programs; no network, no other process",
        "bare": "no walls: a bot can read, change and reach what the user it runs as can, the network too; "
        "its processes are still ended. For bots you trust",
    }
)

_Candidates: TypeAlias = tuple[Tier, ...] | str
"""Ways to have a tier, the best first, or why there is none."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of a tier on this machine."""

    tier: TierName
    works: bool
    reason: str
    """Why it does not work; empty if it does."""
    promises: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tier of a run."""

    tier: Tier
    passed_over: tuple[Finding, ...]
    """The tiers before it that do not work here."""


async def choose_tier(
    name: str,
    contestants: Sequence[Contestant] = (),
    *,
    allow_root_bots: bool = False,
    more: Sequence[str] = (),
) -> Chosen:
    """The tier a run of these contestants takes: the one demanded, or with `auto` the first that works.

    `allow_root_bots`: where arena is run by root and nobody cannot run a bot in `bare`, root may. `more`:
    absolute paths of files and folders that every bot may read, in a sandbox too.

    Raises BadInput for a name that does not exist, and where the tier is not to be had.
    """
    names = (*get_args(TierName), "auto")
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadInput(f"there is no sandbox {name!r}: it is auto, bwrap, ns or bare{hint}")
    for path in more:
        if not os.path.isabs(path) or not os.path.exists(path):
            raise BadInput(f"bots cannot be shown {path!r}: give the absolute path of what is there")
    wanted = ORDER if name == "auto" else tuple(tier for tier in ORDER if tier == name)
    tried = await _try(wanted, contestants, tuple(more), allow_root_bots=allow_root_bots)
    passed_over: list[Finding] = []
    for tier, finding in tried:
        if tier is not None:
            return Chosen(tier, tuple(passed_over))
        passed_over.append(finding)
    if name == "auto":
        why = "; ".join(f"{finding.tier}: {finding.reason}" for finding in passed_over)
        raise BadInput(f"bots cannot be run here in any way: {why}; {mend('bare')}")
    raise BadInput(f"the sandbox {name} is not to be had here: {passed_over[0].reason}; {mend(name)}")


async def survey() -> tuple[Finding, ...]:
    """What each tier promises, and whether it works on this machine."""
    return tuple(finding for _, finding in await _try(ORDER, ()))


async def _try(
    names: Sequence[TierName],
    contestants: Sequence[Contestant],
    more: tuple[str, ...] = (),
    *,
    allow_root_bots: bool = False,
) -> list[tuple[Tier | None, Finding]]:
    """For each name, in order, the tier if it works, and what was found."""
    found: dict[TierName, tuple[Tier | None, Finding]] = {}

    async def one(name: TierName) -> None:
        candidates = _candidates(name, allow_root_bots=allow_root_bots)
        reason = candidates if isinstance(candidates, str) else ""
        for candidate in () if isinstance(candidates, str) else candidates:
            tier = _showing(candidate, more)
            failure = await fails(machine, _showing(tier, _needed(contestants)), contestants)
            if failure is None:
                found[name] = (tier, Finding(name, True, "", PROMISES[name]))
                return
            reason = reason or failure
        found[name] = (None, Finding(name, False, reason, PROMISES[name]))

    async with open_machine() as machine, trio.open_nursery() as probes:
        for name in names:
            probes.start_soon(one, name)
    return [found[name] for name in names]


def _candidates(name: TierName, *, allow_root_bots: bool) -> _Candidates:
    if name == "bare":
        return _bare(allow_root_bots=allow_root_bots)
    if sys.platform != "linux":
        return "it needs Linux"
    missing = [word for word in ("unshare", "setpriv", "mount") if tool(word) is None]
    tools = Tools(*(tool(word) or "" for word in ("unshare", "setpriv", "mount")))
    if name == "ns":
        return f"{missing[0]} is not installed" if missing else (Namespaces(tools, os.geteuid() == 0),)
    program = tool("bwrap")
    if program is None:
        return "bwrap is not installed"
    if os.geteuid() == 0 and missing:
        return f"{missing[0]} is not installed"
    closes = "--disable-userns" in _help(program)
    return (Bubblewrap(program, tools if os.geteuid() == 0 else None, closes, compiled_filter()),)


def _bare(*, allow_root_bots: bool) -> _Candidates:
    setpriv = tool("setpriv") if sys.platform == "linux" else None
    if os.geteuid() != 0:
        # Some have a setpriv that can do less; bots then keep what the user has.
        return (Bare(setpriv), Bare(None)) if setpriv else (Bare(None),)
    as_root = (Bare(None),) if allow_root_bots else ()
    if setpriv is None:
        return (
            as_root or "arena is run by root, and setpriv, which takes root's rights away, is not installed"
        )
    return (Bare(setpriv, as_nobody=True), *as_root)


def _needed(contestants: Sequence[Contestant]) -> tuple[str, ...]:
    """All that the contestants have in sight, each for itself: the probe looks at it for all of them."""
    return tuple(sorted({place for bot in contestants for place in (bot.folder, *places(bot.argv[0]))}))


def _showing(tier: Tier, more: tuple[str, ...]) -> Tier:
    if not more or not isinstance(tier, Namespaces | Bubblewrap):
        return tier
    return dataclasses.replace(tier, more=(*tier.more, *more))


def _help(program: str) -> str:
    try:
        done = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def mend(name: str) -> str:
    """What to do to have a tier that does not work here."""
    if name == "bwrap":
        return "install bubblewrap, or see docs/sandbox.md for systems that forbid it"
    if name == "ns":
        return "install util-linux, or see docs/sandbox.md for systems that forbid it"
    if os.geteuid() == 0:
        return (
            "install Python and what the bots run on where every user can reach it (/usr/local, /opt), "
            "or run arena as an ordinary user"
        )
    return "run arena where your user can start Python"
