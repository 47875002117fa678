"""Going through a game step by step: where the one who watches stands, and where each key leads."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from arena.protocol.views import EVERYTHING, PUBLIC, View
from arena.referee.story import Moment, Story

Page: TypeAlias = Literal["table", "help", "more"]
_DIGITS: Final = 6
"""Of the number of a turn that is typed."""
_PAGE: Final = 10
"""Lines that a page of text moves by."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What is looked at: a beat of the game, in a view."""

    view: View = EVERYTHING
    beat: int = 0
    """Among all beats; a view that is not told of it shows the last one before it that it is told of."""
    page: Page = "table"
    scroll: int = 0
    """Lines of the page above the screen."""
    typed: str | None = None
    """The number of a turn while it is typed."""
    note: str = ""
    """What came of the last key, where that cannot be seen."""
    left: bool = False


class Reel:
    """The moments of a story in each view, made when they are first looked at."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self._moments: dict[View, tuple[Moment, ...]] = {}

    def moments(self, view: View) -> tuple[Moment, ...]:
        """All that the view is told of, in order."""
        if view not in self._moments:
            self._moments[view] = self.story.moments(view)
        return self._moments[view]

    def index(self, stand: Stand) -> int:
        """Which of the view's moments it is."""
        moments = self.moments(stand.view)
        return bisect_right(moments, stand.beat, key=lambda moment: moment.scene.beat) - 1

    def past(self, stand: Stand) -> Sequence[Moment]:
        """The view's moments up to this one, which is the last: all that may be shown."""
        return self.moments(stand.view)[: self.index(stand) + 1]


def at_turn(reel: Reel, stand: Stand, turn: int) -> Stand:
    """At the first beat of this turn or a later one; if none is so late at the last, with a note."""
    for moment in reel.moments(stand.view):
        if moment.scene.turn >= turn:
            return replace(stand, beat=moment.scene.beat)
    return replace(_to(reel, stand, -1), note=f"There is no turn {turn} here; this is the last.")


def press(reel: Reel, stand: Stand, key: str) -> Stand:
    """Where a key leads; a key that means nothing changes nothing but the note."""
    stand = replace(stand, note="")
    if stand.typed is not None:
        return _typing(reel, stand, key)
    if stand.page != "table" and (turned := _turning(stand, key)) is not None:
        return turned
    if key.isascii() and key.isdigit():
        seat = int(key)
        if seat >= reel.story.seats:
            return replace(stand, note=f"The seats are 0 to {reel.story.seats - 1}.")
        return _seen_by(reel, stand, View(seat))
    does = _KEYS.get(key)
    if does is None:
        # To draw the screen again is no key, though it comes as one.
        return stand if key == "redraw" else replace(stand, note="? shows the keys.")
    return does(reel, stand)


def _typing(reel: Reel, stand: Stand, key: str) -> Stand:
    assert stand.typed is not None
    if key.isascii() and key.isdigit():
        return replace(stand, typed=(stand.typed + key)[:_DIGITS])
    if key == "backspace":
        return replace(stand, typed=stand.typed[:-1])
    if key in ("escape", "q"):
        return replace(stand, typed=None)
    if key == "enter":
        done = replace(stand, typed=None)
        return at_turn(reel, done, int(stand.typed)) if stand.typed else done
    return stand


def _turning(stand: Stand, key: str) -> Stand | None:
    """What a key does on a page of text, if it belongs to that."""
    if key in ("escape", "enter", "q", "?" if stand.page == "help" else "d"):
        return replace(stand, page="table", scroll=0)
    step = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -_PAGE, "pagedown": _PAGE, " ": _PAGE}.get(key)
    return None if step is None else replace(stand, scroll=max(0, stand.scroll + step))


def _to(reel: Reel, stand: Stand, index: int) -> Stand:
    """At this moment of the view; a negative number counts from the end."""
    return replace(stand, beat=reel.moments(stand.view)[index].scene.beat, scroll=0)


def _step(by: int, reel: Reel, stand: Stand) -> Stand:
    index = reel.index(stand) + by
    if index < 0:
        return replace(_to(reel, stand, 0), note="This is the beginning.")
    if index >= len(reel.moments(stand.view)):
        return replace(stand, note="This is the end.")
    return _to(reel, stand, index)


def _turn(by: int, reel: Reel, stand: Stand) -> Stand:
    """To the first beat of the next turn, of this one, or of the one before."""
    moments, here = reel.moments(stand.view), reel.index(stand)
    turns = [moment.scene.turn for moment in moments]
    first = [index for index in range(len(turns)) if index == 0 or turns[index] != turns[index - 1]]
    if by > 0:
        later = [index for index in first if index > here]
        # Of the last turn the rest: else its end could not be come to in this way.
        return _to(reel, stand, later[0] if later else -1) if here < len(turns) - 1 else _step(1, reel, stand)
    earlier = [index for index in first if index < here]
    return _to(reel, stand, earlier[-1]) if earlier else _step(-1, reel, stand)


def _jump(what: str, by: int, found: Callable[[Moment], bool], reel: Reel, stand: Stand) -> Stand:
    moments, index = reel.moments(stand.view), reel.index(stand) + by
    while 0 <= index < len(moments):
        if found(moments[index]):
            return _to(reel, stand, index)
        index += by
    return replace(stand, note=f"No {what} {'after' if by > 0 else 'before'} this in this view.")


def _edge(index: int, reel: Reel, stand: Stand) -> Stand:
    return _to(reel, stand, index)


def _seen_by(reel: Reel, stand: Stand, view: View) -> Stand:
    return replace(stand, view=view, scroll=0)


def _view(view: View, reel: Reel, stand: Stand) -> Stand:
    return _seen_by(reel, stand, view)


def _page(page: Page, reel: Reel, stand: Stand) -> Stand:
    return replace(stand, page=page, scroll=0)


def _ask_turn(reel: Reel, stand: Stand) -> Stand:
    return replace(stand, page="table", typed="")


def _leave(reel: Reel, stand: Stand) -> Stand:
    return replace(stand, left=True)


def _lie(moment: Moment) -> bool:
    return moment.lie


def _call(moment: Moment) -> bool:
    return moment.called


def _fault(moment: Moment) -> bool:
    return moment.fault


def _any(moment: Moment) -> bool:
    return moment.lie or moment.called or moment.fault


Does: TypeAlias = Callable[[Reel, Stand], Stand]
_JUMPS: Final[Mapping[str, Does]] = MappingProxyType(
    {
        key if by > 0 else key.upper(): partial(_jump, what, by, found)
        for key, what, found in (
            ("l", "lie", _lie),
            ("c", "call", _call),
            ("f", "fault", _fault),
            ("n", "lie, call or fault", _any),
        )
        for by in (1, -1)
    }
)
_KEYS: Final[Mapping[str, Does]] = MappingProxyType(
    {
        **dict.fromkeys((" ", "right", "j", "enter"), partial(_step, 1)),
        **dict.fromkeys(("backspace", "left", "k"), partial(_step, -1)),
        **dict.fromkeys(("down", "shift-right", "]", "pagedown"), partial(_turn, 1)),
        **dict.fromkeys(("up", "shift-left", "[", "pageup"), partial(_turn, -1)),
        **dict.fromkeys(("home", "<"), partial(_edge, 0)),
        **dict.fromkeys(("end", ">"), partial(_edge, -1)),
        **_JUMPS,
        "e": partial(_view, EVERYTHING),
        "t": partial(_view, PUBLIC),
        "g": _ask_turn,
        "d": partial(_page, "more"),
        "?": partial(_page, "help"),
        "q": _leave,
    }
)
KEYS: Final = frozenset(_KEYS) | frozenset("0123456789")
"""Every key that does something while the table is shown."""
