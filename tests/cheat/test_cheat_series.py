"""Who leads a series of games, and who leads the next."""

from collections import Counter

from cheat_table import any_rules, dealt, play_out
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.presets import preset
from arena.cheat.rules import Rules
from arena.cheat.series import first_leader, hands_left, next_leader, seating


def test_seats_are_numbered_from_the_player_who_leads():
    assert seating(0, 4) == (0, 1, 2, 3)
    assert seating(2, 4) == (2, 3, 0, 1)


def test_left_of_the_dealer_leads_the_first_game_or_a_player_drawn_from_the_seed():
    assert {first_leader(preset("classic"), 4, number.to_bytes(16, "big")) for number in range(20)} == {0}
    drawn = [first_leader(preset("cheat"), 5, number.to_bytes(16, "big")) for number in range(1000)]
    assert set(drawn) == set(range(5))
    assert min(Counter(drawn).values()) > 150
    assert drawn[7] == first_leader(preset("cheat"), 5, (7).to_bytes(16, "big"))


def test_the_deal_moves_one_player_on_and_comes_round():
    assert next_leader(Rules(), 0, [3, None, 2]) == 1
    assert next_leader(Rules(), 2, [3, None, 2]) == 0


def test_the_loser_with_most_cards_leads_and_of_several_the_first_clockwise():
    rules = preset("cheat")
    # hands are by seat; seat 0 was player 2
    assert next_leader(rules, 2, [None, 4, 9, 3]) == 0
    assert next_leader(rules, 2, [None, 9, 3, 9]) == 3
    assert next_leader(rules, 0, [7, 7, 7]) == 0


def test_when_nobody_holds_a_card_at_the_end_the_deal_moves():
    assert next_leader(preset("cheat"), 1, [None, None, None]) == 2


@given(any_rules(), st.integers(2, 10), st.integers(0, 999))
@settings(max_examples=30)
def test_the_hands_at_the_end_are_those_that_the_events_lead_to(rules, seats, seed):
    game = dealt(rules, seats, seed)
    assert hands_left([game.opening()]) == tuple(game.hand_sizes)
    assert hands_left(play_out(game, seed, fault_rate=0.02)) == tuple(game.hand_sizes)
