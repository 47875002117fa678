"""Benching: a bot with faults in so many blocks running, in schedule order, plays no more."""

from collections.abc import Collection, Iterable

from arena.referee.block import BlockResult


def faulted_in(result: BlockResult) -> frozenset[int]:
    """The bots that had a fault with effect in this block."""
    return frozenset(
        game.seating[fault.seat] for game in result.games for fault in game.faults if fault.effective
    )


class Streaks:
    """For each bot, in how many blocks running it has faulted. Fed with blocks in schedule order."""

    def __init__(self, bench: int) -> None:
        self._bench = bench
        self._running: dict[int, int] = {}

    def follow(self, blocks: Iterable[tuple[Collection[int], Collection[int]]]) -> frozenset[int]:
        """Take (bots at the table, bots that faulted) of each next block; the bots benched by now."""
        benched = set()
        for table, faulted in blocks:
            for bot in table:
                self._running[bot] = self._running.get(bot, 0) + 1 if bot in faulted else 0
                if self._bench and self._running[bot] >= self._bench:
                    benched.add(bot)
        return frozenset(benched)
