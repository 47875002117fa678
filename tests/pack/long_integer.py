"""An integer of five thousand digits."""

import json

from decent import out, serve

serve(lambda line, reply: out(json.dumps(reply).encode()[:-1] + b', "x": ' + b"9" * 5000 + b"}\n"))
