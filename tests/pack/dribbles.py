"""A byte every ten milliseconds, past every deadline."""

import time

from decent import out, serve


def dribble(line, reply):
    while True:
        out(b" ")
        time.sleep(0.01)


serve(dribble)
