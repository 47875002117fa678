"""More on stderr than a game allows."""

import sys

from decent import serve


def print_on(line, reply):
    while True:
        sys.stderr.write("chatter\n" * 65536)


serve(print_on)
