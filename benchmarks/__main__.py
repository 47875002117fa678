"""The benchmark of the referee: `python -m benchmarks`. See README.md beside this file."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.roster.discovery import find_bots
from arena.roster.staging import staged
from benchmarks.contest import Contest, Field
from benchmarks.summary import summary

HERE = Path(__file__).parent


def main() -> int:
    """Parse the arguments, play, print."""
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="arena-benchmark-") as name:
        work = Path(name)
        for program in ("floor", "instant"):
            subprocess.run(["cc", "-O2", "-o", work / program, HERE / f"{program}.c"], check=True)
        for field in fields(options, work):
            with staged(find_bots(field.paths, field.commands)) as bots:
                contest = Contest(work, field, bots, options)
                contest.record()
                rounds = []
                for turn in range(options.repeats):
                    print(f"{field.name}: round {turn + 1} of {options.repeats}", file=sys.stderr)
                    rounds.append(contest.play_round(turn))
            print(summary(field, contest, rounds), flush=True)
    return 0


def fields(options: argparse.Namespace, work: Path) -> list[Field]:
    """Whose games are played: bots that cost nothing, and the shipped ones in Python."""
    instant = [f"instant{number}={work / 'instant'}" for number in range(1, options.seats + 1)]
    shipped = sorted(str(path) for path in (HERE.parent / "bots").glob("*.py"))
    known = [
        Field("bots that do nothing", (), tuple(instant), options.seats, options.games),
        Field("shipped Python bots", tuple(shipped), (), options.seats, options.python_games),
    ]
    return [field for field in known if field.games > 0]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--repeats", type=int, default=5, help="rounds in which all referees play (%(default)s)"
    )
    parser.add_argument(
        "--games", type=int, default=240, help="games of bots that do nothing; 0: none (%(default)s)"
    )
    parser.add_argument(
        "--python-games", type=int, default=80, help="games of Python bots; 0: none (%(default)s)"
    )
    parser.add_argument("--seats", type=int, default=4, help="seats at a table (%(default)s)")
    parser.add_argument("--seed", default="benchmark", help="seed of the deals (%(default)s)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = sorted({1, cores})
    parser.add_argument(
        "--jobs", type=int, nargs="+", default=jobs, help="tables at a time in arena run (%(default)s)"
    )
    parser.add_argument("extra", nargs="*", help="after --: more options of arena run, as --sandbox bare")
    return parser.parse_args(words)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as failed:
        # it has said itself what is wrong
        sys.exit(f"{' '.join(map(str, failed.cmd))} ended with {failed.returncode}")
