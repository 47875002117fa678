"""`arena export` and `arena import`: a results file as lines for other programs, and such lines as a file."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

from cyclopts import Parameter

from arena.cli.shown import csv_lines, path_as_typed
from arena.errors import BadInput

if TYPE_CHECKING:
    from arena.tournament.store import Store

_SQLITE: Final = b"SQLite format 3\0"


def export(
    file: Annotated[str, Parameter(help="A results file.")],
    /,
    *,
    jsonl: Annotated[bool, Parameter(help="All of it as JSON lines, which `arena import` reads.")] = False,
    csv: Annotated[bool, Parameter(help="The games that count as CSV, a row a game and seat.")] = False,
    out: Annotated[
        str | None,
        Parameter(name=["--out", "-o"], metavar="FILE", help="A new file to write to instead of stdout."),
    ] = None,
) -> int:
    """Write a results file as lines for other programs; docs/formats.md tells what is in them."""
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.cli.outfile import existing_file
    from arena.tournament.newfile import new_file
    from arena.tournament.store import Store

    as_csv = _as_csv(jsonl, csv, out)
    with (
        as_keyboard_interrupt(),
        Store.open(existing_file(file)) as store,
        closing(_csv_lines(store, shown=out is None) if as_csv else _json_lines(store)) as lines,
    ):
        if out is None:
            sys.stdout.flush()
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
        else:
            try:
                with new_file(Path(out)) as draft, draft.open("wb") as written:
                    written.writelines(lines)
            except OSError as error:
                # A full disk is told without a name.
                raise OSError(error.errno, error.strerror, error.filename or out) from error
    return 0


def import_file(
    file: Annotated[
        str, Parameter(name="JSONL", allow_leading_hyphen=True, help="Exported JSON lines; - is stdin.")
    ],
    /,
    *,
    out: Annotated[
        str | None, Parameter(name=["--out", "-o"], metavar="FILE", help="The results file to make of them.")
    ] = None,
) -> int:
    """Make a results file of exported JSON lines; every line is checked, and nothing is half made."""
    from arena.cli.interrupt import as_keyboard_interrupt
    from arena.tournament.importing import import_lines
    from arena.tournament.store import Store

    if out is None:
        raise BadInput("arena import needs a name for the results file: arena import FILE.jsonl -o NEW.db")
    with as_keyboard_interrupt():
        with _lines_of(file) as lines:
            exported = import_lines(lines, "stdin" if file == "-" else file, Path(out))
        with Store.open(Path(out)) as store:
            games = sum(1 for _ in store.select("game"))
            same = store.digest == exported
    # The lines were checked one by one; what else can differ is how a library packs their logs.
    packed = (
        "the digest of the file exported" if same else "another digest, for its logs are packed otherwise"
    )
    sys.stdout.write(f"{path_as_typed(out)}: {games:,} games that count, and {packed}\n")
    return 0


def _as_csv(jsonl: bool, csv: bool, out: str | None) -> bool:
    """Which of the two it is: that asked for, else what the name to write to says. Raises BadInput."""
    if jsonl and csv:
        raise BadInput("--jsonl and --csv are two forms of an export; give one of them")
    ending = os.path.splitext(out)[1].lower() if out is not None else ""
    if not jsonl and not csv and ending not in (".csv", ".jsonl"):
        raise BadInput("say what to write: --jsonl for all of it, --csv for a row a game and seat")
    return csv or (not jsonl and ending == ".csv")


def _json_lines(store: "Store") -> Generator[bytes]:
    from arena.tournament.exporting import exported_lines

    return exported_lines(store)


def _csv_lines(store: "Store", *, shown: bool) -> Generator[bytes]:
    from arena.tournament.seat_rows import seat_rows

    lines = seat_rows(store)
    for line in csv_lines(lines) if shown else lines:
        yield line.encode()


@contextmanager
def _lines_of(name: str) -> Iterator[Iterator[bytes]]:
    """The lines of a file or of stdin, none of them read further than a line may be long. Raises BadInput."""
    from arena.tournament.exported_line import LONGEST

    def lines(opened: BinaryIO) -> Iterator[bytes]:
        yield from iter(lambda: opened.readline(LONGEST), b"")

    if name == "-":
        yield lines(sys.stdin.buffer)
        return
    with _opened(name) as opened:
        if opened.peek(len(_SQLITE)).startswith(_SQLITE):
            raise BadInput(f"{path_as_typed(name)} is a results file already; there is nothing to import")
        yield lines(opened)


def _opened(name: str) -> BufferedReader:
    try:
        return Path(name).open("rb")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path_as_typed(name)}; `arena export --jsonl` makes one") from None
    except OSError as error:
        raise BadInput(f"{path_as_typed(name)} cannot be read: {error.strerror}") from None
