"""Measuring the referee against the least a referee could do."""
