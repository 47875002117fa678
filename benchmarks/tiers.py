"""What a sandbox costs: the start of a process, its end, and a round trip, in every tier of this machine.

    python benchmarks/tiers.py [STARTS]

Tiers take turns, so that whatever else the machine does falls on all alike: trust the ratios.
"""

import os
import statistics
import sys
import time
from pathlib import Path

import trio

from arena.referee.bare import Bare
from arena.referee.block import Contestant
from arena.referee.launch import Tier
from arena.referee.machine import Machine, open_machine
from arena.referee.tiers import choose_tier, survey

ROUNDS = 2000


async def main(starts: int) -> None:
    """Measure and print."""
    tiers: dict[str, Tier] = {"none": Bare(None)}
    began = time.perf_counter()
    findings = await survey()
    print(f"survey of the tiers   {time.perf_counter() - began:6.3f} s")
    for finding in findings:
        if finding.works:
            tiers[finding.tier] = (await choose_tier(finding.tier)).tier
    async with open_machine() as machine:
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in tiers}
        trips: dict[str, float] = {}
        for _ in range(starts):
            for name, tier in tiers.items():
                taken[name].append(await one(machine, tier))
        for name, tier in tiers.items():
            trips[name] = await round_trip(machine, tier)
    first = statistics.median(start for start, _ in taken["none"])
    print(f"{'tier':8}{'start':>12}{'ratio':>8}{'quickest':>12}{'end':>12}{'round trip':>14}")
    for name, pairs in taken.items():
        start = statistics.median(start for start, _ in pairs)
        quickest = min(start for start, _ in pairs)
        end = statistics.median(end for _, end in pairs)
        print(
            f"{name:8}{start * 1e3:9.2f} ms{start / first:8.1f}{quickest * 1e3:9.2f} ms"
            f"{end * 1e3:9.2f} ms{trips[name] * 1e6:11.1f} µs"
        )


def cat(*, says: str = "") -> Contestant:
    """A bot that starts in no time and gives back what it is given."""
    return Contestant("cat", ("/bin/sh", "-c", f"{says}exec cat"), str(Path(__file__).resolve().parent), "")


async def one(machine: Machine, tier: Tier) -> tuple[float, float]:
    """Seconds from the start of a process to its first word, and from the order to end it to its end."""
    began = time.perf_counter()
    process = machine.start(cat(says="echo; "), tier=tier)
    await trio.lowlevel.wait_readable(process.stdout)
    assert os.read(process.stdout, 100) == b"\n", os.read(process.stderr, 1000)
    there = time.perf_counter()
    await machine.end(process)
    gone = time.perf_counter()
    process.close_pipes()
    return there - began, gone - there


async def round_trip(machine: Machine, tier: Tier) -> float:
    """Seconds from a line to its echo."""
    process = machine.start(cat(), tier=tier)
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        os.write(process.stdin, b"x" * 200 + b"\n")
        await trio.lowlevel.wait_readable(process.stdout)
        os.read(process.stdout, 1000)
        seconds.append(time.perf_counter() - began)
    await machine.end(process)
    process.close_pipes()
    return statistics.median(seconds)


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 40)
