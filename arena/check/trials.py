"""What a bot is put through, apart from leaving: each trial is a process or some, and what came of it."""

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
import trio

from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.check.diagnosis import diagnose
from arena.check.footprint import peak_memory
from arena.check.mishap import Mishap
from arena.check.origin import Origin
from arena.check.positions import Position, at_other_tables, positions, under
from arena.check.session import BREATH, Session, session, terms_for
from arena.check.strategies import CHANCER, CLOSER, HONEST, SUSPICIOUS, Strategy
from arena.check.watched import Exchange
from arena.protocol.escape import escape
from arena.protocol.messages import Reply
from arena.referee.ask import Ask
from arena.referee.block import Contestant, GameResult, Terms
from arena.referee.machine import Machine

_T = TypeVar("_T")
_TRIES: Final = 3
"""A verdict that the machine has disturbed is tried again; the last stands."""
_PATIENCE: Final = 2.0
"""Seconds without an answer to hello after which whoever waits is told."""
_STRAY: Final = 0.03
"""Seconds after hello in which a greeting or the like shows."""
_LONGEST_STRAY: Final = 0.2
_GAMES_FOR: Final = 1.0
"""Seconds after which no third game is begun."""
_GAME_FOR: Final = 10.0
"""Seconds after which no second one is."""
_POSITIONS_FOR: Final = 5.0
"""Seconds after which no other position is begun."""
_REPEAT_FOR: Final = 1.5
_VARY_FOR: Final = 1.5
"""Seconds after which no other preset is begun."""
_AT_ONCE: Final = 4
"""Presets that are tried at the same time."""
_FIRST, _TABLES, _GAMES, _STRANGE, _VARIANTS = 1, 10, 20, 30, 60
"""Numbers of blocks, by the trial."""
_ORDINALS: Final = ("1st", "2nd", "3rd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The scripted positions."""

    seconds: float
    positions: int
    requests: int
    mishap: Mishap | None
    rules: Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The first process: its start, its first line, and the positions, if it came to that."""

    seconds: float
    start_seconds: float
    manner: str
    notes: tuple[str, ...]
    mishap: Mishap | None
    said_hello: bool
    """Whether hello was answered as it should be, whatever came then."""
    answered: Answered | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Whole games, one after another in one process."""

    seconds: float
    outcome: str
    slowest: float
    """Seconds."""
    memory: int | None
    """Bytes at the peak."""
    replies: tuple[tuple[str, str, Reply | None], ...]
    """Kind, request and reply of the first game."""
    mishap: Mishap | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """The first game once more."""

    message: str
    mishap: Mishap | None


@dataclass(frozen=True, slots=True)
class _Apart:
    """A position with a process of its own."""

    mishap: Mishap | None
    requests: int
    """Those that were answered, without hello."""
    void: bool


class Trials:
    """One bot's trials. Each ends every process it started before it returns."""

    def __init__(
        self,
        bot: Contestant,
        terms: Terms,
        machine: Machine,
        waits: Callable[[], None] | None = None,
    ) -> None:
        """`waits` is called once if its first answer takes long."""
        self._bot = bot
        self._terms = terms
        self._machine = machine
        self._waits = waits

    async def open(self) -> Opened:
        """Start it, hear it, and put it through the positions."""
        return await self._undisturbed(self._open)

    async def play(self) -> Played:
        """Two games, and more while there is time, in a seat after the other."""
        return await self._undisturbed(self._play)

    async def repeat(self, played: Played) -> Repeated:
        """The first of these games again, from a new process on, as far as time goes."""
        return await self._undisturbed(lambda stands: self._repeat(played, stands))

    async def tolerate(self) -> tuple[Mishap | None, int]:
        """Some turns in which every line has more than a bot knows; the requests that were answered."""
        return await self._undisturbed(self._tolerate)

    async def vary(self, origin: Origin) -> tuple[tuple[str, ...], str]:
        """Some turns by each other preset, side by side: notes and a line."""
        found: dict[str, Mishap | None] = {}
        untried: list[str] = []
        others = [rules for rules in PRESETS.values() if rules.name != self._terms.rules.name]
        until = time.perf_counter() + _VARY_FOR
        # Those that differ by one knob stand last, and say most.
        due = list(enumerate(others))

        async def some() -> None:
            while due:
                number, rules = due.pop()
                if time.perf_counter() > until:
                    untried.append(rules.name)
                    continue
                tried = await self._at(under(rules), rules, _VARIANTS + number, stands=True)
                found[rules.name] = tried.mishap

        async with trio.open_nursery() as tasks:
            for _ in range(_AT_ONCE):
                tasks.start_soon(some)
        notes = [
            f"by the rules {name} it fails, {mishap.code}: {diagnose(mishap, origin).headline}"
            for name, mishap in found.items()
            if mishap is not None
        ]
        if untried:
            notes.append(f"not tried, for lack of time: {', '.join(untried)}")
        sound = len(found) - len(notes) + bool(untried)
        return tuple(notes), f"it can also play {sound} of {len(found)} other presets"

    async def _undisturbed(self, trial: Callable[[bool], Awaitable[tuple[_T, bool]]]) -> _T:
        for _ in range(_TRIES - 1):
            found, void = await trial(False)
            if not void:
                return found
        return (await trial(True))[0]

    @contextlib.asynccontextmanager
    async def _patiently(self) -> AsyncIterator[trio.Event]:
        """Whoever waits is told so, unless the event is set before long."""
        heard_of = trio.Event()

        async def tell() -> None:
            with trio.move_on_after(_PATIENCE):
                await heard_of.wait()
                return
            if self._waits is not None:
                waits, self._waits = self._waits, None
                waits()

        async with trio.open_nursery() as tasks:
            tasks.start_soon(tell)
            yield heard_of
            tasks.cancel_scope.cancel()

    async def _open(self, stands: bool) -> tuple[Opened, bool]:
        began = time.perf_counter()
        answered: Answered | None = None
        async with (
            self._patiently() as heard_of,
            session(self._bot, self._terms, self._machine, _FIRST, stands=stands, breath=BREATH) as process,
        ):
            heard_of.set()
            # A machine on which it is slow to start is slow to tell of a stray line too.
            await process.settle(min(max(_STRAY, process.start_seconds / 2), _LONGEST_STRAY))
            manner, notes = _manner(process)
            mishap, void = process.mishap, process.void
            heard = time.perf_counter()
            if mishap is None and not void:
                answered, void = await self._answer(process, heard, stands)
        opened = Opened(
            seconds=heard - began,
            start_seconds=process.start_seconds,
            manner=manner,
            notes=notes,
            mishap=mishap,
            said_hello=process.said is not None,
            answered=answered,
        )
        return opened, void

    async def _answer(self, process: Session, began: float, stands: bool) -> tuple[Answered, bool]:
        """The positions at the usual table with this process; beside them those at other tables."""
        rules = self._terms.rules
        at_others = at_other_tables(rules)
        apart: dict[int, _Apart] = {}

        async def elsewhere(number: int, position: Position) -> None:
            apart[number] = await self._at(position, rules, _TABLES + number, stands=stands)

        here = positions(rules, self._terms.seed, _FIRST)
        tried = len(at_others)
        async with trio.open_nursery() as tasks:
            for number, position in enumerate(at_others):
                tasks.start_soon(elsewhere, number, position)
            for one in here:
                if time.perf_counter() - began > _POSITIONS_FOR:
                    break
                tried += 1
                await process.play(
                    one.game, one.seat, [one.opponents] * (one.seats - 1), one.leaves, one.name
                )
            await process.settle(_STRAY)
        connection = process.connection
        assert connection is not None
        mishap = process.mishap
        requests = connection.answered - 1
        for number in sorted(apart):
            mishap = mishap or apart[number].mishap
            requests += apart[number].requests
        answered = Answered(
            seconds=time.perf_counter() - began,
            positions=tried,
            requests=requests,
            mishap=mishap,
            rules=rules,
        )
        return answered, process.void or any(one.void for one in apart.values())

    async def _at(self, position: Position, rules: Rules, number: int, *, stands: bool) -> _Apart:
        """A position with a process of its own."""
        terms = terms_for(self._terms, rules, position.seats)
        async with session(self._bot, terms, self._machine, number, stands=stands) as process:
            others = [position.opponents] * (position.seats - 1)
            await process.play(position.game, position.seat, others, position.leaves, position.name)
            answered = 0 if process.connection is None else process.connection.answered - 1
        return _Apart(process.mishap, answered, process.void)

    async def _play(self, stands: bool) -> tuple[Played, bool]:
        began = time.perf_counter()
        seats = self._terms.seats
        results: list[GameResult] = []
        memory: int | None = None
        first: tuple[Exchange, ...] = ()
        async with session(self._bot, self._terms, self._machine, _GAMES, stands=stands) as process:
            for game in range(seats):
                took = time.perf_counter() - began
                if (game > 1 and took > _GAMES_FOR) or (game and took > _GAME_FOR):
                    break
                result = await process.play(game, game, _opponents(seats), where=_game_name(game))
                if result is None:
                    break
                results.append(result)
                if process.connection is not None and game == 0:
                    first = tuple(process.connection.exchanges)
            connection = process.connection
            asks: list[Ask] = []
            if connection is not None:
                memory = peak_memory(connection.process.pid)
                asks = [one.ask for one in connection.exchanges if one.ask.kind != "hello"]
        played = Played(
            seconds=time.perf_counter() - began,
            outcome=_outcome(results),
            slowest=max((ask.used for ask in asks), default=0.0),
            memory=memory,
            replies=tuple(map(_told, first)),
            mishap=process.mishap,
        )
        return played, process.void

    async def _repeat(self, played: Played, stands: bool) -> tuple[Repeated, bool]:
        async with session(self._bot, self._terms, self._machine, _GAMES, stands=stands) as process:
            with trio.move_on_after(_REPEAT_FOR):
                await process.play(0, 0, _opponents(self._terms.seats), where="the first game again")
            connection = process.connection
            again = () if connection is None else tuple(map(_told, connection.exchanges))
        answered = [one for one in again if one[2] is not None]
        for number, (before, now) in enumerate(zip(played.replies, answered, strict=False)):
            if _same(before[2]) != _same(now[2]):
                message = (
                    f"not the same again: request {number} ({now[0]}) of the same game had another answer; "
                    "with dice from `seed` of start alone, games can be played again"
                )
                return Repeated(message, process.mishap), process.void
        message = f"the same {len(answered)} answers to the same game again"
        return Repeated(message, process.mishap), process.void

    async def _tolerate(self, stands: bool) -> tuple[tuple[Mishap | None, int], bool]:
        seats = self._terms.seats
        async with session(
            self._bot, self._terms, self._machine, _STRANGE, stands=stands, breath=BREATH, strange=True
        ) as process:
            await process.play(0, min(1, seats - 1), [SUSPICIOUS] * (seats - 1), 2 * seats)
            answered = 0 if process.connection is None else process.connection.answered
        return (process.mishap, answered), process.void


def _opponents(seats: int) -> list[Strategy]:
    return [(HONEST, CLOSER, CHANCER)[number % 3] for number in range(seats - 1)]


def _told(one: Exchange) -> tuple[str, str, Reply | None]:
    return one.ask.kind, one.ask.line.decode(), one.ask.reply


def _same(reply: Reply | None) -> object:
    """What of a reply may make a difference to a game."""
    return None if reply is None else msgspec.structs.replace(reply, debug=None)


def _manner(process: Session) -> tuple[str, tuple[str, ...]]:
    """How it speaks, by its first answer."""
    connection, said = process.connection, process.said
    if connection is None or said is None:
        return "", ()
    received = bytes(connection.exchanges[-1].received)
    notes = []
    if received.endswith(b"\r\n"):
        notes.append("its lines end in \\r\\n, which is taken for \\n")
    if received.strip(b"\r\n") and received.lstrip(b" \t\r\n") != received:
        notes.append("it prints blank lines, which are passed over")
    words = [escape(word, 40) for word in (said.name, said.version) if word]
    author = f" by {escape(said.author, 40)}" if said.author else ""
    called = f", calls itself {' '.join(words)}{author}" if words else ""
    return f"one line of JSON for hello, flushed{called}", tuple(notes)


def _game_name(game: int) -> str:
    return f"a whole game, seat {game}"


def _outcome(results: list[GameResult]) -> str:
    if not results:
        return "no game"
    places = [result.record.places[game] for game, result in enumerate(results)]
    words = ", ".join(_ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th" for place in places)
    turns = sum(result.record.turns for result in results)
    games = "1 game" if len(results) == 1 else f"{len(results)} games"
    return f"{games}, {turns} turns, placed {words}"
