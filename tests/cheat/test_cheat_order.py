"""Which ranks may be claimed, in all six orders, written out."""

import pytest
from cheat_table import UNHURRIED
from hypothesis import given
from hypothesis import strategies as st

from arena.cheat.cards import RANKS
from arena.cheat.order import legal_ranks
from arena.cheat.rules import CHOICES

DUE = {
    "up": "A 2 3 4 5 6 7 8 9 T J Q K A 2",
    "down_from_ace": "A K Q J T 9 8 7 6 5 4 3 2 A K",
    "down_from_king": "K Q J T 9 8 7 6 5 4 3 2 A K Q",
}
NEXT = {
    "up_or_down": {"A": "2K", "2": "A3", "7": "68", "T": "9J", "Q": "JK", "K": "AQ"},
    "same_up_down": {"A": "A2K", "2": "A23", "7": "678", "T": "9TJ", "Q": "JQK", "K": "AQK"},
    "free": {"A": RANKS, "7": RANKS, "K": RANKS},
}


@pytest.mark.parametrize("order", DUE)
def test_a_forced_order_goes_round_with_the_turns(order):
    assert [legal_ranks(order, turn, None) for turn in range(1, 16)] == [
        (rank,) for rank in DUE[order].split()
    ]
    assert legal_ranks(order, 13 * 1000 + 1, "7") == legal_ranks(order, 1, None)


@pytest.mark.parametrize("order", NEXT)
def test_an_order_with_a_choice_follows_the_last_claim(order):
    for last, ranks in NEXT[order].items():
        assert legal_ranks(order, 5, last) == tuple(ranks)


def test_every_order_there_is_has_been_written_out():
    assert {*DUE, *NEXT} == set(CHOICES["order"])


@UNHURRIED
@given(st.sampled_from(sorted(DUE)), st.integers(1, 10**6), st.sampled_from(RANKS))
def test_in_a_forced_order_the_last_claim_says_nothing(order, turn, last):
    assert legal_ranks(order, turn, last) == legal_ranks(order, turn, None)


@UNHURRIED
@given(st.sampled_from(sorted(NEXT)), st.integers(1, 10**6), st.sampled_from(RANKS))
def test_in_an_order_with_a_choice_the_turn_says_nothing(order, turn, last):
    assert legal_ranks(order, turn, last) == legal_ranks(order, 2, last)
