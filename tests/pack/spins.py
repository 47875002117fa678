"""Eight processes that keep a core busy each, and one that plays."""

import os
import time

from decent import serve, tell

children = []
for _ in range(8):
    children.append(os.fork())
    if children[-1] == 0:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            pass
        os._exit(0)


def seconds(pid):
    """What a process has had of a core."""
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")


def spent(line, reply):
    while not all(map(seconds, children)):
        time.sleep(0.01)
    tell(reply, spent=[*map(seconds, children)])


# Well into the game: they have been at it for long.
serve(spent, 60)
