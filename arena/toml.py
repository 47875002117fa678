"""TOML as people write it: the table a text stands for, or one message that says what is wrong with it."""

import tomllib
from collections.abc import Iterator
from typing import Any, Final

from arena.errors import BadInput

_WIDEST: Final = 1 << 63
"""TOML's whole numbers have 64 bits."""
_SHOWN: Final = 200


def table_in(text: str, called: str) -> dict[str, Any]:
    """The table of a TOML text; `called` is the file's name for messages.

    Raises BadInput for what is not TOML, and for a whole number that is wider than TOML allows.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"{called} is not a TOML file: {_short(error)}") from None
    except ValueError:
        # Python makes no number of thousands of digits.
        raise BadInput(f"{called} holds a number of thousands of digits; {_MEND}") from None
    for key, value in _leaves("", table):
        if isinstance(value, int) and not -_WIDEST <= value < _WIDEST:
            raise BadInput(f"{called}: {key} is a number too large for TOML; {_MEND}")
    return table


_MEND: Final = "whole numbers have at most 64 bits there"


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or "it is nested too deeply"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _leaves(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value that is no table and no list, with the way to it; without recursion, however deep it is."""
    waiting: list[tuple[str, object]] = [(name, value)]
    while waiting:
        way, one = waiting.pop()
        if isinstance(one, dict):
            waiting += [(f"{way}.{key}" if way else str(key), inner) for key, inner in one.items()]
        elif isinstance(one, list):
            waiting += [(way, inner) for inner in one]
        else:
            yield way, one
