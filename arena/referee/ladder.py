"""The ladder of faults: how many one bot may have in a block before it forfeits the rest of it."""


class Ladder:
    """One bot over one block: its starts, its faults, and whether it has forfeited the games to come."""

    __slots__ = ("_faults", "_forfeit", "forfeited", "starts")

    def __init__(self, forfeit: int) -> None:
        """`forfeit`: faults that forfeit the rest of the block; 0: none do, and no failed start does."""
        self.starts = 0
        """Processes that were started, or tried to be."""
        self.forfeited = False
        self._forfeit = forfeit
        self._faults = 0

    def failed_start(self) -> None:
        """A process did not start or did not say hello as it should: there is no second try."""
        self.forfeited = self._forfeit > 0

    def fault(self) -> None:
        """A fault ended the bot's game."""
        self._faults += 1
        if 0 < self._forfeit <= self._faults:
            self.forfeited = True
