"""An answer to a request in a few words, whether it comes from a record or from a bot just now."""

from arena.cheat.actions import Pass, Play
from arena.cli.shown import safe
from arena.protocol.faults import FaultRecord
from arena.referee.ask import Trouble
from arena.referee.retrace import Answer


def in_words(answer: Answer | Trouble) -> str:
    """What was done, or the fault and the rule that was broken."""
    if isinstance(answer, FaultRecord | Trouble):
        return f"fault {answer.code}: {safe(answer.rule, 300)}"
    if isinstance(answer, Play):
        return f"lays {' '.join(answer.cards)} as {answer.count} x {answer.rank}"
    if isinstance(answer, Pass):
        return "passes"
    if isinstance(answer, bool):
        return "calls" if answer else "does not call"
    return "answered"


def in_short(answer: Answer | Trouble) -> str:
    """The same without the rule, to stand in a column."""
    return f"fault {answer.code}" if isinstance(answer, FaultRecord | Trouble) else in_words(answer)


def same(recorded: Answer, heard: Answer | Trouble) -> bool:
    """Whether a bot has answered as it did then; of faults, whether the fault is the same."""
    if isinstance(recorded, FaultRecord):
        return isinstance(heard, Trouble) and heard.code == recorded.code
    return recorded == heard
