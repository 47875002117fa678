"""A seat's lines depend on nothing that the seat may not know.

Two worlds are played side by side. They differ in the cards that one seat, the observer, has not seen by
some moment, and are the same in everything done in public: claims, callers, faults, how many cards were laid.
Up to that moment the observer must be sent the same bytes in both.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_games import tables

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.cards import Card
from arena.cheat.deal import deal
from arena.cheat.game import Game, Phase
from arena.cheat.presets import PRESETS
from arena.cheat.rules import CHOICES, Rules
from arena.protocol.lines import challenge_line, event_lines, hello_line, play_line, start_line

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
        for event in game.apply(_action(step, faces)):
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


def _action(step: Step, faces: dict[Token, Card]) -> Action:
    if isinstance(step, Laid):
        return Play(step.seat, tuple(faces[thing] for thing in step.things), step.rank, step.count)
    return step


def lines_of(
    rules: Rules, faces: dict[Token, Card], steps: Sequence[Step], observer: int
) -> tuple[list[bytes], Game]:
    """Every line the observer is sent up to the end of these steps, and the game as it then stands."""
    seats = 1 + max(seat for seat, _ in faces)
    game = Game(
        rules, [[faces[thing] for thing in sorted(faces) if thing[0] == seat] for seat in range(seats)]
    )
    lines = [hello_line("h", rules, seats, 10, 1, 5), start_line(game, observer, "0" * 16, 7)]
    for number, step in enumerate([*steps, None]):
        if game.phase is Phase.PLAY and game.seat_to_play == observer:
            lines.append(play_line(game, observer, f"p{number}", 1, 5))
        if game.phase is Phase.WINDOW and observer in game.asked:
            lines.append(challenge_line(game, observer, f"c{number}", 1, 5))
        if step is not None:
            for event in game.apply(_action(step, faces)):
                line = event_lines(event, seats)[observer]
                if line is not None:
                    lines.append(line)
    return lines, game


def other_faces(course: Course, after: int, rng: random.Random) -> dict[Token, Card]:
    """The same things, with the faces of those that the observer has not seen by then dealt out anew."""
    hidden = [thing for thing in course.faces if thing not in course.seen[after]]
    faces = [course.faces[thing] for thing in hidden]
    rng.shuffle(faces)
    return course.faces | dict(zip(hidden, faces, strict=True))


def check_two_worlds(rules: Rules, seats: int, rng: random.Random) -> int:
    """Play one course, then again with other hidden cards; how many of them differed."""
    observer = rng.randrange(seats)
    course = course_of(rules, seats, observer, rng, rng.choice([10, 60, 400]))
    changed = 0
    for after in {rng.randint(0, len(course.steps)), len(course.steps)}:
        steps = course.steps[:after]
        other = other_faces(course, after, rng)
        changed += sum(other[thing] != face for thing, face in course.faces.items())
        mine, game = lines_of(rules, course.faces, steps, observer)
        theirs, twin = lines_of(rules, other, steps, observer)
        assert mine == theirs
        assert (game.phase, game.turn) == (twin.phase, twin.turn)
        if observer in game.asked and rules.wrong_count:
            changed += check_another_number_laid(course, steps, other, observer, mine, rng)
    return changed


def check_another_number_laid(
    course: Course,
    steps: Sequence[Step],
    faces: dict[Token, Card],
    observer: int,
    lines: list[bytes],
    rng: random.Random,
) -> int:
    """While the window is open, not even how many cards were really laid may show."""
    last = steps[-1]
    assert isinstance(last, Laid)
    _, before = lines_of(course.rules, faces, steps[:-1], observer)
    # Cards are enough here: the play is the last step, so what is held afterwards does not matter.
    hand = before.hands[last.seat]
    others = rng.sample(hand, rng.randint(1, min(course.rules.max_cards or len(hand), len(hand))))
    before.apply(Play(last.seat, tuple(others), last.rank, last.count))
    assert challenge_line(before, observer, f"c{len(steps)}", 1, 5) == lines[-1]
    return abs(len(others) - len(last.things))


@pytest.mark.parametrize("name", PRESETS)
def test_hidden_cards_do_not_show_in_any_preset(name):
    rng = random.Random(name)
    changed = 0
    for rules, seats in tables({name: PRESETS[name]}):
        for _ in range(8):
            changed += check_two_worlds(rules, seats, rng)
    assert changed > 100


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Every knob at once, each at any of its values."""
    words = {knob: draw(st.sampled_from(values)) for knob, values in CHOICES.items()}
    return Rules(
        name="any",
        decks=draw(st.none() | st.integers(1, 4)),
        second_deck_from=draw(st.none() | st.integers(2, 10)),
        max_cards=draw(st.none() | st.integers(1, 8)),
        passing=draw(st.booleans()),
        wrong_count=draw(st.booleans()),
        play_on=draw(st.booleans()),
        turn_cap=draw(st.none() | st.integers(1, 60)),
        **words,  # type: ignore[arg-type]
    )


@given(any_rules(), st.integers(2, 10), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_hidden_cards_do_not_show_with_all_knobs_combined(rules, seats, seed):
    check_two_worlds(rules, seats, random.Random(seed))


def test_how_many_cards_were_laid_does_not_show_while_the_window_is_open():
    rules = replace(PRESETS["wrong-count"], max_cards=None)
    rng = random.Random(8)
    differing = 0
    for _ in range(60):
        observer = rng.randrange(4)
        course = course_of(rules, 4, observer, rng, rng.randint(1, 40))
        steps = course.steps
        lines, game = lines_of(rules, course.faces, steps, observer)
        if observer in game.asked:
            differing += check_another_number_laid(course, steps, course.faces, observer, lines, rng) > 0
    assert differing > 10


def test_the_two_worlds_would_show_a_leak():
    """The same comparison over what the observer must not be sent finds the difference."""
    rng = random.Random(4)
    rules = PRESETS["classic"]
    found = 0
    for _ in range(20):
        course = course_of(rules, 4, 0, rng, 30)
        other = other_faces(course, len(course.steps), rng)
        mine, game = lines_of(rules, course.faces, course.steps, 0)
        theirs, twin = lines_of(rules, other, course.steps, 0)
        found += game.hands[1] != twin.hands[1]
        assert mine == theirs
        assert lines_of(rules, course.faces, course.steps, 1)[0] != lines_of(rules, other, course.steps, 1)[0]
    assert found > 15
