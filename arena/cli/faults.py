"""`arena faults`: everything that went wrong, bot by bot, with all that is known of it."""

import sys
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from cyclopts import Parameter

from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.protocol.faults import FaultRecord
    from arena.tournament.store import Store

_PHASES: Final = MappingProxyType({"idle": "nothing was asked", "start": "it was started"})
_STDERR_LINES: Final = 12
_LONGEST: Final = 4000


def faults(
    file: Annotated[str, Parameter(help="A results file.")],
    bot: Annotated[str | None, Parameter(help="Only the faults of this bot.")] = None,
    /,
    *,
    json: Annotated[bool, Parameter(help="One JSON object a fault, a line each.")] = False,
) -> int:
    """List every fault with its game, the request, the answer, the clock, and what the bot said on stderr.

    `arena faults cup.db mine` lists those of the bot `mine`.
    """
    from arena.cli.complaints import near
    from arena.cli.outfile import existing_file
    from arena.cli.shown import json_line, safe
    from arena.tournament.store import Store

    with Store.open(existing_file(file)) as store:
        names = [one.name for one in store.bots]
        if bot is not None and bot not in names:
            raise BadInput(f"no bot {bot!r} played in {file}{near(bot, names)}")
        found = [fault for fault in _faults(store) if bot is None or fault[2].bot == bot]
    if json:
        for block, game, fault in found:
            line = {"block": block, "game": game, **msgspec.to_builtins(fault)}
            sys.stdout.write(json_line(line))
        return 0
    for block, game, fault in found:
        sys.stdout.write("\n".join(_lines(block, game, fault)) + "\n\n")
    counted = sum(fault.effective for _, _, fault in found)
    whose = "" if bot is None else f" of {safe(bot)}"
    sys.stdout.write(f"{counted} {'fault' if counted == 1 else 'faults'}{whose}")
    if len(found) > counted:
        sys.stdout.write(f", and {len(found) - counted} without effect, after the last request")
    sys.stdout.write(".\n")
    return 0


def _faults(store: "Store") -> Iterator[tuple[int, str, "FaultRecord"]]:
    """(block, id of the game, fault), in schedule order. Raises StoreError for what is none."""
    from arena.protocol.faults import FaultRecord
    from arena.tournament.rows import UNREADABLE
    from arena.tournament.store import StoreError

    read = msgspec.json.Decoder(list[FaultRecord]).decode
    for block, game, faults in store.select("block, id, faults", where="AND faults != '[]'"):
        try:
            found = read(faults)
        except UNREADABLE as error:
            raise StoreError(f"{store.path} is damaged: game {game}: its faults: {error}") from error
        for fault in found:
            yield block, game, fault


def _lines(block: int, game: str, fault: "FaultRecord") -> Iterator[str]:
    from arena.cli.shown import safe
    from arena.protocol.faults import MEND, anchor

    effect = "" if fault.effective else " (without effect: no request followed)"
    when = f"turn {fault.turn}" if fault.turn else "before the first turn"
    yield f"{safe(fault.bot)}: {fault.code}, game {game} (block {block}), seat {fault.seat}, {when}{effect}"
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
    }
    for name, value in known.items():
        if value is not None:
            yield f"  {name:<8} {safe(str(value), _LONGEST)}"
    for number, line in enumerate(fault.stderr.splitlines()[-_STDERR_LINES:]):
        yield f"  {'stderr' if number == 0 else '':<8} {safe(line, _LONGEST)}"
