"""Hands worked card by card in published descriptions of the game, followed to the last card."""

from cheat_table import close, filled_up, lay, lay_quietly, seated

from arena.cheat.events import Ended, Out, Resolved
from arena.cheat.game import Phase
from arena.cheat.presets import preset


def test_a_called_lie_on_twos_and_the_three_plays_around_it():
    ana, ben, cara, you = range(4)
    game = filled_up(preset("bs"), "AC", "2D 9S", "3C 3D 3H", "2H 2S 2C")
    assert [len(hand) for hand in game.hands] == [13, 13, 13, 13]
    assert game.seat_to_play == ana

    lay_quietly(game, "AC", "A")
    assert (game.seat_to_play, game.legal_ranks) == (ben, ("2",))
    lay(game, "2D 9S", "2")
    (resolved,) = close(game, you)
    assert resolved == Resolved(
        turn=2,
        claimant=ben,
        rank="2",
        count=2,
        callers=(you,),
        challenger=you,
        shown=("2D", "9S"),
        true=False,
        taker=ben,
        taken=("AC", "2D", "9S"),
    )
    assert (len(game.hands[ben]), game.pile_size) == (14, 0)

    assert (game.seat_to_play, game.legal_ranks) == (cara, ("3",))
    lay_quietly(game, "3C 3D 3H", "3")
    assert (game.seat_to_play, game.legal_ranks) == (you, ("4",))
    lay_quietly(game, "2H", "4")
    assert len(game.hands[you]) == 12
    assert game.pile_size == 4
    assert "2H" not in game.hands[you]


def test_the_liar_takes_six_cards_and_a_wrong_caller_takes_two():
    you, west, north, east = range(4)
    game = filled_up(preset("classic"), "AH AS 3C 3S", "9C", "3D 8S JH", "4H 4S")
    lay_quietly(game, "AH AS", "A")
    lay_quietly(game, "9C", "2")
    lay(game, "3D 8S JH", "3")
    (caught,) = close(game, you)
    assert (caught.taker, caught.true) == (north, False)
    assert set(caught.taken) == {"AH", "AS", "9C", "3D", "8S", "JH"}
    assert len(game.hands[north]) == 13 - 3 + 6

    lay(game, "4H 4S", "4")
    (honest,) = close(game, west)
    assert (honest.taker, honest.true, honest.taken) == (west, True, ("4H", "4S"))
    assert len(game.hands[west]) == 12 + 2
    assert len(game.hands[east]) == 11
    assert (game.seat_to_play, game.legal_ranks) == (you, ("5",))


def test_a_true_last_nine_that_is_called_wins():
    you, east = 0, 3
    game = seated(preset("classic"), "KC KD 9D", "QC QD QH QS", "JC JD JH JS", "...")
    for cards in ("KC", "QC", "JC", "2C", "KD", "QD", "JD", "2D"):
        lay_quietly(game, cards)
    assert (game.seat_to_play, game.legal_ranks, game.hands[you]) == (you, ("9",), ("9D",))
    lay(game, "9D", "9")
    resolved, out, ended = close(game, east)
    assert (resolved.true, resolved.taker, len(resolved.taken)) == (True, east, 9)
    assert out == Out(turn=9, seat=you, place=1, fault=False, removed=())
    assert ended == Ended(turn=9, places=(1, 2, 2, 4), winner=you, reason="won")
    assert game.phase is Phase.OVER
