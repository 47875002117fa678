"""How far ratings can be off: covariance of the strengths when blocks, not single games, are independent.

H is the curvature at the fit, u_c the slope of the log-likelihood summed over block c of G.

hessian     V = H^-1, right only if every game is independent of every other.
sandwich    V = H^-1 [G/(G-1) sum u_c u_c'] H^-1 (Huber 1967; clustered: Liang and Zeger 1986).
jackknife   V = (G-1)/G sum (d_c - mean d)(d_c - mean d)', where d_c is how the fit moves when block c is
            left out, taken as one Newton step from the whole fit, -(H - H_c)^-1 u_c (the CR3 of Bell and
            McCaffrey 2002).
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import coo_array, csr_array

from arena.ratings.choices import Choices
from arena.ratings.fit import ROWS_AT_A_TIME, Fit, Problem
from arena.ratings.likelihood import local
from arena.ratings.results import Floats, Ints

CELLS_AT_A_TIME = 4_000_000
LONGEST_STEP = 2.0
"""A block left out moves nothing by more than this (347 Elo): where it would, a Newton step is no guide."""


def hessian(found: Fit) -> Floats:
    """(unknowns, unknowns): the inverse curvature."""
    return np.asarray(cho_solve(cho_factor(found.curvature), np.eye(len(found.at))))


def sandwich(problem: Problem, found: Fit, blocks: int) -> Floats:
    """(unknowns, unknowns); the choices' `block` must run from 0 to `blocks` - 1, with at least two."""
    slopes = slopes_by_block(problem, found, blocks)
    inverse = hessian(found)
    return np.asarray(blocks / (blocks - 1) * inverse @ (slopes.T @ slopes).toarray() @ inverse)


def jackknife(problem: Problem, found: Fit, blocks: int) -> Floats:
    """(unknowns, unknowns); the choices' `block` must run from 0 to `blocks` - 1, with at least two."""
    inverse = hessian(found)
    slopes = slopes_by_block(problem, found, blocks)
    moves = slopes.copy()
    # A block touches few unknowns: work in the lines it touches, padded to those of the widest block.
    width = int(np.diff(slopes.indptr).max())
    for start, stop in _stretches(blocks, width):
        entries = slopes.indptr[start:stop, None] + np.arange(width)
        real = entries < slopes.indptr[start + 1 : stop + 1, None]
        entries = np.where(real, entries, 0)
        touched = slopes.indices[entries]
        slope = np.where(real, slopes.data[entries], 0.0)
        known = inverse[touched[:, :, None], touched[:, None, :]] * (real[:, :, None] & real[:, None, :])
        # (H - H_c)^-1 u = H^-1 (1 - H_c H^-1)^-1 u, and the last two factors stay within the lines of c.
        lever = np.eye(width) - _curvatures(problem, found, slopes, start, stop, width) @ known
        move = np.linalg.solve(lever, slope[:, :, None])
        longest = np.abs(known @ move).max(axis=(1, 2))
        move /= np.maximum(longest / LONGEST_STEP, 1.0)[:, None, None]
        moves.data[entries[real]] = move[:, :, 0][real]
    mean = np.asarray(moves.sum(axis=0)) / blocks
    inner = (moves.T @ moves).toarray() - blocks * np.outer(mean, mean)
    return np.asarray((blocks - 1) / blocks * inverse @ inner @ inverse)


def slopes_by_block(problem: Problem, found: Fit, blocks: int) -> csr_array:
    """(blocks, unknowns): u_c, with an entry for every unknown that a block touches, even where it is 0."""
    rows, columns, values = [], [], []
    for observed in problem.choices:
        for part in observed.parts(ROWS_AT_A_TIME):
            slope = local(problem.strengths(found.at, part), part.tied).slope
            for touched in _touched(problem, part):
                rows.append(np.broadcast_to(part.block[:, None], slope.shape).ravel())
                columns.append(touched.ravel())
                values.append(slope.ravel())
    where = (np.concatenate(rows), np.concatenate(columns))
    slopes = csr_array(coo_array((np.concatenate(values), where), shape=(blocks, problem.size)))
    slopes.sum_duplicates()
    return slopes


def _touched(problem: Problem, observed: Choices) -> list[Ints]:
    """The unknowns behind each candidate: its bot and, where they are fitted, its seat."""
    return [observed.bots, problem.bots + observed.seats] if problem.seats else [observed.bots]


def _curvatures(problem: Problem, found: Fit, slopes: csr_array, start: int, stop: int, width: int) -> Floats:
    """(stop - start, width, width): H_c of these blocks, in the lines each of them touches."""
    size = problem.size
    lines = slopes.indptr[start : stop + 1]
    keys = np.repeat(np.arange(start, stop), np.diff(lines)) * size + slopes.indices[lines[0] : lines[-1]]
    total = np.zeros((stop - start) * width * width)
    for observed in problem.choices:
        chosen = observed.only((observed.block >= start) & (observed.block < stop))
        for part in chosen.parts(ROWS_AT_A_TIME):
            curvature = local(problem.strengths(found.at, part), part.tied).curvature
            unknowns = np.concatenate(_touched(problem, part), axis=1)
            copies = unknowns.shape[1] // curvature.shape[1]
            block = (part.block - start)[:, None]
            line = np.searchsorted(keys, part.block[:, None] * size + unknowns) - (lines[block] - lines[0])
            cells = (block[:, :, None] * width + line[:, :, None]) * width + line[:, None, :]
            total += np.bincount(cells.ravel(), np.tile(curvature, (1, copies, copies)).ravel(), len(total))
    return total.reshape(stop - start, width, width)


def _stretches(blocks: int, width: int) -> list[tuple[int, int]]:
    step = max(1, CELLS_AT_A_TIME // width**2)
    return [(start, min(start + step, blocks)) for start in range(0, blocks, step)]
