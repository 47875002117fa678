"""Sends SIGKILL to every process it may, and plays on. Only for where it reaches nobody else."""

import os
import signal

from decent import name_of, serve, tell


def kill(line, reply):
    tell(reply, killed=name_of(os.kill, -1, signal.SIGKILL))


serve(kill)
