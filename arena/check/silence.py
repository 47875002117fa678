"""Why no answer came in time: held back, half a line, too late, never read, still computing, or nothing."""

import json
from typing import Final

from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.words import Reading, answers, last_line
from arena.protocol.faults import MEND

_EATEN: Final = 0.9
"""The share of the bank below which earlier answers are told to have used of it."""
_IN_TIME: Final = (
    "use less time than `seconds` + `bank` say, sleeps and waits included: stop searching in time, and look "
    "for what hangs in this position"
)


def silent(mishap: Mishap, origin: Origin) -> Reading:
    """The likely cause of a timeout, from what was seen of the bot after it."""
    what = mishap.kind or "hello"
    if mishap.after_end.strip() and mishap.answered_such:
        # Such answers have come through before: neither is it held back, nor does it read to the end.
        return _late(mishap)
    if mishap.after_end.strip():
        return Reading(
            f"It answers {what} only when its stdin ends: its answer is not flushed, or it reads to the end "
            "of stdin before it answers.",
            f"flush after each answer: {origin.idioms.flush}; and read line by line, not to the end of stdin",
        )
    if mishap.answer:
        # Its line was whole when the verdict came.
        return _late(mishap)
    if mishap.received[: mishap.in_time].strip():
        return Reading(
            f"It answers {what}, but the line has no end: no newline came after it.",
            "print a newline after each answer",
        )
    if mishap.late:
        return _late(mishap)
    # It lives: what it has said on stderr did not end it, and is a hint at most.
    reading = _without_a_word(mishap)
    if not mishap.fresh.strip():
        return reading
    return Reading(reading.headline, f"{reading.mend}; the last it says on stderr: {last_line(mishap.fresh)}")


def _without_a_word(mishap: Mishap) -> Reading:
    what = mishap.kind or "hello"
    if mishap.unread >= len(mishap.sent) + 1 > 1:
        return _unread(mishap)
    if mishap.computing:
        return Reading(
            f"It was still computing after {_allowed(mishap)}: there is no answer to {what}.",
            "answer hello first and load what is slow afterwards" if what == "hello" else
            "use less time than `seconds` + `bank` say: stop searching in time, and look for an endless loop",
        )  # fmt: skip
    if mishap.answered_such:
        return Reading(
            f"It is too slow, or hangs in this position: it has read {what} and said nothing in "
            f"{_allowed(mishap)}, and has answered {_such(mishap)} before.",
            _IN_TIME,
        )
    slow = (
        "answer hello first, and load what is slow afterwards" if what == "hello" else
        "if it does, it is too slow: use less time than `seconds` + `bank` say, sleeps and waits included"
    )  # fmt: skip
    return Reading(
        f"It has read {what} and says nothing in {_allowed(mishap)}: it waits for more, does not answer this "
        "kind of line, or is too slow.",
        f'answer every line that has an "id", {what} too, and wait for no answer to an answer; {slow}',
    )


def _late(mishap: Mishap) -> Reading:
    came = f" after {max(mishap.took, mishap.used):.2f} s" if max(mishap.took, mishap.used) else ""
    return Reading(
        f"Its answer to {mishap.kind or 'hello'} came, but too late{came}: {_allowed(mishap)} were allowed.",
        MEND[mishap.code] if not mishap.answered_such else _IN_TIME,
    )


def _unread(mishap: Mishap) -> Reading:
    what = mishap.kind or "hello"
    how = " and computes" if mishap.computing else ""
    mend = "read a line from stdin, answer it, and read the next, until stdin ends"
    if mishap.answered == 0:
        return Reading(f"It has never read a line: {what} lies in its stdin unread{how}.", mend)
    return Reading(
        f"It stopped reading after {answers(mishap)}: {what} has lain in its stdin unread for "
        f"{_allowed(mishap)}{how}.",
        f"{mend}; what it does between an answer and the next line counts as its time too",
    )


def _such(mishap: Mishap) -> str:
    number = mishap.answered_such
    return f"{number} such request{'' if number == 1 else 's'}"


def _allowed(mishap: Mishap) -> str:
    """The time that was allowed and waited, and of what it was made."""
    total = f"{_short(mishap.allowed)} s"
    if mishap.kind in (None, "hello"):
        return total
    asked = json.loads(mishap.sent)
    move, bank = asked.get("seconds"), asked.get("bank")
    if not isinstance(move, int | float) or not isinstance(bank, int | float):
        return total
    if bank >= _EATEN * mishap.full_bank:
        left = f"{_short(bank)} s of the bank" if bank else ""
    elif bank:
        left = f"{_short(bank)} s that earlier answers had left of the bank of {mishap.full_bank:g} s"
    else:
        left = f"nothing of the bank of {mishap.full_bank:g} s, which earlier answers had used up"
    return f"{total} ({_short(move)} s for a move, and {left})" if left else total


def _short(seconds: float) -> str:
    return f"{round(seconds, 2):g}"
