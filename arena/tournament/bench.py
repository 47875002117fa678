"""Benching: a bot with faults in so many blocks running, in schedule order, plays no more."""

from collections.abc import Collection, Iterable


class Streaks:
    """For each bot, in how many blocks running it has faulted. Fed with blocks in schedule order."""

    def __init__(self, bench: int) -> None:
        self._bench = bench
        self._running: dict[int, int] = {}
        self._longest: dict[int, int] = {}

    def follow(self, blocks: Iterable[tuple[Collection[int], Collection[int]]]) -> None:
        """Take (bots at the table, bots that faulted) of each next block."""
        for table, faulted in blocks:
            for bot in table:
                self._running[bot] = self._running.get(bot, 0) + 1 if bot in faulted else 0
                self._longest[bot] = max(self._longest.get(bot, 0), self._running[bot])

    def due(self, groups: Iterable[tuple[Collection[int], int]]) -> frozenset[int]:
        """The bots to bench now: those with so long a streak that a table stays full without them.

        `groups`: the bots in play, with how many of each group a table needs. Where too many of one are due,
        those with the shortest streaks play on (and of equal ones the higher numbers): no bot ends the
        tournament of the others.
        """
        if not self._bench:
            return frozenset()
        benched: list[int] = []
        for group, needed in groups:
            worst = sorted(
                (bot for bot in group if self._longest.get(bot, 0) >= self._bench),
                key=lambda bot: (-self._longest[bot], bot),
            )
            benched += worst[: max(0, len(group) - needed)]
        return frozenset(benched)
