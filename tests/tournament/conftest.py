"""Fixtures of the tournament tests; what they are made of is in small_tournaments.py and verify_files.py."""

from small_tournaments import contestant
from verify_files import copy, files

__all__ = ["contestant", "copy", "files"]
