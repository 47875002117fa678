"""The bots that `arena new` makes, made by the command itself, staged and built as for a tournament."""

import io
import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from arena.cli.main import main
from arena.referee.block import Contestant
from arena.roster.discovery import find_bots
from arena.roster.staging import staged
from arena.roster.templates import LANGUAGES, missing_here

ALL = [template.names[0] for template in LANGUAGES]
HELPED = [template.names[0] for template in LANGUAGES if template.helped]
CI = os.environ.get("CI") == "true"


def new(*words: str) -> tuple[int, str, str]:
    """The command `arena new` in this process: exit code, stdout, stderr."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main(["new", *words])
    return code, out.getvalue(), said.getvalue()


def make_all(folder: Path) -> dict[str, Path]:
    """A bot of each language that this machine can run, and one more with its helper, by its name."""
    missing = missing_here()
    assert not (CI and missing), f"CI plays the bots of every language: {missing}"
    made = {}
    with chdir(folder):
        for language in ALL:
            for helper in (False, True) if language in HELPED else (False,):
                if language in missing:
                    continue
                name = f"{language}_with_helper" if helper else f"{language}_bot"
                before = set(folder.iterdir())
                code, _, said = new(language, name, *(["--helper"] if helper else []))
                assert (code, said) == (0, "")
                (made[name],) = set(folder.iterdir()) - before
    return made


@contextmanager
def in_place(made: dict[str, Path]) -> Iterator[dict[str, Contestant]]:
    """Each of them staged, by its name."""
    with staged(find_bots([str(path) for path in made.values()])) as contestants:
        yield {contestant.name: contestant for contestant in contestants}
