"""Leaves a daemon that holds its output, and crashes."""

import os

from decent import hang, serve


def leave(line, reply):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            hang()
        os._exit(0)
    os.wait()
    os._exit(7)


serve(leave)
