"""`arena replay`: a recorded game turn by turn, and what a bot says to it when it is fed with it again."""

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.cli.exits import DONE
from arena.cli.values import whole
from arena.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.block import Block, GameResult
    from arena.tournament.header import BotRow, Header


def replay(
    file: Annotated[str, Parameter(help="A results file.")],
    game: Annotated[str, Parameter(help="An id, the beginning of one, or BLOCK.GAME.")],
    /,
    *,
    seat: Annotated[
        int | None,
        Parameter(converter=whole(0, 9), metavar="N", help="Only what this seat knew; counted from 0."),
    ] = None,
    feed: Annotated[
        str | None,
        Parameter(metavar="BOT", help="Give this bot what the seat was sent, and show what it answers."),
    ] = None,
    sandbox: Annotated[
        str, Parameter(metavar="TIER", help="Of --feed: auto, bwrap, ns or bare.", show_default=True)
    ] = "auto",
    allow_root_bots: Annotated[
        bool, Parameter(help="As root, where no other user can run a bot: run it as root.")
    ] = False,
) -> int:
    """Show a recorded game, turn by turn.

    With --feed, BOT (a path, or NAME=COMMAND) gets the very lines that the seat was sent, from its hello
    on, and its answers are shown beside the recorded ones; exit code 3 if one differs.
    """
    from arena.cli.feed import fed
    from arena.cli.outfile import existing_file
    from arena.cli.typed import command
    from arena.tournament.lookup import find_game
    from arena.tournament.store import Store

    path = existing_file(file)
    with Store.open(path) as store:
        block, games, index = find_game(store, game)
        header, rows = store.conditions_of(block.number)
    shown = games[index]
    if not all(0 <= bot < len(rows) for bot in shown.seating) or len(shown.seating) != header.seats:
        how = command("verify", path)
        raise BadInput(f"game {block.number}.{shown.game} of {path} is damaged; {how} says how")
    if seat is not None and seat >= header.seats:
        raise BadInput(f"--seat {seat}: the seats of this game are 0 to {header.seats - 1}")
    if feed is not None:
        return fed(header, rows, block, games, index, seat, feed, sandbox, allow_root_bots=allow_root_bots)
    sys.stdout.write("".join(f"{line}\n" for line in _lines(header, rows, block, shown, seat)))
    return DONE


def _lines(
    header: "Header", rows: "Sequence[BotRow]", block: "Block", game: "GameResult", seat: int | None
) -> "list[str]":
    from arena.cli.shown import safe
    from arena.cli.telling import told

    names = [rows[bot].name for bot in game.seating]
    view = "" if seat is None else f", as seat {seat} saw it"
    title = f"Game {block.number}.{game.game} ({safe(game.id)}), rules {safe(header.rules.name)}{view}"
    return [title, *told(game, names, seat, named=header.names)]
