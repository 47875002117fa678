"""Fills its home, with 40 MiB if it may, leaves it full, and plays on."""

import os

from decent import serve, tell


def fill(line, reply):
    size, stopped = 0, "nothing"
    try:
        for number in range(10):
            with open(f"{os.environ['HOME']}/fill-{number}", "wb", buffering=0) as file:
                for _ in range(4):
                    size += file.write(bytes(1 << 20))
    except OSError as error:
        stopped = error.strerror
    tell(reply, size=size, stopped=stopped, same=os.environ["HOME"] == os.environ["TMPDIR"])


serve(fill)
