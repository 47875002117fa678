"""Fixtures of the tournament tests; what they are made of is in small_tournaments.py."""

from small_tournaments import contestant

__all__ = ["contestant"]
