"""The lines a bot is sent, as bytes, and who is sent which: all that a seat may know, and nothing else."""

import dataclasses
from collections.abc import Sequence
from typing import Final

import msgspec

from arena.cheat.events import Ended, Event, Out, Passed, Resolved
from arena.cheat.game import Game
from arena.cheat.rules import Rules
from arena.protocol.messages import (
    PROTOCOL,
    ChallengeRequest,
    End,
    Goodbye,
    Hello,
    Limits,
    Outcome,
    OutEvent,
    PassedEvent,
    PlayRequest,
    Start,
)

_encode: Final = msgspec.json.Encoder().encode

GOODBYE: Final[bytes] = _encode(Goodbye()) + b"\n"
"""The last line a process is sent."""


def seconds_told(seconds: float) -> float:
    """Seconds as a request states them: to the millisecond. What was told once is told the same again."""
    return round(float(seconds), 3)


def hello_line(id: str, rules: Rules, seats: int, start: float, move: float, bank: float) -> bytes:
    """The first line of a process; `decks` and `turn_cap` are those of a table of this many seats."""
    knobs = dataclasses.asdict(rules)
    knobs["decks"] = rules.decks_for(seats)
    knobs["turn_cap"] = rules.cap_for(seats)
    limits = Limits(seconds_told(start), seconds_told(move), seconds_told(bank))
    return _encode(Hello(id, PROTOCOL, seats, knobs, limits)) + b"\n"


def start_line(
    game: Game, seat: int, game_id: str, bot_seed: int, names: Sequence[str] | None = None
) -> bytes:
    """What one seat is told when a game begins, before anything has happened in it."""
    start = Start(
        game=game_id,
        seat=seat,
        seats=game.seats,
        hand=game.hands[seat],
        hand_sizes=tuple(game.hand_sizes),
        first=game.seat_to_play,
        seed=bot_seed,
        names=None if names is None else tuple(names),
    )
    return _encode(start) + b"\n"


def play_line(game: Game, seat: int, id: str, seconds: float, bank: float) -> bytes:
    """The request to the seat to play; `seconds` is the move limit, `bank` what is left in the bank."""
    request = PlayRequest(
        id,
        game.turn,
        seat,
        game.active,
        game.legal_ranks,
        game.hands[seat],
        tuple(game.hand_sizes),
        game.pile_size,
        seconds_told(seconds),
        seconds_told(bank),
    )
    return _encode(request) + b"\n"


def challenge_line(game: Game, seat: int, id: str, seconds: float, bank: float) -> bytes:
    """The request to call or not, for a seat asked in the open window.

    Sizes are those before the play, so that they tell nothing about how many cards were really laid. Raises
    ValueError if no window is open.
    """
    claim = game.claim
    if claim is None:
        raise ValueError("no challenge window is open")
    request = ChallengeRequest(
        id,
        game.turn,
        seat,
        game.active,
        claim.seat,
        claim.rank,
        claim.count,
        game.hands[seat],
        tuple(game.sizes_before_claim),
        game.pile_before_claim,
        seconds_told(seconds),
        seconds_told(bank),
    )
    return _encode(request) + b"\n"


def event_lines(event: Event, seats: int) -> tuple[bytes | None, ...]:
    """What each seat of the table is told of an event, by seat; None: nothing.

    A deal is told by `start_line`. Of a play nobody is told anything until its window has closed.
    """
    notice = notice_of(event)
    if notice is None:
        return (None,) * seats
    lines = [_encode(notice) + b"\n"] * seats
    if isinstance(event, Resolved) and event.taker is not None:
        own = msgspec.structs.replace(notice, picked_up=event.taken)
        lines[event.taker] = _encode(own) + b"\n"
    return tuple(lines)


def notice_of(event: Event) -> Outcome | PassedEvent | OutEvent | End | None:
    """What all seats are told of an event; of the cards that are picked up only the taker is told more.

    None for a deal, which is told to each seat in its own words, and for a play whose window is open.
    """
    if isinstance(event, Resolved):
        return Outcome(
            event.turn,
            event.claimant,
            event.rank,
            event.count,
            event.callers,
            event.challenger,
            event.shown,
            event.true,
            event.taker,
            len(event.taken),
        )
    if isinstance(event, Passed):
        return PassedEvent(event.turn, event.seat)
    if isinstance(event, Out):
        return OutEvent(event.turn, event.seat, event.place, event.fault, len(event.removed))
    if isinstance(event, Ended):
        return End(event.turn, event.places, event.winner, event.reason)
    return None
