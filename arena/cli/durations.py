"""Lengths of time as people write them: 500ms, 1s, 2m, 1h, 1m30s, or plain seconds."""

import math
import re
from typing import Final

from arena.errors import BadInput

SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ms|s|m|h)", re.ASCII)
_PLAIN: Final = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
DAY: Final = 24 * 3600.0
LONGEST: Final = DAY
"""Seconds: no limit of a bot may be longer than a day."""


def seconds_in(text: str, name: str, *, zero: bool = False, most: float = LONGEST) -> float:
    """The seconds `text` stands for; `name` is the option it was given to.

    Raises BadInput unless it is a duration of more than 0 (or 0, where `zero` allows it) and at most `most`.
    """
    word = text.strip().lower()
    if _PLAIN.fullmatch(word):
        seconds = float(word)
    else:
        parts = _PART.findall(word)
        if not parts or "".join(number + unit for number, unit in parts) != word:
            least = "0" if zero else "more than 0"
            raise BadInput(
                f"{name} takes a time of {least} to {duration(most)}, and {short(text)} is none; "
                "write for example 500ms, 1s, 2m or 1h"
            )
        seconds = math.fsum(float(number) * SECONDS[unit] for number, unit in parts)
    if seconds > most:
        days, rest = divmod(most, DAY)
        longer = "too long" if rest else "longer than a day" if days == 1 else f"longer than {days:.0f} days"
        raise BadInput(f"{name} {short(text)} is {longer}; the most is {duration(most)}")
    if seconds == 0 and not zero:
        raise BadInput(
            f"{name} {short(text)} leaves a bot no time at all; give more than 0, for example 100ms"
        )
    return seconds


def short(text: str) -> str:
    """A word that was typed, for a message."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def duration(seconds: float) -> str:
    """The shortest way to write this many seconds exactly: 0.5 is "500ms", 90 is "1m30s"."""
    thousandths = round(seconds * 1000)
    if thousandths == 0 and seconds > 0:
        return f"{seconds:g}s"
    if thousandths < 1000:
        return f"{thousandths}ms" if thousandths else "0s"
    words = []
    for unit, size in (("h", 3_600_000), ("m", 60_000)):
        count, thousandths = divmod(thousandths, size)
        if count:
            words.append(f"{count}{unit}")
    if thousandths:
        words.append(f"{thousandths / 1000:g}s")
    return "".join(words)


def rough(seconds: float) -> str:
    """About how long, for people who wait: "12 s", "3 min 20 s", "5 h 10 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    hours, minutes = divmod(whole // 60, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours / 24:.1f} days"
