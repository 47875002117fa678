"""Ratings of bots at tables of two or more, with error bars that can be believed. Arrays in, tables out."""

from arena.ratings.fit import NotConverged
from arena.ratings.rate import Ratings, rate
from arena.ratings.results import Results, results_of_winners
from arena.ratings.scale import ELO, Difference, Scale

__all__ = [
    "ELO",
    "Difference",
    "NotConverged",
    "Ratings",
    "Results",
    "Scale",
    "rate",
    "results_of_winners",
]
