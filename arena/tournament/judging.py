"""Which judge ends a tournament, by what its results file says."""

from arena.tournament.comparing import Test
from arena.tournament.header import Header
from arena.tournament.stopping import Judge, Precision


def judge_of(header: Header) -> Judge | None:
    """What ends this tournament at a decision point; None where only its budget does."""
    if header.comparison is not None:
        return Test(header)
    return None if header.precision is None else Precision(header.precision)
