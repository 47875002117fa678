"""The lines of an exported tournament (docs/formats.md tells people of them), and the digest of a row."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from arena.cheat.events import Reason
from arena.protocol.faults import FaultRecord
from arena.referee.block import Debug, TierName, Timing
from arena.tournament.changes import Altered
from arena.tournament.rows import Value, digest_of, unpacked

EXPORT: Final = 1
"""Version of the layout of exported lines."""
_MOST: Final = (1 << 63) - 1
"""What a column of SQLite can hold."""
FROM_ZERO: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
FROM_ONE: TypeAlias = Annotated[int, Meta(ge=1, le=_MOST)]
SECONDS: TypeAlias = Annotated[float, Meta(ge=0)]
DIGEST: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """One line, `type` first."""


class BotLine(Line, frozen=True, kw_only=True, tag="bot"):
    """A bot; its number stands for it in every other line."""

    number: FROM_ZERO
    name: str
    digest: str
    """SHA-256 of its content."""
    command: str
    author: str | None
    version: str | None
    said: str | None


class DecisionLine(Line, frozen=True, kw_only=True, tag="decision"):
    """What was decided at a point of the schedule."""

    point: FROM_ZERO
    kind: str
    until: FROM_ZERO
    value: Any


class ChangeLine(Line, frozen=True, kw_only=True, tag="change"):
    """What was changed when the tournament was resumed."""

    number: FROM_ONE
    made: str
    arena: str
    block: FROM_ZERO
    altered: tuple[Altered, ...]


class BlockLine(Line, frozen=True, kw_only=True, tag="block"):
    """A block; its games follow it, as many as have been played."""

    number: FROM_ZERO
    seatings: tuple[tuple[FROM_ZERO, ...], ...]
    state: Literal["begun", "played", "dropped"]
    tier: TierName
    contended: bool
    voided: tuple[FROM_ZERO, ...]
    started: float
    seconds: SECONDS
    requests: FROM_ZERO
    change: FROM_ZERO
    digest: DIGEST


class Fault(FaultRecord, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A fault record and no other field."""


class Said(Debug, frozen=True, forbid_unknown_fields=True):
    """What a bot said for its author, and no other field."""


class Timed(Timing, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The timing of a request, and nothing behind it."""


class GameLine(Line, frozen=True, kw_only=True, tag="game"):
    """A game, with its events as the log schema of the protocol has them."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    block: FROM_ZERO
    game: FROM_ZERO
    seats: tuple[FROM_ZERO, ...]
    places: tuple[FROM_ONE, ...]
    winner: FROM_ZERO | None
    reason: Reason
    turns: FROM_ZERO
    forfeited: tuple[FROM_ZERO, ...]
    tier: TierName
    seconds: SECONDS
    faults: tuple[Fault, ...]
    events: tuple[msgspec.Raw, ...]
    debug: tuple[Said, ...]
    timing: tuple[Timed, ...]
    digest: DIGEST


class EndLine(Line, frozen=True, kw_only=True, tag="end"):
    """The last line: how many lines of each kind came before it."""

    bots: FROM_ZERO
    decisions: FROM_ZERO
    changes: FROM_ZERO
    blocks: FROM_ZERO
    games: FROM_ZERO
    content: DIGEST | None
    """The sum modulo 2**256 of the digests of all rows, blobs unpacked; null where the seed is hidden."""
    digest: DIGEST | None
    """The running digest of the results file; null where the seed is hidden."""


def content_digest(values: Sequence[Value]) -> str:
    """The digest of a row whose blobs are taken unpacked: the same whichever library packed them.

    Raises one of UNREADABLE for a blob that cannot be unpacked.
    """
    return digest_of([unpacked(value) if isinstance(value, bytes) else value for value in values])
