"""One table of `arena play` from its options to what is kept of it: who is told what while it plays."""

import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import trio

from arena.cheat.deal import is_full_seed
from arena.cheat.events import Event
from arena.cli.doctor import cores
from arena.cli.keyboard import Keyboard
from arena.cli.memory import lack_of_memory
from arena.cli.newstore import begun, created
from arena.cli.options import Conditions, SeriesOptions, conditions
from arena.cli.outfile import results_file
from arena.cli.person import Person
from arena.cli.placed import as_object, ended_line, own_line, placed_lines, sat_lines, won_line
from arena.cli.prepare import jobs_for
from arena.cli.rules import chosen_rules
from arena.cli.sandbox import check_sandbox, chosen_sandbox
from arena.cli.screen import Screen
from arena.cli.seated import HUMAN, Seated, seated
from arena.cli.seeds import guessable, seed_of
from arena.cli.shown import counted, json_line, path_as_typed
from arena.cli.streams import say
from arena.cli.typed import command
from arena.cli.watching import Watcher
from arena.errors import BadInput, Unfinished
from arena.referee.block import Contestant, GameResult, Terms
from arena.referee.machine import Machine, open_machine
from arena.referee.spawn import HostTrouble
from arena.tournament.header import BotRow, Header
from arena.tournament.pairing import SERIES
from arena.tournament.series import Hearers, Series, play_series
from arena.tournament.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

_YOU: Final = "you"
PACE: Final = 1.0
"""Seconds after each event that is watched."""


@dataclass(frozen=True, kw_only=True)
class Laid:
    """A table at which play can begin."""

    seated: Seated
    terms: Terms
    """All but the tier, which is chosen when the bots are there to be tried in it."""
    under: Conditions
    seed_given: str | None
    path: Path
    notes: tuple[str, ...]


def laid(words: Sequence[str], asked: SeriesOptions) -> Laid:
    """Check everything that can be checked before a game. Raises BadInput."""
    under = conditions(asked)
    rules = chosen_rules(under.rules)
    check_sandbox(under.sandbox)
    path = results_file(asked.out, goes_on=False)
    table = seated(words, rules)
    if asked.watch and table.person is not None:
        raise BadInput(
            f"--watch is for a table of bots; with {HUMAN} you see what your seat sees: leave one out"
        )
    if asked.pace is not None and not asked.watch:
        raise BadInput("--pace is the pace of --watch; add that, or leave it out")
    if asked.clock and table.person is None:
        raise BadInput(f"--clock is for a person, and nobody is one; add {HUMAN}, or leave it out")
    players = len(table.names)
    jobs_for(1, players)
    terms = Terms(
        rules=rules,
        seats=players,
        seed=secrets.token_bytes(16) if asked.seed is None else seed_of(asked.seed),
        start_time=under.start_time,
        move_time=under.move_time,
        bank=under.bank,
        forfeit=under.forfeit,
        fresh=True,
        names=under.names,
        memory=asked.memory,
        untimed=None if asked.clock else table.person,
    )
    given = None if asked.seed is None or is_full_seed(asked.seed) else asked.seed
    notes = (*table.roster.notes, *guessable(given))
    return Laid(seated=table, terms=terms, under=under, seed_given=given, path=path, notes=notes)


class AtTable:
    """A series while it is played, and what is left of it."""

    def __init__(self, asked: SeriesOptions, laid: Laid) -> None:
        self.laid = laid
        self.failure: OSError | None = None
        """Why nothing can be shown any more."""
        self._asked = asked
        self._names = laid.seated.names
        self._store: Store | None = None
        self._games: list[dict[str, Any]] = []
        self._going = False
        """Whether a game is being played that is not kept yet."""
        self._screen = Screen(sys.stderr if asked.json else sys.stdout)
        self._person: Person | None = None
        self._watcher: Watcher | None = None
        if laid.seated.person is not None:
            self._person = Person(laid.terms.seed, Keyboard(), self._screen, timed=asked.clock)
        elif asked.watch:
            self._watcher = Watcher(self._screen, PACE if asked.pace is None else asked.pace)

    def tell(self, text: str) -> None:
        """A note on stderr, where notes are wanted."""
        if not self._asked.quiet:
            say(text)

    def tell_of_the_end(self, text: str) -> None:
        """The same when a signal has come, perhaps behind a prompt."""
        if self._person is not None and sys.stderr.isatty():
            sys.stderr.write("\n")
        say(text)

    # Playing.

    async def play(self, bots: Sequence[Contestant]) -> None:
        """Make the file and play the series. Cancelled, it leaves nothing running."""
        laid = self.laid
        chosen = await chosen_sandbox(laid.under.sandbox, bots, allow_root_bots=laid.under.allow_root_bots)
        for finding in chosen.passed_over:
            self.tell(f"the sandbox {finding.tier} does not work here: {finding.reason}")
        terms = msgspec.structs.replace(laid.terms, tier=chosen.tier.name)
        self._store = created(
            laid.path, self._header(terms), self._rows(), choose_again=self._asked.out is None
        )
        if self._person is not None and not terms.names:
            self.tell("players go by their seats; --names tells all of them who sits where")
        players, guests = list(bots), {}
        if self._person is not None and laid.seated.person is not None:
            # Of a guest only the name counts.
            players.insert(laid.seated.person, Contestant(HUMAN, (), "", ""))
            guests[laid.seated.person] = self._person
        series = Series(terms=terms, contestants=players, games=self._asked.games, guests=guests)
        # A person thinks without a core, and takes none from the bots.
        thinking = cores() + 1 if guests else None
        try:
            async with open_machine(thinking=thinking, tier=chosen.tier) as machine:
                await self._play(series, self._store, machine)
        except StoreError as error:
            raise StoreError(f"{error}; {self.finish(failed=True)}") from error
        except (HostTrouble, OSError, MemoryError) as error:
            raise Unfinished(f"{lack_of_memory(error) or error}; {self.finish()}") from error

    async def _play(self, series: Series, store: Store, machine: Machine) -> None:
        failure: Exception | None = None
        async with trio.open_nursery() as showing:

            async def shown(run: "Callable[[], Any]") -> None:
                await run()
                # Who sees nothing more, or has left, is played to no further.
                showing.cancel_scope.cancel()

            for shows in (self._person, self._watcher):
                if shows is not None:
                    showing.start_soon(shown, shows.run)
            hearers = Hearers(game=self._begins, event=self._hears, played=self._played)
            # What it raises leaves as itself, in no group.
            try:
                await play_series(series, store, machine, hearers)
            except Exception as error:
                failure = error
            showing.cancel_scope.cancel()
        for shows in (self._person, self._watcher):
            self.failure = self.failure or (shows.failure if shows is not None else None)
        if failure is not None and failure is not self.failure:
            raise failure

    def _title(self, number: int) -> str:
        games = self._asked.games
        return f"Game {number + 1} of {games}" if games > 1 else "One game"

    def _begins(self, number: int, seating: tuple[int, ...]) -> None:
        title = self._title(number)
        self._going = True
        if self._person is not None:
            self._person.title, self._person.starting = title, True
        if self._watcher is not None:
            self._watcher.begin(title, [self._names[player] for player in seating])

    def _hears(self, event: Event) -> None:
        if self._person is not None:
            self._person.awaited.hear(event)
        if self._watcher is not None:
            self._watcher.hear(event)

    async def _played(self, number: int, game: GameResult) -> None:
        found = as_object(self._names, number, game)
        self._games.append(found)
        self._going = False
        shows = self._person or self._watcher
        if shows is not None:
            await shows.settled()
        elif self._asked.json:
            return
        lines = self._placed(found)
        if shows is None:
            lines.insert(0, ended_line(self._title(number), found))
        try:
            await self._screen.show(*lines)
        except OSError as error:
            self.failure = error
            raise

    def _placed(self, game: dict[str, Any]) -> list[str]:
        """What came of the last game. Who plays without names learns them when no game is left."""
        planned, played = self._asked.games, len(self._games)
        hidden = self._person is not None and not self.laid.terms.names
        if hidden and played < planned:
            seats = [_YOU if name == HUMAN else f"seat {seat}" for seat, name in enumerate(game["seats"])]
            return [*placed_lines(game, seats, named=False), own_line(HUMAN, self._games)]
        lines = placed_lines(game, [self._called(name) for name in game["seats"]])
        if planned > 1 and hidden:
            lines += sat_lines(self._games, self._called)
        if planned > 1 and (self._person is not None or self._watcher is not None):
            lines.append(won_line(self._names, self._games, self._called))
        return lines

    def _called(self, name: str) -> str:
        """A player for the one at this terminal."""
        return _YOU if self._person is not None and name == HUMAN else name

    # The file.

    def _rows(self) -> list[BotRow]:
        rows = [
            BotRow(
                name=bot.name, digest=bot.digest, command=bot.command, author=bot.author, version=bot.version
            )
            for bot in self.laid.seated.roster.entrants
        ]
        if self.laid.seated.person is not None:
            rows.insert(self.laid.seated.person, BotRow(name=HUMAN, digest="", command=HUMAN))
        return rows

    def _header(self, terms: Terms) -> Header:
        laid = self.laid
        return Header(
            **begun(terms, laid.path),
            seed_given=laid.seed_given,
            bench=0,
            blocks=self._asked.games,
            games_per_block=1,
            schedule=SERIES,
            root_bots=laid.under.allow_root_bots,
            person=laid.seated.person,
            person_timed=self._asked.clock,
        )

    def finish(self, *, failed: bool = False) -> str:
        """Close the file with what is in it, or remove it if that is nothing; what is kept, for people.

        Raises StoreError where it cannot be closed as it should be, unless writing to it had `failed` before.
        """
        from arena.cli.interrupt import held_back

        store, self._store = self._store, None
        if store is None:
            return "nothing was kept"
        with held_back():
            return _finished(store, failed=failed)

    def close(self) -> None:
        """The same where nothing more can be shown."""
        self.finish()

    def result(self, *, ended: bool) -> str:
        """Say what is kept, and give what is to be printed at the end."""
        store = self._store
        path, games = None if store is None else store.path, len(self._games)
        left = games < self._asked.games
        kept = self.finish()
        if left or not ended:
            how = "you have left the table" if ended else "interrupted"
            broken = "the game that was broken off is not kept; " if self._going and games else ""
            say(f"{how}; {broken}{kept}")
        elif path is not None:
            self.tell(f"{kept}: {command('replay', path, f'{games - 1}.0')}")
        if path is not None and any(game["faults"] for game in self._games):
            self.tell(f"what the faults were: {command('faults', path)}")
        if not self._asked.json:
            alone = self._person is None and self._watcher is None
            return f"{won_line(self._names, self._games)}\n" if alone and games > 1 else ""
        return json_line(
            {
                "games": self._games,
                "players": list(self._names),
                "person": self.laid.seated.person,
                "rules": self.laid.terms.rules.name,
                "complete": not left,
                "seed": self.laid.terms.seed.hex() if games else None,
                "file": None if path is None or not games else str(path),
            }
        )


def _finished(store: Store, *, failed: bool) -> str:
    """Leave a file that is at its end, or none."""
    path = store.path
    try:
        # Where it was removed or replaced meanwhile, another file may have its name.
        if failed and not store.in_place:
            return "every game stored before is kept"
        last = store.last_block
        games = 0 if last is None else last + 1
        kept = f"{counted(games, 'game')} {'is' if games == 1 else 'are'} kept in {path_as_typed(path)}"
        try:
            if games and not store.complete:
                if games == store.header.blocks:
                    store.finish()
                else:
                    store.finish("left", games)
        except StoreError as error:
            # The games are there all the same.
            if not failed:
                raise StoreError(f"{error}; {kept}" if store.in_place else str(error)) from error
    finally:
        store.close()
    if games:
        return kept
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    return "no game was over, so no file is left"
