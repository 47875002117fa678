"""`--seed`: what it comes to, and what is to be said of one that bots could guess."""

from typing import Final

from arena.errors import BadInput

SAFE: Final = 22
"""Characters from which a seed in words cannot be tried out: 22 random letters and digits hold 128 bits."""


def seed_of(text: str) -> bytes:
    """What --seed comes to. Raises BadInput."""
    from arena.cheat.deal import seed_bytes

    if not text.strip():
        raise BadInput("--seed is empty; give some text or 32 hexadecimal digits, or leave it out")
    try:
        return seed_bytes(text)
    except UnicodeEncodeError:
        raise BadInput("--seed is not UTF-8 text; give plain text or 32 hexadecimal digits") from None


def guessable(given: str | None) -> tuple[str, ...]:
    """The warning that this text of --seed calls for, if it does; None is a seed of 128 bits."""
    if given is None or len(given) >= SAFE:
        return ()
    return (
        "Warning: a bot could guess so short a seed from its own hand, and then knows all hands; "
        "leave --seed out, or give 32 hexadecimal digits.",
    )
