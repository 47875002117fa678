"""A field that a bot looked for in vain: in what it was asked, or in an event that it took for a request."""

import difflib
import json
from types import MappingProxyType
from typing import Any, Final

from arena.check.mishap import Mishap
from arena.protocol.messages import ChallengeRequest, Hello, PlayRequest

_ALIKE: Final = 0.75
"""The likeness from which on one name may be meant for another; 1 is the same name."""
_FIELDS: Final = MappingProxyType(
    {
        "hello": frozenset(Hello.__struct_fields__),
        "play": frozenset(PlayRequest.__struct_fields__),
        "challenge": frozenset(ChallengeRequest.__struct_fields__),
    }
)
"""By the type of the request."""


def lacking(field: str, mishap: Mishap) -> str | None:
    """That the last request has no such field, and where one like it is; None where it has one.

    None too where no request has a field of such a name: it is the author's own.
    """
    asked = _object(mishap.sent)
    if mishap.kind is None or mishap.idle or not asked or field in asked:
        return None
    like = difflib.get_close_matches(field, sorted(asked), 2, _ALIKE)
    others = [kind for kind, fields in _FIELDS.items() if field in fields]
    if not like and not others:
        return None
    has = f"it has {' and '.join(f'`{name}`' for name in like)}" if like else f"{' and '.join(others)} has it"
    if not like and len(others) > 1:
        has = f"{' and '.join(others)} have it"
    return f"{mishap.kind} has no `{field}`; {has}"


def taken_for_request(field: str, mishap: Mishap) -> str | None:
    """The type of the event that it may have taken for a request; None where none can have been.

    The event went out with the last request, it lacks what that request has, and none of its type had gone
    before: such as have gone before it has got over.
    """
    if mishap.idle or field not in _object(mishap.sent):
        return None
    for line in mishap.events:
        event = _object(line)
        kind = event.get("type")
        if field not in event and isinstance(kind, str) and kind not in mishap.survived:
            return kind
    return None


def _object(line: bytes) -> dict[str, Any]:
    said = json.loads(line) if line else {}
    return said if isinstance(said, dict) else {}
