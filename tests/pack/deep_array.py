"""An array nested thirty thousand deep."""

import json

from decent import out, serve

serve(
    lambda line, reply: out(
        json.dumps(reply).encode()[:-1] + b', "x": ' + b"[" * 30000 + b"]" * 30000 + b"}\n"
    )
)
