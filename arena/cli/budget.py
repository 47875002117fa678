"""How much is played: the table that fits the bots, and the number of blocks the options add up to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.cli.durations import duration
from arena.cli.shown import counted
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.cheat.rules import Rules
    from arena.tournament.part import Part

USUAL_SEATS: Final = 4
_REASONS: Final = 5
"""Bots that were left out, of which the reason is told."""
PAIRS: Final = 1000
"""Pairs of blocks of a comparison when no budget is given."""
BLOCKS_EACH: Final = 40
"""Blocks of each bot when no budget is given: the fewest from which error bars need no small-sample form."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """A table, and how many blocks of how many games are played."""

    seats: int
    blocks: int
    games_per_block: int
    part: "Part | None" = None
    """Only the blocks of this part are played."""
    precision: float | None = None
    """Elo: it ends where no difference has a larger standard error."""
    seconds: float | None = None
    """After so many it ends."""

    @property
    def own_blocks(self) -> int | None:
        """Blocks planned here; None where it has no set length."""
        from arena.tournament.header import own_blocks

        return own_blocks(self.blocks, self.part)

    @property
    def games(self) -> int | None:
        """Games planned here; None where it has no set length."""
        return None if self.own_blocks is None else self.own_blocks * self.games_per_block

    @property
    def in_words(self) -> list[str]:
        """Everything that ends it, for people."""
        found = []
        if self.own_blocks is not None and self.games is not None:
            found += [counted(self.own_blocks, "block"), counted(self.games, "game")]
        if self.precision is not None:
            found.append(f"until no difference has a standard error above {self.precision:g} Elo")
        if self.seconds is not None:
            found.append(f"for {duration(self.seconds)}")
        return found


def table_for(
    bots: int, asked: int | None, rules: "Rules", left_out: Sequence[str] = (), option: str = "--bots"
) -> int:
    """How many seats a table has: those asked for, else the usual four or the largest table that fits.

    `bots` can sit at one table, and `option` gives more. Raises BadInput where the rules or the bots do not
    fill such a table; it tells what was left out, and why.
    """
    low, high = rules.min_players, rules.max_players
    if asked is not None and not low <= asked <= high:
        raise BadInput(f"--seats {asked} is outside what the rules {rules.name} take: {low} to {high} seats")
    if asked is not None and bots < asked:
        there = f"there {'is' if bots == 1 else 'are'} {bots}"
        raise BadInput(
            f"--seats {asked} needs {asked} bots for a table, and {there}; add bots to {option}, or "
            f"leave --seats out for the largest table that fits{_also(left_out)}"
        )
    if bots < low:
        only = "there is 1 bot" if bots == 1 else f"there are {bots} bots"
        raise BadInput(
            f"{only} for a table, and the rules {rules.name} take at least {low}; add bots to {option}"
            + _also(left_out)
        )
    if asked is not None:
        return asked
    return min(max(USUAL_SEATS, low), high, bots)


def _also(left_out: Sequence[str]) -> str:
    if not left_out:
        return ""
    more = len(left_out) - _REASONS
    rest = f"; and {more} more" if more > 0 else ""
    return f" ({'; '.join(reason.rstrip('.') for reason in left_out[:_REASONS])}{rest})"


def budget_for(
    bots: int,
    seats: int,
    *,
    deals: int | None,
    games: int | None,
    games_per_block: int | None,
    precision: float | None = None,
    seconds: float | None = None,
    challengers: int = 0,
    paired: bool = False,
) -> Budget:
    """The blocks to play. Raises BadInput for two lengths, or a block that is not made of whole squares.

    `challengers`: of a gauntlet; 0 if it is none. `paired`: two blocks make a pair of a comparison.
    """
    from arena.tournament.header import ENDLESS
    from arena.tournament.schedule import blocks_for_deals, square_size

    square = square_size(seats)
    each = games_per_block or square
    if each % square:
        below, above = each - each % square, each - each % square + square
        raise BadInput(
            f"--games-per-block {each} is no multiple of {square}, and only that seats {seats} bots fairly; "
            f"take {f'{below} or ' if below else ''}{above}"
        )
    if deals is not None and games is not None:
        raise BadInput("--deals and --games both set the length; give one of them")
    if deals is not None:
        blocks = blocks_for_deals(bots, seats, deals, challengers)
    elif games is not None:
        blocks = -(-games // (2 * each)) * 2 if paired else -(-games // each)
    elif paired:
        blocks = 2 * PAIRS
    elif precision is not None or seconds is not None:
        blocks = ENDLESS
    else:
        field = math.ceil((bots - challengers) * BLOCKS_EACH / (seats - bool(challengers)))
        blocks = max(challengers * BLOCKS_EACH, field)
    return Budget(seats=seats, blocks=blocks, games_per_block=each, precision=precision, seconds=seconds)


def too_few(budget: Budget) -> str | None:
    """Why a comparison so short can give no answer; None where it can."""
    from arena.tournament.points import FIRST_LOOK

    if budget.blocks >= FIRST_LOOK:
        return None
    least = FIRST_LOOK * budget.games_per_block
    return (
        f"no answer is given from fewer than {FIRST_LOOK // 2} pairs of blocks, which are {least:,} games "
        "here: this comparison will end undecided"
    )


def rounded(budget: Budget, asked: int | None) -> str | None:
    """What became of the games asked for, if they are not what is played."""
    whole = budget.blocks * budget.games_per_block
    if asked is None or asked == whole:
        return None
    return f"--games {asked:,} is rounded up to {whole:,}: a block is {budget.games_per_block:,} games"
