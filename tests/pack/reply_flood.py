"""The right reply, again and again."""

import json

from decent import out, serve


def print_on(line, reply):
    while True:
        out(json.dumps(reply).encode() + b"\n")


serve(print_on)
