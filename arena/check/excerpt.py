"""The bytes that came, as a line of printable text with the place of the trouble in it."""

from typing import Final

_MOST: Final = 400
_BEFORE: Final = 200
_NAMED: Final = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x5C: "\\\\"}


def excerpt(received: bytes, at: int | None) -> tuple[str, int | None]:
    r"""The bytes and the column of byte `at`, which may be one past the end.

    Printable ASCII is shown as it is, all else as ``\n`` or ``\xe2``, so that no byte is guessed. Of more
    than some hundred bytes those around the trouble are shown, with ``...`` for the others.
    """
    first = 0 if at is None or len(received) <= _MOST else max(0, at - _BEFORE)
    part = received[first : first + _MOST]
    text = "..." if first else ""
    column = None
    for number, byte in enumerate(part, first):
        if number == at:
            column = len(text)
        text += _shown(byte)
    if at is not None and at == first + len(part):
        column = len(text)
    if first + len(part) < len(received):
        text += f"... ({len(received)} bytes)"
    return text, column


def _shown(byte: int) -> str:
    if byte in _NAMED:
        return _NAMED[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"
