"""A recorded game as it is shown, beat by beat: what a view sees, what the bots said, and what went wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.cheat.beats import Beat, beats_of
from arena.cheat.events import Ended, Event, Out, Passed, Played, Resolved
from arena.cheat.record import rejudge
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord
from arena.protocol.views import Scene, View, scenes
from arena.referee.block import Debug, GameResult
from arena.referee.retrace import failed_starts


@dataclass(frozen=True, slots=True)
class Moment:
    """One beat in a view, with what belongs beside it."""

    scene: Scene
    said: tuple[Debug, ...] = ()
    """What bots said of what they did here, of those whose words the view may see."""
    faults: tuple[FaultRecord, ...] = ()
    """The fault by which a seat leaves here; at the end, those without effect."""

    @property
    def lie(self) -> bool:
        """Whether a lie is seen here for the first time."""
        return self.scene.lie

    @property
    def called(self) -> bool:
        """Whether a claim is called here."""
        return self.scene.called

    @property
    def fault(self) -> bool:
        """Whether something went wrong here, as far as the view may know."""
        return self.scene.fault or bool(self.faults)


@dataclass(frozen=True, slots=True)
class Story:
    """A game with everything that is kept of it for showing."""

    beats: tuple[Beat, ...]
    rules: Rules
    said: tuple[tuple[Debug, ...], ...]
    """By beat."""
    faults: tuple[tuple[FaultRecord, ...], ...]
    """By beat."""
    absent: frozenset[int] = field(default_factory=frozenset)
    """Seats without a process: the bot had forfeited, or would not start."""
    forfeited: frozenset[int] = field(default_factory=frozenset)
    """Those of them that had forfeited before this game."""
    idle: frozenset[int] = field(default_factory=frozenset)
    """Seats that did wrong while nothing was asked."""

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.beats[0].after.hands)

    def moments(self, view: View) -> tuple[Moment, ...]:
        """What the view is told of, in order; the deal is always the first.

        Words and faults are for the author of a bot: seen in everything and from its own seat.
        """
        return tuple(
            Moment(
                scene,
                tuple(said for said in self.said[scene.beat] if view.cards_of(said.seat)),
                tuple(fault for fault in self.faults[scene.beat] if view.cards_of(fault.seat)),
            )
            for scene in scenes(self.beats, self.rules, view, self.absent, self.idle)
        )


def story_of(game: GameResult) -> Story:
    """The story of a finished game. Raises RecordError if it is none by its rules."""
    rejudge(game.record.rules, game.events)
    return told(game, beats_of(game.events))


def told(game: GameResult, beats: tuple[Beat, ...]) -> Story:
    """The story of these beats, which are the game's."""
    effective = [fault for fault in game.faults if fault.effective]
    late = tuple(fault for fault in game.faults if not fault.effective)
    said: dict[int, list[Debug]] = {}
    for one in game.debug:
        said.setdefault(one.turn, []).append(one)
    return Story(
        beats=beats,
        rules=game.record.rules,
        said=tuple(tuple(_said(beat, said.get(beat.turn, ()))) for beat in beats),
        faults=tuple(tuple(_faults(beat.event, effective, late)) for beat in beats),
        absent=frozenset((*game.forfeited, *failed_starts(game))),
        forfeited=frozenset(game.forfeited),
        idle=frozenset(fault.seat for fault in effective if fault.phase == "idle"),
    )


def _said(beat: Beat, said: Sequence[Debug]) -> Iterator[Debug]:
    """The words of its turn that belong to this beat: said by a seat of what it did here."""
    event = beat.event
    for one in said:
        if isinstance(event, Played | Passed):
            here = one.seat == event.seat
        elif isinstance(event, Resolved):
            here = one.seat != event.claimant and one.seat in beat.before.active
        else:
            # Of an answer that was not allowed: it stands for no play.
            here = beat.fault and one.seat == getattr(event, "seat", None) and beat.claim is None
        if here:
            yield one


def _faults(
    event: Event, effective: Sequence[FaultRecord], late: tuple[FaultRecord, ...]
) -> Iterator[FaultRecord]:
    if isinstance(event, Out) and event.fault:
        yield from (fault for fault in effective if fault.seat == event.seat)
    elif isinstance(event, Ended):
        yield from late
