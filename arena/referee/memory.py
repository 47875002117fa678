"""A memory limit without a control group: how much address space each process of a bot may map."""

import os
import re
from typing import Final

_FLOOR: Final = 64 * 1024 * 1024
_RESERVING: Final[dict[str, int | None]] = {
    "node": 1 << 30,
    "java": 4 << 30,
    "bun": None,
    "deno": None,
    "dotnet": None,
    "julia": None,
}
"""Runtimes that map far more than they use, and the least with which they start; None: more than is sane."""


def address_space(program: str, memory: int) -> int | None:
    """Bytes of address space for a bot that may use `memory` bytes; None where a limit would only break it.

    It is never less than the least its runtime starts with, so it may be more than was asked for.
    """
    name = re.sub(r"[-0-9.]+$", "", os.path.basename(os.path.realpath(program)))
    least = _RESERVING.get(name, _FLOOR)
    return None if least is None else max(memory, least)
