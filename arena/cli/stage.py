"""One screen of the replay: from where somebody stands to lines of text. Nothing that is to come is drawn."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.cheat.cards import RANKS, Rank
from arena.cheat.events import Hand
from arena.cli.cardwords import rank_shown
from arena.cli.gamewords import Words, size_shown, view_shown
from arena.cli.spans import Line, Meaning, Span, columns, cut, fitted, wrapped
from arena.cli.stagepages import help_lines, more_lines
from arena.cli.stepping import Stand
from arena.protocol.messages import End, Outcome, PassedEvent
from arena.protocol.views import Claim, Scene
from arena.referee.story import Moment

SMALLEST: Final = (72, 18)
"""Columns and rows below which nothing can be made out."""
_SEAT: Final = 4
_CARDS: Final = 5
_CLAIM: Final = 12
_NOW: Final = 15
_LONGEST_NAME: Final = 48
_KEYS: Final = (
    "space next  left back  l lie  c call  f fault  g turn  e t 0-9 view  d more  ? help  q leave",
    "space next  left back  l c f jump  g turn  e t 0-9 view  d more  ? help  q leave",
    "space next, left back, ? help, q leave",
)
"""The longest that fits."""


def draw(
    past: Sequence[Moment], title: str, words: Words, stand: Stand, width: int, height: int
) -> list[Line]:
    """Exactly `height` lines of at most `width` columns.

    `past`: what the view was told of, the present last; so no more can be drawn.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        small = f"This terminal has {width} x {height}; the replay needs {SMALLEST[0]} x {SMALLEST[1]}."
        lines: list[Line] = [((text, ""),) for text in wrapped(small, max(width, 2))]
    elif stand.page == "help":
        lines = _paged("Keys and marks", help_lines(width), stand, width, height)
    elif stand.page == "more":
        lines = _paged(
            "All that is kept of this beat",
            more_lines(past[-1], claim_before(past), words, width),
            stand,
            width,
            height,
        )
    else:
        lines = _table(past, title, words, stand, width, height)
    lines = [cut(line, width) for line in lines[:height]]
    return lines + [()] * (height - len(lines))


def _table(
    past: Sequence[Moment], title: str, words: Words, stand: Stand, width: int, height: int
) -> list[Line]:
    scene = past[-1].scene
    view = view_shown(stand.view, words.names)
    lines = [_both((title, "head"), (f"view: {view}", "head"), width)]
    lines += _seats(scene, words, width)
    lines.append((("-" * width, "faint"),))
    foot = [_foot(stand), ((next((keys for keys in _KEYS if len(keys) <= width), ""), "faint"),)]
    room = height - len(lines) - len(foot)
    now = list(_now(past, words, width))
    if len(now) > room:
        now = [*now[: room - 1], (("   ... d shows the rest", "faint"),)]
    earlier = list(_earlier(past, words, width, room - len(now)))
    lines += [*now, *earlier]
    return [*lines, *[()] * (height - len(foot) - len(lines)), *foot]


def _both(left: Span, right: Span, width: int) -> Line:
    """Two texts, the second at the right edge; the first is cut for it."""
    second = fitted(right[0], min(columns((right,)), width // 2))
    return ((fitted(left[0], width - columns(((second, ""),)) - 2), left[1]), ("  ", ""), (second, right[1]))


def _seats(scene: Scene, words: Words, width: int) -> Iterator[Line]:
    strip = len(_ranks(None))
    spare = width - (_SEAT + 1 + _CARDS + 1 + strip + 1 + _CLAIM + _NOW)
    name = max(
        7 if spare < 8 else 8,
        min(_LONGEST_NAME, max([4, *(columns(((one, ""),)) for one in words.names)]), spare),
    )
    claimed = scene.claim.rank if scene.claim is not None else None
    yield (
        (f"{fitted('seat', _SEAT + name)} {fitted('cards', _CARDS, right=True)} ", "faint"),
        (_ranks(claimed), "faint"),
        (f" {fitted('last claim', _CLAIM)}now", "faint"),
    )
    for seat, place in enumerate(scene.places):
        here = scene.claim is not None and scene.claim.seat == seat
        size = "-" if place.left else size_shown(place.size)
        last: Line = ((fitted("", _CLAIM), ""),) if place.claim is None else _last(place.claim)
        yield (
            ("> " if here else "  ", "here"),
            (f"{seat} ", "here" if here else ""),
            (fitted(_bare(words.names[seat], seat), name), "here" if here else ""),
            (f" {fitted(size, _CARDS, right=True)} ", ""),
            (_strip(place.hand), ""),
            (" ", ""),
            *last,
            _state(scene, seat),
        )
    pile = size_shown(scene.pile, pile=True)
    yield (
        (f"  {fitted('pile', _SEAT - 2 + name)} {fitted(pile, _CARDS, right=True)} ", ""),
        (_strip(scene.pile_cards or None), ""),
    )


def _bare(name: str, seat: int) -> str:
    """A name without its seat, which stands beside it."""
    return name.removesuffix(f" ({seat})")


def _ranks(claimed: Rank | None) -> str:
    """The heads of a strip, the rank claimed in brackets."""
    text = "".join(f" {rank_shown(rank)}" for rank in RANKS) + " "
    return text if claimed is None else text.replace(f" {rank_shown(claimed)} ", f"[{rank_shown(claimed)}]")


def _strip(hand: Hand | None) -> str:
    """How many cards of each rank, + for ten and more; nothing where they are not known."""
    if hand is None:
        return " " * len(_ranks(None))
    counts = {rank: sum(card[0] == rank for card in hand) for rank in RANKS}
    marks = [
        ("+" if count > 9 else str(count or "."), len(rank_shown(rank))) for rank, count in counts.items()
    ]
    return "".join(f" {mark:>{width}}" for mark, width in marks) + " "


def _last(claim: Claim) -> Line:
    """A claim in short, and whether it is true if that is known."""
    said = f"{claim.count} x {rank_shown(claim.rank)}"
    if claim.true is None:
        return ((fitted(said, _CLAIM), ""),)
    word: Span = ("true", "true") if claim.true else ("LIE", "lie")
    return ((f"{said} ", ""), word, (fitted("", _CLAIM - len(said) - 1 - len(word[0])), ""))


def _state(scene: Scene, seat: int) -> Span:
    """What a seat does in this beat, or that it has left."""
    left = scene.places[seat].left
    match scene.happening:
        case End(places=places):
            return f"place {places[seat]}{', fault' if left and left.fault else ''}", "head"
        case _ if left is not None:
            return ("FAULT, left", "fault") if left.fault else (f"out, place {left.place}", "head")
        case Claim(seat=claimant) if claimant == seat:
            return "claims", "here"
        case PassedEvent(seat=passing) if passing == seat:
            return "passes", "here"
        case Outcome() as outcome:
            does = []
            if seat in outcome.callers:
                does.append("CALLS" if seat == outcome.challenger else "calls too")
            if seat == outcome.taker:
                does.append(f"takes {outcome.taken}")
            return " ".join(does), "call" if seat in outcome.callers else ""
    return "", ""


def _now(past: Sequence[Moment], words: Words, width: int) -> Iterator[Line]:
    """What happens, with the claim it is about, and what is said beside it."""
    moment = past[-1]
    claim = claim_before(past)
    if claim is not None:
        yield from _told(claim, words, width, "")
    yield from _told(moment, words, width, "head")
    for one in (moment, *([claim] if claim is not None else [])):
        for kind, text in words.beside(one):
            for line in wrapped(text, width - 9, "  "):
                yield (("         ", ""), (line, "fault" if kind == "fault" else "note"))


def _told(moment: Moment, words: Words, width: int, meaning: Meaning) -> Iterator[Line]:
    """A beat as a sentence: its turn and its mark before it."""
    mark, of = _mark(moment)
    first = True
    for line in wrapped(words.sentence(moment), width - 9, "  "):
        turn = str(moment.scene.turn) if first and moment.scene.turn else ""
        yield ((f"{turn:>6} ", "faint"), (mark if first else " ", of), (" ", ""), (line, meaning))
        first = False


def claim_before(past: Sequence[Moment]) -> Moment | None:
    """The claim that the present beat, another one of the same turn, comes of."""
    turn = past[-1].scene.turn
    for moment in reversed(past[:-1]):
        if moment.scene.turn != turn:
            return None
        if isinstance(moment.scene.happening, Claim):
            return moment
    return None


def _earlier(past: Sequence[Moment], words: Words, width: int, room: int) -> Iterator[Line]:
    """What came before, the latest first, a line each, behind a head."""
    claim = claim_before(past)
    shown = [moment for moment in reversed(past[:-1]) if moment is not claim]
    if room < 3 or not shown:
        return
    yield ()
    yield (("before, the latest first:", "faint"),)
    for moment in shown[: room - 2]:
        mark, of = _mark(moment)
        turn = str(moment.scene.turn) if moment.scene.turn else ""
        sentence = fitted(words.sentence(moment), width - 9)
        yield ((f"{turn:>6} ", "faint"), (mark, of), (" ", ""), (sentence, "faint"))


def _mark(moment: Moment) -> Span:
    """One character for what kind of moment it is, also without colour."""
    if moment.fault:
        return "x", "fault"
    if moment.lie:
        return "~", "lie"
    if moment.called:
        return "!", "call"
    return " ", ""


def _foot(stand: Stand) -> Line:
    if stand.typed is not None:
        return ((f"Go to turn: {stand.typed}_   (Enter goes, Escape stays)", "head"),)
    return ((stand.note, "head"),)


def _paged(title: str, text: list[Line], stand: Stand, width: int, height: int) -> list[Line]:
    """A page of text, from the line that is scrolled to."""
    room = height - 3
    start = min(stand.scroll, max(0, len(text) - room))
    below = len(text) - start - room
    more = f", {below} more below (down)" if below > 0 else ""
    foot = f"Escape goes back to the table{more}"
    lines: list[Line] = [((title, "head"),), (("-" * width, "faint"),), *text[start : start + room]]
    return [*lines, *[()] * (height - 1 - len(lines)), ((foot, "faint"),)]
