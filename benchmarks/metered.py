"""Runs an arena command in this process and writes what CPU it used itself and what its bots used."""

import json
import resource
import sys
from pathlib import Path


def cpu(whose: int) -> float:
    """CPU seconds used so far, by this process or by those it has awaited."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """`python -m benchmarks.metered REPORT ARENA-ARGUMENTS...`: REPORT will be a JSON file."""
    report = Path(sys.argv.pop(1))
    from arena.cli.main import main as arena

    try:
        return arena()
    finally:
        used = {"referee_cpu": cpu(resource.RUSAGE_SELF), "bots_cpu": cpu(resource.RUSAGE_CHILDREN)}
        report.write_text(json.dumps(used))


if __name__ == "__main__":
    sys.exit(main())
