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
    return safe(" ".join(["arena", *(_quoted(_word(word)) for word in words)]), _LONGEST)


def _quoted(word: str) -> str:
    if safe(word, _LONGEST) == word:
        quoted = shlex.quote(word)
        # A sentence that the command stands in could end so too.
        return f"'{word}'" if quoted == word and word[-1] in ",:" else quoted
    # What must not reach a terminal as it is, or is no text at all, in a form that shells read back.
    shown = (
        one
        if safe(one) == one and one not in "'\\"
        else "".join(f"\\x{byte:02x}" for byte in os.fsencode(one))
        for one in word
    )
    return f"$'{''.join(shown)}'"


def _word(word: str | Path) -> str:
    if isinstance(word, str):
        return word
    name = os.fspath(word)
    return f"./{name}" if name.startswith("-") else name
