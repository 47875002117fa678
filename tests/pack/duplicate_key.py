"""One key twice."""

import json

from decent import out, serve

serve(
    lambda line, reply: out(json.dumps(reply).encode()[:-1] + b', "id": "' + reply["id"].encode() + b'"}\n')
)
