"""A guest at the table: told what a bot there is told, without a clock, and nobody else is billed for it."""

import json
import time

import msgspec
import pytest
import trio
from standstill import stall

from arena.protocol.lines import GOODBYE
from arena.protocol.messages import ChallengeReply, HelloReply, PlayReply
from arena.referee.ask import Trouble
from arena.referee.block import Block
from arena.referee.ids import Ids
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from arena.referee.sent import lines_to_seat

BLOCK = Block(3, ((0, 1, 2, 3), (1, 0, 3, 2)))
THINKING = """
import os, time
from decent import say, serve


def late(line, reply):
    open(os.environ["HOME"] + "/moment", "w").close()
    time.sleep(SECONDS)
    say(reply)


serve(late, 12)
"""


class Slow:
    """A seat that answers from a task of the test, and lays what is due or one card, as `decent` bots do."""

    def __init__(self, seed: bytes, slow_turn: int = 0) -> None:
        self.pace, self.trouble, self.ids = 0.0, None, Ids(seed)
        self.lines: list[bytes] = []
        self.games: list[str] = []
        self._slow_turn = slow_turn
        self._asks, self._come = trio.open_memory_channel[object](10)

    def tell(self, line):
        self.lines.append(line)

    def begin(self, ask):
        self.lines.append(ask.line)
        ask.stamp_send()
        if ask.kind == "hello":
            ask.finish(time.perf_counter(), HelloReply(name="somebody"))
        else:
            self._asks.send_nowait(ask)

    def new_game(self, purpose):
        self.ids.begin(purpose)
        self.games.append(purpose)
        self.trouble = None

    def last_words(self):
        return b""

    def expire(self, ask, now):
        self.trouble = Trouble("timeout", "Too late.")
        ask.finish(now, self.trouble)

    async def run(self):
        async for ask in self._come:
            fields = json.loads(ask.line)
            if fields["turn"] == self._slow_turn:
                await trio.sleep(0.8)
            if ask.kind == "challenge":
                reply = ChallengeReply(False)
            else:
                due = fields["ranks"][0]
                cards = [card for card in fields["hand"] if card[0] == due][:4] or fields["hand"][:1]
                reply = PlayReply(tuple(cards))
            ask.finish(time.perf_counter(), reply)


def played(pack_bot, terms, guest):
    bots = {number: pack_bot("honest") for number in range(4)}
    bots[2] = msgspec.structs.replace(bots[2], name="guest", argv=(), folder="", digest="")

    async def play():
        async with open_machine() as machine, trio.open_nursery() as tasks:
            tasks.start_soon(guest.run)
            result = await play_block(BLOCK, bots, terms, machine, guests={2: guest}, heard=heard.append)
            tasks.cancel_scope.cancel()
        return result

    heard = []
    result = trio.run(play)
    assert tuple(heard) == tuple(event for game in result.games for event in game.events)
    return result


@pytest.mark.usefixtures("nothing_left")
def test_a_guest_is_told_to_the_byte_what_a_bot_in_that_seat_is_told(pack_bot, terms):
    terms = msgspec.structs.replace(terms, untimed=2)
    guest = Slow(terms.seed)
    result = played(pack_bot, terms, guest)
    assert [fault for game in result.games for fault in game.faults] == []
    names = ("honest", "honest", "guest", "honest")
    seat = BLOCK.seatings[1].index(2)
    sent = lines_to_seat(terms, BLOCK, result.games, names, 1, seat)
    assert b"".join(guest.lines) + GOODBYE == b"".join(one.data for one in sent)
    assert len(guest.games) == 2
    assert result.requests == 4 + sum(len(game.timings) for game in result.games)


def test_no_clock_runs_for_a_guest_without_one_and_none_while_it_thinks(pack_bot, terms):
    terms = msgspec.structs.replace(terms, untimed=2)
    guest = Slow(terms.seed, slow_turn=2)
    (game, _) = played(pack_bot, terms, guest).games
    seat = BLOCK.seatings[0].index(2)
    assert game.faults == ()
    used = {timing.seat: timing.used for timing in game.timings if timing.turn == 2}
    assert used[seat] > terms.move_time + terms.bank
    assert all(took < terms.move_time for other, took in used.items() if other != seat)
    assert {timing.bank for timing in game.timings if timing.seat == seat} == {terms.bank}


def test_a_guest_with_a_clock_leaves_as_a_bot_does_that_is_too_late(pack_bot, terms):
    guest = Slow(terms.seed, slow_turn=2)
    (game, later) = played(pack_bot, terms, guest).games
    (fault,) = game.faults
    assert (fault.seat, fault.code, fault.turn, fault.bot) == (2, "timeout", 2, "guest")
    # It is there again for the next game.
    assert any(timing.seat == BLOCK.seatings[1].index(2) for timing in later.timings)


@pytest.mark.parametrize(
    ("seconds", "codes"),
    [
        pytest.param(0.5, [], id="an answer that came meanwhile"),
        pytest.param(1.3, [], id="an answer that comes no later after it"),
        pytest.param(2.5, ["timeout"], id="an answer that is late all the same"),
    ],
)
def test_the_time_in_which_the_referee_stood_still_costs_no_bot_at_a_guests_table(
    seconds, codes, pack_bot, bot_from, terms
):
    terms = msgspec.structs.replace(terms, bank=0.4, untimed=2)
    guest = Slow(terms.seed)
    bots = {number: pack_bot("honest") for number in range(4)}
    bots[0] = bot_from("thinking", THINKING.replace("SECONDS", str(seconds)))

    async def play():
        async with open_machine() as machine, trio.open_nursery() as tasks:
            tasks.start_soon(guest.run)
            tasks.start_soon(stall, machine, 1.0)
            block = Block(3, ((0, 1, 2, 3),))
            result = await play_block(block, bots, terms, machine, guests={2: guest})
            tasks.cancel_scope.cancel()
        return result

    (game,) = trio.run(play).games
    assert [fault.code for fault in game.faults] == codes
    bot_seats = {number for number in range(4) if number != 2}
    used = [timing.used for timing in game.timings if timing.seat in bot_seats]
    assert min(used) >= 0
    if not codes:
        assert max(used) <= terms.move_time + terms.bank
