"""A line that is not UTF-8."""

import json

from decent import out, serve

serve(lambda line, reply: out(json.dumps(reply).encode()[:-1] + b', "x": "\xff\xfe"}\n'))
