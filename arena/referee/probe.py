"""The probe: a small bot is run in a tier and says what it finds, which decides whether the tier works.

To look for a program is not enough: Ubuntu 24.04 has bubblewrap and forbids what it does, and an interpreter
under a closed home seems to run and has lost its packages.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import trio

from arena.referee import tree
from arena.referee.bare import Bare
from arena.referee.block import Contestant
from arena.referee.launch import NOBODY, Tier
from arena.referee.machine import Machine
from arena.referee.places import closed_to
from arena.referee.spawn import CannotStart, HostTrouble, Process

PATIENCE: Final = 20.0
"""Seconds in which a working tier has answered on the slowest of machines."""
_MOST: Final = 65_536

_BOT: Final = """
import json, os, sys
programs, folders, secret = json.loads(sys.argv[1])
try:
    with open("/proc/net/dev") as file:
        devices = [line.split(":")[0].strip() for line in file if ":" in line]
except OSError:
    devices = []
print(json.dumps({
    "prefix": [sys.prefix, sys.base_prefix],
    "user": os.getuid(),
    "closed": [path for path in programs if not os.access(path, os.X_OK)]
        + [path for path in folders if not os.access(path, os.R_OK | os.X_OK)],
    "secret": os.access(secret, os.R_OK),
    "devices": devices,
    "writes": os.access(".", os.W_OK),
}), flush=True)
sys.stdin.read()
"""


async def fails(machine: Machine, tier: Tier, contestants: Sequence[Contestant]) -> str | None:
    """Why the tier does not work on this machine or not for these contestants; None if it does.

    `tier` must show the contestants' programs and folders to the probe too.
    """
    probe = _probe(machine.scratch, contestants)
    try:
        process = await machine.start(probe, tier=tier)
    except (CannotStart, HostTrouble) as error:
        return str(error).rstrip(".")
    try:
        with trio.move_on_after(PATIENCE):
            line = await _first_line(process)
            if not line:
                return await _last_words(process)
            return _verdict(json.loads(line), tier) or _host_user(process, tier)
        return f"a probe had not answered after {PATIENCE:g} s"
    except ValueError:
        return "a probe did not answer as it should"
    finally:
        with trio.CancelScope(shield=True):
            await machine.end(process)
        process.close_pipes()


def _probe(scratch: Path, contestants: Sequence[Contestant]) -> Contestant:
    folder = scratch / "probe"
    secret = scratch / "secret"
    if not folder.exists():
        folder.mkdir()
        (folder / "bot.py").write_text(_BOT)
        secret.touch()
        # Whoever sees it may read it: what is asked is who sees it.
        for path, mode in ((folder / "bot.py", 0o444), (secret, 0o444), (folder, 0o555)):
            path.chmod(mode)
    programs = sorted({bot.argv[0] for bot in contestants})
    folders = sorted({bot.folder for bot in contestants})
    wanted = json.dumps([programs, folders, str(secret)])
    return Contestant("the probe", (os.path.abspath(sys.executable), "bot.py", wanted), str(folder), "")


async def _first_line(process: Process) -> bytes:
    """Empty if the process ends, or says no whole line."""
    said = b""
    while not said.endswith(b"\n") and len(said) < _MOST:
        await trio.lowlevel.wait_readable(process.stdout)
        piece = os.read(process.stdout, _MOST)
        if not piece:
            return b""
        said += piece
    return said


async def _last_words(process: Process) -> str:
    while process.exit_status() is None:
        await trio.sleep(0.002)
    try:
        lines = os.read(process.stderr, _MOST).decode(errors="backslashreplace").split("\n")
    except OSError:
        lines = []
    code, signal = process.exit_status() or (None, None)
    last = [line.strip() for line in lines if line.strip()][-1:]
    return last[0] if last else f"a probe ended with {signal or f'exit code {code}'}"


def _verdict(said: dict[str, Any], tier: Tier) -> str | None:
    for found, own in zip(said["prefix"], (sys.prefix, sys.base_prefix), strict=True):
        if found != own:
            folder = closed_to(own, said["user"])
            if folder:
                return (
                    f"bots run in it as user {said['user']}, to whom {folder} is closed, and the Python that "
                    f"runs arena lies in there ({own})"
                )
            return f"the Python at {own} is not found in it, but {found} is, which has other packages"
    if said["closed"]:
        place = said["closed"][0]
        return f"a bot cannot reach {place} in it{_closed(place, said)}"
    if tier.contained and said["user"] != NOBODY:
        return f"a bot is user {said['user']} in it, not {NOBODY}"
    if tier.contained and said["secret"]:
        return "a bot can read the referee's files in it"
    if tier.contained and said["devices"] not in (["lo"], []):
        return "a bot has a network in it"
    if tier.contained and said["writes"]:
        return "a bot can write to its folder in it"
    return None


def _closed(path: str, said: dict[str, Any]) -> str:
    folder = closed_to(path, said["user"])
    return f" ({folder} is closed to user {said['user']})" if folder else ""


def _host_user(process: Process, tier: Tier) -> str | None:
    """Seen from here: a bot that root started has none of root's rights, whatever it is told of itself."""
    if os.geteuid() != 0 or (isinstance(tier, Bare) and not tier.as_nobody):
        return None
    family = [process.pid, *tree.descendants_of(process.pid)]
    users = tree.users_of(family[-1])
    return None if users and 0 not in users else "a bot is root on the host"
