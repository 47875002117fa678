"""`arena replay --feed`: a bot is given what a seat was sent; its answers stand beside the recorded ones."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.cheat.record import RecordError
from arena.cli.answers import in_short, same
from arena.cli.exits import DONE, INTERRUPTED, LOOK_AT_IT
from arena.cli.folding import columns_of, folded
from arena.cli.interrupt import as_keyboard_interrupt, run_until_ended
from arena.cli.lastwords import last_words
from arena.cli.sandbox import check_sandbox, chosen_sandbox
from arena.cli.shown import counted, safe
from arena.cli.streams import LONGEST_LINE, say
from arena.errors import BadInput
from arena.protocol.faults import FaultRecord
from arena.referee.ask import Trouble
from arena.referee.feeding import Heard, feed
from arena.referee.machine import open_machine
from arena.referee.retrace import Answer
from arena.referee.sent import Sent, lines_to_seat, trouble_after
from arena.roster.discovery import find_one
from arena.roster.entrant import Entrant
from arena.roster.staging import staged

if TYPE_CHECKING:
    from arena.referee.block import Block, Contestant, GameResult
    from arena.tournament.header import BotRow, Header

_WORDS: Final = 2000
_RULE: Final = 300
_PLACE: Final = 18
_COLUMN: Final = 38


def fed(
    header: "Header",
    rows: "Sequence[BotRow]",
    block: "Block",
    games: "Sequence[GameResult]",
    index: int,
    seat: int | None,
    bot: str,
    sandbox: str,
    *,
    allow_root_bots: bool,
) -> int:
    """Feed the bot and print what came of it; the exit code. Raises BadInput."""
    check_sandbox(sandbox)
    game = games[index]
    roster = find_one(bot, "--feed")
    entrant = roster.entrants[0]
    place = _seat_of(entrant, game, rows) if seat is None else seat
    names = [row.name for row in rows]
    try:
        sent = lines_to_seat(header.terms, block, games, names, game.game, place)
    except (RecordError, ValueError, IndexError) as error:
        raise BadInput(f"game {block.number}.{game.game} cannot be told again: {error}") from None
    if not sent:
        raise BadInput(
            f"seat {place} of game {block.number}.{game.game} was sent nothing: its bot had forfeited, or "
            "could not be started"
        )
    name = names[game.seating[place]]
    _print(f"{safe(entrant.name)} gets what {safe(name)} in seat {place} was sent, from its hello on")
    late = trouble_after(header.terms, games, index, place)
    feeding = _Feeding(
        header, sent, late, block.number, game, place, sandbox, allow_root_bots=allow_root_bots
    )
    with as_keyboard_interrupt(), staged(roster, sandbox=sandbox, tell=say) as contestants:
        feeding.contestant = contestants[0]
        if not run_until_ended(feeding.run, say):
            say("interrupted")
            return INTERRUPTED
    return feeding.close()


def _seat_of(entrant: Entrant, game: "GameResult", rows: "Sequence[BotRow]") -> int:
    """The seat of a bot that was in the game itself, by its content or else by its name."""
    for same_bot in (
        [rows[bot].digest == entrant.digest for bot in game.seating],
        [rows[bot].name == entrant.name for bot in game.seating],
    ):
        if sum(same_bot) == 1:
            return same_bot.index(True)
    seats = ", ".join(f"{place} {safe(rows[bot].name)}" for place, bot in enumerate(game.seating))
    raise BadInput(f"{safe(entrant.name)} was not in this game; say with --seat whose lines it gets: {seats}")


class _Feeding:
    """A bot while it is fed: prints each answer beside the recorded one, and counts what differs."""

    def __init__(
        self,
        header: "Header",
        sent: Sequence[Sent],
        late: "FaultRecord | None",
        block: int,
        game: "GameResult",
        seat: int,
        sandbox: str,
        *,
        allow_root_bots: bool,
    ) -> None:
        self.contestant: Contestant | None = None
        self._header = header
        self._sent = sent
        self._late = late
        """What came after the last answer then."""
        self._late_differs = False
        self._block = block
        self._game = self._told_of = game.game
        self._debug = {said.turn: said.text for said in game.debug if said.seat == seat}
        self._sandbox = sandbox
        self._allow_root_bots = allow_root_bots
        self._counts: dict[int, list[int]] = {}
        """By game: answers, and how many of them differ."""
        self._broken = False
        """The last answer was a fault: the referee would have ended it there."""

    async def run(self) -> None:
        """Feed it. Cancelled, it leaves nothing running."""
        assert self.contestant is not None
        bots = (self.contestant,)
        chosen = await chosen_sandbox(self._sandbox, bots, allow_root_bots=self._allow_root_bots)
        terms = self._header.terms
        async with open_machine(tier=chosen.tier) as machine:
            late = self._late is not None
            heard = await feed(self.contestant, terms, self._sent, machine, self._heard, late=late)
        if not self._broken:
            self._afterwards(heard)

    def close(self) -> int:
        """Print the sum; the exit code."""
        answers, differing = (sum(column) for column in zip(*self._counts.values(), strict=True))
        unasked = sum(one.asked is not None for one in self._sent) - answers
        rest = f", {unasked} not asked any more" if unasked else ""
        after = "; nor is what came after the last" if self._late_differs else ""
        _print(f"{counted(answers, 'answer')} since hello, {differing} of them not as recorded{rest}{after}")
        return LOOK_AT_IT if differing or unasked or self._late_differs else DONE

    def _heard(self, heard: Heard) -> None:
        asked = heard.sent.asked
        assert asked is not None
        count = self._counts.setdefault(heard.sent.game, [0, 0])
        alike = same(asked.answer, heard.answer)
        count[0] += 1
        count[1] += not alike
        self._broken = isinstance(heard.answer, Trouble)
        if heard.sent.game != self._game and alike:
            return
        self._print_game(heard.sent.game)
        before, now = in_short(asked.answer), in_short(heard.answer)
        if heard.sent.missed:
            before = f"never asked: {before}"
        if heard.idle:
            now = f"before it was asked, {now}"
        where = "hello" if asked.kind == "hello" else f"turn {asked.turn} {asked.kind}"
        note = f"{now}   <- differs"
        if alike:
            note = "again" if heard.sent.missed else "as recorded"
        elif heard.sent.missed and not heard.idle:
            note = f"not any more: {note}"
        _print_beside(where, before, note)
        _print_rules(asked.answer, heard.answer)
        if asked.kind != "hello" and heard.sent.game == self._game:
            self._print_said("recorded", self._debug.get(asked.turn))
            self._print_said("now", heard.debug)
        if not alike:
            never = " (never sent then)" if heard.sent.missed else ""
            _print(f"  request{never}: " + safe(asked.line.decode().rstrip(), LONGEST_LINE))
        self._print_words(heard)

    def _afterwards(self, heard: Heard | None) -> None:
        """Tell of trouble after the last answer, then or now."""
        trouble = None if heard is None else heard.answer
        if self._late is None and trouble is None:
            return
        alike = same(self._late, trouble)
        self._late_differs = not alike
        before, now = ("nothing" if one is None else in_short(one) for one in (self._late, trouble))
        _print_beside("after the last", before, "again" if alike else f"{now}   <- differs")
        _print_rules(self._late, trouble)
        if heard is not None:
            self._print_words(heard)

    def _print_game(self, game: int) -> None:
        """Above the first line of a game, where lines of an earlier one are shown."""
        if game != self._told_of:
            earlier = "earlier, in " if game != self._game else ""
            print(f"{earlier}game {self._block}.{game}:")
            self._told_of = game

    @staticmethod
    def _print_words(heard: Heard) -> None:
        for line in last_words(heard.words):
            _print(line)
        sys.stdout.flush()

    @staticmethod
    def _print_said(when: str, text: str | None) -> None:
        if text is not None:
            _print(f"  said ({when}): {safe(text, _WORDS)}")


def _print(line: str, indent: str = "    ") -> None:
    """One line; on a terminal several, where it is too long."""
    for part in folded(line, columns_of(sys.stdout), indent):
        print(part)


def _print_beside(where: str, before: str, note: str) -> None:
    """One line in columns; what is too long for its column or the screen stands above the rest."""
    width = columns_of(sys.stdout)
    lacking = width is not None and len(f"{where:<{_PLACE}} {before:<{_COLUMN}}   {note}") > width
    if len(before) > _COLUMN or lacking:
        _print(f"{where:<{_PLACE}} {before}", " " * (_PLACE + 1))
        where = before = ""
    if lacking:
        _print(f"{'':<{_PLACE}}   {note}", " " * (_PLACE + 3))
    else:
        print(f"{where:<{_PLACE}} {before:<{_COLUMN}}   {note}")


def _print_rules(recorded: Answer | Trouble, heard: Answer | Trouble) -> None:
    """Which rules were broken, below the line that names the faults."""
    before, now = (
        safe(one.rule, _RULE) if isinstance(one, FaultRecord | Trouble) else "" for one in (recorded, heard)
    )
    if before == now:
        if now:
            _print(f"  rule: {now}")
        return
    for when, rule in (("recorded", before), ("now", now)):
        if rule:
            _print(f"  rule ({when}): {rule}")
