"""The results file of a new tournament: what is written into it before the first game."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

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


def _header(preparation: Preparation, terms: Terms) -> Header:
    budget = preparation.budget
    return Header(
        arena=__version__,
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        seed=terms.seed.hex(),
        seed_given=preparation.seed_given,
        rules=terms.rules,
        seats=terms.seats,
        start_time=terms.start_time,
        move_time=terms.move_time,
        bank=terms.bank,
        forfeit=terms.forfeit,
        fresh=terms.fresh,
        names=terms.names,
        tier=terms.tier,
        memory=terms.memory,
        bench=preparation.bench,
        blocks=budget.blocks,
        precision=budget.precision,
        time=budget.seconds,
        games_per_block=budget.games_per_block,
        schedule=preparation.pairing.format,
        challengers=preparation.pairing.challengers,
        comparison=preparation.comparison,
        part=budget.part,
        folder=os.path.relpath(os.getcwd(), os.path.realpath(preparation.path.parent)),
        root_bots=preparation.allow_root_bots,
    )
