"""What a results file says of its tournament before any game: the parameters from which all of it follows."""

from typing import Final, Literal, TypeAlias

import msgspec

from arena.cheat.rules import Rules
from arena.referee.block import HelloSaid, Terms, TierName
from arena.tournament.comparison import Comparison
from arena.tournament.pairing import ROUND_ROBIN, Pairing
from arena.tournament.part import Part

FORMAT: Final = 2
"""Version of the layout of results files."""
ENDLESS: Final = 10**9
"""The budget in blocks of a tournament that has none."""
GUEST: Final = "human"
"""The name of the person in a series, and its command; it has no digest."""


def own_blocks(blocks: int, part: Part | None) -> int | None:
    """How many blocks of this budget are played here, all or a part's; None where it has no set length."""
    if blocks >= ENDLESS:
        return None
    return blocks if part is None else part.share(blocks)


EndedBy: TypeAlias = Literal["games", "precision", "time", "answer", "left"]
"""games: all that were to be played have been; answer: a comparison has one; left: a series was left."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What has ended a tournament."""

    by: EndedBy
    planned: int | None = None
    """The budget in blocks that it did not come to; None where it had none, or came to it."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of one tournament. Two runs with equal headers and bots play the same games."""

    format: int = FORMAT
    arena: str
    """Version of arena that made the file."""
    created: str
    """When, in UTC, for people."""
    seed: str
    """32 hexadecimal digits."""
    seed_given: str | None = None
    """The text of --seed, where it was not the seed itself."""
    rules: Rules
    seats: int
    start_time: float
    move_time: float
    bank: float
    forfeit: int
    fresh: bool
    names: bool
    tier: TierName
    memory: int | None = None
    bench: int
    blocks: int
    """The budget: how many blocks are counted in the end; ENDLESS until something else has ended it."""
    precision: float | None = None
    """Elo: it ends at a decision point where no difference has a larger standard error."""
    time: float | None = None
    """Seconds: a run of it that takes longer begins no more block, and ends it."""
    ended: Ended | None = None
    """What has ended it; None while more is to be played."""
    games_per_block: int
    schedule: str = ROUND_ROBIN
    """The format: which rule says who meets whom."""
    challengers: tuple[int, ...] = ()
    """In a gauntlet, the numbers of the bots of which one is at every table."""
    comparison: Comparison | None = None
    """Where the format is paired; `challengers` are then the new bot and the old one."""
    part: Part | None = None
    """None: the file is of the whole tournament."""
    folder: str = "."
    """Where it was begun, seen from the file's folder: paths in the commands of bots count from there."""
    root_bots: bool = False
    """Whether bots might be run as root, where root could run them in no other way."""
    person: int | None = None
    """The number of the one bot that is none: a person at the terminal of a series."""
    person_timed: bool = False
    """Whether the person's clock ran as the bots' did."""

    @property
    def pairing(self) -> Pairing:
        """Who meets whom."""
        return Pairing(self.schedule, self.challengers)

    @property
    def own_blocks(self) -> int | None:
        """How many blocks are to be played into this file; None while that is open."""
        return own_blocks(self.blocks, self.part)

    def shows_seed(self, *, complete: bool) -> bool:
        """Whether no deal is to come from the seed; other parts of a tournament deal from the same."""
        return complete and self.part is None

    @property
    def terms(self) -> Terms:
        """What the referee plays blocks under."""
        return Terms(
            rules=self.rules,
            seats=self.seats,
            seed=bytes.fromhex(self.seed),
            start_time=self.start_time,
            move_time=self.move_time,
            bank=self.bank,
            forfeit=self.forfeit,
            fresh=self.fresh,
            names=self.names,
            tier=self.tier,
            memory=self.memory,
            paired=self.pairing.paired,
            untimed=None if self.person_timed else self.person,
        )


class BotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as the results file knows it; its number is its place in the list."""

    name: str
    digest: str
    command: str
    author: str | None = None
    version: str | None = None
    said: str | None = None
    """What it calls itself in hello; shown beside its name, never instead of it."""


def in_own_words(said: HelloSaid) -> str | None:
    """What a bot calls itself: name, version and author, as far as it gives them; None if it gives none."""
    words = " ".join(word for word in (said.name, said.version) if word)
    if said.author:
        words = f"{words} by {said.author}".lstrip()
    return words or None
