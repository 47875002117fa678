"""The tier `bare`: a session of its own, limits, an explicit environment. Bots end; nothing is hidden."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.referee.block import Contestant
from arena.referee.launch import NO_ROOT, NOBODY, Command, Limits, limited


@dataclass(frozen=True, slots=True)
class Bare:
    """Bots run as the user who runs arena, or as nobody when that is root."""

    setpriv: str | None
    """The program that takes rights away. Where it is missing bots keep all that arena has."""
    as_nobody: bool = False

    name: Literal["bare"] = "bare"
    contained: Literal[False] = False

    def command(
        self, bot: Contestant, scratch: Path, token: str, limits: Limits, work: str | None = None
    ) -> Command:
        """The bot behind a shell that sets the limits and is replaced by it; it writes where its user may."""
        home = Path(tempfile.mkdtemp(dir=scratch))
        if self.as_nobody:
            os.chown(home, NOBODY, NOBODY)
        argv = limited(limits, (*self._less(), *bot.argv))
        return Command(argv, bot.folder, str(home), traces=(home,))

    def _less(self) -> tuple[str, ...]:
        if self.setpriv is None:
            return ()
        # It ends with the referee, even when that is killed outright; and sudo is closed to it.
        return (
            self.setpriv,
            *(NO_ROOT if self.as_nobody else ()),
            "--no-new-privs",
            "--pdeathsig",
            "KILL",
            "--",
        )
