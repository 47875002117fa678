"""The fit, intervals and tables as data. Knows nothing of bots, processes or tournaments."""
