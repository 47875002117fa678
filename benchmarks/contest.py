"""One field of bots, the games they play, and the referees that take turns at playing them."""

import json
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from arena.referee.block import Contestant
from benchmarks.recorded import Recorded, read_results
from benchmarks.script import write_script

ROOT = Path(__file__).parent.parent
FLOOR = "C floor"


@dataclass(frozen=True)
class Field:
    """Bots, and how many games they are to play."""

    name: str
    paths: tuple[str, ...]
    commands: tuple[str, ...]
    """NAME=COMMAND."""
    seats: int
    games: int


@dataclass(frozen=True)
class Run:
    """What one referee took for the games; CPU in seconds."""

    seconds: float
    requests: int
    referee_cpu: float
    bots_cpu: float
    around: float = 0.0
    """Seconds of it before the first block and after the last."""


class Contest:
    """The same games of a field for every referee: `arena run`, the C floor, and the naive one."""

    def __init__(self, work: Path, field: Field, bots: Sequence[Contestant], options: Namespace) -> None:
        self._work = work
        self._field = field
        self._bots = {bot.name: bot for bot in bots}
        self._seed: str = options.seed
        self._extra: list[str] = options.extra
        self._results = work / f"{field.name}.db"
        self._script = work / f"{field.name}.script"
        self._contestants = work / f"{field.name}.json"
        self._recorded: Recorded | None = None
        self.referees: dict[str, Callable[[], Run]] = {FLOOR: self._floor, "naive asyncio": self._naive}
        for number in options.jobs:
            self.referees[f"arena run --jobs {number}"] = partial(self._arena, number)
        self._runs = 0

    @property
    def recorded(self) -> Recorded:
        """The games. Raises ValueError before `record`."""
        if self._recorded is None:
            raise ValueError("nothing is recorded yet")
        return self._recorded

    @property
    def games(self) -> int:
        """How many games each referee plays in a round."""
        return sum(len(block.games) for block in self.recorded.blocks)

    def record(self) -> None:
        """Play the games once, for the others to play again."""
        _, self._recorded = self._arena_run(self._results, 1)
        write_script(self._script, self._recorded, self._bots)
        self._contestants.write_bytes(msgspec.json.encode(self._bots))

    def play_round(self, turn: int) -> dict[str, Run]:
        """Every referee once, each round beginning with another, so that none has the warmer machine."""
        names = list(self.referees)
        start = turn % len(names)
        runs = {name: self.referees[name]() for name in names[start:] + names[:start]}
        if len({run.requests for run in runs.values()}) > 1:
            raise ValueError(f"the referees did not send the same number of requests: {runs}")
        return runs

    def _floor(self) -> Run:
        run = subprocess.run([self._work / "floor", self._script], stdout=subprocess.PIPE, check=True)
        return msgspec.json.decode(run.stdout, type=Run)

    def _naive(self) -> Run:
        command = [sys.executable, "-m", "benchmarks.naive", str(self._results), str(self._contestants)]
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        self._compare("the naive referee", json.loads(run.stdout)["winners"])
        return msgspec.json.decode(run.stdout, type=Run)

    def _arena(self, jobs: int) -> Run:
        self._runs += 1
        results = self._work / f"again-{self._runs}.db"
        run, recorded = self._arena_run(results, jobs)
        self._compare(f"arena run --jobs {jobs}", recorded.winners)
        results.unlink()
        return run

    def _arena_run(self, results: Path, jobs: int) -> tuple[Run, Recorded]:
        report = self._work / "report.json"
        field = self._field
        command = [sys.executable, "-m", "benchmarks.metered", str(report), "run", "--quiet", "--json"]
        command += ["--bots", *field.paths] if field.paths else []
        for bot in field.commands:
            command += ["--bot", bot]
        command += ["--seats", str(field.seats), "--games", str(field.games), "--seed", self._seed]
        command += ["--jobs", str(jobs), "--out", str(results), *self._extra]
        began = time.perf_counter()
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - began
        used = json.loads(report.read_bytes())
        recorded = read_results(results)
        around = seconds - recorded.span
        return Run(seconds, recorded.requests, used["referee_cpu"], used["bots_cpu"], around), recorded

    def _compare(self, who: str, winners: list[int | None]) -> None:
        """The same bots and seed give the same games, whoever the referee is."""
        if winners != self.recorded.winners:
            raise ValueError(f"{who} played other games than those recorded")
