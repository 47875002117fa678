"""The one vocabulary of faults, what a reader says of a bad line, and the record kept of each fault."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

FaultCode: TypeAlias = Literal[
    "bad-exec",
    "build-failed",
    "start-timeout",
    "timeout",
    "exit",
    "crash",
    "memory",
    "flood",
    "flood-stderr",
    "bad-json",
    "bad-type",
    "bad-shape",
    "illegal",
    "wrong-id",
    "unsolicited",
]
Phase: TypeAlias = Literal["start", "hello", "play", "challenge", "idle"]

MEANING: Final[Mapping[FaultCode, str]] = MappingProxyType(
    {
        "bad-exec": "the program could not be started",
        "build-failed": "the program's build did not succeed",
        "start-timeout": "no answer to hello within the start limit",
        "timeout": "no answer within the move limit and the bank",
        "exit": "the program ended, or closed its output, in mid-game",
        "crash": "the program ended with an error code or a signal",
        "memory": "the program went over its memory limit",
        "flood": "a line over 64 KiB, or more than 64 KiB that nobody asked for",
        "flood-stderr": "more than 16 MiB on stderr in one game",
        "bad-json": "the line is not strict JSON",
        "bad-type": "a field has the wrong JSON type",
        "bad-shape": "the line is not an object, or a field is missing or names nothing that exists",
        "illegal": "well formed, but not allowed in this position",
        "wrong-id": "an id that was never given",
        "unsolicited": "output while no request was open, or an id that was already answered",
    }
)
"""What each fault means, as a part of a sentence."""

MEND: Final[Mapping[FaultCode, str]] = MappingProxyType(
    {
        "bad-exec": "run the command by hand; check the path, the execute bit and the first line (#!)",
        "build-failed": "run the build by hand in a copy of the folder, without network",
        "start-timeout": "answer hello first and load what is slow afterwards; flush after every line",
        "timeout": "flush after every line, wait for no answer to one, and use less than `seconds` + `bank`",
        "exit": "keep reading until goodbye or the end of stdin, and never close stdout",
        "crash": "read the last lines of stderr; feed the recorded requests to the program again",
        "memory": "keep less, or name the memory it needs in bot.toml",
        "flood": "print one line for one request, and nothing else on stdout",
        "flood-stderr": "write less to stderr",
        "bad-json": "let a JSON library write the line, and print everything else on stderr",
        "bad-type": "no quotes round true, false and numbers, no point in whole numbers, no null",
        "bad-shape": "send the fields of this answer by their names; a card is rank then suit: AS, TD",
        "illegal": "lay cards of `hand` only, claim one of `ranks`, and obey the rules stated in hello",
        "wrong-id": "send back the `id` of the request that is being answered, as it is",
        "unsolicited": "print one line for each request and none for an event",
    }
)
"""What its author can most likely do about each fault, as a part of a sentence."""


def anchor(code: FaultCode) -> str:
    """Where the document of the protocol tells about this fault."""
    return f"protocol.md#{code}"


class Violation(msgspec.Struct, frozen=True):
    """What is wrong with something a bot sent: the fault, the rule in one sentence, and where in the line."""

    code: FaultCode
    rule: str
    at: int | None = None
    """Byte offset in the line where the trouble starts, when it is known."""


class FaultRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything kept of one fault. Stored with its game; shown by standings, faults and replay."""

    code: FaultCode
    seat: int
    bot: str
    phase: Phase
    turn: int
    """Turn of the game when it took effect; 0 before the first."""
    rule: str
    """The rule broken, in one sentence, with the values of this case."""
    effective: bool = True
    """False: only recorded, the game was not changed by it."""
    request_id: str | None = None
    request: str | None = None
    """The exact request line, without its newline."""
    limit: float | None = None
    """Seconds that were allowed: move limit plus bank, or the start limit."""
    used: float | None = None
    """Seconds from our send to the arrival (or to the deadline)."""
    bytes_read: int = 0
    """Bytes read from the bot for this request."""
    offending: str | None = None
    """The bytes complained of, escaped to printable ASCII, at most 512 characters."""
    exit_code: int | None = None
    signal: str | None = None
    stderr: str = ""
    """The last stderr lines, escaped, at most 2048 characters."""
