"""From the reply to a play request to an action of the game, or to the fault that it is."""

from collections.abc import Callable, Sequence

import msgspec

from arena.cheat.actions import Pass, Play
from arena.cheat.cards import Rank, in_order
from arena.cheat.legality import why_not_pass, why_not_play
from arena.cheat.rules import Rules
from arena.protocol.messages import PlayReply, PlayRequest
from arena.referee.ask import Trouble


def ruled(
    reply: PlayReply, seat: int, ranks: Sequence[Rank], why_illegal: Callable[[Play | Pass], str | None]
) -> Play | Pass | Trouble:
    """The reply as an action, with the rank and the count that may be left out.

    `ranks` are those that may be claimed; `why_illegal` says in a sentence what is wrong with an action,
    None if nothing is.
    """
    action: Play | Pass
    if reply.passing:
        action = Pass(seat)
    else:
        if reply.rank is None and len(ranks) > 1:
            return Trouble(
                "bad-shape", f'"rank" must be given where several are legal (here {" ".join(ranks)}).'
            )
        count = len(reply.cards) if reply.count is None else reply.count
        action = Play(seat, reply.cards, ranks[0] if reply.rank is None else reply.rank, count)
    rule = why_illegal(action)
    return action if rule is None else Trouble("illegal", f"{rule[0].upper()}{rule[1:]}.")


def ruled_by_line(reply: PlayReply, rules: Rules, line: bytes) -> Play | Pass | Trouble:
    """The same where nothing of the position is known but the request: it tells all that the rules ask for.

    The cards come in the order that records have them in.
    """
    request = msgspec.json.decode(line, type=PlayRequest)
    in_play = request.pile + sum(size for size in request.hand_sizes if size is not None)

    def why_illegal(action: Play | Pass) -> str | None:
        if isinstance(action, Pass):
            return why_not_pass(rules)
        return why_not_play(action, rules, request.hand, request.ranks, in_play)

    action = ruled(reply, request.seat, request.ranks, why_illegal)
    if isinstance(action, Play):
        return Play(action.seat, tuple(in_order(action.cards)), action.rank, action.count)
    return action
