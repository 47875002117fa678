"""Converters for option values: what each takes, said in our own words when it gets something else."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from arena.cli.durations import LONGEST, seconds_in, short
from arena.errors import BadInput


class Token(Protocol):
    """The part of a parser's token that converters use."""

    @property
    def keyword(self) -> str | None:
        """The option as it was typed; None for a positional argument."""

    @property
    def value(self) -> str:
        """The word given."""


Converter = Callable[[Any, Sequence[Token]], Any]
_WHOLE: Final = re.compile(r"[+-]?\d+(?:_\d+)*", re.ASCII)
_DECIMAL: Final = re.compile(r"\d{1,4}(\.\d{1,6})?", re.ASCII)
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:(k|m|g|t)(?:i?b)?|b)?", re.ASCII | re.IGNORECASE)
_NO_LIMIT: Final = "leave it out for no limit"
_UNITS: Final = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def whole(low: int, high: int | None = None) -> Converter:
    """A converter to a whole number from `low` to `high` (no upper end: None)."""

    def convert(_: Any, tokens: Sequence[Token]) -> int:
        name, text = tokens[0].keyword or "the value", tokens[0].value
        if len(text) > 4000 or not _WHOLE.fullmatch(text.strip()):
            raise BadInput(f"{name} takes a whole number, and {short(text)} is none")
        number = int(text)
        if number < low or (high is not None and number > high):
            reach = f"at least {low}" if high is None else f"{low} to {high}"
            raise BadInput(f"{name} takes {reach}; {short(text)} is outside that")
        return number

    return convert


def lasting(*, zero: bool = False, most: float = LONGEST) -> Converter:
    """A converter from a duration to at most so many seconds; `zero` allows none at all."""

    def convert(_: Any, tokens: Sequence[Token]) -> float:
        return seconds_in(tokens[0].value, tokens[0].keyword or "the duration", zero=zero, most=most)

    return convert


def elo(_: Any, tokens: Sequence[Token]) -> float:
    """A converter to a standard error in Elo."""
    name, text = tokens[0].keyword or "the precision", tokens[0].value
    if _DECIMAL.fullmatch(text.strip()) and 1 <= (amount := float(text)) <= 1000:
        return amount
    raise BadInput(
        f"{name} takes a standard error, 1 to 1000 Elo, and {short(text)} is none; write for example 20"
    )


def share(low: float, high: float) -> Converter:
    """A converter from so many in a hundred, between these bounds, to a share from 0 to 1."""

    def convert(_: Any, tokens: Sequence[Token]) -> float:
        name, text = tokens[0].keyword or "the share", tokens[0].value
        if _DECIMAL.fullmatch(text.strip()) and low <= (amount := float(text)) <= high:
            return amount / 100
        raise BadInput(
            f"{name} takes so many in a hundred, {low:g} to {high:g}, and {short(text)} is none; "
            "write for example 5"
        )

    return convert


def size(_: Any, tokens: Sequence[Token]) -> int:
    """A converter from 256M, 1.5G or plain bytes to bytes (powers of 1024)."""
    name, text = tokens[0].keyword or "the size", tokens[0].value
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"{name} takes a size such as 256M or 1G, and {short(text)} is none; {_NO_LIMIT}")
    amount = float(match[1]) * _UNITS[(match[2] or "").lower()]
    if not 2**20 <= amount <= 2**50:
        raise BadInput(f"{name} takes 1M to 1024T, and {short(text)} is outside that; {_NO_LIMIT}")
    return round(amount)


def bytes_in_words(amount: int) -> str:
    """A size for people: 268435456 is "256M"."""
    for power, unit in ((4, "T"), (3, "G"), (2, "M"), (1, "K")):
        if amount >= 1024**power:
            return f"{amount / 1024**power:.4g}{unit}"
    return str(amount)
