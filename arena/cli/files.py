"""The limit on open files, and how many tables may play under it."""

import resource
from typing import Final

EACH_SEAT: Final = 5
"""Files of a bot in play: three pipes, the process, and one to spare."""
OTHERS: Final = 100
"""Files of everything else: the results, the log, the interpreter."""
_MOST: Final = 65_536


def raise_file_limit() -> int:
    """Raise the limit on open files as far as this user may; the files this process may now open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
        return wanted
    return _MOST if soft == resource.RLIM_INFINITY else soft


def tables_under(limit: int, seats: int) -> int:
    """How many tables of so many seats may play at once with this many open files."""
    return max(0, limit - OTHERS) // (seats * EACH_SEAT)
