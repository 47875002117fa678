"""Tournaments for programs that play the bluffing card game Cheat."""

__version__ = "0.1.0"
