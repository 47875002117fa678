"""Paths as the user gives them: globs that no shell expanded, and what is said of one that does not exist."""

import glob
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from arena.errors import BadInput
from arena.roster.words import near, shown


def expand(paths: Sequence[str]) -> dict[str, int]:
    """The paths with globs expanded (`**` too), their matches sorted; each path once, as first written.

    With each stands how often it was given. Raises BadInput for a path that does not exist and for a glob
    that matches nothing.
    """
    found: dict[str, str] = {}
    count: Counter[str] = Counter()
    for given in paths:
        if not given.strip():
            raise BadInput("an empty path was given; give the path of a bot")
        path = os.path.expanduser(given)
        if os.path.lexists(path):
            matches = [path]
        elif glob.has_magic(path):
            matches = sorted(glob.glob(path, recursive=True))
            if not matches:
                raise BadInput(f"{shown(given)} matches nothing{_near_path(path, folder_only=True)}")
        else:
            raise BadInput(missing(path))
        for match in matches:
            if not os.path.exists(match):
                raise BadInput(
                    f"{shown(match)} is a link to {shown(os.readlink(match))}, which does not exist"
                )
            called = match.rstrip("/") or match
            count[found.setdefault(identity(called), called)] += 1
    return dict(count)


def identity(path: str) -> str:
    """The same for every way of writing one path; a link is itself, not what it points to."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def missing(path: str) -> str:
    """What to say of a path that does not exist, with the name that may have been meant."""
    return f"{shown(path)} does not exist{_near_path(path)}"


def absent(path: str) -> str:
    """A path that does not exist, to stand behind the verb of a sentence that names it."""
    return f"{shown(path)}, which does not exist{_near_path(path)}"


def _near_path(path: str, *, folder_only: bool = False) -> str:
    """A near match for the first part of the path that is not there, in the folder where it should be."""
    parts = Path(path).parts[:-1] if folder_only else Path(path).parts
    place = Path()
    for number, part in enumerate(parts):
        if glob.has_magic(part):
            return ""
        if not os.path.lexists(place / part):
            try:
                meant = near(part, os.listdir(place))
            except OSError:
                return ""
            if not meant:
                folder = number < len(parts) - 1 or folder_only
                return f": there is no folder {shown(str(place / part))}" if folder else ""
            head = "" if place == Path() else f"{shown(str(place))}/".replace("//", "/")
            return meant.replace("did you mean ", f"did you mean {head}")
        place /= part
    return ""
