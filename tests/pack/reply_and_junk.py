"""The right reply and, in the same write, something else."""

import json

from decent import out, serve

serve(lambda line, reply: out(json.dumps(reply).encode() + b"\nready for more\n"))
