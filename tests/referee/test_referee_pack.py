"""Every bot of the pack, as a real process in a real block with decent bots beside it."""

import resource
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import trio

from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block

PACK = Path(__file__).parent.parent / "pack"

FINE = "fine"
VERDICTS: dict[str, str] = {
    "aborts": "crash",
    "adapts": FINE,
    "answers_early": "unsolicited",
    "bad_utf8": "bad-json",
    "blank_flood": "flood",
    "closes_input": "exit",
    "closes_output": "exit",
    "crashes_at_start": "crash",
    "daemon": FINE,
    "daemon_then_crash": "crash",
    "deep_array": "bad-json",
    "dribbles": "timeout",
    "duplicate_key": "bad-json",
    "endless_line": "flood",
    "exits_three": "crash",
    "exits_zero": "exit",
    "gigabyte_line": "flood",
    "hangs": "timeout",
    "honest": FINE,
    "ignores_sigterm": "timeout",
    "impossible_claim": "illegal",
    "in_pieces": FINE,
    "invented_id": "wrong-id",
    "late_reply": "timeout",
    "long_integer": "bad-json",
    "no_hello": "start-timeout",
    "no_such_card": "bad-shape",
    "not_a_number": "bad-json",
    "not_an_object": "bad-shape",
    "null_field": "bad-type",
    "previous_id": "unsolicited",
    "reply_and_junk": "unsolicited",
    "reply_flood": "unsolicited",
    "second_reply_later": "unsolicited",
    "segfaults": "crash",
    "shell_wrapper": "timeout",
    "slow_start": FINE,
    "stderr_flood": "flood-stderr",
    "stops_itself": "timeout",
    "talks_to_stderr": FINE,
    "traceback": "crash",
    "two_replies": "unsolicited",
    "windows_lines": FINE,
    "wrong_type": "bad-type",
}
# What each of these does wrong comes when nothing is asked, so it meets the next request.
ONE_LATER = {
    "answers_early",
    "closes_input",
    "reply_and_junk",
    "reply_flood",
    "second_reply_later",
    "two_replies",
}
AT_START = {"no_hello", "crashes_at_start"}
BY_TIME = {"dribbles", "hangs", "ignores_sigterm", "late_reply", "no_hello", "shell_wrapper", "stops_itself"}


def test_the_list_of_verdicts_and_the_pack_are_the_same() -> None:
    assert set(VERDICTS) == {file.stem for file in PACK.glob("*.py")} - {"decent"}


def play(block: Block, bots: dict[int, Contestant], terms: Terms) -> BlockResult:
    async def main() -> BlockResult:
        async with open_machine() as machine:
            return await play_block(block, bots, terms, machine)

    return trio.run(main)


def sat_with(pack_bot: Callable[[str], Contestant], name: str) -> dict[int, Contestant]:
    return {number: pack_bot(bot) for number, bot in enumerate((name, "honest", "honest", "adapts"))}


def seen_by_others(game: GameResult, seat: int) -> list[tuple[int, int, str]]:
    """What the other bots say they have received, turn by turn: digests of all lines apart from seconds."""
    return [(said.turn, said.seat, said.text) for said in game.debug if said.seat != seat]


@pytest.mark.parametrize("name", sorted(VERDICTS))
def test_the_verdict_is_right_and_nothing_is_left(
    name: str, pack_bot: Callable[[str], Contestant], terms: Terms, two_games: Block, nothing_left: None
) -> None:
    if name in ("no_hello", "slow_start"):
        terms = msgspec.structs.replace(terms, start_time=1.0)
    bots = sat_with(pack_bot, name)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    result = play(two_games, bots, terms)
    took = time.perf_counter() - began
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory

    assert grown < 16 * 1024, f"the referee grew by {grown} KiB"
    limit = terms.start_time if name in AT_START else 2 * (terms.move_time + terms.bank)
    assert took < (limit if name in BY_TIME else 0) + 1 + 2 * result.spawn_seconds
    verdict = VERDICTS[name]
    for number, game in enumerate(result.games):
        seat = two_games.seatings[number].index(0)
        faults = [fault for fault in game.faults if fault.effective]
        if verdict is FINE:
            assert faults == []
            continue
        if name in AT_START and number:
            assert game.forfeited == (seat,)
            assert faults == []
        else:
            assert [(fault.code, fault.seat) for fault in faults] == [(verdict, seat)], faults
            complete(faults[0])
        assert game.record.places[seat] == 4


def complete(fault: FaultRecord) -> None:
    """A fault record says everything there is to say of its kind."""
    assert fault.rule.endswith(".")
    assert fault.bot
    if fault.phase == "idle":
        assert fault.request is None
    else:
        assert fault.request is not None
        assert msgspec.json.decode(fault.request)["id"] == fault.request_id
        assert fault.limit is not None
        assert fault.used is not None
        if fault.code in ("timeout", "start-timeout"):
            assert fault.used >= fault.limit
    if fault.code == "crash":
        assert fault.signal or fault.exit_code
    if fault.code in ("bad-json", "bad-shape", "bad-type", "wrong-id", "illegal"):
        assert fault.offending
        assert fault.offending.isprintable()
        assert fault.bytes_read > 0


@pytest.mark.parametrize("name", sorted(name for name, verdict in VERDICTS.items() if verdict is not FINE))
def test_the_others_play_and_see_what_they_would_had_it_left_at_that_request(
    name: str, pack_bot: Callable[[str], Contestant], terms: Terms, two_games: Block, tmp_path: Path
) -> None:
    if name == "no_hello":
        terms = msgspec.structs.replace(terms, start_time=1.0)
    result = play(two_games, sat_with(pack_bot, name), terms)
    leaver = pack_bot(f"leaver-{name}", ("/bin/sh", "-c", "exit 0")) if name in AT_START else None
    if leaver is None:
        plain = pack_bot("exits_zero")
        first = result.games[0].faults[0]
        at = sum(timing.seat == 0 for timing in result.games[0].timings)
        # A fault that met a request before it was sent has no timing: the leaver leaves when that one comes.
        at += first.phase == "idle"
        source = Path(plain.folder) / "bot.py"
        source.parent.chmod(0o755)
        source.chmod(0o644)
        source.write_text(
            f"import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), {at})\n"
        )
        bots = sat_with(pack_bot, "exits_zero")
    else:
        bots = {**sat_with(pack_bot, "honest"), 0: leaver}
    other = play(two_games, bots, terms)
    game, left = result.games[0], other.games[0]
    assert game.record.actions == left.record.actions
    assert game.record.places == left.record.places
    assert seen_by_others(game, 0) == seen_by_others(left, 0)
    assert seen_by_others(game, 0)
