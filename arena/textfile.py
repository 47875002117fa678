"""Small text files that a person names: read whole, within bounds, or one message that says why not."""

import os
import stat
from pathlib import Path
from typing import Final

from arena.errors import BadInput

MOST: Final = 1 << 20
"""Bytes of a file of rules, of a tournament, of a bot: a longer one is something else."""


def text_of(path: Path, called: str, most: int = MOST) -> str | None:
    """The text of a regular file in UTF-8; `called` is its name for messages. None if nothing is there.

    Raises BadInput for what is no regular file (a device or a pipe may never end), for one that is too
    long, and for one that cannot be read.
    """
    try:
        # A pipe that nobody writes to is not waited for.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "its name holds a NUL character"
        raise BadInput(f"{called} cannot be read: {why}") from None
    try:
        mode = os.fstat(opened).st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no file"
            raise BadInput(f"{called} is {what}; name a file")
        with os.fdopen(opened, "rb", closefd=False) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise BadInput(f"{called} cannot be read: {error.strerror}") from None
    finally:
        os.close(opened)
    if len(content) > most:
        raise BadInput(f"{called} is longer than {most >> 10} KiB; it should hold a few lines")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{called} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
