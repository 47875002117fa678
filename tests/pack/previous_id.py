"""Answers with the id of the request before."""

import sys

from decent import Line, answer, say

last = None
number = 0
for raw in sys.stdin.buffer:
    line = Line(raw)
    if line.fields["type"] == "goodbye":
        break
    if "id" not in line.fields:
        continue
    reply = answer(line)
    if number == 6:
        reply["id"] = last
    last = line.fields["id"]
    say(reply)
    number += 1
