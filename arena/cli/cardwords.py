"""Cards, hands and events of a game as people read them: suits, colours, and each event as one line of text.

What is told is what the caller knows: with a card that is not to be seen nothing here is called.
"""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Final, TextIO

from arena.cheat.cards import Card, Rank, in_order
from arena.cheat.events import Dealt, Ended, Event, Out, Passed, Played, Resolved
from arena.cli.shown import counted, safe
from arena.protocol.messages import End, Outcome, OutEvent, PassedEvent

SYMBOLS: Final = MappingProxyType({"C": "♣", "D": "♦", "H": "♥", "S": "♠"})
_RED: Final = "DH"
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANK_WORDS: Final = MappingProxyType({"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"})
_REASONS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {
        "placed": "at most two seats are left",
        "capped": "the turn limit is reached",
        "alone": "faults have left one seat",
        "nobody": "faults have left nobody",
    }
)
"""Why a game is over, where that is not that somebody has laid the last card."""
_SGR: Final = re.compile(r"\x1b\[[0-9;]*m")
_NO_COLOURS: Final = ("", "dumb")
_PLAIN_LOCALES: Final = ("C", "POSIX")

Notice = Outcome | PassedEvent | OutEvent | End
"""What a seat is told of a game in the protocol's own lines."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the place that a text goes to can show; by default plain ASCII."""

    symbols: bool = False
    """♥ instead of H."""
    colour: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> "Look":
        """Of this stream: colours on a terminal that has them (and not where NO_COLOR is set)."""
        try:
            "".join(SYMBOLS.values()).encode(stream.encoding or "ascii")
            # Python writes UTF-8 in the plain locale too; what reads it may not.
            symbols = os.environ.get("LC_ALL") not in _PLAIN_LOCALES
        except (UnicodeEncodeError, LookupError):
            symbols = False
        wished = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in _NO_COLOURS
        return cls(symbols, wished and stream.isatty())

    def red(self, text: str) -> str:
        """The text in red."""
        return self._painted(text, "31")

    def strong(self, text: str) -> str:
        """The text in bold."""
        return self._painted(text, "1")

    def faint(self, text: str) -> str:
        """The text in a lighter shade."""
        return self._painted(text, "2")

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def card(self, card: Card) -> str:
        """A card: 10♥, or 10H where there are no symbols; hearts and diamonds in red."""
        rank, suit = card[0], card[1]
        shown = f"{rank_shown(rank)}{SYMBOLS[suit] if self.symbols else suit}"
        return self.red(shown) if suit in _RED else shown

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards in the order given, a space between them."""
        return " ".join(map(self.card, cards))

    def hand(self, cards: Sequence[Card]) -> str:
        """A hand, sorted, with three spaces between the ranks."""
        ranks = groupby(in_order(cards), lambda card: card[0])
        return "   ".join(self.cards(list(same)) for _, same in ranks)


def rank_shown(rank: Rank) -> str:
    """A rank as it stands on a card: 10 for T."""
    return "10" if rank == "T" else rank


def rank_word(rank: Rank, number: int = 1) -> str:
    """A rank in a sentence: 7, ace; of several 7s, aces."""
    return f"{_RANK_WORDS.get(rank, rank)}{'' if number == 1 else 's'}"


def claim_words(count: int, rank: Rank) -> str:
    """What is claimed: one ace, two 7s."""
    return f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {rank_word(rank, count)}"


def width_of(text: str) -> int:
    """The columns that a line takes on the screen: its colours take none."""
    return len(_SGR.sub("", text))


def folded(text: str, width: int, indent: str = "  ") -> Iterator[str]:
    """A line, colours and all, cut at spaces into lines of at most `width` columns.

    All but the first are indented; a word that is wider has a line of its own.
    """
    line, room = "", width
    for gap, word in re.findall(r"( *)([^ ]+)", text):
        if line.strip() and width_of(line) + len(gap) + width_of(word) > room:
            yield line
            line, gap = indent, ""
        line += gap + word
    yield line


class Wording:
    """The events of one game in words. `names`: by seat; `own`: the seat of the reader, who is "you"."""

    def __init__(
        self, look: Look, names: Sequence[str], own: int | None = None, *, places: bool = True
    ) -> None:
        """`places`: whether all places are told with the end; else they stand below it."""
        self.look = look
        self._names = [safe(name) for name in names]
        self._own = own
        self._places = places

    def name(self, seat: int) -> str:
        """Who sits there."""
        return "you" if seat == self._own else self._names[seat]

    def names(self, seats: Sequence[int]) -> str:
        """Several: ann, bob and you."""
        *first, last = map(self.name, seats)
        return f"{', '.join(first)} and {last}" if first else last

    def does(self, seat: int, verb: str) -> str:
        """Somebody does something: `ann passes`, `you pass`."""
        if seat == self._own:
            return f"you {verb}"
        return f"{self._names[seat]} {_third_person(verb)}"

    def event(self, event: Event, known: Collection[int] = ()) -> str:
        """An event of a game; the cards that are laid and picked up are told of the `known` seats."""
        match event:
            case Dealt():
                each = ", ".join(f"{self.name(seat)} {len(hand)}" for seat, hand in enumerate(event.hands))
                return f"the cards are dealt: {each}"
            case Played():
                return self.claim(event.seat, event.count, event.rank, _of(event.seat, event.cards, known))
            case Resolved():
                taken = _of(event.taker, event.taken, known)
                return self._outcome(event, len(event.taken), taken)
            case Passed():
                return self.does(event.seat, "pass")
            case Out():
                return self._out(event, len(event.removed))
            case Ended():
                return self._end(event)

    def notice(self, notice: Notice) -> str:
        """A line of the protocol, as it was told to the reader's seat."""
        match notice:
            case Outcome():
                taken = notice.picked_up if isinstance(notice.picked_up, tuple) else None
                return self._outcome(notice, notice.taken, taken)
            case PassedEvent():
                return self.does(notice.seat, "pass")
            case OutEvent():
                return self._out(notice, notice.removed)
            case End():
                return self._end(notice)

    def claim(self, seat: int, count: int, rank: Rank, laid: Sequence[Card] | None = None) -> str:
        """A play; `laid`: the cards, for who knows them."""
        words = f"{self.does(seat, 'claim')} {claim_words(count, rank)}"
        if laid is None:
            return words
        true = len(laid) == count and all(card[0] == rank for card in laid)
        return f"{words}, laying {self.look.cards(laid)}: {_truth(true)}"

    def _outcome(self, event: Resolved | Outcome, number: int, taken: Sequence[Card] | None) -> str:
        if event.challenger is None or event.taker is None:
            return "nobody calls"
        shown, truth = self.look.cards(event.shown), _truth(bool(event.true))
        words = f"{self.does(event.challenger, 'call')}{self._too(event)}: {shown}, {truth}"
        words = f"{words}; {self.does(event.taker, 'take')} {counted(number, 'card')}"
        return words if taken is None else f"{words}: {self.look.cards(taken)}"

    def _too(self, event: Resolved | Outcome) -> str:
        """Those who called and do not count."""
        others = [seat for seat in event.callers if seat != event.challenger]
        if not others:
            return ""
        one = len(others) == 1 and others[0] != self._own
        return f" (so {'does' if one else 'do'} {self.names(others)})"

    def _out(self, event: Out | OutEvent, removed: int) -> str:
        if not event.fault:
            return f"{self.does(event.seat, 'have')} no cards left: place {event.place}"
        return f"{self.does(event.seat, 'leave')} by a fault, and {counted(removed, 'card')} with that hand"

    def _end(self, event: Ended | End) -> str:
        won = "nobody wins" if event.winner is None else self.does(event.winner, "win")
        why = _REASONS.get(event.reason)
        over = f"the game is over{'' if why is None else f', {why}'}: {won}"
        if not self._places:
            return over
        order = sorted(range(len(event.places)), key=event.places.__getitem__)
        places = ", ".join(f"{event.places[seat]}. {self.name(seat)}" for seat in order)
        return f"{over} ({places})"


def _of(seat: int | None, cards: Sequence[Card], known: Collection[int]) -> Sequence[Card] | None:
    return cards if seat in known else None


def _truth(true: bool) -> str:
    return "the truth" if true else "a lie"


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    return f"{verb}es" if verb.endswith("ss") else f"{verb}s"
