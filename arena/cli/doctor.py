"""`arena doctor`: what this machine offers to a tournament, and what is missing."""

import os
import pwd
import resource
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from arena.cli.shown import json_line, safe
from arena.cli.values import bytes_in_words


def doctor(*, json: Annotated[bool, Parameter(negative=(), help="One JSON object.")] = False) -> int:
    """Show what this machine offers: cores, limits, sandbox tiers, interpreters, compilers."""
    from arena import __version__

    facts = {
        "arena": __version__,
        **machine_facts(),
        "sandbox": sandbox_tiers(),
        "interpreters": interpreters(),
        "compilers": compilers(),
    }
    if json:
        sys.stdout.write(json_line(facts, indent=2))
    else:
        sys.stdout.write("\n".join(_lines(facts)) + "\n")
    return 0


def machine_facts() -> dict[str, object]:
    """Cores this process may use, the file limit (soft, hard), memory in bytes, Python, user, cgroups."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "python_path": sys.executable,
        "platform": sys.platform,
        "cores": cores(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "file_limit": [_unlimited(soft), _unlimited(hard)],
        "user": user(),
        "root": os.geteuid() == 0,
        "cgroup": writable_cgroup(),
    }


def cores() -> int:
    """How many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def user() -> str:
    """The name of the user arena runs as, or the number where it has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def writable_cgroup() -> str | None:
    """The folder of this process's memory cgroup where groups can be made in it (v2, then v1), else None."""
    try:
        lines = Path("/proc/self/cgroup").read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            folder = Path("/sys/fs/cgroup", path.lstrip("/"))
            try:
                offered = (folder / "cgroup.controllers").read_text("ascii").split()
            except OSError:
                continue
        elif "memory" in controllers.split(","):
            folder, offered = Path("/sys/fs/cgroup/memory", path.lstrip("/")), ["memory"]
        else:
            continue
        if "memory" in offered and folder.is_dir() and os.access(folder, os.W_OK):
            return str(folder)
    return None


def sandbox_tiers() -> list[dict[str, object]]:
    """The tiers in the order `auto` tries them: whether each works here or why not, and its promise."""
    import trio

    from arena.referee.tiers import mend, survey

    return [
        {
            "tier": found.tier,
            "works": found.works,
            "reason": found.reason,
            "promises": found.promises,
            "mend": None if found.works else mend(found.tier),
        }
        for found in trio.run(survey)
    ]


def interpreters() -> list[dict[str, str | None]]:
    """Each language a bot's extension may stand for, what runs it, and where that was found."""
    from arena.roster.programs import interpreters as look_up

    return [{"language": name, "runs_on": wanted, "found": found} for name, wanted, found in look_up()]


def compilers() -> list[dict[str, str | None]]:
    """Each compiler that builds commonly name, where it was found, and its version."""
    from arena.roster.compilers import compilers as look_up

    return [{"program": name, "found": found, "version": version} for name, found, version in look_up()]


def _lines(facts: dict[str, Any]) -> Iterator[str]:
    soft, hard = facts["file_limit"]
    yield f"arena         {facts['arena']}"
    yield f"Python        {facts['python']} ({safe(facts['python_path'], 4096)})"
    memory = bytes_in_words(facts["memory"])
    yield f"system        {facts['platform']}, {facts['cores']} cores, {memory} of memory"
    yield f"file limit    {soft or 'none'} (may be raised to {hard or 'any'})"
    yield f"user          {facts['user']}" + ("; bots run as nobody" if facts["root"] else "")
    yield f"memory group  {safe(facts['cgroup'] or '', 4096) or 'none that this user may make groups in'}"
    yield ""
    first = next((tier["tier"] for tier in facts["sandbox"] if tier["works"]), None)
    taken = f"; a run takes {first} unless --sandbox says otherwise" if first else ": no bot can be run here"
    yield f"sandbox tiers: how well bots are walled in{taken}"
    for tier in facts["sandbox"]:
        yield f"  {tier['tier']:<6}{'works' if tier['works'] else 'not here: ' + tier['reason']}"
        yield from textwrap.wrap(tier["promises"], 90, initial_indent=" " * 8, subsequent_indent=" " * 8)
        if tier["mend"]:
            mend = f"to have it: {tier['mend']}"
            yield from textwrap.wrap(mend, 90, initial_indent=" " * 8, subsequent_indent=" " * 8)
    yield ""
    yield "languages: what runs a file by its extension (a folder with a bot.toml runs what it likes)"
    width = max(len(entry["language"]) for entry in facts["interpreters"])
    for entry in facts["interpreters"]:
        found = safe(entry["found"] or "", 4096) or f"not found; looked for {entry['runs_on']}"
        yield f"  {entry['language']:<{width}}  {found}"
    yield ""
    yield "compilers, for the build of a bot.toml"
    for entry in facts["compilers"]:
        found = safe(entry["found"] or "", 4096) or "not found"
        version = f" ({safe(entry['version'])})" if entry["version"] else ""
        yield f"  {entry['program']:<{width}}  {found}{version}"


def _unlimited(limit: int) -> int | None:
    return None if limit == resource.RLIM_INFINITY else limit
