"""Forks until it cannot, at most 400 times; says how often it could."""

import os
import sys
import time

children = 0
try:
    while children < 400:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except OSError:
    pass
print(children, flush=True)
sys.stdin.read()
