"""Signals that end a run: the first in order, the second at once. Either way no bot is left running."""

import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, Final, TypeVar

from arena.cli.streams import give_up_stopped_terminals, say

_T = TypeVar("_T")
ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FORCE_LIMIT: Final = 2.0
"""Seconds to spend on killing what is left when the run is ended by force."""


def caught() -> tuple[signal.Signals, ...]:
    """The signals that end a run: all but a hang-up that `nohup` has asked to ignore."""
    return tuple(
        number
        for number in ENDING
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    )


@contextmanager
def as_keyboard_interrupt() -> Iterator[None]:
    """While no loop runs, every ending signal is a KeyboardInterrupt, so that `finally` blocks clean up."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in caught()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held_back() -> Iterator[None]:
    """An ending signal that comes meanwhile breaks nothing off: it is a KeyboardInterrupt at the end."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in caught()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            raise KeyboardInterrupt


@contextmanager
def left_whole(inner: AbstractContextManager[_T]) -> Iterator[_T]:
    """The same context, but no ending signal breaks off what it does at its end."""
    value = inner.__enter__()
    try:
        yield value
    finally:
        with held_back():
            inner.__exit__(None, None, None)


def _nothing() -> None:
    return


def run_until_ended(
    play: Callable[[], Awaitable[None]], tell: Callable[[str], None], leave: Callable[[], None] = _nothing
) -> bool:
    """`until_ended` in a loop of its own. Nothing is raised into the loop while it is being built or ends."""
    import trio

    with held_back():
        return trio.run(until_ended, play, tell, leave)


async def until_ended(
    play: Callable[[], Awaitable[None]], tell: Callable[[str], None], leave: Callable[[], None] = _nothing
) -> bool:
    """Run `play`; whether it came to its end. The first ending signal cancels it, the second kills all.

    `tell` is called with a line for people when a signal arrives, and `leave` when all is killed, to leave
    in order what can be left in order at once.
    """
    import trio

    scope = trio.CancelScope()
    failure: Exception | None = None
    # Signals that have come before the loop heard of the first; -1 once it has.
    unheard = 0

    async def listen(signals: Callable[[], Awaitable[int]]) -> None:
        nonlocal unheard
        await signals()
        unheard = -1
        scope.cancel()
        give_up_stopped_terminals()
        tell("ending: stopping the bots (once more to force it)")
        await signals()
        force(leave)

    def counted(receive: Any) -> Callable[[int, FrameType | None], None]:
        def come(number: int, frame: FrameType | None) -> None:
            nonlocal unheard
            # Where the loop has heard of none when the second comes, it is stuck: in writing to a terminal.
            if unheard >= 0:
                unheard += 1
                if unheard > 1:
                    force(leave)
            receive(number, frame)

        return come

    with trio.open_signal_receiver(*caught()) as arrivals:
        # The receiver puts back what was there before it.
        for number in caught():
            signal.signal(number, counted(signal.getsignal(number)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, arrivals.__anext__)
            with scope:
                # What it raises leaves as itself, in no group.
                try:
                    await play()
                except Exception as error:
                    failure = error
            nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return not scope.cancelled_caught


def force(leave: Callable[[], None]) -> None:
    """Kill every process below this one, and this one's own run, without any ceremony. Does not return."""
    from arena.referee import tree

    own = os.getpid()
    limit = time.monotonic() + _FORCE_LIMIT
    while (below := tree.descendants_of(own)) and time.monotonic() < limit:
        for pid in below:
            tree.kill(pid)
            tree.reap(pid)
        time.sleep(0.005)
    try:
        leave()
    finally:
        try:
            give_up_stopped_terminals()
            say("ended by force")
        finally:
            os._exit(128 + signal.SIGINT)
