"""What is known of tabulate's formats: where a line may stand, and how tall a cell may be."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_STYLES: Final = ("simple", "rounded", "heavy", "mixed", "double", "fancy")
OUTLINES: Final = frozenset(("outline", *(f"{style}_outline" for style in _STYLES)))
GRIDS: Final = frozenset(("grid", *(f"{style}_grid" for style in _STYLES)))
LINED: Final = OUTLINES | {"simple", "plain", "psql", "pretty", "presto", "orgtbl"}
"""Formats in which a line between two rows is still a valid table."""
TALL: Final = OUTLINES | GRIDS | {"simple", "plain", "psql", "pretty", "rst"}
"""Formats in which a cell may have several lines."""
BARS: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(("github", "pipe", "asciidoc"), "\\|")
    | dict.fromkeys(("jira", "textile", "youtrack", "mediawiki", "moinmoin"), "&#124;")
    | {"orgtbl": "\\vert{}"}
)
"""How a | in a cell is written where it would end the cell."""
ALONE: Final = frozenset(
    ("tsv", "html", "unsafehtml", "latex", "latex_raw", "latex_booktabs", "latex_longtable")
)
"""Formats in which lines of text beside the table are none of it."""
