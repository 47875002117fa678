"""An answer that would have been right: made from the actions that are legal in that very position."""

import json

import msgspec

from arena.cheat.actions import Pass
from arena.cheat.rules import Rules
from arena.protocol.messages import Kind, PlayReply, PlayRequest
from arena.referee.ask import Trouble
from arena.referee.ruling import ruled_by_line


def valid_fields(kind: Kind, id: str, line: bytes, rules: Rules) -> dict[str, object]:
    """The fields of a right answer to this request: to play, cards that are due where the hand has any.

    `line` is the request without its newline. Raises ValueError where the referee would not take the answer,
    which is never.
    """
    if kind == "hello":
        return {"id": id}
    if kind == "challenge":
        return {"id": id, "challenge": False}
    request = msgspec.json.decode(line, type=PlayRequest)
    best = max(request.ranks, key=lambda rank: sum(card[0] == rank for card in request.hand))
    due = tuple(card for card in request.hand if card[0] == best)[: rules.max_cards]
    reply = PlayReply(due or request.hand[:1], best)
    action = ruled_by_line(reply, rules, line)
    if isinstance(action, Trouble | Pass):
        raise ValueError(f"{reply} is not legal in {line!r}: {action}")
    return {"id": id, "rank": action.rank, "cards": list(action.cards)}


def valid_reply(kind: Kind, id: str, line: bytes, rules: Rules) -> str:
    """The same as a line without its newline."""
    return json.dumps(valid_fields(kind, id, line, rules))
