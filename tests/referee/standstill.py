"""A referee that stands still while a bot thinks."""

import os
import time

import trio

from arena.referee.machine import Machine


async def stall(machine: Machine, seconds: float) -> None:
    """Stop the whole event loop for a while, at the moment a bot makes the file `moment` in its home."""
    while True:
        await trio.sleep(0.002)
        for home in os.listdir(machine.scratch):
            if os.path.exists(machine.scratch / home / "moment"):
                os.unlink(machine.scratch / home / "moment")
                time.sleep(seconds)  # noqa: ASYNC251
