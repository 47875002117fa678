"""What a process was sent, byte for byte, made again from the records of its block."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cheat.deal import bot_seed, game_id
from arena.cheat.game import Game
from arena.protocol.faults import FaultRecord
from arena.protocol.lines import GOODBYE, hello_line, start_line
from arena.referee.attendance import Attendance, attendances
from arena.referee.audience import Audience
from arena.referee.block import Block, GameResult, Terms
from arena.referee.ids import Ids, for_hello
from arena.referee.retrace import Asked, failed_starts, retrace


@dataclass(frozen=True, slots=True)
class Sent:
    """One write to a process: events it had not been told yet, then a request (but for the very last)."""

    game: int
    data: bytes
    asked: Asked | None
    missed: bytes = b""
    """With no data: what would have been written next, had the seat not left by a fault while idle."""


def lines_to_seat(
    terms: Terms, block: Block, games: Sequence[GameResult], names: Sequence[str], game: int, seat: int
) -> tuple[Sent, ...]:
    """Everything the process in this seat had been sent by the end of this game, in the writes it came in.

    `games` are the block's from its first, at least up to `game`; `names` are the bots' by number. The
    process may be older than the game: what it was sent in earlier ones is there too, hello first. The last
    write has no request: it is what the end of the game left untold, which the process got together
    with the first request of its next game or with goodbye. There is none for a process that faulted; where
    it did so while nothing was asked, the last is the write that was due then and was never made.
    Nothing at all was sent for a bot that had forfeited or could not be started.

    Raises RecordError if a record is no game.
    """
    bot = block.seatings[game][seat]
    came = list(attendances(terms, games[: game + 1], bot))
    if came[-1].forfeited or (came[-1].failed is not None and came[-1].failed.phase == "start"):
        return ()
    first = max(entry.game for entry in came if entry.start is not None)
    sent = [_hello(terms, block, bot, came[first])]
    if came[first].failed is not None:
        return tuple(sent)
    untold: list[bytes] = []
    for entry, played in zip(came[first:], games[first : game + 1], strict=True):
        here = entry.seat
        absent = {*played.forfeited, *failed_starts(played)}
        audience = Audience(terms.seats, absent)
        shown = [names[number] for number in played.seating] if terms.names else None
        untold.append(
            start_line(
                Game(terms.rules, played.record.hands),
                here,
                game_id(terms.seed, block.number, entry.game),
                bot_seed(terms.seed, terms.dealt_as(block.number), entry.game, here),
                shown,
            )
        )
        for step in retrace(terms, block.number, played, (here,)):
            for asked in step.asked:
                if asked.seat == here:
                    sent.append(Sent(entry.game, b"".join((*untold, asked.line)), asked))
                    untold.clear()
            for asked in step.missed:
                if asked.seat == here:
                    sent.append(Sent(entry.game, b"", asked, b"".join((*untold, asked.line))))
            for event in step.events:
                untold += [line for told, line in audience.lines(event) if told == here]
    ended = any(fault.seat == came[-1].seat for fault in games[game].faults)
    if not ended:
        if terms.fresh or game + 1 == len(block.seatings):
            untold.append(GOODBYE)
        sent.append(Sent(game, b"".join(untold), None))
    return tuple(sent)


def trouble_after(terms: Terms, games: Sequence[GameResult], game: int, seat: int) -> FaultRecord | None:
    """What the process in this seat did wrong after its last request of the game, as far as a record has it.

    It stands without effect in the process's last game; else it met the first request of the next game.
    """
    played = games[game]
    bot = played.seating[seat]
    if any(fault.effective and fault.seat == seat for fault in played.faults):
        return None
    late = next((fault for fault in played.faults if fault.seat == seat), None)
    if late is not None or terms.fresh or game + 1 == len(games):
        return late
    there = games[game + 1]
    place = there.seating.index(bot)
    if any(timing.seat == place for timing in there.timings):
        return None
    return next((fault for fault in there.faults if fault.seat == place and fault.phase == "idle"), None)


def _hello(terms: Terms, block: Block, bot: int, came: Attendance) -> Sent:
    assert came.start is not None
    ids = Ids(terms.seed)
    ids.begin(for_hello(block.number, bot, came.start))
    name = ids.next()
    line = hello_line(name, terms.rules, terms.seats, terms.start_time, terms.move_time, terms.bank)
    return Sent(came.game, line, Asked(0, came.seat, "hello", came.failed, 0.0, terms.start_time, name, line))
