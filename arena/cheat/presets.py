"""The named ways to play: the five common descriptions of the game, and one preset for each variant."""

import difflib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arena.cheat.rules import Rules
from arena.errors import BadInput

_CLASSIC: Final = Rules()

_ALL: Final = (
    # whole descriptions of the game; what one does not say is as in classic
    _CLASSIC,
    replace(_CLASSIC, name="bs"),
    replace(_CLASSIC, name="cheat", first_player="random", next_game="loser_starts", max_cards=None),
    replace(_CLASSIC, name="cheat-short", min_players=3, second_deck_from=7, max_cards=None),
    replace(_CLASSIC, name="common-form", min_players=3, second_deck_from=None, max_cards=None),
    # variants: classic with only their own knobs changed
    replace(_CLASSIC, name="bicycle", deal="bicycle", max_cards=4),
    replace(_CLASSIC, name="british-pass", passing=True),
    replace(_CLASSIC, name="descending", order="down_from_ace"),
    replace(_CLASSIC, name="descending-king", order="down_from_king"),
    replace(_CLASSIC, name="up-or-down", order="up_or_down"),
    replace(_CLASSIC, name="same-up-down", order="same_up_down"),
    replace(_CLASSIC, name="chinese-free", order="free", decks=2),
    replace(_CLASSIC, name="wrong-count", wrong_count=True),
    replace(_CLASSIC, name="play-on", play_on=True),
    replace(_CLASSIC, name="two-decks", decks=2),
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType({rules.name: rules for rules in _ALL})


def preset(name: str) -> Rules:
    """The preset of this name; BadInput names the nearest one, or all."""
    if name in PRESETS:
        return PRESETS[name]
    near = difflib.get_close_matches(name.lower().replace("_", "-"), PRESETS, n=1)
    mend = f"did you mean {near[0]}?" if near else f"the presets are {', '.join(PRESETS)}"
    raise BadInput(f"there is no rules preset {name!r}: {mend}")
