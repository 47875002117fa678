"""Does nothing for a quarter of a minute, and then answers as if nothing had been."""

import time

from decent import serve, tell

# Threads of the referee's that have nothing to do end after ten seconds.
QUIET = 15.2


def wait(line, reply):
    began = time.monotonic()
    time.sleep(QUIET)
    tell(reply, waited=time.monotonic() - began)


serve(wait)
