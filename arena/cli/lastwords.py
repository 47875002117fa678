"""What a bot wrote to stderr, as every command shows it: its last lines, one below the other."""

from collections.abc import Iterator
from typing import Final

from arena.cli.shown import safe

_LINES: Final = 12
_LONGEST: Final = 4000


def last_words(text: str) -> Iterator[str]:
    """The lines to print; none where nothing was written."""
    for number, line in enumerate(text.splitlines()[-_LINES:]):
        yield f"  {'stderr' if number == 0 else '':<8} {safe(line, _LONGEST)}"
