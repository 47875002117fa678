"""Opens a hundred thousand files, if it may, holds what it got, and plays on."""

import os

from decent import serve, tell

opened = []


def open_on(line, reply):
    stopped = "nothing"
    try:
        while len(opened) < 100_000:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        stopped = error.strerror
    tell(reply, files=len(opened), stopped=stopped)


serve(open_on)
