"""The pages of text that the replay opens over the table: the keys, and all that is kept of one beat."""

from collections.abc import Iterator
from typing import Final

from arena.cli.gamewords import Words
from arena.cli.lastwords import last_words
from arena.cli.shown import safe
from arena.cli.spans import Line, wrapped
from arena.protocol.faults import MEANING, MEND, FaultRecord
from arena.referee.story import Moment

_LONGEST: Final = 4000
_HELP: Final = (
    ("space, right, j", "next beat: a claim, its outcome, a pass, a seat that leaves, the end"),
    ("left, backspace, k", "beat before"),
    ("down, ]   up, [", "next turn, turn before"),
    ("l   L", "next lie, lie before (as far as the view knows of it)"),
    ("c   C", "next call, call before"),
    ("f   F", "next fault, fault before"),
    ("n   N", "next of these three, the one before"),
    ("home, <   end, >", "the deal, the end"),
    ("g", "go to a turn by its number"),
    ("e", "view: everything"),
    ("t", "view: table only, what all seats are told"),
    ("0 ... 9", "view: only what this seat knew"),
    ("d", "all that is kept of this beat: hands, words, faults"),
    ("?   q", "this page; leave"),
    ("", ""),
    ("~ and LIE", "a lie, where the view knows of it by then"),
    ("! and CALLS", "a call; the one who counts is written in capitals"),
    ("x and FAULT", "a bot has done wrong"),
    (">", "the seat whose turn it is"),
    ("A 2 3 ...", "below: how many cards of each rank (+: ten and more); [7]: the one claimed"),
    ("<12   >5   ?", "fewer than 12, more than 5, not known: where a claim may lie about the number"),
    ("", ""),
    ("", "Nothing is shown before it happens: no mark, no result, no number of turns to come."),
)
_NAMES: Final = 20


def help_lines(width: int) -> list[Line]:
    """The keys, and what the marks mean."""
    lines: list[Line] = []
    for names, meaning in _HELP:
        for number, text in enumerate(wrapped(meaning, width - _NAMES - 3)):
            name = names if number == 0 else ""
            lines.append(((f"  {name:<{_NAMES}} ", "head"), (text, "")))
    return lines


def more_lines(moment: Moment, claim: Moment | None, words: Words, width: int) -> list[Line]:
    """Everything that the view may see of one beat, and of the claim that it comes of."""
    lines: list[Line] = []

    def add(text: str, indent: str = "") -> None:
        lines.extend(((indent + line, ""),) for line in wrapped(text, width - len(indent), "  "))

    scene = moment.scene
    told = [moment] if claim is None else [claim, moment]
    for one in told:
        add(f"turn {scene.turn}: {words.sentence(one)}" if scene.turn else words.sentence(one))
    hands = [(words.names[seat], place.hand) for seat, place in enumerate(scene.places) if place.hand]
    for name, hand in hands:
        add(f"{name} holds {words.hand(hand)}", "  ")
    if scene.pile_cards:
        add(f"on the pile, as far as seen, the oldest first: {words.look.cards(scene.pile_cards)}", "  ")
    for one in told:
        for kind, text in words.beside(one):
            if kind == "said":
                add(text, "  ")
    for fault in moment.faults:
        lines.append(())
        for text in _fault(fault, words):
            add(text, "  ")
    return lines


def _fault(fault: FaultRecord, words: Words) -> Iterator[str]:
    """A fault record, line by line."""
    effect = "" if fault.effective else ", without effect: no request followed"
    yield f"{words.names[fault.seat]}: {fault.code} ({MEANING[fault.code]}){effect}"
    known = {
        "rule": fault.rule,
        "mend": MEND[fault.code],
        "request": fault.request,
        "answer": fault.offending,
        "clock": None if fault.used is None else f"{fault.used:.3f} s used of {fault.limit:g} s",
        "ended": fault.signal or (None if fault.exit_code is None else f"exit code {fault.exit_code}"),
    }
    for name, value in known.items():
        if value:
            yield f"  {name:<8} {safe(value, _LONGEST)}"
    yield from last_words(fault.stderr)
