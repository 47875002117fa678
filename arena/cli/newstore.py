"""The results file of a new tournament: what is written into it before the first game."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena import __version__
from arena.cli.outfile import results_file
from arena.cli.prepare import Preparation
from arena.errors import BadInput
from arena.referee.block import Terms
from arena.tournament.header import BotRow, Header
from arena.tournament.store import Store


def new_store(preparation: Preparation, terms: Terms, *, choose_again: bool) -> Store:
    """Make it. `choose_again`: under another name where somebody was faster. Raises BadInput."""
    bots = [
        BotRow(name=bot.name, digest=bot.digest, command=bot.command, author=bot.author, version=bot.version)
        for bot in preparation.roster.entrants
    ]
    return created(preparation.path, _header(preparation, terms), bots, choose_again=choose_again)


def created(path: Path, header: Header, bots: Sequence[BotRow], *, choose_again: bool) -> Store:
    """Make a results file of these. `choose_again` as above. Raises BadInput."""
    while True:
        try:
            return Store.create(path, header, bots)
        except BadInput:
            # Two runs that begin in the same second choose the same name; the second takes another.
            if not choose_again or (other := results_file(None)) == path:
                raise
            path = other


def begun(terms: Terms, path: Path) -> dict[str, Any]:
    """What the header of a file at `path` says of the moment it is begun, and of what is played in it."""
    kept = [field.name for field in msgspec.structs.fields(Terms) if field.name in Header.__struct_fields__]
    return {name: getattr(terms, name) for name in kept} | {
        "arena": __version__,
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seed": terms.seed.hex(),
        "folder": os.path.relpath(os.getcwd(), os.path.realpath(path.parent)),
    }


def _header(preparation: Preparation, terms: Terms) -> Header:
    budget = preparation.budget
    return Header(
        **begun(terms, preparation.path),
        seed_given=preparation.seed_given,
        bench=preparation.bench,
        blocks=budget.blocks,
        precision=budget.precision,
        time=budget.seconds,
        games_per_block=budget.games_per_block,
        schedule=preparation.pairing.format,
        challengers=preparation.pairing.challengers,
        comparison=preparation.comparison,
        part=budget.part,
        root_bots=preparation.allow_root_bots,
    )
