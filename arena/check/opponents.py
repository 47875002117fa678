"""Those at a table with the bot that is checked: seats without a process, which answer at once."""

import dataclasses
import random
import time
from typing import Final

import msgspec

from arena.cheat.rules import Rules
from arena.check.strategies import Strategy
from arena.protocol.messages import ChallengeReply, ChallengeRequest, PlayRequest
from arena.referee.ask import Ask, Trouble
from arena.referee.ids import Ids

_GONE: Final = Trouble("exit", "It had seen what it came for.")
_read_play: Final = msgspec.json.Decoder(PlayRequest).decode
_read_challenge: Final = msgspec.json.Decoder(ChallengeRequest).decode


class _Told(msgspec.Struct):
    """What matters to an opponent of an event."""

    type: str
    seat: int = -1
    seed: int = 0


_read_event: Final = msgspec.json.Decoder(_Told).decode


class Opponent:
    """A seat that answers at once. It leaves by a fault when the guest is out of the game, or on a turn.

    So no game goes on for nobody, and one that has shown what it was made for ends by the rules.
    """

    def __init__(self, strategy: Strategy, rules: Rules, seats: int, guest: int, leaves: int | None) -> None:
        """`guest`: the seat of the bot under check. `leaves`: on its first request of this turn or later."""
        self.pace = 0.0
        self.trouble: Trouble | None = None
        self.ids = Ids(b"an opponent's id")
        self._strategy = strategy
        # As hello tells them.
        self._rules = dataclasses.replace(rules, decks=rules.decks_for(seats))
        self._guest = guest
        self._leaves = leaves
        self._rng = random.Random(0)

    def tell(self, line: bytes) -> None:
        """Take an event at once."""
        told = _read_event(line)
        if told.type == "start":
            self._rng = random.Random(told.seed)
        elif told.type == "out" and told.seat == self._guest:
            self.trouble = _GONE

    def begin(self, ask: Ask) -> None:
        """Answer within the call."""
        ask.stamp_send()
        request = _read_play(ask.line) if ask.kind == "play" else _read_challenge(ask.line)
        if self._leaves is not None and request.turn >= self._leaves:
            ask.finish(time.perf_counter(), _GONE)
        elif isinstance(request, PlayRequest):
            ask.finish(time.perf_counter(), self._strategy.plays(request, self._rules, self._rng))
        else:
            calls = self._strategy.judges(request, self._rules, self._rng)
            ask.finish(time.perf_counter(), ChallengeReply(calls))

    def new_game(self, purpose: str) -> None:
        """Ids of another game begin."""
        self.ids.begin(f"opponent:{purpose}")
        self.trouble = None

    def last_words(self) -> bytes:
        """It has no stderr."""
        return b""

    def expire(self, ask: Ask, now: float) -> None:
        """It is never late."""
