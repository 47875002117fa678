"""`arena standings`: the tables of a results file again, of all bots or of some."""

import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from arena.cli.candidates import table_formats
from arena.cli.values import whole
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.cli.outcome import Outcome
    from arena.ratings import Table
    from arena.tournament.header import BotRow
    from arena.tournament.store import Store

NEIGHBOURS: Final = 2
"""Rows shown above and below that of a bot that is asked for."""


def standings(
    file: Annotated[str, Parameter(help="A results file.")],
    /,
    *,
    table_format: Annotated[
        str,
        Parameter(
            completer=table_formats,
            metavar="FORMAT",
            show_default=True,
            help="Any format of tabulate: github, latex, html, ...",
        ),
    ] = "simple",
    json: Annotated[bool, Parameter(help="One JSON object instead of the table.")] = False,
    csv: Annotated[bool, Parameter(help="The table as CSV.")] = False,
    crosstable: Annotated[bool, Parameter(help="Every bot against every other.")] = False,
    seat_effects: Annotated[bool, Parameter(help="How much each seat is worth.")] = False,
    top: Annotated[
        int | None, Parameter(converter=whole(1), metavar="N", help="Only the first N bots.")
    ] = None,
    bot: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            metavar="NAME...",
            help="Only these bots, and their neighbours in the table.",
        ),
    ] = (),
    without: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            metavar="NAME...",
            help="Rate the others as if these bots had not been there: without the games they took part in.",
        ),
    ] = (),
) -> int:
    """Show the standings of a results file: who is ahead, and how sure that is."""
    from arena.cli.memory import fit_the_limit
    from arena.cli.outfile import existing_file

    fit_the_limit()
    from arena.cli.outcome import outcome_of
    from arena.cli.summary import as_object, as_words
    from arena.tournament.store import Store

    if json and csv:
        raise BadInput("--json and --csv are two forms of the same table; give one of them")
    if crosstable and seat_effects:
        raise BadInput("--crosstable and --seat-effects are two tables; give one of them")
    if csv and table_format != "simple":
        raise BadInput("--csv is a form of its own; leave out --table-format")
    if both := sorted(set(bot) & set(without)):
        raise BadInput(f"{both[0]!r} stands behind --bot and behind --without; leave it out of one")
    if top is not None and bot:
        raise BadInput("--top and --bot both say which rows are shown; give one of them")
    with Store.open(existing_file(file)) as store:
        left_out = _numbers(store.bots, without, "--without")
        _ = _numbers(store.bots, bot, "--bot")
        if len(left_out) > len(store.bots) - 2:
            raise BadInput("--without leaves fewer than two bots to be rated")
        outcome = _picked(outcome_of(store, left_out), top, bot)
        extra = _extra(store, outcome, crosstable=crosstable, seat_effects=seat_effects)
    if json:
        from arena.cli.shown import json_line

        found = as_object(outcome)
        if extra is not None:
            found[extra.key] = extra.rows.to_json_rows()
        sys.stdout.write(json_line(found))
    elif csv:
        from arena.cli.shown import csv_lines

        table = outcome.table if extra is None else extra.rows
        sys.stdout.writelines(csv_lines([table.to_csv()]))
    else:
        from arena.cli.shown import as_text
        from arena.ratings.formats import ALONE

        alone = table_format in ALONE
        if extra is not None:
            sys.stdout.write(as_text(extra.shown, table_format, notes=not alone) + "\n\n")
        if not alone:
            sys.stdout.write(as_words(outcome, table_format))
        elif extra is None:
            sys.stdout.write(as_text(outcome.table, table_format, notes=False) + "\n")
    return 0


@dataclasses.dataclass(frozen=True, slots=True)
class _Extra:
    """One more table."""

    key: str
    """Its name in JSON."""
    shown: "Table"
    """As people see it."""
    rows: "Table"
    """As programs do."""


def _numbers(bots: "Sequence[BotRow]", names: Sequence[str], option: str) -> tuple[int, ...]:
    """The bots of these names. Raises BadInput for a name that none has."""
    from arena.cli.complaints import near
    from arena.cli.shown import safe

    known = [one.name for one in bots]
    for name in names:
        if name not in known:
            meant = near(name, known) or "; arena standings without it lists them"
            raise BadInput(f"{option} {safe(name)} is none of the {len(known)} bots{meant}")
    return tuple(sorted({known.index(name) for name in names}))


def _picked(outcome: "Outcome", top: int | None, names: Sequence[str]) -> "Outcome":
    """Only the rows asked for, and a line that says so."""
    order = [str(name) for name in outcome.table.values("bot")]
    if names:
        near_by = {
            place
            for name in names
            if name in order
            for place in range(order.index(name) - NEIGHBOURS, order.index(name) + NEIGHBOURS + 1)
        }
        chosen = [name for place, name in enumerate(order) if place in near_by]
        words = (
            f"{len(chosen)} of {len(order)} bots are shown: those asked for, and {NEIGHBOURS} on either side."
        )
    elif top is not None and top < len(order):
        chosen = order[:top]
        words = f"The first {top} of {len(order)} bots are shown."
    else:
        return outcome
    return dataclasses.replace(outcome, table=outcome.table.of_rows("bot", chosen), picked=words)


def _extra(store: "Store", outcome: "Outcome", *, crosstable: bool, seat_effects: bool) -> _Extra | None:
    if seat_effects:
        from arena.ratings import seat_effects_table

        table = seat_effects_table(outcome.ratings)
        return _Extra("seat_effects", table, table)
    if not crosstable:
        return None
    from arena.ratings import crosstable_table, meetings_of, pairs_table
    from arena.tournament.standings import tally_of

    names = [one.name for one in outcome.bots]
    meetings = meetings_of(tally_of(store, outcome.without).results)
    shown = {names.index(str(name)) for name in outcome.table.values("bot")}
    return _Extra(
        "crosstable",
        crosstable_table(outcome.ratings, meetings, names, shown),
        pairs_table(outcome.ratings, meetings, names, shown),
    )
