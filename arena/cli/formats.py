"""`--format` and what belongs to it: checked, and turned into who meets whom."""

from collections.abc import Sequence

from arena.cli.complaints import near
from arena.cli.options import RunOptions
from arena.cli.shown import counted, safe
from arena.errors import BadInput
from arena.tournament.pairing import FORMATS, GAUNTLET, PAIRED, SWISS, Pairing


def check_format(word: str) -> None:
    """Raises BadInput for a word that --format does not take."""
    if word not in FORMATS:
        raise BadInput(f"there is no format {word!r}; there are {', '.join(FORMATS)}{near(word, FORMATS)}")


def check_deals(word: str) -> None:
    """Raises BadInput for a format that --deals is no length of."""
    if word == PAIRED:
        raise BadInput(
            "--deals counts the tables there can be, and a comparison has pairs of them; give --games"
        )
    if word == SWISS:
        raise BadInput(
            "--deals counts the tables there can be, and in a Swiss the results say which there are; "
            "give --games"
        )


def chosen_pairing(options: RunOptions, word: str, names: Sequence[str]) -> Pairing:
    """The format with its challengers, found among the bots' names. Raises BadInput."""
    if options.deals is not None:
        check_deals(word)
    if word != GAUNTLET:
        if options.challenger:
            raise BadInput("--challenger names the bots that run a gauntlet; add --format gauntlet")
        return Pairing(word)
    if not options.challenger:
        raise BadInput("a gauntlet needs a challenger, the bot at every table; add --challenger NAME")
    for name in options.challenger:
        if name not in names:
            raise BadInput(
                f"--challenger {safe(name)} is none of the bots; they are called {_listed(names)}"
                f"{near(name, names)}"
            )
    challengers = tuple(sorted({names.index(name) for name in options.challenger}))
    field = len(names) - len(challengers)
    if not field:
        raise BadInput("every bot is a challenger, and a gauntlet needs a field they play against")
    if options.seats is not None and options.seats > field + 1:
        needed = counted(options.seats - 1, "bot")
        raise BadInput(
            f"--seats {options.seats} needs {needed} beside a challenger, and the field has "
            f"{counted(field, 'bot')}; take fewer seats or more bots"
        )
    return Pairing(word, challengers)


def fits_a_table(pairing: Pairing, bots: int) -> int:
    """How many of the bots could sit at one table."""
    if pairing.paired:
        return bots - 1
    return bots if pairing.format != GAUNTLET else bots - len(pairing.challengers) + 1


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(safe(name) for name in names[:10])
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"
