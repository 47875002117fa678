"""Processes, clocks, and one table playing one block. Knows nothing of tournaments."""
