"""The cases that descriptions of the game leave open, and how they are ruled: claims, windows and ranks."""

from dataclasses import replace
from itertools import permutations

import pytest
from cheat_table import close, dealt, faults, filled_up, lay, lay_quietly, passed, quiet_turns, seated

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.cards import pack
from arena.cheat.events import Ended, Out, Passed, Played, Resolved
from arena.cheat.game import Game, IllegalAction, Phase
from arena.cheat.presets import preset
from arena.cheat.rules import Rules

CLASSIC = preset("classic")


# Last cards


def test_last_cards_are_no_win_before_the_window_has_closed():
    game = seated(CLASSIC, "KC", "QC QD", "...")
    assert lay(game, "KC", "A") == (Played(turn=1, seat=0, cards=("KC",), rank="A", count=1),)
    assert game.phase is Phase.WINDOW
    assert game.active == (0, 1, 2)
    assert game.ended is None


def test_a_called_lie_with_the_last_cards_takes_the_pile_and_play_goes_on_with_the_next_rank():
    game = seated(CLASSIC, "KC", "QC QD", "...")
    lay(game, "KC", "A")
    (resolved,) = close(game, 2)
    assert (resolved.true, resolved.taker, resolved.taken) == (False, 0, ("KC",))
    assert game.phase is Phase.PLAY
    assert game.active == (0, 1, 2)
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (2, 1, ("2",))


def test_a_lie_with_the_last_cards_that_nobody_calls_wins():
    game = seated(CLASSIC, "KC", "QC QD", "...")
    lay(game, "KC", "A")
    resolved, out, ended = close(game)
    assert resolved == Resolved(1, 0, "A", 1, (), None, (), None, None, ())
    assert out == Out(1, 0, 1, False, ())
    assert ended == Ended(1, (1, 2, 3), 0, "won")


def test_a_true_last_play_that_is_called_wins_and_the_challenger_still_takes_the_pile():
    game = seated(CLASSIC, "AC", "QC QD", "QH QS", "...")
    lay(game, "AC")
    resolved, out, ended = close(game, 1)
    assert (resolved.true, resolved.taker, resolved.taken) == (True, 1, ("AC",))
    assert (out.seat, out.place) == (0, 1)
    # without the pile seats 1 and 2 would share the second place
    assert ended.places == (1, 3, 2, 4)
    assert game.hand_sizes == [None, 3, 2, 47]


# Several callers


def test_the_nearest_caller_clockwise_of_the_claimant_is_the_challenger():
    for claimant, callers, nearest in ((0, (3, 2), 2), (2, (0, 1, 3), 3), (3, (2, 1, 0), 0), (2, (1, 0), 0)):
        game = dealt(CLASSIC, 4)
        quiet_turns(game, claimant)
        lay(game, game.hands[claimant][0])
        assert game.asked == tuple((claimant + step) % 4 for step in (1, 2, 3))
        (resolved,) = close(game, *callers)
        assert (resolved.claimant, resolved.challenger) == (claimant, nearest)


def test_every_caller_is_announced_clockwise_and_only_the_challenger_is_touched():
    game = filled_up(CLASSIC, "AC", "", "", "")
    lay(game, "AC")
    (resolved,) = close(game, 3, 1, 2)
    assert resolved.callers == (1, 2, 3)
    assert (resolved.taker, resolved.taken) == (1, ("AC",))
    assert game.hand_sizes == [12, 14, 13, 13]


def test_under_seat_order_the_order_in_which_calls_were_heard_changes_nothing():
    outcomes = set()
    for heard in permutations((1, 2, 3)):
        game = dealt(CLASSIC, 4)
        lay(game, game.hands[0][-1])
        outcomes.add((close(game, *heard), game.hands))
    assert len(outcomes) == 1


def test_under_first_the_first_heard_is_the_challenger_and_the_order_is_announced():
    game = filled_up(replace(CLASSIC, callers="first"), "AC", "", "", "")
    lay(game, "AC")
    (resolved,) = close(game, 3, 1, 2)
    assert resolved.callers == (3, 1, 2)
    assert (resolved.challenger, resolved.taker) == (3, 3)


def test_a_seat_answers_once_and_only_if_it_was_asked():
    game = dealt(CLASSIC, 4)
    lay(game, game.hands[0][-1])
    wrong = {
        Answers((0,)): "seat 0 was not asked in this window",
        Answers((), (0,)): "seat 0 was not asked in this window",
        Answers((4,)): "seat 4 was not asked in this window",
        Answers((1, 1)): "seat 1 has answered more than once",
        Answers((1,), (1,)): "seat 1 has answered more than once",
        Answers((), (2, 2)): "seat 2 has answered more than once",
    }
    for answers, why in wrong.items():
        with pytest.raises(IllegalAction, match=why):
            game.apply(answers)
    assert game.asked == (1, 2, 3)


# The claim


def test_a_rank_that_is_not_due_is_illegal_and_the_legal_ones_are_named():
    game = dealt(CLASSIC, 4)
    card = game.hands[0][0]
    assert (
        game.why_illegal(Play(0, (card,), "2", 1)) == "rank '2' may not be claimed on this turn: legal is A"
    )
    choosy = dealt(preset("same-up-down"), 4)
    lay_quietly(choosy, choosy.hands[0][0])
    why = choosy.why_illegal(Play(1, (choosy.hands[1][0],), "3", 1))
    assert why == "rank '3' may not be claimed on this turn: legal is A 2 K"


def test_the_count_claimed_must_be_the_number_of_cards_laid():
    game = dealt(CLASSIC, 4)
    two = game.hands[0][:2]
    why = game.why_illegal(Play(0, two, "A", 3))
    assert why == "the count claimed must be the number of cards laid: 2, not 3"
    assert game.why_illegal(Play(0, two, "A", 2)) is None


def test_with_wrong_count_a_claim_is_true_only_if_count_and_ranks_both_match():
    cases = (
        ("AC AD", 2, True),
        ("AC AD", 1, False),
        ("AC AD", 3, False),
        ("AC KD", 2, False),
        ("KC", 2, False),
    )
    for cards, count, true in cases:
        game = filled_up(preset("wrong-count"), "AC AD KC KD", "", "")
        lay(game, cards, "A", count)
        (resolved,) = close(game, 1)
        assert (resolved.count, resolved.true) == (count, true)
        assert resolved.taker == (1 if true else 0)


def test_with_wrong_count_both_numbers_obey_the_cap():
    game = dealt(preset("wrong-count"), 4)
    hand = game.hands[0]
    assert game.why_illegal(Play(0, hand[:1], "A", 4)) is None
    assert game.why_illegal(Play(0, hand[:1], "A", 5)) == "the count claimed must be from 1 to 4, not 5"
    assert game.why_illegal(Play(0, hand[:1], "A", 0)) == "the count claimed must be from 1 to 4, not 0"
    assert game.why_illegal(Play(0, hand[:5], "A", 4)) == "a play lays at most 4 cards, not 5"


def test_with_wrong_count_and_no_cap_a_claim_goes_up_to_the_cards_in_play():
    game = dealt(replace(preset("wrong-count"), max_cards=None), 4)
    assert game.why_illegal(Play(0, game.hands[0][:1], "A", 52)) is None
    assert (
        game.why_illegal(Play(0, game.hands[0][:1], "A", 53))
        == "the count claimed must be from 1 to 52, not 53"
    )
    faults(game, 0)
    assert game.why_illegal(Play(1, game.hands[1][:1], "A", 39)) is None
    assert (
        game.why_illegal(Play(1, game.hands[1][:1], "A", 40))
        == "the count claimed must be from 1 to 39, not 40"
    )


def test_while_a_window_is_open_the_sizes_told_do_not_show_how_many_cards_were_laid():
    told = set()
    for laid in (1, 2, 3, 4):
        game = dealt(preset("wrong-count"), 4)
        quiet_turns(game, 5)
        game.apply(Play(1, game.hands[1][:laid], "6", 3))
        told.add((tuple(game.sizes_before_claim), game.pile_before_claim, game.asked, game.active))
        assert game.hand_sizes[1] == 12 - laid
        assert game.pile_size == 5 + laid
    assert told == {((11, 12, 12, 12), 5, (2, 3, 0), (0, 1, 2, 3))}


def test_between_windows_the_sizes_before_a_claim_are_the_sizes_there_are():
    game = dealt(CLASSIC, 4)
    quiet_turns(game, 3)
    assert game.sizes_before_claim == game.hand_sizes == [12, 12, 12, 13]
    assert game.pile_before_claim == game.pile_size == 3


def test_a_pile_that_is_taken_does_not_tell_who_laid_which_card():
    taken = set()
    for first, second in (("5C", "9D"), ("9D", "5C")):
        game = filled_up(CLASSIC, first, second, "", "")
        lay_quietly(game, first)
        lay(game, second)
        (resolved,) = close(game, 3)
        assert game.pile == ()
        taken.add(resolved.taken)
    assert taken == {("5C", "9D")}


def test_more_cards_of_a_rank_than_exist_may_be_claimed_where_there_is_no_cap():
    game = dealt(preset("cheat"), 2)
    lay(game, " ".join(game.hands[0][:9]), "A", 9)
    (resolved,) = close(game, 1)
    assert resolved.true is False


def test_a_play_above_the_cap_is_illegal():
    game = dealt(CLASSIC, 4)
    assert game.why_illegal(Play(0, game.hands[0][:5], "A", 5)) == "a play lays at most 4 cards, not 5"
    assert game.why_illegal(Play(0, game.hands[0][:4], "A", 4)) is None
    one = dealt(replace(CLASSIC, max_cards=1), 4)
    assert one.why_illegal(Play(0, one.hands[0][:2], "A", 2)) == "a play lays at most 1 card, not 2"


def test_no_cards_is_no_play():
    for name, why in (("classic", "there is no passing"), ("british-pass", "or pass")):
        game = dealt(preset(name), 4)
        assert game.why_illegal(Play(0, (), "A", 0)) == f"a play lays at least one card ({why})"


def test_a_pass_is_an_action_of_its_own_that_opens_no_window_and_uses_up_the_rank():
    game = dealt(preset("british-pass"), 4)
    assert passed(game) == (Passed(turn=1, seat=0),)
    assert game.phase is Phase.PLAY
    assert game.asked == ()
    assert (game.turn, game.seat_to_play, game.legal_ranks) == (2, 1, ("2",))
    assert game.hand_sizes == [13, 13, 13, 13]


def test_a_pass_is_illegal_where_there_is_no_passing():
    game = dealt(CLASSIC, 4)
    assert game.why_illegal(Pass(0)) == "there is no passing in classic: lay at least one card"
    with pytest.raises(IllegalAction):
        passed(game)


def test_the_same_card_twice_is_illegal_with_one_deck():
    game = filled_up(CLASSIC, "AS KC", "", "")
    why = game.why_illegal(Play(0, ("AS", "AS"), "A", 2))
    assert why == "AS is laid twice and held once"


def test_a_card_that_is_not_held_or_does_not_exist_is_illegal():
    game = filled_up(CLASSIC, "AS", "KC", "")
    assert game.why_illegal(Play(0, ("KC",), "A", 1)) == "KC is laid once and held not at all"
    why = game.why_illegal(Play(0, ("10S",), "A", 1))
    assert why == "'10S' is not a card: rank then suit, such as AS or TD"


def test_with_two_decks_equal_cards_are_played_as_often_as_they_are_held():
    game = filled_up(preset("two-decks"), "AS AS KC", "KC", "")
    assert game.why_illegal(Play(0, ("AS", "AS", "AS"), "A", 3)) == "AS is laid 3 times and held twice"
    assert game.why_illegal(Play(0, ("KC", "KC"), "A", 2)) == "KC is laid twice and held once"
    lay(game, "AS AS")
    assert "AS" not in game.hands[0]
    (resolved,) = close(game, 2)
    assert (resolved.true, resolved.shown) == (True, ("AS", "AS"))
    assert game.hands[2].count("AS") == 2


def test_nothing_caps_a_hand():
    rules = replace(preset("two-decks"), max_cards=None)
    game = seated(rules, "KC KD", "...")
    lay_quietly(game, "KC")
    lay(game, " ".join(game.hands[1][:60]), "2", 60)
    (resolved,) = close(game, 0)
    assert (resolved.taker, len(resolved.taken), len(game.hands[1])) == (1, 61, 103)
    lay(game, "KD", "3")
    close(game, 1)
    lay(game, " ".join(game.hands[1]), "4", 103)
    close(game, 0)
    assert len(game.hands[1]) == 103


def test_played_cards_are_announced_in_pack_order_however_they_were_named():
    game = filled_up(CLASSIC, "AS KC 5D", "", "")
    (played,) = lay(game, "KC AS 5D")
    assert played.cards == ("AS", "5D", "KC")


def test_hands_are_shown_in_pack_order_however_they_were_dealt():
    dealt_so = (pack(1)[::-2], pack(1)[-2::-2])
    game = Game(CLASSIC, dealt_so)
    assert game.hands == (tuple(pack(1)[1::2]), tuple(pack(1)[::2]))
    assert game.opening().hands == game.hands


# The order of ranks


def test_every_order_with_a_choice_opens_with_aces_and_free_with_any_rank():
    for order, ranks in (("up_or_down", "A"), ("same_up_down", "A"), ("free", "A23456789TJQK")):
        assert dealt(Rules(order=order), 4).legal_ranks == tuple(ranks)


def test_neighbours_wrap_between_king_and_ace():
    game = dealt(Rules(order="up_or_down"), 4)
    lay_quietly(game, game.hands[0][0], "A")
    assert game.legal_ranks == ("2", "K")
    lay_quietly(game, game.hands[1][0], "K")
    assert game.legal_ranks == ("A", "Q")
    game = dealt(Rules(order="same_up_down"), 4)
    lay_quietly(game, game.hands[0][0], "A")
    assert game.legal_ranks == ("A", "2", "K")


def test_passes_faults_and_calls_change_nothing_for_an_order_that_follows_the_last_claim():
    game = dealt(Rules(order="up_or_down", passing=True), 5)
    passed(game)
    assert game.legal_ranks == ("A",)
    lay_quietly(game, game.hands[1][0], "A")
    lay_quietly(game, game.hands[2][0], "2")
    for change in (passed, faults, passed):
        change(game)
        assert game.legal_ranks == ("A", "3")
    lay(game, game.hands[game.seat_to_play][0], "3")
    close(game, 2)
    assert game.legal_ranks == ("2", "4")


def test_a_forced_rank_follows_from_the_number_of_the_turn_alone():
    game = dealt(Rules(order="down_from_ace", passing=True), 5)
    due = []
    for turn in range(1, 16):
        assert game.turn == turn
        due += game.legal_ranks
        if turn % 3 == 0:
            passed(game)
        else:
            lay(game, game.hands[game.seat_to_play][0])
            close(game, *game.asked[:1] if turn % 2 else ())
    assert due == list("AKQJT98765432AK")


# What is refused


def test_an_action_that_does_not_fit_the_moment_is_refused_and_changes_nothing():
    game = dealt(preset("british-pass"), 4)
    card = game.hands[0][0]
    with pytest.raises(IllegalAction, match="no challenge window is open: it is the turn of seat 0"):
        close(game)
    with pytest.raises(IllegalAction, match="it is the turn of seat 0, not of seat 1"):
        game.apply(Play(1, game.hands[1][:1], "A", 1))
    with pytest.raises(IllegalAction, match="it is the turn of seat 0, not of seat 2"):
        game.apply(Pass(2))
    lay(game, card)
    for action in (Play(0, game.hands[0][:1], "A", 1), Pass(0), Pass(1), Fault((1,)), Fault((0,))):
        with pytest.raises(IllegalAction, match="the challenge window over the play of seat 0 is open"):
            game.apply(action)
    close(game)
    assert [len(hand) for hand in game.hands] == [12, 13, 13, 13]
    assert game.turn == 2


def test_nothing_happens_after_the_end():
    game = seated(CLASSIC, "AC", "...")
    lay_quietly(game, "AC")
    for action in (Play(1, game.hands[1][:1], "2", 1), Pass(1), Answers(), Answers((1,)), Fault((1,))):
        with pytest.raises(IllegalAction, match="the game is over"):
            game.apply(action)
    assert game.legal_ranks == ()


def test_a_game_that_is_not_over_has_no_verdict():
    game = dealt(CLASSIC, 4)
    for verdict in (lambda: game.places, lambda: game.winner, lambda: game.reason, game.record):
        with pytest.raises(ValueError, match="not over"):
            verdict()
