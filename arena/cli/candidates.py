"""What a shell may offer behind an option or in place of an argument; files it offers by itself."""

from collections.abc import Iterable
from typing import Any


def rules(_: Any) -> Iterable[str]:
    """The presets."""
    from arena.cheat.presets import PRESETS

    return PRESETS


def tiers(_: Any) -> Iterable[str]:
    """What --sandbox takes."""
    from arena.cli.sandbox import SANDBOXES

    return SANDBOXES


def formats(_: Any) -> Iterable[str]:
    """What --format takes."""
    from arena.tournament.pairing import FORMATS

    return FORMATS


def table_formats(_: Any) -> Iterable[str]:
    """What --table-format takes."""
    from tabulate import tabulate_formats

    return tabulate_formats


def languages(_: Any) -> Iterable[str]:
    """What `arena new` takes."""
    from arena.roster.templates import LANGUAGES

    return [language.names[0] for language in LANGUAGES]


def shells(_: Any) -> Iterable[str]:
    """What `arena completion` takes."""
    from arena.cli.completion import SHELLS

    return SHELLS
