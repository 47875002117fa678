"""The deal from a seed: vectors made elsewhere, programs in other languages, and what every deal holds."""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from cheat_table import UNHURRIED
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.cards import in_order, pack
from arena.cheat.deal import (
    bot_seed,
    deal,
    deal_key,
    game_id,
    is_full_seed,
    number_below,
    seed_bytes,
    shuffled,
)
from arena.cheat.rules import Rules

HERE = Path(__file__).parent
VECTORS = json.loads((HERE / "deal_vectors.json").read_text(encoding="utf-8"))
OTHERS = {
    "node": [program, HERE / "deal.mjs"] if (program := shutil.which("node")) else None,
    "perl": [program, HERE / "deal.pl"] if (program := shutil.which("perl")) else None,
}


def inputs(vector):
    return [str(vector[name]) for name in ("text", "block", "game", "seats", "decks", "deal")]


def results(vector):
    return {name: vector[name] for name in ("seed", "id", "bot_seeds", "hands")}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: "-".join(inputs(vector)[1:]))
def test_the_vectors_are_dealt(vector):
    seed = seed_bytes(vector["text"])
    block, game = vector["block"], vector["game"]
    rules = Rules(decks=vector["decks"], deal=vector["deal"])
    hands = deal(rules, vector["seats"], deal_key(seed, block, game))
    assert results(vector) == {
        "seed": seed.hex(),
        "id": game_id(seed, block, game),
        "bot_seeds": [bot_seed(seed, block, game, seat) for seat in range(vector["seats"])],
        "hands": [" ".join(hand) for hand in hands],
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: "-".join(inputs(vector)[1:]))
def test_programs_in_other_languages_deal_the_vectors(vector):
    here = {name for name, command in OTHERS.items() if command}
    assert here, "neither node nor perl is installed: nothing else can deal the vectors"
    assert "node" in here or os.environ.get("CI") != "true", "CI has to deal the vectors with node"
    for name in here:
        done = subprocess.run(
            [*OTHERS[name], *inputs(vector)], stdout=subprocess.PIPE, check=True, timeout=60, encoding="utf-8"
        )
        told = json.loads(done.stdout)
        told["hands"] = [" ".join(hand) for hand in told["hands"]]
        assert told == results(vector), name


def test_the_vectors_cover_every_kind_of_deal():
    assert len({vector["seed"] for vector in VECTORS}) >= 5
    for name, values in (("decks", {1, 2, 3, 4}), ("deal", {"singly", "bicycle"})):
        assert {vector[name] for vector in VECTORS} == values
    assert {vector["seats"] for vector in VECTORS} >= {2, 3, 4, 10}
    assert any(not is_full_seed(vector["text"]) for vector in VECTORS)


def test_only_32_hexadecimal_digits_are_a_seed_as_they_stand():
    digits = "00112233445566778899aabbccddeeff"
    assert seed_bytes(digits) == seed_bytes(digits.upper()) == bytes.fromhex(digits)
    for text in (digits[:-1], digits + "0", digits[:-1] + "g", " " + digits[1:], digits + "\n", "١" * 32):
        assert not is_full_seed(text)
        assert seed_bytes(text) != bytes.fromhex(digits)


def test_words_of_the_last_broken_span_are_passed_over():
    # 2**32 is 1 mod 3: the highest word would make 0 likelier than 1 and 2
    assert number_below(3, iter([2**32 - 1, 5])) == 2
    assert number_below(3, iter([2**32 - 2, 5])) == (2**32 - 2) % 3
    # a power of two has no broken span
    assert number_below(4, iter([2**32 - 1])) == 3


def test_keys_ids_and_seeds_differ_from_game_to_game():
    seed = bytes(range(16))
    games = [(block, game) for block in range(12) for game in range(12)]
    assert len({deal_key(seed, *game) for game in games}) == len(games)
    assert len({game_id(seed, *game) for game in games}) == len(games)
    assert len({bot_seed(seed, *game, seat) for game in games for seat in (0, 1)}) == 2 * len(games)
    assert all(0 <= bot_seed(seed, *game, 0) < 2**53 for game in games)


def test_bicycle_deals_rounds_of_two_and_three_and_the_rest_singly():
    key = bytes(32)
    cards = shuffled(key, 2)
    # seven seats: rounds of 2 3 2 3 2 take 84 cards; 3 more for each do not go, so 20 are dealt singly
    at = [0, 1, 14, 15, 16, 35, 36, 49, 50, 51, 70, 71, 84, 91, 98]
    seat_6 = [12, 13, 32, 33, 34, 47, 48, 67, 68, 69, 82, 83, 90, 97]
    hands = deal(Rules(deal="bicycle"), 7, key)
    assert hands[0] == tuple(in_order(cards[place] for place in at))
    assert hands[6] == tuple(in_order(cards[place] for place in seat_6))


def test_every_seat_gets_the_ace_of_spades_equally_often():
    seats, deals = 5, 1500
    rules = Rules(second_deck_from=None)
    seed = seed_bytes("00" * 16)
    lucky = Counter(
        next(seat for seat, hand in enumerate(deal(rules, seats, deal_key(seed, 0, game))) if "AS" in hand)
        for game in range(deals)
    )
    share = [(11 if seat < 2 else 10) / 52 * deals for seat in range(seats)]
    chi_square = sum((lucky[seat] - want) ** 2 / want for seat, want in enumerate(share))
    assert chi_square < 18.5  # 4 degrees of freedom, one in a thousand


@settings(UNHURRIED, max_examples=60)
@given(
    st.integers(2, 10),
    st.integers(1, 4),
    st.sampled_from(["singly", "bicycle"]),
    st.binary(min_size=32, max_size=32),
)
def test_a_deal_is_the_whole_pack_in_hands_that_differ_by_one_at_most(seats, decks, kind, key):
    hands = deal(Rules(decks=decks, deal=kind), seats, key)
    assert len(hands) == seats
    assert Counter(card for hand in hands for card in hand) == Counter(pack(decks))
    sizes = [len(hand) for hand in hands]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    assert sizes[-1] >= 5
    assert all(list(hand) == in_order(hand) for hand in hands)


def test_a_table_the_rules_do_not_take_is_not_dealt():
    with pytest.raises(ValueError, match="classic takes 2 to 10 seats, not 11"):
        deal(Rules(), 11, bytes(32))
