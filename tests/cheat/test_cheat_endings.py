"""How a game ends and who stands where: first out, playing on, the cap and faults."""

from dataclasses import replace

import pytest
from cheat_table import close, dealt, faults, filled_up, lay, lay_quietly, passed, quiet_turns, seated

from arena.cheat.actions import Answers, Fault
from arena.cheat.events import Ended, Out, Resolved
from arena.cheat.game import IllegalAction, Phase
from arena.cheat.placing import places
from arena.cheat.presets import preset
from arena.cheat.rules import Rules

CLASSIC = preset("classic")
PLAY_ON = preset("play-on")


def test_equal_places_are_shared_and_the_next_are_passed_over():
    assert places([3], {0: 5, 1: 2, 2: 5}, []) == (3, 2, 3, 1)
    assert places([], {0: 4, 1: 4, 2: 7, 3: 1}, []) == (2, 2, 4, 1)
    assert places([2, 0], {4: 1, 5: 1}, [(1,), (3, 6)]) == (2, 7, 1, 5, 3, 3, 5)


# First out


def test_in_a_first_out_game_the_losers_are_ranked_by_hand_size_and_equal_sizes_share():
    game = seated(CLASSIC, "AC", "2C 2D 2H", "3C 3D 3H", "...")
    *_, ended = lay_quietly(game, "AC")
    assert ended == Ended(turn=1, places=(1, 2, 2, 4), winner=0, reason="won")
    assert game.record().turns == 1


def test_events_come_as_resolved_then_the_claimant_then_the_faulted_then_the_end():
    game = seated(CLASSIC, "AC", "2C 2D 2H", "3C", "4D 4H", "...")
    lay(game, "AC")
    resolved, won, *left, ended = close(game, 1, faulted=(3, 2))
    assert isinstance(resolved, Resolved)
    assert won == Out(1, 0, place=1, fault=False, removed=())
    assert left == [Out(1, 2, None, True, ("3C",)), Out(1, 3, None, True, ("4D", "4H"))]
    assert ended == Ended(1, (1, 2, 4, 4, 3), 0, "won")


# Playing on


def test_playing_on_finished_seats_are_skipped_for_turns_and_windows_and_ranks_move_one_a_turn():
    game = seated(PLAY_ON, "AC", "2C 2D 2H", "3C", "...", "5C 5D 5H 5S 5C", "6C 6D 6H 6S 6C")
    quiet_turns(game, 1)
    assert game.active == (1, 2, 3, 4, 5)
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (2, 1, ("2",))
    lay(game, "2C")
    assert game.asked == (2, 3, 4, 5)
    close(game)
    quiet_turns(game, 4)  # seats 2, which goes out, 3, 4 and 5
    assert game.active == (1, 3, 4, 5)
    assert game.hand_sizes[:3] == [None, 2, None]
    # after seat 5 comes seat 1: seat 0 has gone out, and its turn took no rank with it
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (7, 1, ("7",))
    lay(game, "2D")
    assert game.asked == (3, 4, 5)


def test_playing_on_stops_when_at_most_two_are_left_and_ranks_them_by_hand_size():
    game = seated(PLAY_ON, "AC", "2C", "3C 3D", "...")
    *_, first = lay_quietly(game, "AC")
    assert first == Out(1, 0, 1, False, ())
    resolved, second, ended = lay_quietly(game, "2C")
    assert isinstance(resolved, Resolved)
    assert second == Out(2, 1, 2, False, ())
    assert ended == Ended(2, (1, 2, 3, 4), 0, "placed")


def test_playing_on_with_three_seats_stops_at_the_first_who_goes_out():
    game = seated(PLAY_ON, "AC", "2C 2D", "...")
    *_, ended = lay_quietly(game, "AC")
    assert ended == Ended(1, (1, 2, 3), 0, "placed")


def test_playing_on_with_two_seats_is_a_first_out_game():
    game = seated(PLAY_ON, "AC", "...")
    *_, ended = lay_quietly(game, "AC")
    assert ended == Ended(1, (1, 2), 0, "won")


def test_playing_on_does_not_stop_at_two_before_somebody_has_gone_out():
    game = dealt(PLAY_ON, 4)
    faults(game)
    faults(game)
    assert game.active == (2, 3)
    assert game.phase is Phase.PLAY


def test_playing_on_a_fault_that_leaves_two_ends_the_game_once_somebody_has_gone_out():
    game = seated(PLAY_ON, "AC", "2C 2D", "3C 3D", "...")
    lay_quietly(game, "AC")
    out, ended = faults(game)
    assert out == Out(2, 1, None, True, ("2C", "2D"))
    assert ended == Ended(2, (1, 4, 2, 3), 0, "placed")
    assert game.record().turns == 1


# The cap


def test_default_caps():
    caps = {
        (CLASSIC, 2): 500,
        (CLASSIC, 3): 1000,
        (CLASSIC, 4): 1000,
        (CLASSIC, 5): 2000,
        (preset("two-decks"), 2): 2000,
        (preset("common-form"), 10): 1000,
        (PLAY_ON, 2): 2000,
        (PLAY_ON, 4): 2000,
        (Rules(turn_cap=7), 2): 7,
        (Rules(turn_cap=7, play_on=True), 9): 7,
    }
    for (rules, seats), cap in caps.items():
        assert rules.cap_for(seats) == cap
        assert dealt(rules, seats).cap == cap


def test_at_the_cap_fewest_cards_rank_first_equal_sizes_share_and_nobody_has_won():
    game = dealt(Rules(turn_cap=5), 4)
    quiet_turns(game, 4)
    lay(game, game.hands[0][0])
    resolved, ended = close(game)
    assert isinstance(resolved, Resolved)
    assert game.hand_sizes == [11, 12, 12, 12]
    assert ended == Ended(5, (1, 2, 2, 2), None, "capped")
    even = dealt(Rules(turn_cap=4), 4)
    quiet_turns(even, 4)
    assert even.ended == Ended(4, (1, 1, 1, 1), None, "capped")


def test_the_play_on_the_last_turn_is_resolved_before_the_game_is_capped():
    game = seated(Rules(turn_cap=1), "KC", "2C", "...")
    lay(game, "KC")
    *_, ended = close(game, 1)
    assert ended == Ended(1, (1, 1, 3), None, "capped")
    game = seated(Rules(turn_cap=1), "AC", "2C 2D", "...")
    lay(game, "AC")
    *_, ended = close(game, 1)
    assert ended == Ended(1, (1, 2, 3), 0, "won")


def test_passes_are_turns_and_a_game_of_passes_is_capped():
    game = dealt(Rules(passing=True, turn_cap=3), 2)
    passed(game)
    passed(game)
    _, ended = passed(game)
    assert ended == Ended(3, (1, 1), None, "capped")


def test_a_fault_uses_up_no_turn_towards_the_cap():
    game = dealt(Rules(turn_cap=2), 4)
    quiet_turns(game, 1)
    faults(game)
    assert (game.turn, game.phase) == (2, Phase.PLAY)
    quiet_turns(game, 1)
    assert game.ended == Ended(2, (1, 4, 1, 3), None, "capped")


def test_playing_on_at_the_cap_those_out_keep_their_places_and_the_first_of_them_has_won():
    rules = replace(PLAY_ON, turn_cap=3)
    game = seated(rules, "AC", "2C", "3C 3D 3H", "4C 4D 4H", "...", "6C 6D 6H 6S")
    quiet_turns(game, 3)
    assert game.ended == Ended(3, (1, 2, 3, 4, 6, 5), 0, "capped")


# Faults


def test_a_faulted_seat_is_placed_below_all_others_whatever_they_hold():
    game = seated(CLASSIC, "KC KD", "2C", "...")
    quiet_turns(game, 1)
    out, *rest = faults(game)
    assert (out, rest) == (Out(2, 1, None, True, ("2C",)), [])
    quiet_turns(game, 1)
    lay_quietly(game, "KC")
    assert game.places == (1, 3, 2)


def test_later_faults_rank_above_earlier_ones():
    game = dealt(CLASSIC, 5)
    faults(game)
    quiet_turns(game, 1)
    faults(game)
    lay(game, game.hands[3][0])
    close(game, faulted=(4,))
    faults(game)
    assert game.ended == Ended(3, (5, 2, 4, 1, 3), 3, "alone")


def test_the_hand_of_a_faulted_seat_leaves_play():
    game = dealt(CLASSIC, 4)
    hand = game.hands[0]
    (out,) = faults(game)
    assert out.removed == hand
    assert game.removed == hand
    assert game.hands[0] == ()
    assert game.hand_sizes == [None, 13, 13, 13]
    assert game.active == (1, 2, 3)


def test_when_the_seat_to_play_faults_the_next_active_seat_plays_the_rank_that_was_due():
    game = dealt(CLASSIC, 4)
    quiet_turns(game, 2)
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (3, 2, ("3",))
    faults(game)
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (3, 3, ("3",))
    faults(game)
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (3, 0, ("3",))


def test_a_seat_that_faults_in_the_window_is_passed_over_when_its_turn_comes():
    game = dealt(CLASSIC, 4)
    lay(game, game.hands[0][0])
    close(game, faulted=(1, 2))
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (2, 3, ("2",))
    lay(game, game.hands[3][0])
    assert game.asked == (0,)


def test_the_play_is_resolved_before_a_faulted_seat_leaves():
    game = filled_up(CLASSIC, "KC", "", "", "")
    lay(game, "KC", "A")
    resolved, out = close(game, 3, faulted=(2,))
    assert (resolved.callers, resolved.taker) == ((3,), 0)
    assert (out.seat, out.fault, len(out.removed)) == (2, True, 13)


def test_faults_in_one_window_share_a_place():
    game = dealt(CLASSIC, 5)
    lay(game, game.hands[0][0])
    close(game, faulted=(4, 2, 1))
    faults(game)
    assert game.ended == Ended(2, (1, 3, 3, 2, 3), 0, "alone")


def test_seats_out_before_the_first_turn_leave_on_turn_0_and_share_the_last_place():
    game = dealt(CLASSIC, 5)
    outs = faults(game, 4, 0)
    assert [(out.turn, out.seat) for out in outs] == [(0, 0), (0, 4)]
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (1, 1, ("A",))
    faults(game)
    faults(game)
    assert game.ended == Ended(1, (4, 3, 2, 1, 4), 3, "alone")
    assert game.record().turns == 0


def test_if_one_seat_is_left_it_has_won():
    game = dealt(CLASSIC, 2)
    lay(game, game.hands[0][0])
    *_, out, ended = close(game, faulted=(1,))
    assert out.seat == 1
    assert ended == Ended(1, (1, 2), 0, "alone")
    game = dealt(CLASSIC, 3)
    *_, ended = faults(game, 0, 2)
    assert ended == Ended(1, (2, 1, 2), 1, "alone")


def test_if_nobody_is_left_there_is_no_winner():
    game = dealt(CLASSIC, 3)
    *_, ended = faults(game, 0, 1, 2)
    assert ended == Ended(1, (1, 1, 1), None, "nobody")
    assert game.record().turns == 0


def test_the_last_seat_of_a_window_that_all_others_fault_in_has_won_even_at_the_cap():
    game = dealt(Rules(turn_cap=1), 3)
    lay(game, game.hands[0][0])
    *_, ended = close(game, faulted=(1, 2))
    assert ended == Ended(1, (1, 2, 2), 0, "alone")


def test_a_claimants_win_stands_whoever_faults_in_its_window():
    for rules, reason in ((CLASSIC, "won"), (PLAY_ON, "placed")):
        game = seated(rules, "AC", "2C 2D", "...")
        lay(game, "AC")
        *_, ended = close(game, faulted=(1, 2))
        assert ended == Ended(1, (1, 2, 2), 0, reason)


def test_a_seat_whose_own_play_is_open_cannot_leave_before_it_is_resolved():
    game = seated(CLASSIC, "KC", "2C 2D", "...")
    lay(game, "KC")
    for early in (Fault((0,)), Answers((), (0,))):
        with pytest.raises(IllegalAction):
            game.apply(early)
    close(game)
    # the win stands, and there is no game left for the seat to be out of
    assert game.winner == 0
    with pytest.raises(IllegalAction, match="the game is over"):
        faults(game, 0)


def test_a_seat_that_has_gone_out_keeps_its_place_whatever_it_does_later():
    game = seated(PLAY_ON, "AC", "2C 2D", "3C 3D", "4C 4D", "...")
    lay_quietly(game, "AC")
    with pytest.raises(IllegalAction, match="seat 0 is not in the game"):
        faults(game, 0)
    lay(game, "2C")
    with pytest.raises(IllegalAction, match="seat 0 was not asked"):
        close(game, faulted=(0,))


def test_outside_a_window_only_the_seat_to_play_leaves_once_the_game_has_begun():
    game = dealt(CLASSIC, 5)
    for seats, why in (
        ((), "a fault names at least one seat"),
        ((5,), "seat 5 is not in the game"),
        ((2, 2), "seat 2 is named more than once"),
    ):
        with pytest.raises(IllegalAction, match=why):
            game.apply(Fault(seats))
    faults(game, 3)
    for seats in ((2,), (0, 1)):
        with pytest.raises(IllegalAction, match="only the seat to play, 0, leaves outside a window"):
            game.apply(Fault(seats))
    with pytest.raises(IllegalAction, match="seat 3 is not in the game"):
        game.apply(Fault((3,)))
    faults(game, 0)
    assert game.active == (1, 2, 4)
