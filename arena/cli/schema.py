"""`arena schema`: the JSON Schema of the protocol."""

import json
import sys


def schema() -> int:
    """Print the JSON Schema of every line of the protocol."""
    from arena.protocol.schema import schema as of_the_protocol

    sys.stdout.write(json.dumps(of_the_protocol(), indent=2, ensure_ascii=False) + "\n")
    return 0
