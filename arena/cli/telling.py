"""A recorded game in words, turn by turn: as it was, or as one seat saw it."""

from collections.abc import Iterator
from itertools import groupby

from arena.cli.gamewords import Sitters, Words, size_shown
from arena.cli.shown import counted
from arena.protocol.messages import End, Outcome, OutEvent, PassedEvent
from arena.protocol.views import Claim, Deal, View
from arena.referee.story import Moment, Story


def told(story: Story, sitters: Sitters, view: View, first: int = 0) -> Iterator[str]:
    """The lines of a game from the turn `first` on, as far as the view is told of it."""
    words = Words(story, sitters, view)
    for turn, group in groupby(story.moments(view), lambda moment: moment.scene.turn):
        if turn < first:
            continue
        moments = list(group)
        for moment in moments:
            if not isinstance(moment.scene.happening, End):
                yield from _lines(words, moment)
        # Words belong to the whole turn: they stand below all that happened in it.
        for moment in moments:
            yield from (f"  {line}" for kind, line in words.beside(moment) if kind == "said")
        for moment in moments:
            if isinstance(moment.scene.happening, End):
                yield from _lines(words, moment)


def _lines(words: Words, moment: Moment) -> Iterator[str]:
    scene = moment.scene
    sentence = words.sentence(moment)
    match scene.happening:
        case Deal(sizes=None):
            yield sentence
            return
        case Deal(hands=hands, sizes=tuple() as sizes):
            width = max(map(len, words.names))
            for name, hand, size in zip(words.names, hands, sizes, strict=True):
                shown = counted(size, "card") if hand is None else words.look.cards(hand)
                yield f"{name:<{width}}  {shown}"
            return
        case Claim() | PassedEvent():
            yield f"Turn {scene.turn}: {sentence}"
        case Outcome(callers=()):
            yield f"  {sentence}; {_table(moment)}"
        case Outcome():
            yield f"  {sentence}"
            yield f"  {_table(moment)}"
        case OutEvent(fault=False):
            yield f"  {sentence}"
        case OutEvent():
            yield f"{f'Turn {scene.turn}' if scene.turn else 'Before the first turn'}: {sentence}"
        case End():
            yield f"Turn {scene.turn}: {sentence}"
    yield from (f"  {line}" for kind, line in words.beside(moment) if kind == "fault")


def _table(moment: Moment) -> str:
    scene = moment.scene
    hands = " ".join("-" if place.left else size_shown(place.size) for place in scene.places)
    return f"hands {hands}, pile {size_shown(scene.pile, pile=True)}"
