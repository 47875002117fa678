"""What can be seen of a bot's pipes: whether there is data, and whether one in a sandbox has its ends still.

Where nothing stands between, a closed pipe tells of itself. In a pid namespace the program that made it
keeps all three pipes open as long as it lives, so a bot that closed its output would only be silent.
"""

import os
import select
from collections.abc import Iterable
from typing import Final

WRAPPERS: Final = frozenset({"bwrap", "unshare"})
"""The programs that wait between us and a bot for as long as it lives."""


def still_held(pids: Iterable[int], descriptor: int) -> bool:
    """Whether any of these processes but the wrappers has the other end of our pipe open.

    True where that cannot be told, and while there are only wrappers: then the bot is yet to come.
    """
    try:
        pipe = f"pipe:[{os.fstat(descriptor).st_ino}]"
    except OSError:
        return True
    bots = 0
    for pid in pids:
        try:
            if os.path.basename(os.readlink(f"/proc/{pid}/exe")) in WRAPPERS:
                continue
            folder = f"/proc/{pid}/fd"
            for number in os.listdir(folder):
                if os.readlink(f"{folder}/{number}") == pipe:
                    return True
        except FileNotFoundError:
            continue  # it has just ended, or closed that file
        except OSError:
            return True
        bots += 1
    return bots == 0


def has_data(descriptor: int) -> bool:
    """Whether something can be read from it, or its end, without waiting."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
