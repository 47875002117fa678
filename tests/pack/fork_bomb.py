"""Forks until it cannot, though not for ever, and plays on."""

import os

from decent import hang, serve, tell

MOST = 128 + 8 * os.cpu_count()


def fork(line, reply):
    children, stopped = 0, "nothing"
    try:
        while children < MOST:
            if os.fork() == 0:
                hang()
            children += 1
    except OSError as error:
        stopped = error.strerror
    tell(reply, children=children, most=MOST, stopped=stopped)


serve(fork)
