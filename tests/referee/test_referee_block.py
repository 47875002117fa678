"""Blocks: the ladder from a fault to a forfeit, clocks and banks, processes over a block, breaking off."""

import dataclasses
import os
import time
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
import trio
from whole_block import play_whole

from arena.cheat.actions import Answers
from arena.cheat.presets import preset
from arena.cheat.record import replay
from arena.referee import tree
from arena.referee.block import Block, BlockResult, Contestant, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block

Pack = Callable[[str], Contestant]
Made = Callable[[str, str], Contestant]
FOUR_GAMES = Block(3, ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)))


def play(block: Block, bots: dict[int, Contestant], terms: Terms, thinking: int | None = None) -> BlockResult:
    async def main() -> BlockResult:
        async with open_machine(thinking) as machine:
            return await play_whole(block, bots, terms, machine)

    return trio.run(main)


def at_table(pack_bot: Pack, *others: Contestant) -> dict[int, Contestant]:
    bots = [*others, *(pack_bot("honest") for _ in range(4 - len(others)))]
    return dict(enumerate(bots))


def test_the_third_fault_forfeits_the_rest_of_the_block(pack_bot: Pack, terms: Terms) -> None:
    result = play(FOUR_GAMES, at_table(pack_bot, pack_bot("exits_zero")), terms)
    assert [len(game.faults) for game in result.games] == [1, 1, 1, 0]
    assert [game.forfeited for game in result.games] == [(), (), (), (1,)]
    assert result.games[3].record.places[1] == 4


def test_without_a_forfeit_limit_it_faults_to_the_end(pack_bot: Pack, terms: Terms) -> None:
    never = msgspec.structs.replace(terms, forfeit=0)
    result = play(FOUR_GAMES, at_table(pack_bot, pack_bot("exits_zero")), never)
    assert [len(game.faults) for game in result.games] == [1, 1, 1, 1]


@pytest.mark.parametrize("forfeit", [0, 3])
def test_a_failed_start_forfeits_unless_nothing_does(pack_bot: Pack, terms: Terms, forfeit: int) -> None:
    some = msgspec.structs.replace(terms, forfeit=forfeit)
    result = play(FOUR_GAMES, at_table(pack_bot, pack_bot("crashes_at_start")), some)
    assert [len(game.faults) for game in result.games] == ([1, 1, 1, 1] if forfeit == 0 else [1, 0, 0, 0])
    assert result.games[0].faults[0].phase == "hello"


def test_a_table_where_nobody_starts_has_games_without_a_winner(pack_bot: Pack, terms: Terms) -> None:
    bots = at_table(pack_bot, *(pack_bot("crashes_at_start") for _ in range(4)))
    result = play(FOUR_GAMES, bots, terms)
    assert {(game.record.winner, game.record.reason) for game in result.games} == {(None, "nobody")}


def test_one_that_starts_beside_three_that_do_not_wins_alone(pack_bot: Pack, terms: Terms) -> None:
    bots = at_table(pack_bot, *(pack_bot("crashes_at_start") for _ in range(3)))
    result = play(FOUR_GAMES, bots, terms)
    assert [game.seating[game.record.winner or 0] for game in result.games] == [3, 3, 3, 3]
    assert {game.record.reason for game in result.games} == {"alone"}


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("/no/such/program",), "does not exist"),
        (("{folder}/bot.py",), "not executable"),
        (("{folder}/bad-shebang",), "could not be executed"),
        (("{folder}/garbage",), "could not be executed"),
    ],
)
def test_what_cannot_be_executed_is_bad_exec_with_its_path_and_the_mend(
    pack_bot: Pack, bot_from: Made, terms: Terms, argv: tuple[str, ...], hint: str
) -> None:
    bot = bot_from("cannot", "")
    for name, text in (("bad-shebang", b"#!/no/such/interpreter\n"), ("garbage", b"\x7fELF\x00\x01\x02")):
        with open(f"{bot.folder}/{name}", "wb") as file:
            file.write(text)
        os.chmod(f"{bot.folder}/{name}", 0o755)
    words = tuple(word.format(folder=bot.folder) for word in argv)
    result = play(FOUR_GAMES, at_table(pack_bot, msgspec.structs.replace(bot, argv=words)), terms)
    fault = result.games[0].faults[0]
    assert fault.code == "bad-exec"
    assert words[0] in fault.rule
    assert hint in fault.rule


def test_a_process_lives_for_the_block_and_a_fault_brings_a_new_one(
    pack_bot: Pack, bot_from: Made, terms: Terms
) -> None:
    source = """
import os, sys
from decent import Line, answer, say
games = 0
for raw in sys.stdin.buffer:
    m = Line(raw).fields
    if m["type"] == "goodbye":
        break
    games += m["type"] == "start"
    if "id" in m:
        reply = answer(Line(raw))
        if m["type"] != "hello":
            reply["debug"] = f"{os.getpid()} {games}"
        if games == 2 and m["type"] == "play":
            reply["cards"] = []
        say(reply)
"""
    result = play(FOUR_GAMES, at_table(pack_bot, bot_from("counts", source)), terms)
    said = [{text.text for text in game.debug if game.seating[text.seat] == 0} for game in result.games]
    pids = [{text.split()[0] for text in texts} for texts in said]
    assert pids[0] == pids[1]
    assert pids[1] != pids[2]
    assert pids[2] == pids[3]
    assert [sorted(text.split()[1] for text in texts) for texts in said] == [["1"], ["2"], ["1"], ["2"]]


def test_fresh_gives_every_game_a_process_of_its_own(pack_bot: Pack, bot_from: Made, terms: Terms) -> None:
    source = """
import os
from decent import answer, requests, say
for line in requests():
    say({**answer(line), **({} if line.fields["type"] == "hello" else {"debug": str(os.getpid())})})
"""
    fresh = msgspec.structs.replace(terms, fresh=True)
    result = play(FOUR_GAMES, at_table(pack_bot, bot_from("tells", source)), fresh)
    pids = [{text.text for text in game.debug if game.seating[text.seat] == 0} for game in result.games]
    assert all(len(one) == 1 for one in pids)
    assert len(set.union(*pids)) == 4


def test_the_same_seed_gives_the_same_games_whatever_the_thinking_limit(pack_bot: Pack, terms: Terms) -> None:
    bots = at_table(pack_bot, pack_bot("adapts"), pack_bot("exits_zero"), pack_bot("reply_and_junk"))
    one, other = play(FOUR_GAMES, bots, terms, 1), play(FOUR_GAMES, bots, terms, 8)
    for game, again in zip(one.games, other.games, strict=True):
        assert (game.id, game.record, game.debug, game.forfeited) == (
            again.id,
            again.record,
            again.debug,
            again.forfeited,
        )
        assert [(f.code, f.seat, f.turn, f.request) for f in game.faults] == [
            (f.code, f.seat, f.turn, f.request) for f in again.faults
        ]
        replay(game.record)


def test_a_slow_seat_uses_its_bank_and_is_billed_alone(pack_bot: Pack, bot_from: Made, terms: Terms) -> None:
    source = """
import time
from decent import say, serve
serve(lambda line, reply: (time.sleep(0.25), say(reply)), 3)
"""
    banked = msgspec.structs.replace(terms, move_time=0.1, bank=0.3)
    result = play(FOUR_GAMES, at_table(pack_bot, bot_from("sleeps", source)), banked, 1)
    game = result.games[0]
    assert game.faults == ()
    mine = [timing for timing in game.timings if timing.seat == 0]
    assert [timing.bank for timing in mine[:3]] == [0.3, 0.3, 0.3]
    assert mine[2].used == pytest.approx(0.25, abs=0.05) or mine[2].used > 0.25
    assert mine[3].bank == pytest.approx(0.3 - (mine[2].used - 0.1), abs=0.001)
    others = sorted(timing.used for timing in game.timings if timing.seat != 0)
    assert others[len(others) // 2] < 0.05


def test_an_empty_bank_is_a_timeout_with_limit_and_time_used(
    pack_bot: Pack, bot_from: Made, terms: Terms
) -> None:
    source = "from decent import serve_slowly\nserve_slowly(0.15, 'play', 'challenge')\n"
    banked = msgspec.structs.replace(terms, move_time=0.1, bank=0.12, forfeit=1)
    result = play(FOUR_GAMES, at_table(pack_bot, bot_from("dawdles", source)), banked)
    (fault,) = result.games[0].faults
    assert fault.code == "timeout"
    assert fault.limit is not None
    assert fault.used is not None
    assert 0.1 <= fault.limit < 0.16
    assert fault.used >= fault.limit


def test_under_first_the_quickest_by_its_own_clock_is_heard(
    pack_bot: Pack, bot_from: Made, terms: Terms
) -> None:
    source = """
import time
from decent import answer, requests, say
for line in requests():
    reply = answer(line)
    if line.fields["type"] == "challenge":
        time.sleep(0.03 * WAIT)
        reply["challenge"] = True
    say(reply)
"""
    bots = [bot_from(f"waits-{wait}", source.replace("WAIT", str(wait))) for wait in (3, 2, 1, 0)]
    rules = replace(preset("classic"), callers="first", turn_cap=8)
    result = play(
        Block(0, ((0, 1, 2, 3),)),
        dict(enumerate(bots)),
        msgspec.structs.replace(terms, rules=rules, move_time=1.0),
    )
    for action in result.games[0].record.actions:
        if isinstance(action, Answers):
            assert list(action.callers) == sorted(action.callers, reverse=True)


def test_broken_off_at_any_moment_a_block_leaves_no_process(
    pack_bot: Pack, terms: Terms, nothing_left: None
) -> None:
    async def main(after: float) -> None:
        async with open_machine() as machine:
            with trio.move_on_after(after):
                await play_block(FOUR_GAMES, bots, terms, machine)

    bots = at_table(pack_bot, pack_bot("daemon"), pack_bot("ignores_sigterm"))
    # Tests before this one may have left zombies that are handed to this process, as any orphan is.
    before = set(tree.children_of(os.getpid()))
    for after in (0.0, 0.001, 0.003, 0.005, 0.01, 0.015, 0.03, 0.06, 0.1):
        trio.run(main, after)
        assert set(tree.children_of(os.getpid())) <= before


def test_a_daemon_that_wipes_its_environment_goes_with_the_machine(
    pack_bot: Pack, bot_from: Made, terms: Terms, nothing_left: None
) -> None:
    source = """
import os, sys
from decent import serve
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sh", ["sh", "-c", "sleep 1000"], {})
    os._exit(0)
os.wait()
serve()
"""
    result = play(FOUR_GAMES, at_table(pack_bot, bot_from("wipes", source)), terms)
    assert all(not game.faults for game in result.games)


def test_twenty_bots_that_ignore_everything_end_within_one_grace_period(
    bot_from: Made, terms: Terms, nothing_left: None
) -> None:
    source = """
import signal, sys
from decent import Line, answer, say
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
while True:
    for raw in sys.stdin.buffer:
        line = Line(raw)
        if "id" in line.fields:
            say(answer(line))
"""
    bot = bot_from("stays", source)
    patient = msgspec.structs.replace(terms, move_time=5.0, start_time=20.0)

    async def main() -> float:
        async with open_machine() as machine:
            ends: list[float] = []

            async def one(number: int) -> None:
                block = Block(number, ((0, 1, 2, 3),))
                result = await play_block(block, dict.fromkeys(range(4), bot), patient, machine)
                ends.append(time.perf_counter() - began - result.seconds)

            began = time.perf_counter()
            async with trio.open_nursery() as nursery:
                for number in range(5):
                    nursery.start_soon(one, number)
            return max(ends)

    assert trio.run(main) < 1.0


def test_what_is_done_wrong_while_a_request_waits_to_be_sent_is_no_timeout(
    bot_from: Made, terms: Terms
) -> None:
    slow = "from decent import serve_slowly\nserve_slowly(0.3, 'play', 'challenge')\n"
    # Its line comes while the first play is thought about or, at the latest, while the others of the first
    # window are: its own request waits for them, for one bot may think at a time.
    stray = """
import threading
from decent import answer, requests, say
for line in requests():
    say(answer(line))
    if line.fields["type"] == "hello":
        threading.Timer(DELAY, lambda: print("by the way", flush=True)).start()
"""
    rules = dataclasses.replace(terms.rules, turn_cap=3)
    patient = msgspec.structs.replace(terms, rules=rules, move_time=20.0, bank=0.0, start_time=20.0)
    for delay in (0.2, 0.6):
        bots = {number: bot_from(f"slow-{number}-{delay}", slow) for number in range(3)} | {
            3: bot_from(f"stray-{delay}", stray.replace("DELAY", str(delay)))
        }
        result = play(Block(0, ((0, 1, 2, 3),)), bots, patient, thinking=1)
        (game,) = result.games
        (fault,) = game.faults
        assert (fault.code, fault.seat, fault.phase, fault.request) == ("unsolicited", 3, "idle", None)
        assert 3 not in [timing.seat for timing in game.timings if timing.turn == fault.turn]
        assert max(timing.used for timing in game.timings) < 10
