"""Results files by name: a new one for a run, and one that is there."""

import difflib
import itertools
import os
import time
from pathlib import Path

from arena.cli.shown import path_as_typed
from arena.errors import BadInput


def results_file(out: str | None, *, goes_on: bool = True) -> Path:
    """The path of a file that is not there yet and can be made. Raises BadInput.

    `goes_on`: whether what is to be played could go on in a file that is there.
    """
    if out is None:
        stem = time.strftime("arena-%Y%m%d-%H%M%S")
        names = itertools.chain((f"{stem}.db",), (f"{stem}-{number}.db" for number in itertools.count(2)))
        path = next(path for path in map(Path, names) if not _taken(path))
    else:
        if not out:
            raise BadInput("--out is empty; give the name of a new file, or leave it out")
        path = Path(out)
        if _taken(path):
            kind = "is a folder" if path.is_dir() else "exists already, and no results file is written over"
            raise BadInput(
                f"--out {out} {kind}; give a name that is free{_or_go_on(path) if goes_on else ''}"
            )
    folder = path.parent
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder} to write {path.name} in; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"no file can be written in the folder {folder}; give another place with --out FILE")
    return path


def _or_go_on(path: Path) -> str:
    """How to go on with what is at the path, if it is a tournament; with a series nothing goes on."""
    from arena.tournament.pairing import SERIES
    from arena.tournament.store import Store, StoreError

    try:
        with Store.open(path) as store:
            if store.header.schedule == SERIES:
                return ""
    except (BadInput, StoreError):
        return ""
    from arena.cli.resume import resume_command

    return f", or go on with it: {resume_command(path, None)}"


def _taken(path: Path) -> bool:
    return os.path.lexists(path)


def existing_file(name: str) -> Path:
    """The path of a results file that is there. Raises BadInput, with the file that may have been meant."""
    path, shown = Path(name), path_as_typed(name)
    if not name:
        raise BadInput("the name of the results file is empty; give one")
    if os.path.isdir(path):
        raise BadInput(f"{shown} is a folder; name a results file in it")
    if os.path.isfile(path):
        return path
    if os.path.exists(path):
        raise BadInput(f"{shown} is not a file; name a results file")
    if os.path.islink(path):
        raise BadInput(f"{shown} is a link to {path_as_typed(os.readlink(path))}, and no file is there")
    raise BadInput(f"there is no results file {shown}; {_meant(path)}")


def _meant(path: Path) -> str:
    folder = path.parent
    there = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    alike = [entry for entry in there if entry.lower() == path.name.lower()]
    meant = alike or difflib.get_close_matches(path.name, [name for name in there if name.endswith(".db")])
    return f"did you mean {path_as_typed(folder / meant[0])}?" if meant else "`arena run` makes one"
