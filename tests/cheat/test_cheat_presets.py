"""What each preset is, and rules from files."""

import dataclasses
from pathlib import Path

import pytest
from cheat_table import UNHURRIED, any_rules
from hypothesis import given
from hypothesis import strategies as st

from arena.cheat.presets import PRESETS, preset
from arena.cheat.rules import CHOICES, MAY_BE_NONE, RANGES, SWITCHES, Rules
from arena.cheat.rulesfile import knobs, rules_as_toml, rules_from_table, rules_from_toml
from arena.errors import BadInput

CLASSIC = {
    "min_players": 2,
    "max_players": 10,
    "decks": None,
    "second_deck_from": 5,
    "deal": "singly",
    "first_player": "dealer_left",
    "next_game": "deal_moves",
    "order": "up",
    "max_cards": 4,
    "passing": False,
    "wrong_count": False,
    "callers": "seat_order",
    "play_on": False,
    "turn_cap": None,
}
CHANGES = {
    "classic": {},
    "bs": {},
    "cheat": {"first_player": "random", "next_game": "loser_starts", "max_cards": None},
    "cheat-short": {"min_players": 3, "second_deck_from": 7, "max_cards": None},
    "common-form": {"min_players": 3, "second_deck_from": None, "max_cards": None},
    "bicycle": {"deal": "bicycle"},
    "british-pass": {"passing": True},
    "descending": {"order": "down_from_ace"},
    "descending-king": {"order": "down_from_king"},
    "up-or-down": {"order": "up_or_down"},
    "same-up-down": {"order": "same_up_down"},
    "chinese-free": {"order": "free", "decks": 2},
    "wrong-count": {"wrong_count": True},
    "play-on": {"play_on": True},
    "two-decks": {"decks": 2},
}
DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"


def test_every_preset_is_classic_with_its_own_knobs_changed():
    assert list(PRESETS) == list(CHANGES)
    for name, changes in CHANGES.items():
        assert dataclasses.asdict(preset(name)) == {"name": name, **CLASSIC, **changes}


def test_decks_by_the_number_of_seats():
    decks = {
        "classic": [1, 1, 1, 2, 2, 2, 2, 2, 2],
        "cheat-short": [1, 1, 1, 1, 1, 2, 2, 2, 2],
        "common-form": [1] * 9,
        "two-decks": [2] * 9,
    }
    for name, by_seats in decks.items():
        assert [preset(name).decks_for(seats) for seats in range(2, 11)] == by_seats
    assert Rules(decks=3, second_deck_from=2).decks_for(10) == 3


def test_a_misspelt_preset_is_answered_with_the_nearest():
    for wrong, near in (("clasic", "classic"), ("Bicycle", "bicycle"), ("play_on", "play-on")):
        with pytest.raises(BadInput, match=f"there is no rules preset '{wrong}': did you mean {near}?"):
            preset(wrong)
    with pytest.raises(BadInput, match="the presets are classic, bs, "):
        preset("poker")


def test_rules_out_of_range_are_refused():
    wrong = {
        "min_players": [1, 11, None, 2.0, True],
        "max_players": [1, 11, "4"],
        "decks": [0, 5, True],
        "second_deck_from": [1, 11],
        "max_cards": [0, 209],
        "turn_cap": [0, 100_001],
        "deal": ["doubly", None],
        "first_player": ["loser"],
        "next_game": ["random"],
        "order": ["down", 3],
        "callers": ["all"],
        "passing": [1, None],
        "wrong_count": ["true"],
        "play_on": [0],
        "name": ["", " ", "a\nb", "x" * 61, 3],
    }
    assert set(wrong) == {field.name for field in dataclasses.fields(Rules)}
    for knob, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=f"^{knob} must be "):
                Rules(**{knob: value})
    with pytest.raises(ValueError, match="min_players 5 is above max_players 4"):
        Rules(min_players=5, max_players=4)


def test_the_lowest_and_the_highest_of_every_range_are_taken():
    for knob, (low, high) in RANGES.items():
        others = {"min_players": {"max_players": 10}, "max_players": {"min_players": 2}}.get(knob, {})
        for value in (low, high):
            assert getattr(Rules(**{knob: value}, **others), knob) == value
    assert Rules(min_players=4, max_players=4).max_players == 4
    assert Rules(name="x" * 60).name == "x" * 60


# Files


@UNHURRIED
@given(any_rules(), st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=60))
def test_rules_written_to_a_file_read_back_the_same(rules, name):
    rules = dataclasses.replace(rules, name=name)
    assert rules_from_toml(rules_as_toml(rules), "house.toml") == rules


def test_a_file_sets_any_knob_on_top_of_a_preset():
    text = """
    preset = "cheat-short"
    max_cards = 3
    second_deck_from = "never"
    order = "free"
    turn_cap = 77
    """
    assert rules_from_toml(text, "clubs/friday.toml") == Rules(
        name="friday", min_players=3, second_deck_from=None, max_cards=3, order="free", turn_cap=77
    )
    assert rules_from_toml("", "empty.toml") == Rules(name="empty")
    assert rules_from_table({"name": "ours", "passing": True}, "x.toml") == Rules(name="ours", passing=True)


def test_every_number_that_may_be_left_open_has_its_word():
    text = 'decks = "auto"\nsecond_deck_from = "never"\nmax_cards = "none"\nturn_cap = "auto"'
    rules = rules_from_toml(f'preset = "classic"\n{text}', "open.toml")
    assert [getattr(rules, knob) for knob in MAY_BE_NONE] == [None] * 4


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("max_card = 3", "the rules have no knob 'max_card': did you mean max_cards?"),
        ("Play-On = true", "the rules have no knob 'Play-On': did you mean play_on?"),
        ("jokers = 2", "the rules have no knob 'jokers': the knobs are name, min_players, "),
        ("decks = 9", 'decks must be a whole number from 1 to 4, or "auto", not 9'),
        ("decks = true", 'decks must be a whole number from 1 to 4, or "auto", not true'),
        ("max_cards = 4.0", 'max_cards must be a whole number from 1 to 208, or "none", not 4.0'),
        ('max_cards = "non"', "not 'non' (did you mean none?)"),
        ("turn_cap = 0", 'turn_cap must be a whole number from 1 to 100000, or "auto", not 0'),
        ('order = "down-from-ace"', "not 'down-from-ace' (did you mean down_from_ace?)"),
        ('callers = "loudest"', "callers must be one of seat_order, first, not 'loudest'"),
        ('passing = "yes"', "passing must be true or false, not 'yes'"),
        ("[deal]\nkind = 1", "deal must be one of singly, bicycle, not {'kind': 1}"),
        ('preset = "clasic"', "there is no rules preset 'clasic': did you mean classic?"),
        ("preset = 1", "preset must be the name of a preset, not 1"),
        ("min_players = 9\nmax_players = 8", "min_players 9 is above max_players 8"),
        ("order = up", "is not a TOML file: "),
        ("order = " + "[" * 9000, "is not a TOML file: "),
    ],
)
def test_a_wrong_file_is_answered_with_the_file_the_knob_the_rule_and_the_mend(line, message):
    with pytest.raises(BadInput) as told:
        rules_from_toml(line, "house.toml")
    assert str(told.value).startswith("house.toml")
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_every_knob_is_listed_with_its_value_as_written_and_a_meaning():
    listed = knobs(preset("common-form"))
    assert [name for name, _, _ in listed] == ["name", *CLASSIC]
    values = {name: value for name, value, _ in listed}
    assert values["second_deck_from"] == "never"
    assert values["max_cards"] == "none"
    assert values["passing"] == "false"
    assert values["min_players"] == "3"
    assert all(meaning for _, _, meaning in listed)


def test_the_document_names_every_preset_knob_and_value():
    document = DOCUMENT.read_text(encoding="utf-8")
    words = [*PRESETS, *RANGES, *SWITCHES, *CHOICES, *MAY_BE_NONE.values()]
    for word in [*words, *(word for choice in CHOICES.values() for word in choice)]:
        assert f"`{word}`" in document, word


def test_the_file_shown_in_the_document_can_be_used():
    document = DOCUMENT.read_text(encoding="utf-8")
    shown = "\n".join(line for line in document.splitlines() if line.startswith("    "))
    assert rules_from_toml(shown, "shown.toml") == dataclasses.replace(
        preset("cheat-short"), name="shown", order="same_up_down", max_cards=6
    )
