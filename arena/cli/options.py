"""The options of `arena run`: their names, defaults, ranges and help. What they lead to stands in run.py."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from cyclopts import Group, Parameter

from arena.cli.durations import duration
from arena.cli.values import lasting, size, whole

_BOTS: Final = Group("Bots", sort_key=1)
_GAME: Final = Group("Game", sort_key=2)
_LENGTH: Final = Group("Length", sort_key=3)
_CONDITIONS: Final = Group("Conditions", sort_key=4)
_OUTPUT: Final = Group("Output", sort_key=5)


def _count(low: int, high: int | None, group: Group, meaning: str, *, default: bool = False) -> Any:
    return Parameter(converter=whole(low, high), group=group, help=meaning, metavar="N", show_default=default)


def _time(meaning: str, *, zero: bool = False) -> Any:
    return Parameter(
        converter=lasting(zero=zero), group=_CONDITIONS, help=meaning, metavar="TIME", show_default=duration
    )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Everything `arena run` can be told; None is "not given"."""

    bots: Annotated[
        tuple[str, ...],
        Parameter(
            group=_BOTS, consume_multiple=True, metavar="PATH...", help="Files and folders, or quoted globs."
        ),
    ] = ()
    bot: Annotated[
        tuple[str, ...],
        Parameter(group=_BOTS, metavar="NAME=COMMAND", help="One more bot, as a command; may be repeated."),
    ] = ()
    seats: Annotated[
        int | None, _count(2, None, _GAME, "Bots at a table [default: 4, or all bots if they are fewer].")
    ] = None
    rules: Annotated[
        str,
        Parameter(
            group=_GAME,
            metavar="PRESET|FILE.toml",
            help="`arena rules` lists the presets.",
            show_default=True,
        ),
    ] = "classic"
    format: Annotated[
        str, Parameter(group=_GAME, metavar="FORMAT", help="Who meets whom.", show_default=True)
    ] = "round-robin"
    names: Annotated[bool, Parameter(group=_GAME, help="Tell bots the names of those at their table.")] = (
        False
    )
    deals: Annotated[
        int | None,
        _count(1, 10**6, _LENGTH, "Blocks for each table there can be: every set of bots, N times."),
    ] = None
    games: Annotated[int | None, _count(1, 10**9, _LENGTH, "Games; rounded up to whole blocks.")] = None
    games_per_block: Annotated[
        int | None, _count(1, 1000, _LENGTH, "Games a table plays in one go; a multiple of a whole square.")
    ] = None
    part: Annotated[
        str | None,
        Parameter(
            group=_LENGTH,
            metavar="I/N",
            help="Only the I-th of N parts of the blocks; benches nobody. `arena merge` joins the parts.",
        ),
    ] = None
    dry_run: Annotated[
        bool,
        Parameter(group=_LENGTH, help="Say what would be played and how long it may take; play nothing."),
    ] = False
    seed: Annotated[
        str | None,
        Parameter(
            group=_CONDITIONS, metavar="S", help="What the deals come from [default: 128 random bits]."
        ),
    ] = None
    jobs: Annotated[
        int | None,
        _count(1, 1024, _CONDITIONS, "Tables that play at the same time [default: the cores]."),
    ] = None
    move_time: Annotated[float, _time("For each move, before the bank is touched.")] = 1.0
    bank: Annotated[float, _time("Spare time of each game.", zero=True)] = 5.0
    start_time: Annotated[float, _time("To answer hello after being started.")] = 10.0
    sandbox: Annotated[
        str, Parameter(group=_CONDITIONS, metavar="TIER", help="auto, bwrap, ns or bare.", show_default=True)
    ] = "auto"
    allow_root_bots: Annotated[
        bool,
        Parameter(group=_CONDITIONS, help="As root, where no other user can run a bot: run bots as root."),
    ] = False
    memory: Annotated[
        int | None,
        Parameter(
            group=_CONDITIONS,
            converter=size,
            metavar="SIZE",
            help="Memory of a bot that names no limit: 512M, 2G.",
        ),
    ] = None
    fresh: Annotated[
        bool, Parameter(group=_CONDITIONS, help="Start every bot anew for each game, not for each block.")
    ] = False
    bench: Annotated[
        int,
        _count(0, None, _CONDITIONS, "Blocks with faults in a row that bench a bot; 0 never.", default=True),
    ] = 5
    forfeit: Annotated[
        int,
        _count(0, None, _CONDITIONS, "Faults in a block that forfeit the rest of it; 0 never.", default=True),
    ] = 3
    config: Annotated[
        str | None,
        Parameter(
            group=_OUTPUT, metavar="FILE", help="A tournament in a file; arena.toml where there is one."
        ),
    ] = None
    out: Annotated[
        str | None,
        Parameter(group=_OUTPUT, metavar="FILE", help="The results file [default: arena-DATE-TIME.db]."),
    ] = None
    json: Annotated[
        bool, Parameter(group=_OUTPUT, help="One JSON object on stdout instead of the table.")
    ] = False
    quiet: Annotated[bool, Parameter(group=_OUTPUT, help="No progress.")] = False
