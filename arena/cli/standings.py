"""`arena standings`: the tables of a results file again."""

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.cli.values import whole
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.cli.outcome import Outcome
    from arena.ratings import Table
    from arena.tournament.store import Store


def standings(
    file: Annotated[str, Parameter(help="A results file.")],
    /,
    *,
    table_format: Annotated[
        str,
        Parameter(
            metavar="FORMAT", show_default=True, help="Any format of tabulate: github, latex, html, ..."
        ),
    ] = "simple",
    json: Annotated[bool, Parameter(help="One JSON object instead of the table.")] = False,
    csv: Annotated[bool, Parameter(help="The table as CSV.")] = False,
    crosstable: Annotated[bool, Parameter(help="Every bot against every other.")] = False,
    top: Annotated[
        int | None, Parameter(converter=whole(1), metavar="N", help="Only the first N bots.")
    ] = None,
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
    with Store.open(existing_file(file)) as store:
        outcome = outcome_of(store)
        pairs = _crosstable(store, outcome, top) if crosstable else None
    if json:
        from arena.cli.shown import json_line

        found = as_object(outcome, top)
        if pairs is not None:
            found["crosstable"] = pairs[1].to_json_rows()
        sys.stdout.write(json_line(found))
    elif csv:
        from arena.cli.shown import csv_lines

        table = _first(outcome.table, top) if pairs is None else pairs[1]
        sys.stdout.writelines(csv_lines([table.to_csv()]))
    else:
        if pairs is not None:
            from arena.cli.shown import as_text

            sys.stdout.write(as_text(pairs[0], table_format) + "\n\n")
        sys.stdout.write(as_words(outcome, table_format, top))
    return 0


def _crosstable(store: "Store", outcome: "Outcome", top: int | None) -> tuple["Table", "Table"]:
    """The crosstable as a square, and with a row a pair."""
    import dataclasses

    from arena.ratings import crosstable_table, meetings_of, pairs_table
    from arena.tournament.standings import tally_of

    names = [bot.name for bot in outcome.bots]
    meetings = meetings_of(tally_of(store).results)
    square = crosstable_table(outcome.ratings, meetings, names)
    pairs = pairs_table(outcome.ratings, meetings, names)
    if top is None:
        return square, pairs
    first = {names[bot] for bot in outcome.ratings.order.tolist()[:top]}
    lead = len(square.columns) - len(names)
    rows = tuple(dataclasses.replace(row, values=row.values[: lead + top]) for row in square.rows[:top])
    few = tuple(row for row in pairs.rows if {row.values[0], row.values[1]} <= first)
    return (
        dataclasses.replace(square, columns=square.columns[: lead + top], rows=rows),
        dataclasses.replace(pairs, rows=few),
    )


def _first(table: "Table", top: int | None) -> "Table":
    import dataclasses

    return dataclasses.replace(table, rows=table.rows[:top])
