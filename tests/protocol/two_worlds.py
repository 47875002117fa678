"""Two games that look the same from one seat: one course of play, other faces on what it has not seen."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.cards import Card
from arena.cheat.deal import deal
from arena.cheat.events import Event
from arena.cheat.game import Game, Phase
from arena.cheat.rules import Rules

Token = tuple[int, int]
"""A card of the deal as a thing, whatever its face: the seat it was dealt to and its number there."""


@dataclass(frozen=True)
class Laid:
    """A play as it looks from outside, and which of the claimant's things were laid."""

    seat: int
    things: tuple[Token, ...]
    rank: str
    count: int


Step = Laid | Pass | Answers | Fault


@dataclass
class Course:
    """What happened in the first world, and which things the observer had seen after how many steps."""

    rules: Rules
    faces: dict[Token, Card]
    steps: list[Step]
    seen: list[frozenset[Token]]


def course_of(rules: Rules, seats: int, observer: int, rng: random.Random, most: int) -> Course:
    """A random game of at most so many steps."""
    hands = deal(rules, seats, rng.randbytes(32))
    faces = {(seat, number): card for seat, hand in enumerate(hands) for number, card in enumerate(hand)}
    held = {seat: [thing for thing in faces if thing[0] == seat] for seat in range(seats)}
    pile: list[Token] = []
    laid: tuple[Token, ...] = ()
    seen = {thing for thing in faces if thing[0] == observer}
    course = Course(rules, faces, [], [frozenset(seen)])
    game = Game(rules, hands)
    while game.phase is not Phase.OVER and len(course.steps) < most:
        step = _step(game, held, faces, rng)
        course.steps.append(step)
        if isinstance(step, Laid):
            laid = step.things
            held[step.seat] = [thing for thing in held[step.seat] if thing not in laid]
            pile += laid
        for event in game.apply(action_of(step, faces)):
            taker = getattr(event, "taker", None)
            if taker is not None:
                seen |= set(laid) | (set(pile) if taker == observer else set())
                held[taker] += pile
                pile = []
        course.seen.append(frozenset(seen))
    return course


def _step(game: Game, held: dict[int, list[Token]], faces: dict[Token, Card], rng: random.Random) -> Step:
    if game.phase is Phase.WINDOW:
        callers = [seat for seat in game.asked if rng.random() < 0.15]
        faulted = [seat for seat in game.asked if seat not in callers and rng.random() < 0.01]
        rng.shuffle(callers)
        return Answers(tuple(callers), tuple(faulted))
    seat, rules = game.seat_to_play, game.rules
    if rng.random() < 0.01:
        return Fault((seat,))
    if rules.passing and rng.random() < 0.15:
        return Pass(seat)
    things = held[seat]
    rank = rng.choice(game.legal_ranks)
    most = min(rules.max_cards or 6, len(things))
    true = [thing for thing in things if faces[thing][0] == rank][:most]
    some = true if true and rng.random() < 0.6 else rng.sample(things, rng.randint(1, most))
    count = len(some)
    if rules.wrong_count and rng.random() < 0.5:
        in_play = sum(size or 0 for size in game.hand_sizes) + game.pile_size
        count = rng.randint(1, min(rules.max_cards or 6, in_play))
    return Laid(seat, tuple(some), rank, count)


def action_of(step: Step, faces: dict[Token, Card]) -> Action:
    if isinstance(step, Laid):
        return Play(step.seat, tuple(faces[thing] for thing in step.things), step.rank, step.count)
    return step


def other_faces(course: Course, after: int, rng: random.Random) -> dict[Token, Card]:
    """The same things, with the faces of those that the observer has not seen by then dealt out anew."""
    hidden = [thing for thing in course.faces if thing not in course.seen[after]]
    faces = [course.faces[thing] for thing in hidden]
    rng.shuffle(faces)
    return course.faces | dict(zip(hidden, faces, strict=True))


def game_of(rules: Rules, faces: dict[Token, Card]) -> Game:
    """The game before its first step."""
    seats = 1 + max(seat for seat, _ in faces)
    return Game(
        rules, [[faces[thing] for thing in sorted(faces) if thing[0] == seat] for seat in range(seats)]
    )


def events_of(rules: Rules, faces: dict[Token, Card], steps: Sequence[Step]) -> list[list[Event]]:
    """The deal, then for each step what came of it."""
    game = game_of(rules, faces)
    return [[game.opening()], *(list(game.apply(action_of(step, faces))) for step in steps)]
