"""Rules as people write and read them: a TOML file with any knob; every knob and what it means."""

import dataclasses
import difflib
import reprlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from arena.cheat.presets import preset
from arena.cheat.rules import CHOICES, LONGEST_NAME, MAY_BE_NONE, Rules, why_wrong
from arena.errors import BadInput
from arena.toml import table_in

MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "what these rules are called",
        "min_players": "fewest seats at a table (2 to 10)",
        "max_players": "most seats at a table (2 to 10)",
        "decks": "decks shuffled together (1 to 4), or auto: one, two at a big table",
        "second_deck_from": "with decks auto: seats from which there are two (2 to 10), or never",
        "deal": "singly, or bicycle: rounds of 2 and 3 cards while they last, then singly",
        "first_player": "who leads a series: dealer_left, or random",
        "next_game": "who leads the next game of a series: deal_moves (next player), or loser_starts",
        "order": "ranks claimed: up, down_from_ace, down_from_king, up_or_down, same_up_down, or free",
        "max_cards": "most cards in a play, and highest count claimed (1 to 208), or none: no cap",
        "passing": "whether a seat may pass instead of playing",
        "wrong_count": "whether the count claimed may differ from the cards laid",
        "callers": "who challenges when several call: seat_order (nearest clockwise), or first to call",
        "play_on": "whether the others play on for places until two are left",
        "turn_cap": "turns after which the game is capped (1 to 100000), or auto: 500, 1000 or 2000",
    }
)


class Knob(NamedTuple):
    """One knob of some rules: its name, its value as a person writes it, and what it means."""

    name: str
    value: str
    meaning: str


def knobs(rules: Rules) -> list[Knob]:
    """Every knob of these rules, in the order of their definition."""
    return [
        Knob(name, value if isinstance(value, str) else _toml(value), MEANINGS[name])
        for name, value in _written(rules)
    ]


def rules_as_toml(rules: Rules) -> str:
    """A TOML file of every knob that reads back as the same rules."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in _written(rules))


def rules_from_toml(text: str, source: str) -> Rules:
    """The rules of a TOML file: any knobs, on top of `preset` (without one, `classic`).

    `source` is the file's name, for messages and for the rules' own name where the file gives none.
    Raises BadInput that names the knob, the value, what is allowed and the nearest name.
    """
    return rules_from_table(table_in(text, source), source)


def rules_from_table(table: Mapping[str, object], source: str) -> Rules:
    """The rules of a table already read from TOML; all else as in `rules_from_toml`."""
    base = _base(table.get("preset", "classic"), source)
    changes: dict[str, Any] = {"name": _default_name(source)}
    for knob, value in table.items():
        if knob != "preset":
            changes[knob] = _value(knob, value, source)
    try:
        return dataclasses.replace(base, **changes)
    except ValueError as wrong:
        raise BadInput(f"{source}: {wrong}") from None


def _toml(value: object) -> str:
    """A truth, a number or a string of printable characters as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _base(name: object, source: str) -> Rules:
    if not isinstance(name, str):
        raise BadInput(f"{source}: preset must be the name of a preset, not {reprlib.repr(name)}")
    try:
        return preset(name)
    except BadInput as wrong:
        raise BadInput(f"{source}: {wrong}") from None


def _default_name(source: str) -> str:
    file = source.rstrip("/").rpartition("/")[2]
    stem = "".join(letter for letter in file.rpartition(".")[0] or file if letter.isprintable())
    return stem.strip()[:LONGEST_NAME] or "house rules"


def _value(knob: str, value: object, source: str) -> object:
    """The value of a knob as Rules holds it."""
    if knob not in MEANINGS:
        near = difflib.get_close_matches(knob.lower().replace("-", "_"), MEANINGS, n=1)
        mend = f"did you mean {near[0]}?" if near else f"the knobs are {', '.join(MEANINGS)}"
        raise BadInput(f"{source}: the rules have no knob {knob!r}: {mend}")
    if knob in MAY_BE_NONE and value == MAY_BE_NONE[knob]:
        return None
    if (wrong := why_wrong(knob, value)) is not None:
        raise BadInput(f"{source}: {wrong}{_nearest(knob, value)}")
    return value


def _nearest(knob: str, value: object) -> str:
    words = [*CHOICES.get(knob, ()), *([MAY_BE_NONE[knob]] if knob in MAY_BE_NONE else [])]
    if not isinstance(value, str):
        return ""
    near = difflib.get_close_matches(value.lower().replace("-", "_"), words, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _written(rules: Rules) -> Iterator[tuple[str, object]]:
    """Every knob with its value as it stands in a file: a word, a number or a truth."""
    for field in dataclasses.fields(rules):
        value = getattr(rules, field.name)
        yield field.name, MAY_BE_NONE[field.name] if value is None else value
