"""What has ended a tournament, or what will, and how well its ratings are known by then."""

from typing import TYPE_CHECKING

from arena.cli.durations import duration
from arena.tournament.header import Header
from arena.tournament.stopping import widest_difference

if TYPE_CHECKING:
    from arena.cli.outcome import Outcome


def ending_lines(outcome: "Outcome") -> list[str]:
    """One line, where more than a number of games could end it."""
    header = outcome.header
    if header.precision is None and header.time is None:
        return []
    return [_ended(outcome) if outcome.complete else _to_come(outcome)]


def largest_error(outcome: "Outcome") -> float | None:
    """The largest standard error of a difference between two bots in play, in Elo, as --precision has it."""
    return widest_difference(outcome.ratings, outcome.in_play)


def _ended(outcome: "Outcome") -> str:
    header, words = outcome.header, "Ended"
    if header.ended is not None:
        match header.ended.by:
            case "games":
                words = f"Ended by its {_games(header, header.blocks)} games"
            case "time":
                words = f"Ended by --time {duration(header.time or 0)}"
            case "precision":
                words = f"Ended by --precision {header.precision or 0:g}"
            case "answer":
                words = "Ended by its answer"
        if header.ended.planned is not None:
            words += f", before its {_games(header, header.ended.planned)} games were played"
    if header.precision is None:
        return f"{words}."
    return f"{words}; {_known(outcome)}."


def _known(outcome: "Outcome") -> str:
    """How well the ratings are known, beside what --precision has asked for."""
    asked = outcome.header.precision or 0.0
    largest = largest_error(outcome)
    if largest is None:
        few = "some differences have no standard error after so few games"
        return f"{few}, and --precision asked for {asked:g} Elo"
    only = " (ratings that only the prior bounds left out)" if outcome.ratings.prior_bounded.any() else ""
    reached = "" if largest <= asked else f", and --precision asked for {asked:g}"
    return f"the largest standard error of a difference{only} is {largest:.1f} Elo{reached}"


def _to_come(outcome: "Outcome") -> str:
    header = outcome.header
    ends = []
    if header.precision is not None:
        largest = largest_error(outcome)
        now = "" if largest is None else f" (now {largest:.1f})"
        ends.append(
            "at a decision point where no difference between two bots has a standard error above "
            f"{header.precision:g} Elo{now}, but for those of ratings that only the prior bounds"
        )
    if header.own_blocks is not None:
        ends.append(f"after {_games(header, header.own_blocks)} games")
    if header.time is not None:
        ends.append(f"when a run of it has taken {duration(header.time)}")
    return f"It ends {', or '.join(ends)}."


def _games(header: Header, blocks: int) -> str:
    return f"{blocks * header.games_per_block:,}"
