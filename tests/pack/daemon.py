"""Forks twice; the daemon leaves the session, holds the output open and stays."""

import os

from decent import hang, serve

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        hang()
    os._exit(0)
os.wait()
serve()
