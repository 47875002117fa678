"""Why a bot did what was wrong: the likely cause in one sentence, and the mend."""

import json
import re
from typing import Any, Final

from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.silence import silent
from arena.check.stray import encoded_twice, is_encoded_twice, stray
from arena.check.words import Reading, answers, read_words, telling_line
from arena.protocol.faults import MEND
from arena.protocol.messages import MAX_LINE

_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_BY_HAND: Final = "give it the line `sent` by hand, and read what it says on stderr"
_SHOWN: Final = re.compile(rb'\{\s*:?"?\w+"?\s*=>|\{\s*\w+:')
"""Objects as Ruby and JavaScript show them."""
_SIGNALS: Final = {
    "SIGSEGV": "a segmentation fault: it used memory that is not its own",
    "SIGABRT": "abort(): a failed assertion, or an exception that nobody caught",
    "SIGKILL": "SIGKILL: something has killed it, perhaps for the memory it used",
    "SIGFPE": "a division by zero or the like",
    "SIGILL": "an instruction that this processor does not have: it was built for another",
    "SIGSYS": "a system call that is closed in the sandbox",
    "SIGBUS": "a bus error",
    "SIGXFSZ": "writing a file that is too large",
}


def diagnose(mishap: Mishap, origin: Origin) -> Reading:
    """The likely cause; where none is likely, the rule that was broken."""
    reading = _diagnosed(mishap, origin)
    if not mishap.strange:
        return reading
    return Reading(
        f"Fields and events that it does not know trip it: {reading.headline}",
        f"pass over fields and types that are not in the protocol yet; {reading.mend}",
    )


def _diagnosed(mishap: Mishap, origin: Origin) -> Reading:
    if mishap.endless:
        return Reading("It prints without end.", MEND["flood"])
    match mishap.code:
        case "timeout" | "start-timeout":
            return silent(mishap, origin)
        case "crash" | "exit" | "bad-exec":
            return _ended(mishap, origin)
        case "bad-json":
            return _no_json(mishap, origin)
        case "bad-shape" | "bad-type" | "wrong-id" | "unsolicited":
            return _misspoken(mishap, origin)
        case "flood":
            if b"\n" not in mishap.received[:MAX_LINE]:
                return Reading("It prints without end and never ends the line.", MEND["flood"])
            return Reading("It prints without end.", MEND["flood"])
        case "illegal":
            return Reading(
                f"What it answers to {mishap.kind} is not allowed here: {_lower(mishap.rule)}", _legal(mishap)
            )
        case "memory":
            return Reading("It used more memory than it may.", MEND["memory"])
        case _:
            return Reading(mishap.rule, MEND[mishap.code])


def _ended(mishap: Mishap, origin: Origin) -> Reading:
    if (reading := read_words(mishap, origin)) is not None:
        return reading
    if mishap.code == "bad-exec":
        return Reading(mishap.rule, MEND["bad-exec"])
    words = f", and said on stderr: {telling_line(mishap.fresh)}" if mishap.fresh.strip() else ""
    when = f"after {answers(mishap)}" if mishap.answered else "without a single answer"
    if mishap.signal is not None:
        why = _SIGNALS.get(mishap.signal, mishap.signal)
        return Reading(f"It was ended {when} by {mishap.signal}, {why}{words}.", _by_hand(mishap))
    if mishap.code == "crash":
        return Reading(f"It ended {when} with exit code {mishap.exit_code}{words}.", _by_hand(mishap))
    if "closed its" in mishap.rule:
        pipe = "stdout" if "output" in mishap.rule else "stdin"
        return Reading(f"It closed its {pipe} {when}{words}.", MEND["exit"])
    if not mishap.answered:
        return Reading(
            f"It ended at once, with exit code 0 and {when}{words}.",
            "check that the program runs its main part and reads stdin in a loop",
        )
    return Reading(f"It left {when}, with exit code 0{words}.", MEND["exit"])


def _by_hand(mishap: Mishap) -> str:
    """How to see it again: one line brings back nothing that hangs on the games before it."""
    if mishap.game <= 1:
        return _BY_HAND
    below = "read what it said on stderr, below" if mishap.stderr.strip() else "let it tell on stderr"
    return (
        f"{below}; the line `sent` alone may not bring it about: it was in game {mishap.game} of one "
        "process, and may need the games before it, so look at what is kept from game to game"
    )


def _no_json(mishap: Mishap, origin: Origin) -> Reading:
    line = mishap.answer
    text = line.lstrip()
    if line.startswith(_BOM):
        return Reading(
            "Its line begins with a byte order mark.",
            "write UTF-8 without a byte order mark"
            + (" (utf-8, not utf-8-sig)" if origin.language in ("Python", None) else ""),
        )
    if line.startswith(_UTF_16) or b"\x00" in line:
        return Reading("It writes UTF-16.", "write UTF-8, without a byte order mark")
    try:
        line.decode()
    except UnicodeDecodeError:
        return Reading(
            "Its line is not UTF-8.", "write UTF-8, or let the JSON library escape all that is not ASCII"
        )
    if not text.startswith((b"{", b"[")):
        return stray(line, mishap.id, origin)
    if _is_python(mishap.rule) and origin.language in ("Python", None):
        return Reading(
            "It prints a Python dict, which is not JSON.", "print json.dumps(answer), not the dict itself"
        )
    if _is_python(mishap.rule) or _SHOWN.match(text):
        return Reading(
            f"It prints an object as {origin.language or 'its language'} shows it, which is not JSON.",
            f"print JSON: {origin.idioms.json}",
        )
    if "ends inside" in mishap.rule:
        rest = mishap.received[mishap.received.find(line) + len(line) :].strip()
        if rest or line.strip() in (b"{", b"["):
            return Reading(
                "It spreads one answer over several lines.",
                f"write one line, without indent: {origin.idioms.json}",
            )
        return Reading("Its line ends in the midst of the answer.", "print the whole object on one line")
    if "goes on with" in mishap.rule:
        return Reading(
            "Something follows the answer on the same line.",
            "print one object a line, and a newline after it",
        )
    return Reading(_sentence(mishap), MEND["bad-json"])


def _is_python(rule: str) -> bool:
    return rule.startswith("JSON has double quotes")


def _misspoken(mishap: Mishap, origin: Origin) -> Reading:
    said = _object(mishap.answer)
    if mishap.idle or mishap.early:
        return _uncalled(mishap, origin)
    if mishap.code == "unsolicited":
        return Reading(
            "It answers a request again that it has answered already.",
            "print one line for each request, no more",
        )
    if isinstance(said, dict) and _answers_event(mishap, said):
        return Reading(
            f"It answers the event {_event_answered(mishap)}, and events want no answer.",
            'answer only the lines that have an "id"',
        )
    if is_encoded_twice(said, mishap.id):
        return encoded_twice(origin)
    if not isinstance(said, dict):
        return Reading("Its answer is no JSON object.", 'print an object: {"id": ..., ...}')
    if "id" not in said:
        return Reading("Its answer has no id.", 'send back the "id" of the request with every answer')
    if mishap.code == "wrong-id":
        return Reading("Its answer has an id of its own.", MEND["wrong-id"])
    if '"10' in mishap.rule:
        return Reading(
            f"It writes ten as 10: {_lower(mishap.rule)}", "ten is T: TD, TS; a card is two characters"
        )
    return Reading(_sentence(mishap), _fields(mishap))


def _uncalled(mishap: Mishap, origin: Origin) -> Reading:
    """The answer was right, and something came after it."""
    at = mishap.received.find(mishap.answer) + len(mishap.answer) if mishap.answer else 0
    line = mishap.received[at:].strip().split(b"\n")[0] or mishap.offending
    said = _object(line)
    if not isinstance(said, dict):
        return stray(
            line, mishap.id, origin, unended=bool(line) and b"\n" not in mishap.received[at:].lstrip()
        )
    if said.get("id") == mishap.id:
        return Reading("It answers twice.", "print one line for each request, no more")
    if not said.get("id") and mishap.events:
        return Reading(
            "It answers an event, and events want no answer.", 'answer only the lines that have an "id"'
        )
    return Reading("It prints a second line after its answer.", "print one line for each request, no more")


def _answers_event(mishap: Mishap, said: dict[str, Any]) -> bool:
    """Whether a line without an id is meant for an event of the same write, and not for the request.

    Then another line follows it, or it has nothing that the request asks for.
    """
    if said.get("id") or not mishap.events:
        return False
    lines = [line for line in mishap.received.split(b"\n") if line.strip()]
    wanted = {"play": ("cards", "pass"), "challenge": ("challenge",)}.get(mishap.kind or "", ())
    return len(lines) > 1 or not any(field in said for field in wanted)


def _event_answered(mishap: Mishap) -> str:
    kinds = [json.loads(line).get("type", "?") for line in mishap.events]
    return str(kinds[0])


def _fields(mishap: Mishap) -> str:
    answers = {
        "play": 'the answer to play has "cards" (a list such as ["AS", "TD"]) and "rank" (such as "T")',
        "challenge": 'the answer to challenge has "challenge", true or false',
        "hello": "the answer to hello needs its id alone",
    }
    return f"{answers[mishap.kind or 'hello']}; {MEND[mishap.code]}"


def _legal(mishap: Mishap) -> str:
    rule = mishap.rule
    if "is laid" in rule:
        return "lay only what `hand` of this very request has: hands change with plays and with the pile"
    if "may not be claimed" in rule:
        return "claim one of `ranks` of the request, whatever the cards are"
    if rule.startswith("There is no passing"):
        return "pass only where the rules of hello have passing"
    if "at most" in rule:
        return "lay no more than `max_cards` of the rules in hello"
    return MEND["illegal"]


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _sentence(mishap: Mishap) -> str:
    return f"Its answer to {mishap.kind} is not as it must be: {_lower(mishap.rule)}"


def _lower(rule: str) -> str:
    """A rule to stand behind a colon; a card's or a field's name stays as it is."""
    return rule[0].lower() + rule[1:] if rule[1:2].islower() or rule[:2] == "A " else rule
