"""Ratings of bots at tables of two or more, with error bars that can be believed. Arrays in, tables out."""

from arena.ratings.challenges import Challenges
from arena.ratings.crosstable import Meetings, crosstable_table, meetings_of, pairs_table
from arena.ratings.findings import Finding
from arena.ratings.fit import NotConverged
from arena.ratings.rate import Ratings, rate
from arena.ratings.results import Results, joined, results_of_winners
from arena.ratings.scale import ELO, Difference, Scale
from arena.ratings.search import find
from arena.ratings.sentences import finding_object, findings_lines, sentence
from arena.ratings.standings import Extra, seat_effects_table, standings_table, verdict
from arena.ratings.tables import Cell, Column, Rank, Row, Table

__all__ = [
    "ELO",
    "Cell",
    "Challenges",
    "Column",
    "Difference",
    "Extra",
    "Finding",
    "Meetings",
    "NotConverged",
    "Rank",
    "Ratings",
    "Results",
    "Row",
    "Scale",
    "Table",
    "crosstable_table",
    "find",
    "finding_object",
    "findings_lines",
    "joined",
    "meetings_of",
    "pairs_table",
    "rate",
    "results_of_winners",
    "seat_effects_table",
    "sentence",
    "standings_table",
    "verdict",
]
