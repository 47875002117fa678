"""The record of one game: the rules, the deal and the actions, from which all else follows by replay."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.events import Dealt, Ended, Event, Hand, Out, Passed, Played, Reason, Resolved
from arena.cheat.game import Game, IllegalAction
from arena.cheat.rules import Rules


class RecordError(Exception):
    """A record, or a log of events, that is not a game played by its rules; the text says where it fails."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game.

    `places`, `winner`, `reason` and `turns` are what the referee announced; replay re-judges them.
    """

    rules: Rules
    hands: tuple[Hand, ...]
    actions: tuple[Action, ...]
    places: tuple[int, ...]
    winner: int | None
    reason: Reason
    turns: int


def replay(record: Record) -> list[Event]:
    """Every event of the recorded game, the deal first.

    Raises RecordError if the hands are not the pack, an action is illegal or comes after the end, the
    game does not end, or it comes to another verdict than the record's.
    """
    try:
        game = Game(record.rules, record.hands)
    except ValueError as wrong:
        raise RecordError(f"the deal: {wrong}") from None
    events: list[Event] = [game.opening()]
    for number, action in enumerate(record.actions, 1):
        try:
            events += game.apply(action)
        except IllegalAction as wrong:
            raise RecordError(f"action {number}, turn {game.turn}: {wrong}") from None
    if game.ended is None:
        raise RecordError(f"the record stops after {len(record.actions)} actions, and the game goes on")
    announced = (record.places, record.winner, record.reason, record.turns)
    judged = (game.places, game.winner, game.reason, game.turns)
    for name, said, found in zip(("places", "winner", "reason", "turns"), announced, judged, strict=True):
        if said != found:
            raise RecordError(f"the record announces {name} {said}, its actions lead to {found}")
    return events


def rejudge(rules: Rules, events: Sequence[Event]) -> Record:
    """The record behind a log of events, once a replay of it has given these very events.

    Raises RecordError that names the first event which the rules do not bear out.
    """
    record = record_of(rules, events)
    for number, (logged, judged) in enumerate(zip_longest(events, replay(record)), 1):
        if logged != judged:
            raise RecordError(f"event {number} of the log is {logged}; by the rules it is {judged}")
    return record


def record_of(rules: Rules, events: Sequence[Event]) -> Record:
    """The record that a log of events tells of, not yet re-judged.

    Raises RecordError unless the log begins with the deal and closes with the end.
    """
    if len(events) < 2 or not isinstance(events[0], Dealt) or not isinstance(events[-1], Ended):
        raise RecordError("a log of events begins with the deal and closes with the end")
    end = events[-1]
    return Record(
        rules=rules,
        hands=events[0].hands,
        actions=actions_of(events),
        places=end.places,
        winner=end.winner,
        reason=end.reason,
        turns=sum(isinstance(event, Played | Passed) for event in events),
    )


def actions_of(events: Iterable[Event]) -> tuple[Action, ...]:
    """The actions that led to these events.

    A seat that left by a fault did so in the window resolved on the same turn; else, on turn 0,
    together with all that left before the first turn; else by itself, asked to play.
    """
    actions: list[Action] = []
    resolved = -1
    for event in events:
        if isinstance(event, Played):
            actions.append(Play(event.seat, event.cards, event.rank, event.count))
        elif isinstance(event, Passed):
            actions.append(Pass(event.seat))
        elif isinstance(event, Resolved):
            actions.append(Answers(event.callers))
            resolved = event.turn
        elif isinstance(event, Out) and event.fault:
            last = actions[-1] if actions else None
            if isinstance(last, Answers) and event.turn == resolved:
                actions[-1] = Answers(last.callers, (*last.faulted, event.seat))
            elif isinstance(last, Fault) and event.turn == 0:
                actions[-1] = Fault((*last.seats, event.seat))
            else:
                actions.append(Fault((event.seat,)))
    return tuple(actions)
