"""Clocks: one deadline, each seat billed for itself, no fault for what the referee's own delay explains."""

import dataclasses
import os
from collections.abc import Callable

import msgspec
import trio
from standstill import stall

from arena.referee.block import Block, BlockResult, Contestant, Terms
from arena.referee.lag import Histogram
from arena.referee.machine import open_machine
from arena.referee.play import BlockVoid, play_block

Made = Callable[[str, str], Contestant]
ONE_GAME = Block(0, ((0, 1, 2, 3),))
LATE_BY_THE_REFEREE = """
import os, sys, time
from decent import hang, say, serve
for _ in range(SPINNERS):
    if os.fork() == 0:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            pass
        os._exit(0)


def late(line, reply):
    open(os.environ["HOME"] + "/moment", "w").close()
    time.sleep(0.5)
    say(reply)


serve(late if SPINNERS == 0 or LATE else None, 12)
"""


def with_decent(pack_bot: Callable[[str], Contestant], bot: Contestant) -> dict[int, Contestant]:
    return {0: bot, 1: pack_bot("honest"), 2: pack_bot("honest"), 3: pack_bot("honest")}


def play_stalled(bots: dict[int, Contestant], terms: Terms, stands: bool) -> BlockResult | BlockVoid:
    async def main() -> BlockResult | BlockVoid:
        async with open_machine() as machine, trio.open_nursery() as nursery:
            nursery.start_soon(stall, machine, 1.0)
            try:
                return await play_block(ONE_GAME, bots, terms, machine, stands=stands)
            except BlockVoid as void:
                return void
            finally:
                nursery.cancel_scope.cancel()

    return trio.run(main)


def test_a_lateness_within_the_loops_own_lag_voids_the_block(
    bot_from: Made, pack_bot: Callable[[str], Contestant], terms: Terms
) -> None:
    limits = msgspec.structs.replace(terms, move_time=0.7, bank=0.0)
    bots = with_decent(pack_bot, bot_from("unlucky", LATE_BY_THE_REFEREE.replace("SPINNERS", "0")))
    void = play_stalled(bots, limits, stands=False)
    assert isinstance(void, BlockVoid)
    assert "referee itself was delayed" in void.reason
    assert void.bot == 0

    def standing() -> list[tuple[str, int]]:
        result = play_stalled(bots, limits, stands=True)
        assert isinstance(result, BlockResult)
        assert result.contended
        return [(fault.code, fault.seat) for fault in result.games[0].faults]

    # The best of three: its neighbours in the window may have answered while nobody read.
    assert any(standing() == [("timeout", 0)] for _ in range(3))


def test_a_table_that_burns_the_cores_itself_keeps_its_timeout(bot_from: Made, terms: Terms) -> None:
    limits = msgspec.structs.replace(terms, move_time=0.7, bank=0.0, start_time=20.0)
    burner = LATE_BY_THE_REFEREE.replace("SPINNERS", str(os.cpu_count() or 1))
    # The kernel may share cores by session: all four seats burn, each in its own.
    bots = {
        number: bot_from(f"burner-{number}", burner.replace("LATE", str(number == 0))) for number in range(4)
    }

    def faults() -> list[tuple[str, int]]:
        result = play_stalled(bots, limits, stands=False)
        if isinstance(result, BlockVoid):
            return []
        assert not result.contended
        return [(fault.code, fault.seat) for fault in result.games[0].faults]

    # The best of three: on a machine that others keep busy, they are what delays the referee, and the block
    # is rightly void. The other seats burn as well, and may starve each other: that is the table's doing too.
    assert any(("timeout", 0) in faults() for _ in range(3))


def test_in_a_window_a_slow_seat_changes_no_other_seats_bill(
    bot_from: Made, pack_bot: Callable[[str], Contestant], terms: Terms
) -> None:
    source = "from decent import serve_slowly\nserve_slowly(0.03, 'challenge')\n"
    bots = with_decent(pack_bot, bot_from("slow", source))
    short = msgspec.structs.replace(terms, rules=dataclasses.replace(terms.rules, turn_cap=60))

    async def main(thinking: int) -> tuple[BlockResult, float]:
        async with open_machine(thinking) as machine:
            result = await play_block(ONE_GAME, bots, short, machine)
            return result, machine.lag.worst_since(0.0)

    def billed(thinking: int) -> tuple[float, float]:
        """The longest bill of the other seats, and how late the loop was at the worst."""
        result, lag = trio.run(main, thinking)
        slow = [timing.used for timing in result.games[0].timings if timing.seat == 0]
        others = sorted(timing.used for timing in result.games[0].timings if timing.seat != 0)
        assert max(slow) >= 0.03
        assert others[len(others) // 2] < 0.01
        return others[-1], lag

    for thinking in (1, 4):
        # The best of three: on a machine that has other things to do a bot may be late of itself.
        assert any(most < 0.03 + lag for most, lag in (billed(thinking) for _ in range(3)))


def test_a_histogram_tells_quantiles_within_a_tenth() -> None:
    histogram = Histogram()
    for number in range(1, 1001):
        histogram.add(number / 1000)
    assert 0.5 <= histogram.quantile(0.5) <= 0.56
    assert 0.99 <= histogram.quantile(0.99) <= 1.1
    assert Histogram().quantile(0.5) == 0.0
