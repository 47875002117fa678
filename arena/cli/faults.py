"""`arena faults`: everything that went wrong, bot by bot, with all that is known of it."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from cyclopts import Parameter

from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.protocol.faults import FaultRecord
    from arena.ratings import Table
    from arena.tournament.header import BotRow
    from arena.tournament.store import Store

_PHASES: Final = MappingProxyType({"idle": "nothing was asked", "start": "it was started"})
_LONGEST: Final = 4000
_INDENT: Final = " " * 11
"""Before the rest of a long line: below what the line says."""
_NAMED: Final = 10
"""Games that are named for the faults behind the first of their kind."""
_GAMES: Final = 3
"""Games that the summary names for each bot and code."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A fault and the game it belongs to."""

    block: int
    index: int
    """Of the game in its block."""
    game: str
    fault: "FaultRecord"

    @property
    def place(self) -> str:
        """The game as commands take it."""
        return f"{self.block}.{self.index}"


def faults(
    file: Annotated[str, Parameter(help="A results file.")],
    bot: Annotated[str | None, Parameter(help="Only the faults of this bot.")] = None,
    /,
    *,
    every: Annotated[
        bool, Parameter(name="--all", help="Every fault in full, not only the first of each bot and kind.")
    ] = False,
    json: Annotated[bool, Parameter(help="One JSON object a fault, a line each.")] = False,
) -> int:
    """Show the first fault of each kind that a bot made: request, answer, clock, what it said on stderr.

    Behind it stand the games of the others, and below all how many there are.
    """
    from arena.cli.complaints import near
    from arena.cli.folding import columns_of, folded
    from arena.cli.memory import fit_the_limit
    from arena.cli.outfile import existing_file
    from arena.cli.shown import counted, json_line, path_as_typed, safe
    from arena.tournament.store import Store
    from arena.tournament.whereabouts import looked_for_in

    if not json:
        fit_the_limit()
    with Store.open(existing_file(file)) as store:
        bots = {one.name: one for one in store.bots}
        folders = looked_for_in(store.path, store.header)
        if bot is not None and bot not in bots:
            raise BadInput(f"no bot {bot!r} played in {file}{near(bot, bots)}")
        found = [one for one in _faults(store) if bot is None or one.fault.bot == bot]
    if json:
        for one in found:
            where = {"block": one.block, "index": one.index, "game": one.game}
            sys.stdout.write(json_line(where | msgspec.to_builtins(one.fault)))
        return 0
    width = columns_of(sys.stdout)
    for group in _kinds(found).values() if not every else ([one] for one in found):
        lines = [*_lines(group[0], file, bots, folders), *_others(group[1:])]
        sys.stdout.write("\n".join(part for line in lines for part in folded(line, width, _INDENT)) + "\n\n")
    effective = sum(one.fault.effective for one in found)
    whose = "" if bot is None else f" of {safe(bot)}"
    sys.stdout.write(f"{path_as_typed(file)}: {counted(effective, 'fault')}{whose}")
    if len(found) > effective:
        sys.stdout.write(f", and {len(found) - effective} without effect, after the last request")
    sys.stdout.write(".\n")
    if found:
        from arena.cli.shown import as_text

        sys.stdout.write(f"\n{as_text(_summary(found))}\n")
    return 0


def _kinds(found: Sequence[_Found]) -> dict[tuple[str, str, str], list[_Found]]:
    """By bot, code, and "none" where it had no effect; in the order of the first of each."""
    kinds: dict[tuple[str, str, str], list[_Found]] = {}
    for one in found:
        effect = "" if one.fault.effective else "none"
        kinds.setdefault((one.fault.bot, one.fault.code, effect), []).append(one)
    return kinds


def _others(others: Sequence[_Found]) -> Iterator[str]:
    """The line that stands for the faults of a kind behind the first."""
    if others:
        places = list(dict.fromkeys(one.place for one in others))
        more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
        count = "once more" if len(others) == 1 else f"{len(others):,} times more"
        yield f"  also     {count}, in {' '.join(places[:_NAMED])}{more}; --all shows each"


def _summary(found: Sequence[_Found]) -> "Table":
    """How often each bot made each fault, the most frequent first."""
    from arena.ratings.tables import Column, Row, Table

    games = {kind: [one.place for one in group] for kind, group in _kinds(found).items()}
    columns = (
        Column("bot", "Bot", "text"),
        Column("code", "Fault", "text"),
        Column("count", "Count", "int"),
        Column("games", "First games", "text"),
        *((Column("effect", "Effect", "text"),) if any(effect for _, _, effect in games) else ()),
    )
    rows = []
    for (bot, code, effect), places in sorted(games.items(), key=lambda item: (-len(item[1]), item[0])):
        first = " ".join(list(dict.fromkeys(places))[:_GAMES])
        rows.append(Row((bot, code, len(places), first, effect)[: len(columns)]))
    return Table("Faults", columns, tuple(rows))


def _faults(store: "Store") -> Iterator[_Found]:
    """In schedule order. Raises StoreError for what is none."""
    from arena.protocol.faults import FaultRecord
    from arena.tournament.rows import UNREADABLE
    from arena.tournament.store import StoreError

    read = msgspec.json.Decoder(list[FaultRecord]).decode
    for block, index, game, faults in store.select("block, game, id, faults", where="AND faults != '[]'"):
        try:
            found = read(faults)
        except UNREADABLE as error:
            raise StoreError(f"{store.path} is damaged: game {game}: its faults: {error}") from error
        for fault in found:
            yield _Found(block, index, game, fault)


def _lines(found: _Found, file: str, bots: "Mapping[str, BotRow]", folders: Sequence[Path]) -> Iterator[str]:
    from arena.cli.lastwords import last_words
    from arena.cli.shown import safe
    from arena.protocol.faults import MEND, anchor

    fault = found.fault
    effect = "" if fault.effective else " (without effect: no request followed)"
    when = f"turn {fault.turn}" if fault.turn else "before the first turn"
    game = safe(f"{found.game} ({found.place})")
    yield f"{safe(fault.bot)}: {fault.code}, game {game}, seat {fault.seat}, {when}{effect}"
    known: dict[str, Any] = {
        "rule": fault.rule,
        "mend": MEND[fault.code],
        "while": _PHASES.get(fault.phase, f"{fault.phase} was open"),
        "request": fault.request,
        "answer": fault.offending,
        "clock": None if fault.used is None else f"{fault.used:.3f} s used of {fault.limit:g} s",
        "read": f"{fault.bytes_read} bytes" if fault.bytes_read else None,
        "ended": fault.signal or (None if fault.exit_code is None else f"exit code {fault.exit_code}"),
        "see": anchor(fault.code),
        "again": _feeding(found, file, bots.get(fault.bot), folders),
    }
    for name, value in known.items():
        if value is not None:
            yield f"  {name:<8} {safe(str(value), _LONGEST)}"
    yield from last_words(fault.stderr)


def _feeding(found: _Found, file: str, bot: "BotRow | None", folders: Sequence[Path]) -> str | None:
    """The command that gives the bot again what it was sent; None where it was never sent anything."""
    from arena.cli.typed import command

    if bot is None or found.fault.phase == "start":
        return None
    # The name counts for nothing where the seat is said, and one with = in it could not be given.
    name = "bot" if "=" in bot.name else bot.name
    fed, path = f"{name}={bot.command}", os.path.expanduser(bot.command)
    for folder in folders:
        if os.path.lexists(there := os.path.join(folder, path)):
            fed = bot.command if folder == Path() or os.path.isabs(path) else os.path.relpath(there)
            break
    words = (Path(file), found.place, "--feed", fed, "--seat", str(found.fault.seat))
    return command("replay", *words)
