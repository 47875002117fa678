"""Sends SIGKILL to every process it may. Only for where others cannot be reached by it."""

import contextlib
import os
import signal
import sys

with contextlib.suppress(ProcessLookupError):
    os.kill(-1, signal.SIGKILL)
print("alive", flush=True)
sys.stdin.read()
