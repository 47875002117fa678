"""What is drawn for a seat: games that differ only in cards it has not seen look the same to it."""

import random

import pytest
from two_worlds import course_of, events_of, other_faces

from arena.cheat.beats import beats_of
from arena.cheat.presets import PRESETS
from arena.cli.gamewords import Sitters, Words
from arena.cli.stage import draw
from arena.cli.stepping import Reel, Stand
from arena.protocol.views import EVERYTHING, View
from arena.referee.story import Story


def drawn(rules, events, seats, view):
    """Screens of the view, the last among them, and the pages of all that is kept."""
    beats = beats_of([event for some in events for event in some])
    story = Story(beats, rules, ((),) * len(beats), ((),) * len(beats))
    reel = Reel(story)
    words = Words(story, Sitters(("x",) * seats), view)
    screens = []
    for moment in reel.moments(view)[::-3]:
        for page in ("table", "more"):
            stand = Stand(view, moment.scene.beat, page)
            screens.append(draw(reel.past(stand), "a game", words, stand, 100, 40))
    return screens


@pytest.mark.parametrize("name", PRESETS)
def test_cards_that_a_seat_has_not_seen_make_no_difference_to_what_it_is_shown(name):
    rng = random.Random(name)
    rules = PRESETS[name]
    changed = 0
    for _ in range(4):
        seats = rng.randint(rules.min_players, rules.max_players)
        observer = rng.randrange(seats)
        course = course_of(rules, seats, observer, rng, 30)
        after = rng.randint(1, len(course.steps))
        worlds = [
            events_of(rules, faces, course.steps[:after])
            for faces in (course.faces, other_faces(course, after, rng))
        ]
        mine, theirs = (drawn(rules, events, seats, View(observer)) for events in worlds)
        assert mine == theirs
        all_of_mine, all_of_theirs = (drawn(rules, events, seats, EVERYTHING) for events in worlds)
        changed += all_of_mine != all_of_theirs
    assert changed > 1
