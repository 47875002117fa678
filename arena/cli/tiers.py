"""The sandbox tiers a run can ask for, and which of them this machine has."""

from typing import TYPE_CHECKING, Final

from arena.cli.complaints import near
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.referee.block import TierName

AVAILABLE: Final = ("bare",)
COMING: Final = ("bwrap", "ns")


def chosen_tier(word: str) -> "TierName":
    """The tier `--sandbox` stands for. Raises BadInput."""
    if word in ("auto", *AVAILABLE):
        return "bare"
    if word in COMING:
        raise BadInput(
            f"--sandbox {word} is not available yet in this version; there is bare, which auto takes"
        )
    raise BadInput(
        f"there is no sandbox tier {word!r}; --sandbox takes auto or bare{near(word, ('auto', *AVAILABLE))}"
    )
