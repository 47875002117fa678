"""The parts the JSON Schema is put together from: words of the game, kinds of fields, the rules in hello."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from arena.cheat.cards import RANKS, SUITS
from arena.cheat.rules import CHOICES, LONGEST_NAME, MAY_BE_NONE, RANGES
from arena.cheat.rulesfile import MEANINGS

Schema: TypeAlias = dict[str, Any]

MOST_SEATS: Final = 10
MOST_CARDS: Final = 208
"""Four decks."""


def words() -> Schema:
    """What the lines refer to by `$ref`, by name."""
    return {
        "card": {
            "description": "Rank, then suit.",
            "type": "string",
            "pattern": f"^[{RANKS}][{SUITS}]$",
        },
        "rank": {"description": "A, 2 to 9, T (ten), J, Q or K.", "enum": list(RANKS)},
        "seat": {
            "description": "A place at the table, counted clockwise from 0.",
            "type": "integer",
            "minimum": 0,
            "maximum": MOST_SEATS - 1,
        },
        "cards": {
            "description": "By rank from the ace up, then by suit C D H S.",
            "type": "array",
            "items": {"$ref": "#/$defs/card"},
            "maxItems": MOST_CARDS,
        },
        "hand": {
            "description": "The seat's own cards.",
            "allOf": [{"$ref": "#/$defs/cards"}],
            "minItems": 1,
        },
        "hand_sizes": {
            "description": "Cards in each hand, by seat; null for a seat that is out.",
            "type": "array",
            "items": {"type": ["integer", "null"], "minimum": 1, "maximum": MOST_CARDS},
            "minItems": 2,
            "maxItems": MOST_SEATS,
        },
        "id": {
            "description": "Names this request; to be sent back as it is.",
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
        },
    }


def word(name: str, description: str, *, null: bool = False) -> Schema:
    """A value of `words`, with what it means in this place."""
    value = {"$ref": f"#/$defs/{name}"}
    return {"description": description, **({"anyOf": [value, {"type": "null"}]} if null else value)}


def whole(low: int, high: int, description: str, *, null: bool = False) -> Schema:
    """A whole number, ends included."""
    return {
        "description": description,
        "type": ["integer", "null"] if null else "integer",
        "minimum": low,
        "maximum": high,
    }


def list_of(name: str, description: str, least: int, most: int) -> Schema:
    """A list of this word, each at most once."""
    return {
        "description": description,
        "type": "array",
        "items": {"$ref": f"#/$defs/{name}"},
        "minItems": least,
        "maxItems": most,
        "uniqueItems": True,
    }


def switch(description: str, *, null: bool = False) -> Schema:
    """True or false."""
    return {"description": description, "type": ["boolean", "null"] if null else "boolean"}


def seconds(description: str, *, positive: bool = False) -> Schema:
    """Seconds, with or without a decimal point."""
    return {"description": description, "type": "number", "exclusiveMinimum" if positive else "minimum": 0}


def places() -> Schema:
    """The places at the end of a game."""
    return {
        "description": "Places by seat, from 1; equal places are shared and the next ones passed over.",
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": MOST_SEATS},
        "minItems": 2,
        "maxItems": MOST_SEATS,
    }


def reason() -> Schema:
    """Why a game is over."""
    return {
        "description": "won: a seat went out; placed: two were left; capped: the turn cap; "
        "alone, nobody: faults left one seat, or none.",
        "enum": ["won", "placed", "capped", "alone", "nobody"],
    }


def closed(description: str, fields: Mapping[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """An object of these fields and no others."""
    return {
        "description": description,
        "type": "object",
        "properties": dict(fields),
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def line(
    type: str, description: str, fields: Mapping[str, Schema], optional: tuple[str, ...] = ()
) -> dict[str, Schema]:
    """An entry of `$defs`: the closed object whose `type` is this."""
    return {type: closed(description, {"type": {"const": type}, **fields}, optional)}


def if_called(called: Schema, silent: Schema) -> Schema:
    """Which values of an outcome go together where somebody called, and where nobody did."""
    number, none = {"type": "integer"}, {"type": "null"}
    return {
        "if": {"properties": {"challenger": number}},
        "then": {
            "properties": {
                "callers": {"minItems": 1},
                "shown": {"minItems": 1},
                "true": {"type": "boolean"},
                "taker": number,
                **called,
            }
        },
        "else": {
            "properties": {
                "callers": {"maxItems": 0},
                "shown": {"maxItems": 0},
                "true": none,
                "taker": none,
                **silent,
            }
        },
    }


def rules() -> Schema:
    """The rules as hello states them."""
    knobs: dict[str, Schema] = {}
    for knob, meaning in MEANINGS.items():
        if knob == "name":
            knobs[knob] = {
                "description": meaning,
                "type": "string",
                "minLength": 1,
                "maxLength": LONGEST_NAME,
            }
        elif knob in CHOICES:
            knobs[knob] = {"description": meaning, "enum": list(CHOICES[knob])}
        elif knob in RANGES:
            # At a table these two are settled.
            null = knob in MAY_BE_NONE and knob not in ("decks", "turn_cap")
            knobs[knob] = whole(*RANGES[knob], meaning, null=null)
        else:
            knobs[knob] = switch(meaning)
    knobs["decks"]["description"] = "decks shuffled together at this table"
    knobs["turn_cap"]["description"] = "turns after which a game at this table is capped"
    knobs["second_deck_from"]["description"] = (
        "seats from which there are two decks, or null: settled in decks"
    )
    knobs["max_cards"]["description"] = "most cards in a play, and highest count claimed, or null: no cap"
    return closed("Every knob of the rules, as it stands at this table.", knobs)
