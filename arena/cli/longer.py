"""How long a tournament that goes on may be: longer than its file says, and never shorter."""

from arena.cli.budget import Budget, budget_for
from arena.cli.durations import duration
from arena.cli.options import RunOptions
from arena.cli.shown import counted, path_as_typed
from arena.errors import BadInput
from arena.tournament.header import ENDLESS, Header
from arena.tournament.standings import in_play
from arena.tournament.stopping import Precision
from arena.tournament.store import Store


def longer_budget(options: RunOptions, header: Header, bots: int, store: Store) -> Budget:
    """The budget asked for, or that of the file. Raises BadInput for one that could end it sooner."""
    precision, seconds, complete = options.precision, options.time, store.complete
    blocks = blocks_asked(options, header, bots)
    if complete and blocks == header.blocks and (precision is not None or seconds is not None):
        blocks = ENDLESS
    shown = path_as_typed(store.path)
    shorter = _shorter(options, header, blocks, shown, complete=complete)
    if shorter is not None:
        raise BadInput(
            f"{shorter}. A tournament can be made longer and never shorter: who stops it when the standings "
            "please him decides them"
        )
    if header.part is not None and not {precision, seconds} <= {None}:
        raise BadInput(
            f"{shown} is part {header.part} of a tournament, and --precision and --time decide by all games "
            "when it ends; give --games or --deals, to every part"
        )
    if complete and precision is not None:
        _check_wanting(store, precision)
    if not complete:
        precision, seconds = precision or header.precision, seconds or header.time
    return Budget(
        seats=header.seats,
        blocks=blocks,
        games_per_block=header.games_per_block,
        part=header.part,
        precision=precision,
        seconds=seconds,
    )


def _shorter(options: RunOptions, header: Header, blocks: int, shown: str, *, complete: bool) -> str | None:
    """Why the length asked for could end the file sooner, for people; None where it cannot."""
    precision, seconds = options.precision, options.time
    option = None
    if blocks < header.blocks < ENDLESS:
        games = header.blocks * header.games_per_block
        if options.games is not None:
            return f"--games {options.games:,} is less than the {games:,} that {shown} has"
        asked = counted(blocks, "block")
        return f"--deals {options.deals:,} is {asked}, and {shown} has {header.blocks:,}"
    if blocks < header.blocks:
        option = "--games" if options.games is not None else "--deals"
    if precision is not None and header.precision is not None and precision > header.precision:
        return f"--precision {precision:g} is more than the {header.precision:g} that {shown} has"
    if seconds is not None and header.time is not None and seconds < header.time and not complete:
        return f"--time {duration(seconds)} is less than the {duration(header.time)} that {shown} has left"
    if precision is not None and header.precision is None and not complete:
        option = "--precision"
    if seconds is not None and header.time is None and not complete:
        option = "--time"
    return None if option is None else f"{option} could end {shown} before {_end_of(header)}, as it was begun"


def _check_wanting(store: Store, precision: float) -> None:
    """Raises BadInput for a finished file whose ratings are known so well already."""
    said = Precision(precision).judge(store.path, store.counted_to, in_play(store))
    if said.ends:
        shown = path_as_typed(store.path)
        raise BadInput(f"{shown} needs no more games for --precision {precision:g}: {said.words}")


def _end_of(header: Header) -> str:
    """What ends it, for people."""
    budget = Budget(
        seats=header.seats,
        blocks=header.blocks,
        games_per_block=header.games_per_block,
        precision=header.precision,
        seconds=header.time,
    )
    return f"its end ({', '.join(budget.in_words)})"


def blocks_asked(options: RunOptions, header: Header, bots: int) -> int:
    """The blocks that the options come to; those of the file where they say nothing. Raises BadInput."""
    if options.deals is None and options.games is None:
        return header.blocks
    asked = budget_for(
        *(bots, header.seats),
        deals=options.deals,
        games=options.games,
        games_per_block=header.games_per_block,
        challengers=len(header.challengers),
        paired=header.pairing.paired,
    )
    return asked.blocks
