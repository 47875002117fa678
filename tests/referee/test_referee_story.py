"""The story of a recorded game: the beat that each word and each fault stands beside, and who sees them."""

import pytest

from arena.cheat.actions import Answers, Fault, Play
from arena.cheat.cards import ONE_DECK
from arena.cheat.events import Dealt, Ended, Out, Played, Resolved
from arena.cheat.game import Game
from arena.cheat.record import RecordError
from arena.cheat.rules import Rules
from arena.protocol.faults import FaultRecord
from arena.protocol.views import EVERYTHING, PUBLIC, View
from arena.referee.block import Debug, GameResult
from arena.referee.story import story_of


def fault(seat, turn, phase, *, effective=True):
    return FaultRecord(
        code="illegal",
        seat=seat,
        bot="x",
        phase=phase,
        turn=turn,
        rule=f"{seat} {phase}",
        effective=effective,
    )


def kept(table, events, debug=(), faults=()):
    """What the referee would keep of this finished game."""
    return GameResult(
        game=0, id="0" * 16, seating=tuple(range(table.seats)), record=table.record(), events=tuple(events),
        faults=tuple(faults), forfeited=(), debug=tuple(debug), timings=(), seconds=0.1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def game():
    """Seat 3 does not start, seat 0 may not do what it says, seat 1 plays, seat 2 goes wrong unasked."""
    table = Game(Rules(turn_cap=3), [ONE_DECK[seat::4] for seat in range(4)])
    events = [table.opening(), *table.apply(Fault((3,)))]
    events += table.apply(Fault((0,)))
    events += table.apply(Play(1, ("AD",), "A", 1))
    events += table.apply(Answers((), (2,)))
    wrong = [fault(3, 0, "hello"), fault(0, 1, "play"), fault(2, 1, "idle")]
    late = fault(1, 1, "idle", effective=False)
    debug = [Debug(1, 0, "not allowed"), Debug(1, 1, "laid")]
    return kept(table, events, debug, [*wrong, late])


def test_words_and_faults_stand_beside_what_they_are_about(game):
    story = story_of(game)
    assert [type(beat.event) for beat in story.beats] == [Dealt, Out, Out, Played, Resolved, Out, Ended]
    assert [[said.text for said in beat] for beat in story.said] == [
        [],
        [],
        ["not allowed"],
        ["laid"],
        [],
        [],
        [],
    ]
    rules = [[one.rule for one in beat] for beat in story.faults]
    assert rules == [[], ["3 hello"], ["0 play"], [], [], ["2 idle"], ["1 idle"]]
    assert (story.absent, story.forfeited, story.idle) == ({3}, set(), {2})


def test_they_are_seen_by_their_own_seat_and_where_everything_is(game):
    story = story_of(game)
    seen = {
        view: [
            (moment.scene.beat, [said.text for said in moment.said], [one.rule for one in moment.faults])
            for moment in story.moments(view)
        ]
        for view in (EVERYTHING, PUBLIC, *map(View, range(4)))
    }
    assert [len(moments) for moments in seen.values()] == [7, 7, 4, 7, 3, 2]
    assert all(not said and not rules for _, said, rules in seen[PUBLIC])
    assert seen[View(0)][2] == (2, ["not allowed"], ["0 play"])
    assert [said for _, said, _ in seen[View(1)] if said] == [["laid"]]
    assert seen[View(1)][-1][2] == ["1 idle"]
    # It was asked nothing at all, so it was told nothing either.
    assert [beat for beat, _, _ in seen[View(2)]] == [0, 5, 6]
    assert [moment.fault for moment in story.moments(View(3))] == [False, True]
    assert [moment.fault for moment in story.moments(View(1))] == [
        False,
        True,
        True,
        False,
        False,
        True,
        True,
    ]


def test_words_on_a_window_are_those_of_the_asked():
    table = Game(Rules(turn_cap=1), [ONE_DECK[seat::3] for seat in range(3)])
    events = [table.opening(), *table.apply(Play(0, ("AC",), "A", 1)), *table.apply(Answers((1,)))]
    story = story_of(kept(table, events, [Debug(1, seat, str(seat)) for seat in range(3)]))
    assert [[said.seat for said in beat] for beat in story.said] == [[], [0], [1, 2], []]
    with pytest.raises(RecordError):
        story_of(kept(table, events[:-1]))
