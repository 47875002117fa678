"""From a trouble to the fault record that is kept of it."""

from typing import cast

from arena.protocol.escape import escape
from arena.protocol.faults import FaultRecord, Phase
from arena.referee.ask import Ask, Trouble

_OFFENDING_KEPT = 512
_WORDS_KEPT = 2048


def fault_record(
    trouble: Trouble,
    ask: Ask | None,
    phase: str,
    seat: int,
    bot: str,
    turn: int,
    words: bytes,
    *,
    effective: bool = True,
) -> FaultRecord:
    """Everything there is to say of one fault; `ask` is the request it answered, None if none was open."""
    offending = trouble.offending or (ask.answer if ask is not None else b"")
    return FaultRecord(
        code=trouble.code,
        seat=seat,
        bot=bot,
        phase=cast("Phase", phase),
        turn=turn,
        rule=trouble.rule,
        effective=effective,
        request_id=ask.id if ask is not None else None,
        request=ask.line.decode().rstrip("\n") if ask is not None else None,
        limit=ask.allowed if ask is not None else None,
        used=ask.used if ask is not None else None,
        bytes_read=ask.bytes_read if ask is not None else 0,
        offending=escape(offending[:_OFFENDING_KEPT], _OFFENDING_KEPT) if offending else None,
        exit_code=trouble.exit_code,
        signal=trouble.signal,
        stderr=last_words(words),
    )


def last_words(words: bytes) -> str:
    """The end of a bot's stderr, safe to print, its lines kept apart."""
    shown = "\n".join(
        escape(line, _WORDS_KEPT) for line in words.decode(errors="backslashreplace").splitlines()
    )
    return shown[-_WORDS_KEPT:]
