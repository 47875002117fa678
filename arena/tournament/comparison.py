"""What a comparison of two bots is to find out, and with which risks."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from arena.ratings.sprt import Sprt


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The claims between which a comparison decides: the new bot wins no more games, or so many more."""

    gain: float
    """Share of the games at a table, 0 to 1, that the new bot wins above the old one's if it is better."""
    alpha: float
    """Chance to call a bot better that is not."""
    beta: float
    """Chance to miss one that is better by `gain`."""

    @property
    def test(self) -> "Sprt":
        """The test between the two claims. Raises BadInput for impossible ones."""
        # Every results file's header may have one, and not all that read it need numbers.
        from arena.ratings.sprt import Sprt

        return Sprt(self.gain, alpha=self.alpha, beta=self.beta)
