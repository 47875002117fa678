"""Says one line at once and one when it is asked to leave, however long that takes."""

import sys

print("ready", flush=True)
sys.stdin.read()
print("still here", flush=True)
