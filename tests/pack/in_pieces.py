"""Its replies arrive a few bytes at a time: fine."""

import json
import sys

from decent import Line, answer, out

for raw in sys.stdin.buffer:
    line = Line(raw)
    if line.fields["type"] == "goodbye":
        break
    if "id" in line.fields:
        data = json.dumps(answer(line)).encode() + b"\n"
        for start in range(0, len(data), 7):
            out(data[start : start + 7])
