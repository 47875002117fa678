"""`arena rules`, and where rules come from on the command line: the name of a preset, or a TOML file."""

import os
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from arena.cli import candidates
from arena.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.cheat.rules import Rules

IN_A_SENTENCE: Final = MappingProxyType(
    {
        "classic": "Claims go up from the aces, 1 to 4 cards, no passing; a second deck from 5 players on.",
        "bs": "BS: claims go up from the aces, 1 to 4 cards; a second deck from 5 players on.",
        "cheat": "Any number of cards a play; in a series the loser leads the next game.",
        "cheat-short": "For 3 to 10: any number of cards a play, a second deck from 7 players on.",
        "common-form": "For 3 to 10: any number of cards a play, always one deck.",
        "bicycle": "Classic, dealt in rounds of two and of three cards.",
        "british-pass": "Classic, and a seat may pass instead of playing.",
        "descending": "Classic, with claims that go down from the ace: A K Q J.",
        "descending-king": "Classic, with claims that go down from the king: K Q J.",
        "up-or-down": "Classic, and each claim is one rank above or below the last.",
        "same-up-down": "Classic, and each claim is the last rank or one above or below it.",
        "chinese-free": "Classic with two decks, and every claim may be any rank.",
        "wrong-count": "Classic, and the number of cards claimed may be a lie too.",
        "play-on": "Classic, and the others play on for places until two are left.",
        "two-decks": "Classic with two decks at every table.",
    }
)


def rules(
    name: Annotated[
        str | None,
        Parameter(completer=candidates.rules, help="A preset, or a TOML file of rules or of a tournament."),
    ] = None,
    /,
) -> int:
    """List the rule presets, or every knob of one preset or TOML file.

    Of a tournament file (arena.toml), the rules that it is played by.
    """
    if name is None:
        from arena.cheat.presets import PRESETS

        width = max(map(len, PRESETS))
        lines = [f"{preset:{width}}  {IN_A_SENTENCE[preset]}" for preset in PRESETS]
        lines += ["", "arena rules NAME shows every knob of one; a TOML file sets any of them."]
    else:
        from arena.cheat.rulesfile import knobs

        found = knobs(chosen_rules(name))
        names, values = max(len(knob.name) for knob in found), max(len(knob.value) for knob in found)
        lines = [f"{knob.name:{names}}  {knob.value:{values}}  {knob.meaning}" for knob in found]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def chosen_rules(word: str, asked_by: tuple[str, ...] = ()) -> "Rules":
    """The rules a word of the command line stands for. Raises BadInput.

    A word with a slash or the ending .toml is a file, of rules or of a tournament, whose rules are meant; any
    other is the name of a preset. `asked_by`: the tournament files that the word comes from.
    """
    from arena.cheat.presets import PRESETS, preset
    from arena.cheat.rulesfile import rules_from_table
    from arena.cli.shown import path_as_typed
    from arena.textfile import text_of
    from arena.toml import table_in

    if word in PRESETS or not (word.endswith(".toml") or os.sep in word or os.path.isfile(word)):
        return preset(word)
    called = path_as_typed(word)
    text = text_of(Path(word), f"the rules file {called}")
    if text is None:
        raise BadInput(f"there is no rules file {called}; `arena rules` lists the presets")
    table = table_in(text, called)
    if not _of_a_tournament(table, word):
        return rules_from_table(table, word)
    inside = table.get("rules")
    if isinstance(inside, dict):
        return rules_from_table(inside, f"{called}: rules")
    own = os.path.realpath(word)
    if own in asked_by:
        raise BadInput(f"{called}: its rules lead back to itself; name a preset or a rules file there")
    from arena.cli.options import conditions
    from arena.cli.settings import options_in, read_settings

    return chosen_rules(conditions(options_in(read_settings(Path(word)))).rules, (*asked_by, own))


def _of_a_tournament(table: "Mapping[str, object]", word: str) -> bool:
    """Whether this is the table of a tournament file: by its name, or by its keys, none of them a knob."""
    from arena.cheat.rulesfile import MEANINGS
    from arena.cli.settings import FILE_NAME, keys

    if os.path.basename(word) == FILE_NAME or isinstance(table.get("rules"), dict):
        return True
    return not table.keys() & {"preset", *MEANINGS} and bool(table.keys() & keys().keys())
