"""NaN in a field that nobody reads."""

import json

from decent import out, serve

serve(lambda line, reply: out(json.dumps(reply).encode()[:-1] + b', "x": NaN}\n'))
