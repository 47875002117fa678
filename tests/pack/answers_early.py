"""Answers, in the same write as its reply, a request that it has not been sent."""

import json

from decent import out, serve

GUESS = b'{"id": "000000000000", "challenge": true}\n'

serve(lambda line, reply: out(json.dumps(reply).encode() + b"\n" + GUESS))
