"""What a process was sent, made again from the record, is to the byte what a recording bot really got."""

import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
import trio
from whole_block import play_whole

from arena.cheat.actions import Fault
from arena.cheat.record import RecordError, replay
from arena.protocol.faults import FaultRecord
from arena.protocol.log import decode_log, encode_log
from arena.referee.attendance import attendances
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import open_machine
from arena.referee.retrace import retrace
from arena.referee.sent import lines_to_seat

Made = Callable[[str, str], Contestant]
BLOCK = Block(7, ((0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1)))
NAMES = ("plain", "zoë", "third", "fourth")

RECORDER = """
import json, os, sys, time
from decent import Line, answer, say
folder, plan = sys.argv[1], json.loads(sys.argv[2])
process = len(os.listdir(folder))
log = open(f"{folder}/{process}", "xb", buffering=0)
moment = dict((tuple(at), what) for *at, what in plan)
number = 0
for raw in sys.stdin.buffer:
    log.write(raw)
    if b'"id"' not in raw:
        continue
    what = moment.get((process, number))
    number += 1
    line = Line(raw)
    reply = answer(line)
    if what == "illegal":
        reply.update({"cards": [], "challenge": 1} if line.fields["type"] == "challenge" else {"cards": []})
    if what == "exit":
        sys.exit(3)
    if what == "slow":
        time.sleep(1.2)
    if what == "late":
        time.sleep(3600)
    say(reply)
    if what == "junk":
        print("junk", flush=True)
"""
"""Plays decently, writes all it reads to a file of its own, errs where its plan says (process, request)."""


@pytest.fixture
def recorder(bot_from: Made, tmp_path: Path) -> Callable[..., Contestant]:
    def make(number: int, *plan: tuple[int, int, str]) -> Contestant:
        folder = tmp_path / f"heard-{number}"
        folder.mkdir()
        bot = bot_from(f"bot-{number}", RECORDER)
        argv = (sys.executable, "bot.py", str(folder), json.dumps(plan))
        return msgspec.structs.replace(bot, name=NAMES[number], argv=argv)

    return make


def play(bots: Sequence[Contestant], terms: Terms) -> BlockResult:
    async def main() -> BlockResult:
        async with open_machine() as machine:
            return await play_whole(BLOCK, dict(enumerate(bots)), terms, machine, stands=True)

    return trio.run(main)


def as_stored(game: GameResult) -> GameResult:
    """What comes back from a results file is all that may be needed."""
    timings = msgspec.json.decode(
        msgspec.json.encode(game.timings), type=type(game).__annotations__["timings"]
    )
    return msgspec.structs.replace(game, events=tuple(decode_log(encode_log(game.events))), timings=timings)


def heard(tmp_path: Path, bot: int) -> list[bytes]:
    folder = tmp_path / f"heard-{bot}"
    return [(folder / str(number)).read_bytes() for number in range(len(list(folder.iterdir())))]


def check_every_byte(result: BlockResult, terms: Terms, tmp_path: Path) -> int:
    """Compare each process's whole life with what its bot wrote down; how many heard it to the last byte."""
    games = [as_stored(game) for game in result.games]
    whole = 0
    for bot in range(4):
        logs = iter(heard(tmp_path, bot))
        came = list(attendances(terms, games, bot))
        for entry in came:
            sent = lines_to_seat(terms, BLOCK, games, NAMES, entry.game, entry.seat)
            goes_on = entry.game + 1 < len(came) and came[entry.game + 1].start is None
            if entry.forfeited:
                assert sent == ()
                continue
            assert [one.asked is None for one in sent[:-1]] == [False] * (len(sent) - 1)
            if goes_on and not came[entry.game + 1].forfeited:
                longer = lines_to_seat(terms, BLOCK, games, NAMES, entry.game + 1, came[entry.game + 1].seat)
                assert b"".join(one.data for one in longer).startswith(b"".join(one.data for one in sent))
                continue
            expected, log = b"".join(one.data for one in sent), next(logs)
            assert expected.startswith(log)
            # There are 200 ms to read the last end and goodbye, which a busy machine may eat up.
            assert len(log) >= len(b"".join(one.data for one in sent if one.asked is not None))
            whole += log == expected
        assert list(logs) == []
    return whole


@pytest.fixture
def calm(terms: Terms) -> Terms:
    """Games of at most 60 turns, and time for whoever has no need to err."""
    rules = dataclasses.replace(terms.rules, turn_cap=60)
    return msgspec.structs.replace(terms, rules=rules, move_time=1.0, bank=2.0, start_time=20.0)


def test_every_byte_of_a_block_without_faults(
    recorder: Callable[..., Contestant], calm: Terms, tmp_path: Path
) -> None:
    roomy = msgspec.structs.replace(calm, move_time=20.0, names=True)
    result = play([recorder(number) for number in range(4)], roomy)
    assert [len(heard(tmp_path, bot)) for bot in range(4)] == [1, 1, 1, 1]
    assert check_every_byte(result, roomy, tmp_path) >= 1
    assert b'"names":["plain","zo\xc3\xab","third","fourth"]' in heard(tmp_path, 1)[0]
    check_what_is_no_game(result.games[0], roomy)


def check_what_is_no_game(game: GameResult, terms: Terms) -> None:
    actions = game.record.actions
    for other in ((), actions[:-1], actions[1:], (Fault((2,)), *actions), (*actions, actions[-1])):
        record = dataclasses.replace(game.record, actions=other)
        with pytest.raises(RecordError):
            list(retrace(terms, BLOCK.number, msgspec.structs.replace(game, record=record)))


def test_every_byte_when_bots_fault_and_are_started_again(
    recorder: Callable[..., Contestant], calm: Terms, tmp_path: Path
) -> None:
    bots = [
        recorder(0, (0, 3, "illegal"), (1, 9, "illegal"), (2, 1, "illegal")),
        recorder(1, (0, 5, "junk"), (1, 0, "exit")),
        recorder(2, (0, 4, "late"), (1, 6, "exit")),
        recorder(3, (0, 3, "slow")),
    ]
    result = play(bots, calm)
    faults = [
        {(game.seating[fault.seat], fault.code, fault.phase) for fault in game.faults}
        for game in result.games
    ]
    assert {(1, "unsolicited", "idle"), (2, "timeout", "challenge")} <= faults[0]
    assert (1, "crash", "hello") in faults[1]
    assert 2 in result.games[2].forfeited
    check_every_byte(result, calm, tmp_path)
    check_requests(result, calm)


def check_requests(result: BlockResult, terms: Terms) -> None:
    """The requests are those that were timed, and those that the fault records quote."""
    quoted = 0
    for game in map(as_stored, result.games):
        steps = list(retrace(terms, BLOCK.number, game, range(4)))
        asked = [one for step in steps for one in step.asked]
        told = [(one.turn, one.seat, one.bank) for one in asked]
        assert told == [(timing.turn, timing.seat, timing.bank) for timing in game.timings]
        assert [event for step in steps for event in step.events] == list(replay(game.record))[1:]
        for one in asked:
            if isinstance(fault := one.answer, FaultRecord):
                quoted += 1
                assert (one.id, one.line.decode()) == (fault.request_id, f"{fault.request}\n")
                assert (one.allowed, one.kind, one.turn) == (fault.limit, fault.phase, fault.turn)
    assert quoted >= 2


def test_a_fault_of_the_very_last_game_is_followed_by_silence(
    recorder: Callable[..., Contestant], calm: Terms, tmp_path: Path
) -> None:
    fresh = msgspec.structs.replace(calm, fresh=True, forfeit=0, bank=20.0)
    bots = [recorder(0, *((process, 2, "illegal") for process in range(4))), *map(recorder, (1, 2, 3))]
    result = play(bots, fresh)
    assert {game.faults[0].code for game in result.games} <= {"illegal", "bad-type"}
    assert [len(heard(tmp_path, bot)) for bot in range(4)] == [4, 4, 4, 4]
    check_every_byte(result, fresh, tmp_path)
    assert b"goodbye" not in heard(tmp_path, 0)[3]
