"""Leaves in mid-game with exit code 3, after a word on stderr."""

import sys

from decent import serve


def leave(line, reply):
    print("out of ideas", file=sys.stderr, flush=True)
    sys.exit(3)


serve(leave)
