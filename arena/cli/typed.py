"""Commands that a message names: as somebody types them, or pastes them from there."""

import os
import shlex
from pathlib import Path
from typing import Final

from arena.cli.shown import safe

_LONGEST: Final = 10_000


def command(*words: str | Path) -> str:
    """`arena` and these words, quoted as a shell wants them, on one line that is fit to show.

    A Path is a file, which no command takes for an option.
    """
    return safe(shlex.join(["arena", *map(_word, words)]), _LONGEST)


def _word(word: str | Path) -> str:
    if isinstance(word, str):
        return word
    name = os.fspath(word)
    return f"./{name}" if name.startswith("-") else name
