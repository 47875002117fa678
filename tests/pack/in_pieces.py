"""Its replies arrive a few bytes at a time: fine."""

import json

from decent import answer, out, requests

for line in requests():
    data = json.dumps(answer(line)).encode() + b"\n"
    for start in range(0, len(data), 7):
        out(data[start : start + 7])
