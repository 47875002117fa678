"""Ends its lines with CR LF: fine."""

import json

from decent import answer, out, requests

for line in requests():
    out(json.dumps(answer(line)).encode() + b"\r\n")
