"""`arena rerun`: a block played again up to one game, and the first point where it went another way."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from arena.cli.candidates import tiers
from arena.cli.exits import DONE, INTERRUPTED, LOOK_AT_IT
from arena.cli.streams import LONGEST_LINE, say
from arena.cli.typed import command
from arena.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.block import Block, Contestant, GameResult, Terms
    from arena.tournament.header import BotRow, Header
    from arena.tournament.rerun import Departure


def rerun(
    file: Annotated[str, Parameter(help="A results file.")],
    game: Annotated[str, Parameter(help="An id, the beginning of one, or BLOCK.GAME.")],
    /,
    *,
    bots: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            metavar="PATH",
            help="Where the bots are now, if not where they were: found by their content.",
        ),
    ] = (),
    changed: Annotated[bool, Parameter(help="Also with bots that are not what they were.")] = False,
    sandbox: Annotated[
        str | None,
        Parameter(
            completer=tiers, metavar="TIER", help="auto, bwrap, ns or bare; the recorded one if not given."
        ),
    ] = None,
    allow_root_bots: Annotated[
        bool, Parameter(help="As root, where no other user can run a bot: run bots as root.")
    ] = False,
    json: Annotated[bool, Parameter(help="One JSON object.")] = False,
) -> int:
    """Play a game again with the same bots and seeds, and name the first request where anything differs.

    The games before it in its block are played first, because the bots have seen them. Exit code 3 if
    anything differs.
    """
    from arena.cheat.record import RecordError
    from arena.cli.interrupt import as_keyboard_interrupt, run_until_ended
    from arena.cli.memory import fit_the_limit
    from arena.cli.outfile import existing_file
    from arena.cli.sandbox import check_sandbox
    from arena.cli.shown import json_line

    fit_the_limit()
    from arena.referee.block import Block
    from arena.roster.staging import staged
    from arena.tournament.lookup import find_game
    from arena.tournament.recall import recalled
    from arena.tournament.rerun import first_departure
    from arena.tournament.store import Store

    path = existing_file(file)
    with as_keyboard_interrupt():
        with Store.open(path) as store:
            block, games, index = find_game(store, game)
            header, rows = store.conditions_of(block.number)
        if header.person is not None:
            raise BadInput(
                f"a person sat at the table of {path}, who cannot be made to answer again: no game of it can "
                f"be rerun; {command('replay', path, game)} shows it, {command('verify', path)} re-judges it"
            )
        check_sandbox(sandbox or header.tier)
        recorded = games[: index + 1]
        _check(path, header, rows, block, recorded)
        roster = recalled(path, header, rows, block.table, bots, changed=changed)
        for note in roster.notes:
            say(note)
        part = Block(block.number, block.seatings[: len(recorded)])
        again = _Again(header.terms, part, sandbox or header.tier, allow_root_bots)
        with staged(roster, sandbox=sandbox or header.tier, tell=say) as contestants:
            again.contestants = contestants
            if not run_until_ended(again.play, say):
                say("interrupted")
                return INTERRUPTED
    try:
        departure = first_departure(header.terms, block, recorded, again.games)
    except RecordError as error:
        raise BadInput(f"{path}: {error}; {command('verify', path)} tells what else was changed") from None
    requests = sum(len(one.timings) for one in again.games)
    found = _as_object(block, recorded, rows, departure)
    if json:
        sys.stdout.write(json_line(found))
    elif departure is None:
        sys.stdout.write(f"identical: {_which(block, recorded)}, {requests:,} requests\n")
    else:
        sys.stdout.write("\n".join(_lines(found)) + "\n")
    return DONE if departure is None else LOOK_AT_IT


class _Again:
    """A block, up to the game that was named, while it is played again."""

    def __init__(self, terms: "Terms", block: "Block", tier: str, allow_root_bots: bool) -> None:
        self.contestants: Sequence[Contestant] = ()
        """Of the bots at the table, smallest number first."""
        self.games: tuple[GameResult, ...] = ()
        """Once it was played."""
        self._terms = terms
        self._block = block
        self._tier = tier
        self._allow_root_bots = allow_root_bots

    async def play(self) -> None:
        """Play it. Cancelled, it leaves nothing running."""
        from arena.cli.sandbox import chosen_sandbox
        from arena.referee.machine import open_machine
        from arena.tournament.tries import play_through

        chosen = await chosen_sandbox(self._tier, self.contestants, allow_root_bots=self._allow_root_bots)
        by_number = dict(zip(self._block.table, self.contestants, strict=True))
        async with open_machine(tier=chosen.tier) as machine:
            self.games = await play_through(self._block, by_number, self._terms, machine)


def _check(
    path: Path, header: "Header", rows: "Sequence[BotRow]", block: "Block", recorded: "Sequence[GameResult]"
) -> None:
    """Refuse a record that no block can have left."""
    known = all(0 <= bot < len(rows) for seating in block.seatings for bot in seating)
    same = all(sorted(seating) == list(block.table) for seating in block.seatings)
    whole = [one.game for one in recorded] == list(range(len(recorded)))
    if not (known and same and whole and len(block.table) == header.seats):
        raise BadInput(f"block {block.number} of {path} is damaged; {command('verify', path)} says how")


def _which(block: "Block", recorded: "Sequence[GameResult]") -> str:
    last = recorded[-1]
    if len(recorded) == 1:
        return f"game {block.number}.{last.game} ({last.id})"
    return f"games {block.number}.0 to {block.number}.{last.game} ({last.id})"


def _as_object(
    block: "Block",
    recorded: "Sequence[GameResult]",
    rows: "Sequence[BotRow]",
    departure: "Departure | None",
) -> dict[str, Any]:
    from arena.cli.answers import in_words

    last = recorded[-1]
    found: dict[str, Any] = {"block": block.number, "game": last.game, "id": last.id}
    if departure is None:
        return found | {"identical": True}
    one, other = departure.recorded, departure.again
    answers = [in_words(moment.answer) for moment in (one, other)]
    if one.kind == "hello":
        answers = [
            words if moment.answer else "started" for words, moment in zip(answers, (one, other), strict=True)
        ]
    if departure.order:
        answers = ["the same answers", "in another order"]
    line = (other.line or one.line).decode().rstrip("\n")
    return found | {
        "identical": False,
        "differs": {
            "game": one.game,
            "id": recorded[one.game].id,
            "turn": one.turn,
            "seat": one.seat,
            "bot": rows[recorded[one.game].seating[one.seat]].name,
            "kind": one.kind,
            "request": line or None,
            "recorded": answers[0],
            "now": answers[1],
        },
    }


def _lines(found: dict[str, Any]) -> list[str]:
    from arena.cli.shown import safe

    differs = found["differs"]
    lines = [
        f"differs first in game {found['block']}.{differs['game']} ({differs['id']}), "
        f"turn {differs['turn']}: {safe(differs['bot'])} (seat {differs['seat']}), {differs['kind']}"
    ]
    if differs["request"] is not None:
        lines.append(f"request:  {safe(differs['request'], LONGEST_LINE)}")
    return [*lines, f"recorded: {differs['recorded']}", f"now:      {differs['now']}"]
