"""Progress on stderr: a live line on a terminal, plain lines now and then elsewhere."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from arena.cli.durations import rough
from arena.cli.shown import counted
from arena.cli.streams import as_said, give_up, say

PLAIN_SECONDS: Final = 5.0
PLAIN_SHARE: Final = 0.1
"""A plain line comes when so long has passed, and so many of the games were played, since the last."""
LIVE_SECONDS: Final = 0.2
_SETTLED: Final = 2.0
"""Seconds before a rate is worth a forecast."""


class State(Protocol):
    """How far a tournament is."""

    @property
    def games_done(self) -> int:
        """Games that are finished and kept."""

    @property
    def games_found(self) -> int:
        """Of these, those that an earlier run has left."""

    @property
    def games_planned(self) -> int | None:
        """Games of the whole budget; None where the tournament ends for another reason."""

    @property
    def known(self) -> str:
        """How far it is from an end that hangs on what is known; empty where it does not."""

    @property
    def games_expected(self) -> float | None:
        """Games by then, as far as can be told."""

    @property
    def faults(self) -> int:
        """Faults in those games."""

    @property
    def seconds(self) -> float:
        """Since the first block began."""

    @property
    def ends_after(self) -> float | None:
        """Seconds from then, if it has so many."""


def line(state: State, leaders: Sequence[str] = ()) -> str:
    """One line for people: games, rate, time left, faults, and who has won most."""
    done, planned = state.games_done, state.games_planned
    parts = [counted(done, "game") if planned is None else f"{done:,} of {counted(planned, 'game')}"]
    left = [] if state.ends_after is None else [max(0.0, state.ends_after - state.seconds)]
    if done and state.seconds >= _SETTLED:
        rate = max(1, done - state.games_found) / state.seconds
        parts.append(f"{rate:.0f} a second" if rate >= 2 else f"{rate * 60:.0f} a minute")
        for games in (planned, state.games_expected):
            if games is not None and done < games:
                left.append((games - done) / rate)
        if left:
            parts.append(f"{rough(min(left))} left")
    if state.known:
        parts.append(state.known)
    parts.append(counted(state.faults, "fault"))
    if leaders:
        parts.append(f"ahead: {', '.join(leaders)}")
    return ", ".join(parts)


class Show(Protocol):
    """Where progress goes."""

    def tell(self, text: str) -> None:
        """A line that stays."""

    def update(self, state: State, leaders: Sequence[str]) -> None:
        """The tournament got this far. Cheap: it decides itself whether anything is shown."""

    def close(self) -> None:
        """Nothing more comes; the terminal is left as it was."""


class Silent:
    """Nothing is shown."""

    def tell(self, text: str) -> None:
        """Say nothing."""

    def update(self, state: State, leaders: Sequence[str]) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Nothing to do."""


class Plain:
    """Whole lines, not more often than somebody reads a log."""

    def __init__(self, seconds: float = PLAIN_SECONDS, share: float = PLAIN_SHARE) -> None:
        self._seconds = seconds
        self._share = share
        self._last = time.monotonic()
        self._shown = 0

    def tell(self, text: str) -> None:
        """Write the line."""
        say(text)

    def update(self, state: State, leaders: Sequence[str]) -> None:
        """Write a line if enough time has passed and enough was played since the last."""
        now = time.monotonic()
        due = now - self._last >= self._seconds
        known = [games for games in (state.games_planned, state.games_expected) if games is not None]
        of = min(known, default=state.games_done)
        if due and state.games_done - self._shown >= self._share * of:
            self._last, self._shown = now, state.games_done
            self.tell(line(state, leaders))

    def close(self) -> None:
        """Nothing to do."""


class OnTerminal:
    """One line that is written over in place."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._console = Console(stderr=True, highlight=False, markup=False)
        # No thread of its own draws it: that would take time from the bots' clocks at any moment.
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()
        self._last = 0.0

    def tell(self, text: str) -> None:
        """Write the line above the live one."""
        self._console.print(as_said(text), soft_wrap=True)

    def update(self, state: State, leaders: Sequence[str]) -> None:
        """Draw the line anew, a few times a second at most."""
        from rich.text import Text

        now = time.monotonic()
        if now - self._last >= LIVE_SECONDS:
            self._last = now
            self._live.update(Text(line(state, leaders), no_wrap=True, overflow="ellipsis"), refresh=True)

    def close(self) -> None:
        """Take the line away."""
        self._live.stop()


class Guarded:
    """Another kind, until its terminal is gone. A tournament does not end because nobody watches it."""

    def __init__(self, inner: Show) -> None:
        self._inner = inner

    def tell(self, text: str) -> None:
        """As the other kind does."""
        self._do(lambda: self._inner.tell(text))

    def update(self, state: State, leaders: Sequence[str]) -> None:
        """As the other kind does."""
        self._do(lambda: self._inner.update(state, leaders))

    def close(self) -> None:
        """As the other kind does."""
        self._do(lambda: self._inner.close())

    def _do(self, show: Callable[[], None]) -> None:
        try:
            show()
        except OSError:
            give_up(sys.stderr)
            self._inner = Silent()


def show_for(*, quiet: bool) -> Show:
    """The kind that fits stderr."""
    if quiet:
        return Silent()
    if sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown"):
        return Guarded(OnTerminal())
    return Plain()
