"""Is one seat better than another? One test for all seats together."""

import numpy as np
from scipy.special import fdtrc

from arena.ratings.scale import ENOUGH_BLOCKS, Scale


def chance_of_seats(scale: Scale) -> float | None:
    """The chance of seat effects as large as these if all seats were equal; None where that cannot be tested.

    A Wald test: W = g' V^-1 g of the effects about their mean, with the covariance behind their bars,
    clustered by block. Of B blocks and k seats, W (B - k + 1) / ((B - 1) (k - 1)) is taken for F with k - 1
    and B - k + 1 degrees of freedom (Hotelling 1931). Tested from `ENOUGH_BLOCKS` blocks on: with fewer
    that covariance is too uncertain for several seats at once.
    """
    seats, blocks = len(scale.seats), scale.all_blocks
    freedom = blocks - seats + 1
    if not scale.seats_fitted or blocks < ENOUGH_BLOCKS or freedom < 1:
        return None
    inverse = np.linalg.pinv(scale.seat_covariance, rcond=1e-9, hermitian=True)
    size = float(scale.seats @ inverse @ scale.seats)
    return float(fdtrc(seats - 1, freedom, size * freedom / ((blocks - 1) * (seats - 1))))
