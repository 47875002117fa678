"""`arena replay`: a recorded game turn by turn, and what a bot says to it when it is fed with it again."""

import re
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from arena.cli.candidates import tiers
from arena.cli.exits import DONE
from arena.cli.values import whole
from arena.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.block import Block, GameResult
    from arena.tournament.header import BotRow, Header

_LAST_TURN: Final = 100_000
_TURN: Final = re.compile(r"\d{1,6}", re.ASCII)


def replay(
    file: Annotated[str, Parameter(help="A results file.")],
    game: Annotated[
        str,
        Parameter(help="An id, the beginning of one, or BLOCK.GAME; GAME@TURN begins at that turn."),
    ],
    /,
    *,
    seat: Annotated[
        int | None,
        Parameter(converter=whole(0, 9), metavar="N", help="Only what this seat knew; counted from 0."),
    ] = None,
    from_turn: Annotated[
        int | None,
        Parameter(name="--from", converter=whole(0, _LAST_TURN), metavar="TURN", help="Begin at this turn."),
    ] = None,
    print_all: Annotated[
        bool, Parameter(name="--print", help="On a terminal too: print the whole game and leave.")
    ] = False,
    feed: Annotated[
        str | None,
        Parameter(metavar="BOT", help="Give this bot what the seat was sent, and show what it answers."),
    ] = None,
    sandbox: Annotated[
        str,
        Parameter(
            completer=tiers, metavar="TIER", help="Of --feed: auto, bwrap, ns or bare.", show_default=True
        ),
    ] = "auto",
    allow_root_bots: Annotated[
        bool, Parameter(help="As root, where no other user can run a bot: run it as root.")
    ] = False,
) -> int:
    """Show a recorded game: step by step on a terminal, else printed turn by turn.

    On a terminal `space` goes to the next beat and `left` back; `l`, `c` and `f` jump to the next lie, call
    and fault, with shift to the one before; `g` goes to a turn; `e` shows everything, `t` what all seats are
    told, a digit what that seat knew; `?` lists all keys, `q` leaves. Nothing is shown before it happens.

    `arena replay cup.db 3.1@40` begins at turn 40; `arena replay cup.db 0.0 > game.txt` writes it all down.

    With --feed, BOT (a path, or NAME=COMMAND) gets the very lines that the seat was sent, from its hello
    on, and its answers are shown beside the recorded ones; exit code 3 if one differs.
    """
    from arena.cli.feed import fed
    from arena.cli.outfile import existing_file
    from arena.cli.typed import command
    from arena.tournament.lookup import find_game
    from arena.tournament.store import Store

    word, turn = _address(game, from_turn)
    if feed is not None and (turn is not None or print_all):
        raise BadInput("--feed shows what it finds from hello on: it takes neither a turn nor --print")
    path = existing_file(file)
    with Store.open(path) as store:
        block, games, index = find_game(store, word)
        header, rows = store.conditions_of(block.number)
    shown = games[index]
    if not all(0 <= bot < len(rows) for bot in shown.seating) or len(shown.seating) != header.seats:
        how = command("verify", path)
        raise BadInput(f"game {block.number}.{shown.game} of {path} is damaged; {how} says how")
    if seat is not None and seat >= header.seats:
        raise BadInput(f"--seat {seat}: the seats of this game are 0 to {header.seats - 1}")
    if feed is not None:
        return fed(header, rows, block, games, index, seat, feed, sandbox, allow_root_bots=allow_root_bots)
    _show(header, rows, block, shown, seat, turn or 0, print_all=print_all)
    return DONE


def _address(game: str, from_turn: int | None) -> tuple[str, int | None]:
    """The game and the turn to begin at: GAME@TURN, or a turn by itself. Raises BadInput."""
    word, at, turn = game.rpartition("@")
    if not at:
        return game, from_turn
    if not _TURN.fullmatch(turn):
        raise BadInput("behind the @ of a game stands the number of a turn, as in 0.0@12")
    if from_turn is not None:
        raise BadInput(f"the turn to begin at is said twice: @{turn} and --from {from_turn}; say it once")
    return word, int(turn)


def _show(
    header: "Header",
    rows: "Sequence[BotRow]",
    block: "Block",
    game: "GameResult",
    seat: int | None,
    turn: int,
    *,
    print_all: bool,
) -> None:
    """On the terminal if there is one, else printed. Raises BadInput where the record is no game."""
    from arena.cheat.record import RecordError
    from arena.cli.fullscreen import is_screen
    from arena.cli.gamewords import Sitters
    from arena.cli.shown import safe
    from arena.protocol.views import EVERYTHING, View
    from arena.referee.story import story_of

    try:
        story = story_of(game)
    except RecordError as error:
        raise BadInput(f"game {block.number}.{game.game} cannot be told again: {error}") from None
    sitters = Sitters(tuple(rows[bot].name for bot in game.seating), named=header.names)
    title = f"Game {block.number}.{game.game} ({safe(game.id)}), rules {safe(header.rules.name)}"
    view = EVERYTHING if seat is None else View(seat)
    if is_screen() and not print_all:
        from arena.cli.stepping import Reel, Stand, at_turn
        from arena.cli.viewing import watch

        watch(story, sitters, title, at_turn(Reel(story), Stand(view), turn))
        return
    from arena.cli.telling import told

    last = story.moments(view)[-1].scene.turn
    if turn > last:
        seen = "" if seat is None else f", as far as seat {seat} saw it"
        raise BadInput(
            f"there is no turn {turn} in game {block.number}.{game.game}{seen}: give 0 (the deal) to {last}"
        )
    print(title if seat is None else f"{title}, as seat {seat} saw it")
    for line in told(story, sitters, view, turn):
        print(line)
