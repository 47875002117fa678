"""Who was asked about whose claims, and challenged them: what the search for bots that help each other
needs."""

from dataclasses import dataclass

from arena.errors import BadInput
from arena.ratings.results import Ints, whole


@dataclass(frozen=True, slots=True, eq=False)
class Challenges:
    """Counts, (rows,) each. Rows may come in any order, and several may be of the same block, bots and kind.

    The arrays are checked and copied; `BadInput` is raised where they contradict each other.
    """

    bots: int
    """How many there are; they are numbered from 0."""
    block: Ints
    """Any number that is the same for claims that share a deal, a match or a process."""
    challenger: Ints
    """The bot that was asked."""
    claimant: Ints
    """The bot whose claim it was."""
    kind: Ints
    """Any number from 0; claims of one kind look alike, so that who made them should matter little."""
    asked: Ints
    """Claims of this kind that the challenger was asked about."""
    called: Ints
    """Those that it challenged."""

    def __post_init__(self) -> None:
        """Check the arrays against each other and freeze them."""
        frozen = {}
        for name in ("block", "challenger", "claimant", "kind", "asked", "called"):
            frozen[name] = whole(f"{name} of challenges", getattr(self, name), 1)
        lengths = {len(array) for array in frozen.values()}
        if len(lengths) > 1:
            raise BadInput(f"arrays of {sorted(lengths)} rows given; those of challenges have one length")
        if lengths != {0}:
            for name in ("challenger", "claimant"):
                low, high = int(frozen[name].min()), int(frozen[name].max())
                if low < 0 or high >= self.bots:
                    odd = high if high >= self.bots else low
                    raise BadInput(
                        f"{name} names bot {odd}; with {self.bots} bots numbers end at {self.bots - 1}"
                    )
            if (frozen["challenger"] == frozen["claimant"]).any():
                raise BadInput("a bot is said to have been asked about its own claim")
            if frozen["kind"].min() < 0:
                raise BadInput(f"kind holds {frozen['kind'].min()}; kinds of claims are numbered from 0")
            if (frozen["called"] < 0).any() or (frozen["called"] > frozen["asked"]).any():
                raise BadInput("more claims were called than asked about, or fewer than none")
        for name, array in frozen.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)
