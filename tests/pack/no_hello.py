"""Reads not a byte of its input, and so never says hello."""

from decent import hang

hang()
