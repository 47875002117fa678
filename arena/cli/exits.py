"""The exit codes of every command."""

from typing import Final

DONE: Final = 0
UNFINISHED: Final = 1
"""A tournament that could not be finished."""
BAD_INPUT: Final = 2
"""Bad arguments or a bot that cannot be used; said before any game."""
LOOK_AT_IT: Final = 3
"""Something differs, a step failed, a comparison has not come out as better."""
STORE_FAILED: Final = 74
"""The results file could not be written or read."""
INTERRUPTED: Final = 130
