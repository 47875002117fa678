"""The schedule, the store, and running blocks."""
