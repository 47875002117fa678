"""Ends its lines with CR LF: fine."""

import json
import sys

from decent import Line, answer, out

for raw in sys.stdin.buffer:
    line = Line(raw)
    if line.fields["type"] == "goodbye":
        break
    if "id" in line.fields:
        out(json.dumps(answer(line)).encode() + b"\r\n")
