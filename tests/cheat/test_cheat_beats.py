"""Beats: the table after each is the game's own, in any game; marks and what is no game."""

from itertools import pairwise

import pytest
from cheat_table import UNHURRIED, any_rules, close, dealt, filled_up, lay, play_out
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.actions import Fault
from arena.cheat.beats import beats_of
from arena.cheat.events import Played, Resolved
from arena.cheat.game import Game
from arena.cheat.record import RecordError
from arena.cheat.rules import Rules


@settings(UNHURRIED, max_examples=60)
@given(any_rules(), st.integers(2, 10), st.integers(0, 2**32), st.sampled_from([0, 0.05]))
def test_the_table_after_a_beat_is_that_of_the_game(rules, seats, seed, fault_rate):
    game = dealt(rules, seats, seed)
    events = play_out(game, seed, fault_rate, 0.3)
    beats = beats_of(events)
    assert [beat.event for beat in beats] == events
    again = Game(rules, game.record().hands)
    at = 0
    for action in game.record().actions:
        at += len(again.apply(action))
        table = beats[at].after
        assert (table.hands, table.active, table.pile) == (again.hands, again.active, again.pile)
    assert all(later.before == beat.after for beat, later in pairwise(beats))


def test_lies_calls_and_faults_are_marked_where_they_happen():
    game = filled_up(Rules(), "AC AD", "2C", "KC", "4C")
    events = [game.opening()]
    events += [*lay(game, "AC AD"), *close(game)]
    events += [*lay(game, "2C"), *close(game, 3)]
    events += [*lay(game, "KC"), *close(game, 0, 1, faulted=(3,))]
    events += game.apply(Fault((0,)))
    beats = beats_of(events)
    assert [number for number, beat in enumerate(beats) if beat.lie] == [5]
    assert [number for number, beat in enumerate(beats) if beat.called] == [4, 6]
    assert [number for number, beat in enumerate(beats) if beat.fault] == [7, 8]
    assert [beat.turn for beat in beats] == [0, 1, 1, 2, 2, 3, 3, 3, 4]
    # A claim stays on the table for its turn alone.
    claims = [beat.claim and beat.claim.turn for beat in beats]
    assert claims == [None, 1, 1, 2, 2, 3, 3, 3, None]


def test_what_is_no_log_of_a_game_is_refused():
    game = filled_up(Rules(), "AC", "2C")
    deal = game.opening()
    with pytest.raises(RecordError, match="begins with the deal"):
        beats_of(())
    with pytest.raises(RecordError, match="one deal"):
        beats_of((deal, deal))
    with pytest.raises(RecordError, match="not there"):
        beats_of((deal, Played(1, 0, ("2C",), "A", 1)))
    with pytest.raises(RecordError, match="not there"):
        beats_of((deal, Resolved(1, 0, "A", 1, (1,), 1, (), True, 7, ())))
