"""The right reply twice in one write."""

import json

from decent import out, serve

serve(lambda line, reply: out((json.dumps(reply).encode() + b"\n") * 2))
