"""What a view is told of a recorded game, in words: a sentence for each beat, and what belongs beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cheat.events import Hand
from arena.cli.cardwords import Look, Wording
from arena.cli.shown import counted, safe
from arena.protocol.faults import FaultRecord
from arena.protocol.messages import End, Outcome, OutEvent, PassedEvent
from arena.protocol.views import EVERYTHING, Claim, Deal, Size, View
from arena.referee.story import Moment, Story

LONGEST_TEXT: Final = 1200
"""Characters of what a bot said that are shown; a bot has 1024 bytes."""
_LONGEST_RULE: Final = 600
_LONGEST_NAME: Final = 40
"""Characters of a name, so that its seat can stand behind it."""


@dataclass(frozen=True, slots=True)
class Sitters:
    """Who sits at the table, for those who may know."""

    names: tuple[str, ...]
    """By seat."""
    named: bool = True
    """Whether the seats were told each other's names."""

    def seen_by(self, view: View) -> list[str]:
        """Each seat as the view knows it: ann (0), or seat 0."""
        return [
            f"{safe(name, _LONGEST_NAME)} ({seat})"
            if self.named or view.seat in (None, seat)
            else f"seat {seat}"
            for seat, name in enumerate(self.names)
        ]


class Words:
    """The words for one view of a story."""

    def __init__(self, story: Story, sitters: Sitters, view: View, look: Look | None = None) -> None:
        self.look = Look() if look is None else look
        self.names: Sequence[str] = sitters.seen_by(view)
        self._wording = Wording(self.look, self.names)
        self._story = story
        self._view = view

    def sentence(self, moment: Moment) -> str:
        """What happens in this beat."""
        match moment.scene.happening:
            case Deal() as deal:
                return self._deal(deal)
            case Claim(seat=seat, count=count, rank=rank, cards=laid):
                return self._wording.claim(seat, count, rank, laid)
            case OutEvent(seat=seat, removed=removed) if seat in self._story.absent and self._knows(seat):
                cards = f"{counted(removed, 'card')} {'leaves' if removed == 1 else 'leave'}"
                return f"{self.names[seat]} is not there, and its {cards} play"
            case Outcome() | PassedEvent() | OutEvent() | End() as notice:
                return self._wording.notice(notice)

    def beside(self, moment: Moment) -> Iterator[tuple[str, str]]:
        """What was said and what went wrong in this beat: lines, each with what it is, `said` or `fault`."""
        for said in moment.said:
            yield "said", f"{self.names[said.seat]} says: {safe(said.text, LONGEST_TEXT)}"
        for fault in moment.faults:
            if not fault.effective:
                name = self.names[fault.seat]
                yield "fault", f"{name} did wrong after its last request, without effect"
            yield from (("fault", line) for line in self.fault(fault))

    @staticmethod
    def fault(fault: FaultRecord) -> Iterator[str]:
        """What was wrong: the rule, and what the bot printed."""
        yield f"{fault.code}: {safe(fault.rule, _LONGEST_RULE)}"
        if fault.offending:
            yield f"it printed: {safe(fault.offending, _LONGEST_RULE)}"

    def hand(self, cards: Hand) -> str:
        """All cards of a hand."""
        return self.look.hand(cards)

    def _knows(self, seat: int) -> bool:
        """Whether the view may know why this seat has no process."""
        return self._view == EVERYTHING or seat == self._view.seat

    def _deal(self, deal: Deal) -> str:
        own = self._view.seat
        if deal.sizes is not None:
            return f"the cards are dealt: {self.names[0]} leads"
        assert own is not None, "whoever is beside the table sees the deal"
        if own not in self._story.absent:
            return f"{self.names[own]} was told nothing: it did wrong before its first request"
        why = (
            "had forfeited the game by faults before it" if own in self._story.forfeited else "did not start"
        )
        return f"{self.names[own]} was not there: it {why}"


def size_shown(size: Size | None, *, pile: bool = False) -> str:
    """A number of cards: 12; <12 of a hand and >5 of a pile that are not exact; ? where nothing is known."""
    if size is None:
        return "?"
    return f"{'' if size.exact else '>' if pile else '<'}{size.cards}"


def view_shown(view: View, names: Sequence[str]) -> str:
    """What a view is called."""
    if view.seat is not None:
        return f"seat {view.seat}: {names[view.seat].removesuffix(f' ({view.seat})')}"
    return "everything" if view.everything else "table only"
