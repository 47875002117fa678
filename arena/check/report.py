"""What a check comes to: a step after the other, and of each that failed all there is to show."""

from dataclasses import dataclass
from typing import Final

STEPS: Final = (
    *("starts", "speaks", "answers", "plays", "repeats", "tolerates", "leaves", "memory", "variants"),
)
"""The steps in their order. `variants` and `repeats` only ever note something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One thing that went wrong. Whatever comes from the bot is escaped to printable text."""

    headline: str
    """What the bot did, in one sentence."""
    mend: str
    """What its author can most likely do, as a part of a sentence."""
    code: str
    """The fault it is in a tournament; for what is none there, the name of the step."""
    rule: str
    anchor: str
    """Where protocol.md tells about it."""
    where: str = ""
    """In which position, if it was in one."""
    before: tuple[str, ...] = ()
    """The event lines that went out together with the request, in one write."""
    sent: str | None = None
    """The last line sent, without its newline."""
    received: str | None = None
    """Every byte that came since, a newline as two characters."""
    caret: int | None = None
    """The place in `received` where the trouble is."""
    valid: str | None = None
    """An answer that would have been right, made from the actions that are legal there."""
    stderr: str = ""
    """The last lines that the bot wrote there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step that was tried."""

    name: str
    ok: bool
    seconds: float
    message: str
    """One line: how it went, with the margin; of a failed step what was wrong."""
    notes: tuple[str, ...] = ()
    """What an author may want to know, although nothing failed by it."""
    explanation: Explanation | None = None
    """Of a failed step; None where an earlier step had the same trouble."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole check of one bot."""

    bot: str
    tier: str
    steps: tuple[Step, ...]
    seconds: float
    """From the first start to the end of the last process."""

    @property
    def ok(self) -> bool:
        """Whether no step failed."""
        return all(step.ok for step in self.steps)

    @property
    def not_tried(self) -> tuple[str, ...]:
        """The steps that made no sense after what had failed before them."""
        tried = {step.name for step in self.steps}
        return tuple(name for name in STEPS if name not in tried)
