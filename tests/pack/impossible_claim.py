"""Lays cards that it does not hold, at its first play."""

import sys

from decent import Line, answer, say

for raw in sys.stdin.buffer:
    line = Line(raw)
    m = line.fields
    if m["type"] == "goodbye":
        break
    if "id" not in m:
        continue
    reply = answer(line)
    if m["type"] == "play":
        reply["cards"] = [m["hand"][0]] * 2
    say(reply)
