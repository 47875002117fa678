"""An answer to a request in a few words, whether it comes from a record or from a bot just now."""

import msgspec

from arena.cheat.actions import Pass, Play
from arena.cheat.cards import in_order
from arena.cli.shown import safe
from arena.protocol.faults import FaultRecord
from arena.protocol.messages import ChallengeReply, HelloReply, PlayReply, Reply
from arena.referee.ask import Trouble
from arena.referee.retrace import Answer


def recorded_words(answer: Answer) -> str:
    """What a record says of an answer."""
    if isinstance(answer, FaultRecord):
        return f"fault {answer.code}: {safe(answer.rule, 300)}"
    if isinstance(answer, Play):
        return _play(answer)
    if isinstance(answer, Pass):
        return "passes"
    if isinstance(answer, bool):
        return _call(answer)
    return "answered"


def heard_words(answer: Reply | Trouble, line: bytes) -> str:
    """The same of an answer just heard to the request on this line; equal answers give equal words."""
    if isinstance(answer, Trouble):
        return f"fault {answer.code}: {safe(answer.rule, 300)}"
    if isinstance(answer, HelloReply):
        return "answered"
    if isinstance(answer, ChallengeReply):
        return _call(answer.challenge)
    return "passes" if answer.passing else _play(_completed(answer, line))


def same(recorded: Answer, heard: Reply | Trouble, line: bytes) -> bool:
    """Whether a bot has answered as it did then; of faults, whether the fault is the same."""
    if isinstance(recorded, FaultRecord):
        return isinstance(heard, Trouble) and heard.code == recorded.code
    return recorded_words(recorded) == heard_words(heard, line)


def _completed(reply: PlayReply, line: bytes) -> Play:
    """The play, with what may be left out put in from its request, and its cards as records have them."""
    ranks = msgspec.json.decode(line)["ranks"]
    count = len(reply.cards) if reply.count is None else reply.count
    return Play(0, tuple(in_order(reply.cards)), reply.rank or ranks[0], count)


def _play(play: Play) -> str:
    return f"lays {' '.join(play.cards)} as {play.count} x {play.rank}"


def _call(called: bool) -> str:
    return "calls" if called else "does not call"
