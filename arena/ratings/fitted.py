"""A fit again, with what tests of it need: how every block pulls at it, and how far it gives way."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.bars import hessian, slopes_by_block
from arena.ratings.choices import choices_of, within
from arena.ratings.fit import Fit, Problem, fit, point
from arena.ratings.rate import Ratings
from arena.ratings.results import Floats, Ints, Results
from arena.ratings.scale import ELO, Scale


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """One scale of at least two bots and two blocks. Unknowns: its bots' strengths, then its seats'."""

    scale: Scale
    """As it was rated."""
    problem: Problem
    found: Fit
    """In natural units."""
    blocks: Ints
    """(blocks,): what the results call each of them, ascending."""
    slopes: csr_array
    """(blocks, unknowns): of the log-likelihood, by block."""
    inverse: Floats
    """(unknowns, unknowns): of the curvature."""
    spread: Floats
    """(unknowns, unknowns): covariance of the unknowns, clustered by block (the plain sandwich)."""

    @property
    def seats(self) -> Floats:
        """(seats,): effects in natural units, noughts where none are fitted."""
        effects = self.found.at[self.problem.bots :]
        return effects if len(effects) else np.zeros(len(self.scale.seats))


def fitted(ratings: Ratings, results: Results) -> Iterator[Fitted]:
    """Every scale of `ratings`, which were made of `results`, that has two bots and two blocks."""
    choices = choices_of(results)
    for scale in ratings.scales:
        known, names = within(choices, scale.bots, results.bots)
        if len(names) < 2:
            continue
        seats = len(scale.seats) if scale.seats_fitted else 0
        problem = Problem(len(scale.bots), seats, known, ratings.prior)
        # Shown about an anchor or their mean, the likelihood is the same, and the ghost nearly so.
        at = np.concatenate([scale.elo - scale.elo.mean(), scale.seats[:seats]]) / ELO
        here = point(problem, at)
        yield _made(scale, problem, Fit(at, here.curvature, here.log), names)


def refitted(base: Fitted, results: Results) -> Fitted | None:
    """The same bots and unknowns, fitted to other games of theirs; None if these are too few.

    Raises `NotConverged`.
    """
    choices = choices_of(results)
    known, names = within(choices, base.scale.bots, results.bots)
    if len(names) < 2:
        return None
    problem = Problem(base.problem.bots, base.problem.seats, known, base.problem.prior)
    return _made(base.scale, problem, fit(problem, base.found.at), names)


def _made(scale: Scale, problem: Problem, found: Fit, names: Ints) -> Fitted:
    slopes = slopes_by_block(problem, found, len(names))
    inverse = hessian(found)
    spread = inverse @ (slopes.T @ slopes).toarray() @ inverse
    return Fitted(scale, problem, found, names, slopes, inverse, np.asarray(spread))
