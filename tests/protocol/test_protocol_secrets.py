"""A seat's lines depend on nothing that the seat may not know.

Two worlds are played side by side. They differ in the cards that one seat, the observer, has not seen by
some moment, and are the same in everything done in public: claims, callers, faults, how many cards were laid.
Up to that moment the observer must be sent the same bytes in both.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_games import tables
from two_worlds import Course, Laid, Step, Token, action_of, course_of, game_of, other_faces

from arena.cheat.actions import Play
from arena.cheat.cards import Card
from arena.cheat.game import Game, Phase
from arena.cheat.presets import PRESETS
from arena.cheat.rules import CHOICES, Rules
from arena.protocol.lines import challenge_line, event_lines, hello_line, play_line, start_line


def lines_of(
    rules: Rules, faces: dict[Token, Card], steps: Sequence[Step], observer: int
) -> tuple[list[bytes], Game]:
    """Every line the observer is sent up to the end of these steps, and the game as it then stands."""
    seats = 1 + max(seat for seat, _ in faces)
    game = game_of(rules, faces)
    lines = [hello_line("h", rules, seats, 10, 1, 5), start_line(game, observer, "0" * 16, 7)]
    for number, step in enumerate([*steps, None]):
        if game.phase is Phase.PLAY and game.seat_to_play == observer:
            lines.append(play_line(game, observer, f"p{number}", 1, 5))
        if game.phase is Phase.WINDOW and observer in game.asked:
            lines.append(challenge_line(game, observer, f"c{number}", 1, 5))
        if step is not None:
            for event in game.apply(action_of(step, faces)):
                line = event_lines(event, seats)[observer]
                if line is not None:
                    lines.append(line)
    return lines, game


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
