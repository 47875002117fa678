"""The options of commands that play: names, defaults, ranges, help. What they lead to stands in run.py."""

from dataclasses import dataclass, fields
from typing import Annotated, Any, Final

from cyclopts import Group, Parameter

from arena.cli import candidates
from arena.cli.durations import duration
from arena.cli.values import elo, lasting, share, size, whole

MOST_TIME: Final = 366 * 24 * 3600.0
"""Seconds that a tournament may be given."""
_BOTS: Final = Group("Bots", sort_key=1)
_GAME: Final = Group("Game", sort_key=2)
_LENGTH: Final = Group("Length", sort_key=3)
_CONDITIONS: Final = Group("Conditions", sort_key=4)
_OUTPUT: Final = Group("Output", sort_key=5)


def _count(low: int, high: int | None, group: Group, meaning: str) -> Any:
    return Parameter(converter=whole(low, high), group=group, help=meaning, metavar="N")


def _time(meaning: str, usual: float, *, zero: bool = False) -> Any:
    return Parameter(
        converter=lasting(zero=zero),
        group=_CONDITIONS,
        help=f"{meaning} [default: {duration(usual)}].",
        metavar="TIME",
    )


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What a tournament is played under, nothing left open; the defaults are what is usual."""

    rules: str = "classic"
    format: str = "round-robin"
    names: bool = False
    move_time: float = 1.0
    bank: float = 5.0
    start_time: float = 10.0
    sandbox: str = "auto"
    allow_root_bots: bool = False
    fresh: bool = False
    bench: int = 5
    forfeit: int = 3


_USUAL: Final = Conditions()


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """What every command that starts bots can be told; None is "not given"."""

    rules: Annotated[
        str | None,
        Parameter(
            group=_GAME,
            completer=candidates.rules,
            metavar="PRESET|FILE.toml",
            help=f"`arena rules` lists the presets [default: {_USUAL.rules}].",
        ),
    ] = None
    move_time: Annotated[
        float | None, _time("For each move, before the bank is touched", _USUAL.move_time)
    ] = None
    bank: Annotated[float | None, _time("Spare time of each game", _USUAL.bank, zero=True)] = None
    start_time: Annotated[float | None, _time("To answer hello after being started", _USUAL.start_time)] = (
        None
    )
    sandbox: Annotated[
        str | None,
        Parameter(
            group=_CONDITIONS,
            completer=candidates.tiers,
            metavar="TIER",
            help=f"auto, bwrap, ns or bare [default: {_USUAL.sandbox}].",
        ),
    ] = None
    allow_root_bots: Annotated[
        bool | None,
        Parameter(group=_CONDITIONS, help="As root, where no other user can run a bot: run bots as root."),
    ] = None
    memory: Annotated[
        int | None,
        Parameter(
            group=_CONDITIONS,
            converter=size,
            metavar="SIZE",
            help="Memory of a bot that names no limit: 512M, 2G.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class TableOptions(LimitOptions):
    """What every command that plays games for a results file can be told as well."""

    names: Annotated[
        bool | None, Parameter(group=_GAME, help="Tell bots the names of those at their table.")
    ] = None
    seed: Annotated[
        str | None,
        Parameter(
            group=_CONDITIONS, metavar="S", help="What the deals come from [default: 128 random bits]."
        ),
    ] = None
    out: Annotated[
        str | None,
        Parameter(
            name=["--out", "-o"],
            group=_OUTPUT,
            metavar="FILE",
            help="The results file [default: arena-DATE-TIME.db].",
        ),
    ] = None
    json: Annotated[
        bool, Parameter(group=_OUTPUT, help="One JSON object on stdout instead of the table.")
    ] = False
    quiet: Annotated[bool, Parameter(group=_OUTPUT, help="No progress.")] = False


@dataclass(frozen=True, kw_only=True)
class SeatsOption:
    """How large tables are, where there are many; the first of the options of the game."""

    seats: Annotated[
        int | None, _count(2, None, _GAME, "Bots at a table [default: 4, or all bots if they are fewer].")
    ] = None


@dataclass(frozen=True, kw_only=True)
class PlayOptions(TableOptions, SeatsOption):
    """What every command that plays a tournament can be told as well."""

    time: Annotated[
        float | None,
        Parameter(
            converter=lasting(most=MOST_TIME),
            group=_LENGTH,
            metavar="TIME",
            help="For so long; blocks at the tables are then played to their end.",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        _count(1, 1024, _CONDITIONS, "Tables that play at the same time [default: the cores]."),
    ] = None
    forfeit: Annotated[
        int | None,
        _count(
            *(0, None, _CONDITIONS),
            f"Faults in a block that forfeit the rest of it; 0 never [default: {_USUAL.forfeit}].",
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SeriesOptions(TableOptions):
    """Everything `arena play` can be told."""

    games: Annotated[
        int, _count(1, 10_000, _GAME, "Games of the series; the rules say who leads each [default: 1].")
    ] = 1
    clock: Annotated[
        bool, Parameter(group=_CONDITIONS, help="The person has the clock of the bots, and not none.")
    ] = False
    watch: Annotated[
        bool, Parameter(group=_OUTPUT, help="Show a table of bots as it plays, at a pace for people.")
    ] = False
    pace: Annotated[
        float | None,
        Parameter(
            converter=lasting(zero=True, most=3600.0),
            group=_OUTPUT,
            metavar="TIME",
            help="With --watch: the pause after each event [default: 1s].",
        ),
    ] = None
    json: Annotated[
        bool, Parameter(group=_OUTPUT, help="One JSON object on stdout at the end; all else goes to stderr.")
    ] = False
    quiet: Annotated[bool, Parameter(group=_OUTPUT, help="No notes, such as where the games are kept.")] = (
        False
    )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions(PlayOptions):
    """Everything `arena run` can be told."""

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
    format: Annotated[
        str | None,
        Parameter(
            group=_GAME,
            completer=candidates.formats,
            metavar="FORMAT",
            help=f"Who meets whom: round-robin, gauntlet or swiss [default: {_USUAL.format}].",
        ),
    ] = None
    challenger: Annotated[
        tuple[str, ...],
        Parameter(
            group=_GAME,
            consume_multiple=True,
            metavar="NAME...",
            help="In a gauntlet, the bots of which one is at every table; may be repeated.",
        ),
    ] = ()
    deals: Annotated[
        int | None,
        _count(1, 10**6, _LENGTH, "Blocks for each table there can be: every set of bots, N times."),
    ] = None
    games: Annotated[int | None, _count(1, 10**9, _LENGTH, "Games; rounded up to whole blocks.")] = None
    precision: Annotated[
        float | None,
        Parameter(
            converter=elo,
            group=_LENGTH,
            metavar="ELO",
            help="Until no difference between two bots has a larger standard error.",
        ),
    ] = None
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
    resume: Annotated[
        str | None,
        Parameter(
            group=_LENGTH,
            metavar="FILE",
            help="Go on with the tournament in this file as it was begun; --games N makes it longer.",
        ),
    ] = None
    changed: Annotated[
        bool,
        Parameter(
            group=_LENGTH,
            help="Resume with bots or conditions that are not what they were; the file will say so.",
        ),
    ] = False
    dry_run: Annotated[
        bool,
        Parameter(group=_LENGTH, help="Say what would be played and how long it may take; play nothing."),
    ] = False
    fresh: Annotated[
        bool | None,
        Parameter(
            group=_CONDITIONS, help="Start every bot anew for each game, and store each game by itself."
        ),
    ] = None
    bench: Annotated[
        int | None,
        _count(
            *(0, None, _CONDITIONS),
            f"Blocks with faults in a row that bench a bot; 0 never [default: {_USUAL.bench}].",
        ),
    ] = None
    config: Annotated[
        str | None,
        Parameter(
            group=_OUTPUT, metavar="FILE", help="A tournament in a file; arena.toml where there is one."
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CompareOptions(PlayOptions):
    """Everything `arena compare` can be told."""

    field: Annotated[
        tuple[str, ...],
        Parameter(
            group=_BOTS,
            consume_multiple=True,
            metavar="PATH...",
            help="The bots that both play against: files and folders, or quoted globs.",
        ),
    ] = ()
    gain: Annotated[
        float,
        Parameter(
            converter=share(0.1, 75),
            group=_LENGTH,
            metavar="GAMES",
            help="Games of 100 that a better bot wins above the old one's; with play_on, opponents that it "
            "leaves behind of 100 [default: 5].",
        ),
    ] = 0.05
    alpha: Annotated[
        float,
        Parameter(
            converter=share(0.1, 49),
            group=_LENGTH,
            metavar="PERCENT",
            help="Chance to call a bot better that is not [default: 5].",
        ),
    ] = 0.05
    beta: Annotated[
        float,
        Parameter(
            converter=share(0.1, 49),
            group=_LENGTH,
            metavar="PERCENT",
            help="Chance to miss one that is better by so much [default: 5].",
        ),
    ] = 0.05
    games: Annotated[
        int | None,
        _count(2, 10**9, _LENGTH, "At most so many [default: 1000 pairs of blocks]."),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CheckOptions(LimitOptions):
    """Everything `arena check` can be told."""

    json: Annotated[bool, Parameter(group=_OUTPUT, help="One JSON object, for editors and CI.")] = False


def conditions(options: LimitOptions) -> Conditions:
    """What the options come to, with what is usual where they leave something open or have it not."""
    given = {field.name: getattr(options, field.name, None) for field in fields(Conditions)}
    return Conditions(**{name: value for name, value in given.items() if value is not None})
