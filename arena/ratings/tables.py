"""Tables as data: one object whose rows give terminal, JSON and CSV the same numbers, rounded once."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from numbers import Integral, Real
from textwrap import wrap
from typing import Literal, TypeAlias

from tabulate import SEPARATING_LINE, tabulate, tabulate_formats
from wcwidth import wcswidth

from arena.errors import BadInput
from arena.ratings.formats import BARS, LINED, TALL

Kind: TypeAlias = Literal["rank", "text", "int", "number", "elo", "percent", "cell", "flags", "bool"]
"""elo is shown with its sign; percent runs from 0 to 100; number is any other measure."""

SEPARATED = "separated"
"""The remark of a row that is ahead of the next, in formats without lines."""
_AT_95 = "at 95 % (0 is outside the 95 % interval of the difference, which is an LOS above 97.5 %)"


@dataclass(frozen=True, slots=True)
class Rank:
    """A place in the list and the ranks that the results leave possible."""

    place: int
    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of a crosstable against one column."""

    meetings: int
    ahead: float | None
    """Percent of the decided meetings in which the row was ahead; None if none was decided."""
    elo: float | None
    """The difference of the ratings; None where no games link the two."""
    error: float | None
    """Half of its 95 % interval."""
    los: float | None
    """Percent."""
    decided: int = 0
    """Meetings in which one of the two came out ahead of the other."""
    led: float = 0.0
    """Those in which the row did; a place that they share counts half."""

    def lines(self) -> list[str]:
        """What is shown, in the order of the fields, with the share first."""
        return [
            _number(self.ahead, 1) + (" %" if self.ahead is not None else ""),
            signed(self.elo, 1),
            f"+/- {_number(self.error, 1)}",
            _number(self.los, 1),
            f"{self.decided} of {self.meetings}",
        ]


Value: TypeAlias = str | int | float | Rank | Cell | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in a column and how it is shown."""

    key: str
    """Its name in JSON and CSV."""
    heading: str
    kind: Kind
    digits: int = 0
    """Digits behind the point, everywhere."""
    drop: int = 0
    """On a narrow terminal columns leave from the highest number down; 0 stays."""
    about: str = ""
    """One line for people."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    values: tuple[Value, ...]
    group: int = 1
    """Rows of different groups are on different scales; 0: on none."""
    separated: bool = False
    """Whether this row is ahead of the next at 95 %; then a line is drawn below it, or the row is marked."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, rows and what was assumed. Numbers are rounded to their column's digits when it is made."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = field(default=())
    meanings: tuple[tuple[str, str], ...] = field(default=())
    """How a flag begins, and what it means in one line; told where a row has such a flag."""
    ranked: bool = True
    """Whether rows stand in the order of a ranking: then they say whether they are ahead of the next."""

    def __post_init__(self) -> None:
        """Round; a row of the wrong length, or a number that is nan or inf, is a `ValueError`."""
        rows = []
        for row in self.rows:
            pairs = zip(self.columns, row.values, strict=True)
            values = tuple(_rounded(column, value) for column, value in pairs)
            rows.append(Row(values, row.group, row.separated))
        object.__setattr__(self, "rows", tuple(rows))

    def values(self, key: str) -> tuple[Value, ...]:
        """One column, from the first row to the last; `KeyError` if there is no such column."""
        keys = [column.key for column in self.columns]
        if key not in keys:
            raise KeyError(key)
        return tuple(row.values[keys.index(key)] for row in self.rows)

    def of_rows(self, key: str, values: Iterable[Value]) -> "Table":
        """The table of those rows that have one of these values in a column, in its own order."""
        wanted = set(values)
        found = zip(self.rows, self.values(key), strict=True)
        return replace(self, rows=tuple(row for row, value in found if value in wanted))

    def of_columns(self, keys: Iterable[str]) -> "Table":
        """The table of those columns that have one of these keys, in its own order."""
        wanted = set(keys)
        where = [number for number, column in enumerate(self.columns) if column.key in wanted]
        columns = tuple(self.columns[number] for number in where)
        rows = tuple(replace(row, values=tuple(row.values[number] for number in where)) for row in self.rows)
        return replace(self, columns=columns, rows=rows)

    def to_json_rows(self) -> list[dict[str, object]]:
        """Plain dicts, one a row; a rank gives `rank`, `rank_low` and `rank_high`."""
        rows: list[dict[str, object]] = []
        for row in self.rows:
            plain: dict[str, object] = {}
            for column, value in zip(self.columns, row.values, strict=True):
                plain.update(_plain(column, value))
            plain["group"] = row.group
            if self.ranked:
                plain["separated"] = row.separated
            rows.append(plain)
        return rows

    def remarks(self, *, lines: bool = False) -> list[str]:
        """What there is to say of these rows: separation (by `lines`, or by the mark), groups, flags."""
        said = []
        if any(self._parted()) and (lines or any(column.kind == "flags" for column in self.columns)):
            said.append(
                f"A line stands between neighbours that are separated {_AT_95}."
                if lines
                else f"{SEPARATED}: ahead of the next row {_AT_95}."
            )
        if len({row.group for row in self.rows}) > 1:
            said.append("No game links the groups: their numbers cannot be compared.")
        flags = {
            flag for row in self.rows for value in row.values if isinstance(value, tuple) for flag in value
        }
        said += [text for begins, text in self.meanings if any(flag.startswith(begins) for flag in flags)]
        return said

    def _parted(self) -> list[bool]:
        """By row: whether it is separated from the one that stands below it here."""
        below = [*self.rows[1:], None][: len(self.rows)]
        return [
            row.separated and other is not None and row.group == other.group
            for row, other in zip(self.rows, below, strict=True)
        ]

    def _marked(self) -> "Table":
        """The table with the flag of separation on its rows."""
        where = {number for number, column in enumerate(self.columns) if column.kind == "flags"}
        rows = []
        for row, parted in zip(self.rows, self._parted(), strict=True):
            values = tuple(
                (*value, SEPARATED) if parted and number in where and isinstance(value, tuple) else value
                for number, value in enumerate(row.values)
            )
            rows.append(replace(row, values=values))
        return replace(self, rows=tuple(rows))

    def to_csv(self) -> str:
        """A head of keys and a line a row (RFC 4180); None is empty, flags are joined by semicolons."""
        heads = [name for column in self.columns for name in _heads(column)]
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow([*heads, "group", *(["separated"] if self.ranked else [])])
        for row in self.rows:
            fields: list[object] = []
            for column, value in zip(self.columns, row.values, strict=True):
                fields += _fields(column, value)
            writer.writerow([*fields, row.group, *([int(row.separated)] if self.ranked else [])])
        return text.getvalue()

    def to_text(
        self,
        table_format: str = "simple",
        width: int | None = None,
        notes: bool = True,
        legend: bool = False,
    ) -> str:
        """For people, in a format of tabulate (else `BadInput`).

        With `width`, columns leave until the lines fit, and notes are wrapped. Columns of flags without any
        are not shown. Nothing is explained that is not there.
        """
        if table_format not in tabulate_formats:
            near = get_close_matches(table_format, tabulate_formats, 1)
            hint = f"did you mean {near[0]}?" if near else f"the formats are {', '.join(tabulate_formats)}"
            raise BadInput(f"there is no table format {table_format!r}; {hint}")
        shown = self if table_format in LINED else self._marked()
        return shown._text(table_format, width, notes=notes, legend=legend)

    def _text(self, table_format: str, width: int | None, *, notes: bool, legend: bool) -> str:
        empty = [
            column
            for number, column in enumerate(self.columns)
            if column.kind == "flags" and not any(row.values[number] for row in self.rows)
        ]
        kept = [column for column in self.columns if column not in empty]
        text = self._body(kept, table_format)
        gone: list[str] = []
        while width is not None and _widest(text) > width:
            loosest = max(kept, key=lambda column: column.drop)
            if not loosest.drop:
                break
            kept.remove(loosest)
            gone.append(loosest.heading)
            text = self._body(kept, table_format)
        lines = [_legend(kept)] if legend else []
        if notes:
            lines += [
                *self.of_columns(column.key for column in kept).remarks(lines=table_format in LINED),
                *self.notes,
            ]
        if width is not None and _widest(text) > width:
            text = self._in_parts(kept, table_format, width)
        if gone and notes:
            lines.append(f"Left out to fit {width} columns: {', '.join(gone)}.")
        if width is not None:
            lines = [part for line in lines for part in wrap(line, max(width, 40), subsequent_indent="  ")]
        return "\n\n".join(part for part in (text, "\n".join(lines)) if part)

    def _in_parts(self, columns: Sequence[Column], table_format: str, width: int) -> str:
        """Several tables below each other, each with as many of the cells' columns as fit, and all others."""
        head = [column for column in columns if column.kind != "cell"]
        cells = [column for column in columns if column.kind == "cell"]
        parts: list[str] = []
        while cells:
            some = len(cells)
            text = self._body([*head, *cells], table_format)
            while some > 1 and _widest(text) > width:
                some -= 1
                text = self._body([*head, *cells[:some]], table_format)
            parts.append(text)
            cells = cells[some:]
        return "\n\n".join(parts) or self._body(columns, table_format)

    def _body(self, columns: Sequence[Column], table_format: str) -> str:
        groups = list(dict.fromkeys(row.group for row in self.rows))
        parts = []
        for group in groups or [1]:
            head = "Without a rated game" if group == 0 else f"Group {group}"
            body = self._section(columns, [row for row in self.rows if row.group == group], table_format)
            parts.append(f"{head}\n{body}" if len(groups) > 1 else body)
        return "\n\n".join(parts)

    def _section(self, columns: Sequence[Column], rows: Sequence[Row], table_format: str) -> str:
        where = [self.columns.index(column) for column in columns]
        lines: list[Sequence[str] | str] = []
        for number, row in enumerate(rows):
            lines.append([_shown(self.columns[i], row.values[i], table_format) for i in where])
            if row.separated and table_format in LINED and number + 1 < len(rows):
                lines.append(SEPARATING_LINE)
        return tabulate(
            lines,
            [column.heading for column in columns],
            tablefmt=table_format,
            disable_numparse=True,
            colalign=["left" if column.kind in ("text", "flags") else "right" for column in columns],
        )


def percent(share: float | None) -> float | None:
    """A share from 0 to 1 in percent."""
    return None if share is None else 100.0 * share


def signed(value: float | None, digits: int) -> str:
    """A number with its sign, 0 without one, None as a dash."""
    if value is None:
        return "-"
    value = round(float(value), digits)
    return f"{value:+.{digits}f}" if value else f"{0.0:.{digits}f}"


def _legend(columns: Sequence[Column]) -> str:
    """What the heads of these columns mean, on one line."""
    return f"Columns: {'; '.join(f'{one.heading} = {one.about}' for one in columns if one.about)}."


def _rounded(column: Column, value: Value) -> Value:
    if isinstance(value, Cell):
        parts = (value.ahead, value.elo, value.error, value.los)
        ahead, elo, error, los = (None if part is None else _finite(column, part, 1) for part in parts)
        return Cell(value.meetings, ahead, elo, error, los, value.decided, value.led)
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = _finite(column, value, column.digits)
        return number if column.digits else int(number)
    return value


def _finite(column: Column, value: Real | float, digits: int) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"column {column.key} holds {number}; a table holds finite numbers or None")
    return round(number, digits) + 0.0  # + 0.0 turns -0.0 into 0.0


def _plain(column: Column, value: Value) -> dict[str, object]:
    if isinstance(value, Rank):
        return {column.key: value.place, f"{column.key}_low": value.low, f"{column.key}_high": value.high}
    if isinstance(value, Cell):
        return {column.key: dict(zip(_CELL, _parts(value), strict=True))}
    return {column.key: list(value) if isinstance(value, tuple) else value}


def _heads(column: Column) -> list[str]:
    if column.kind == "rank":
        return [column.key, f"{column.key}_low", f"{column.key}_high"]
    if column.kind == "cell":
        return [f"{column.key}_{part}" for part in _CELL]
    return [column.key]


def _fields(column: Column, value: Value) -> Iterable[object]:
    if isinstance(value, Rank):
        return [value.place, value.low, value.high]
    if column.kind == "cell":
        return _parts(value) if isinstance(value, Cell) else [None] * len(_CELL)
    if isinstance(value, bool):
        return [int(value)]
    return [";".join(value) if isinstance(value, tuple) else value]


_CELL = ("meetings", "decided", "ahead", "ahead_percent", "elo", "error", "los_percent")


def _parts(cell: Cell) -> list[object]:
    return [cell.meetings, cell.decided, cell.led, cell.ahead, cell.elo, cell.error, cell.los]


def _widest(text: str) -> int:
    """Columns of a terminal; tabulate pads by the same measure where wcwidth is installed."""
    return max(map(wcswidth, text.splitlines()), default=0)


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _shown(column: Column, value: Value, table_format: str) -> str:
    match value:
        case None:
            return "" if column.kind in ("text", "flags", "cell") else "-"
        case Cell():
            return ("\n" if table_format in TALL else " / ").join(value.lines())
        case tuple():
            return ", ".join(value)
        case bool():
            return "yes" if value else "no"
        case int() | float():
            show = signed if column.kind == "elo" else _number
            return show(value, column.digits)
        case _:
            # A name may hold anything: keep it on its line and in its column.
            text = "".join(
                letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(value)
            )
            return text.replace("|", BARS[table_format]) if table_format in BARS else text
