"""`arena schema`: the JSON Schema of the protocol."""

import sys

from arena.cli.shown import json_line


def schema() -> int:
    """Print the JSON Schema of every line of the protocol."""
    from arena.protocol.schema import schema as of_the_protocol

    sys.stdout.write(json_line(of_the_protocol(), indent=2))
    return 0
