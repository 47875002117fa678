"""Every bot of the pack, as a real process in a real block with decent bots beside it, in every tier.

Those that only try what a tier contains are in test_referee_pack_contained.py.
"""

import msgspec
import pytest
import trio
from pack_contained import CONTAINED
from pack_play import (
    AT_ONCE,
    LONG_NAME,
    PACK,
    TERMS,
    TWO_GAMES,
    Played,
    Stage,
    check_nothing_is_left,
    check_same_for_others,
    complete,
    in_every_tier,
    in_scratch,
    play_alone_if_late,
    play_beside,
    played_in,
)

from arena.referee.block import Terms
from arena.referee.launch import Tier
from arena.referee.machine import open_machine
from arena.referee.tiers import ORDER

FINE = "fine"
VERDICTS: dict[str, str] = {
    "aborts": "crash",
    "adapts": FINE,
    "answers_early": "unsolicited",
    "bad_shebang": "bad-exec",
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
    "interpreter_absent": "bad-exec",
    "invented_id": "wrong-id",
    "late_reply": "timeout",
    "long_integer": "bad-json",
    "no_hello": "start-timeout",
    "no_such_card": "bad-shape",
    "not_a_number": "bad-json",
    "not_an_object": "bad-shape",
    "not_executable": "bad-exec",
    "null_field": "bad-type",
    "path_missing": "bad-exec",
    "previous_id": "unsolicited",
    "reply_and_junk": "unsolicited",
    "reply_flood": "unsolicited",
    "second_reply_later": "unsolicited",
    "segfaults": "crash",
    "shell_wrapper": "timeout",
    "slow_start": FINE,
    "stderr_flood": "flood-stderr",
    "stops_itself": "timeout",
    "stops_reading": "timeout",
    "talks_to_stderr": FINE,
    "traceback": "crash",
    "two_replies": "unsolicited",
    "windows_lines": FINE,
    "wrong_type": "bad-type",
}
COMMANDS = {
    "bad_shebang": ("{folder}/bot.py",),
    "interpreter_absent": ("/no/such/python", "bot.py"),
    "not_executable": ("{folder}/bot.py",),
    "path_missing": ("{folder}/other-bot", "bot.py"),
}
"""What these are started with instead of Python."""
MENDS = {
    "bad_shebang": "check its first line",
    "interpreter_absent": "does not exist any more: put it back",
    "not_executable": "is not executable: chmod +x it",
    "path_missing": "does not exist any more: put it back",
}
OTHER_PLAY = {"adapts"}
"""What is fine and does not play as the others do."""
AT_START = {"no_hello", "crashes_at_start", *COMMANDS}
SHORT = {"no_hello", "crashes_at_start", "slow_start"}
"""What is played with a short start limit."""
SHORT_START = msgspec.structs.replace(TERMS, start_time=1.5)
NAMES = msgspec.structs.replace(TERMS, names=True)


def terms_of(name: str) -> Terms:
    """What a bot is played under."""
    return SHORT_START if name in SHORT else NAMES if name == "stops_reading" else TERMS


def limit_of(name: str) -> float:
    """Seconds that its block may take: what its two games or its start may be late by, and one."""
    late = SHORT_START.start_time if name in AT_START else 2 * (TERMS.move_time + TERMS.bank)
    return late + 1


async def _play_pack(tier: Tier, stage: Stage) -> Played:
    played = Played()
    limit = trio.CapacityLimiter(AT_ONCE)
    async with open_machine(tier=tier) as machine:

        async def one(name: str) -> None:
            bot = stage.bot(name, command=COMMANDS.get(name))
            async with limit:
                await play_beside(machine, stage, played, bot, terms_of(name))

        async with trio.open_nursery() as blocks:
            for name in sorted(VERDICTS):
                blocks.start_soon(one, name)
        for name in sorted(VERDICTS):
            bot = stage.bot(name, command=COMMANDS.get(name))
            await play_alone_if_late(machine, stage, played, bot, terms_of(name), limit_of(name))
        played.scratch = in_scratch(machine)
    return played


@pytest.fixture(scope="module")
def pack() -> dict[str, Played]:
    """The whole pack, played once in every tier of this machine."""
    return in_every_tier(_play_pack)


def test_the_lists_of_verdicts_and_the_pack_are_the_same() -> None:
    assert not set(VERDICTS) & set(CONTAINED)
    assert set(VERDICTS) | set(CONTAINED) == {file.stem for file in PACK.glob("*.py")} - {"decent"}


@pytest.mark.parametrize("tier", ORDER)
def test_after_the_pack_nothing_is_left_and_the_referee_has_not_grown(
    pack: dict[str, Played], tier: str
) -> None:
    for played in played_in(pack, tier):
        check_nothing_is_left(played)


@pytest.mark.parametrize("tier", ORDER)
@pytest.mark.parametrize("name", sorted(VERDICTS))
def test_the_verdict_is_right_and_in_time(pack: dict[str, Played], name: str, tier: str) -> None:
    for played in played_in(pack, tier):
        result = played.results[name]
        verdict = VERDICTS[name]
        assert result.tier == tier
        assert played.seconds[name] < limit_of(name)
        for number, game in enumerate(result.games):
            seat = TWO_GAMES.seatings[number].index(0)
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


@pytest.mark.parametrize("tier", ORDER)
@pytest.mark.parametrize("name", sorted(name for name, verdict in VERDICTS.items() if verdict is not FINE))
def test_the_others_play_and_see_what_they_would_had_it_left_at_that_request(
    pack: dict[str, Played], name: str, tier: str
) -> None:
    for played in played_in(pack, tier):
        game, left = played.results[name].games[0], played.leaver(name, terms_of(name)).games[0]
        check_same_for_others(game, left)


@pytest.mark.parametrize("tier", ORDER)
@pytest.mark.parametrize(
    "name", sorted(name for name, verdict in VERDICTS.items() if verdict is FINE and name not in OTHER_PLAY)
)
def test_with_what_is_fine_the_game_ends_as_with_a_decent_bot(
    pack: dict[str, Played], name: str, tier: str
) -> None:
    for played in played_in(pack, tier):
        for game, decent in zip(played.results[name].games, played.results["honest"].games, strict=True):
            if terms_of(name) == TERMS:
                check_same_for_others(game, decent)
            else:
                # Its neighbours have been told of another start limit.
                assert (game.record, game.events) == (decent.record, decent.events)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_what_cannot_be_started_is_named_by_its_path_with_the_mend(
    pack: dict[str, Played], name: str
) -> None:
    for tier, played in pack.items():
        (fault,) = played.results[name].games[0].faults
        assert COMMANDS[name][0].format(folder=f"/{name}") in fault.rule, tier
        assert MENDS[name] in fault.rule, tier


def test_what_is_sent_to_one_that_reads_no_more_may_be_more_than_a_pipe_holds(
    pack: dict[str, Played],
) -> None:
    assert len(LONG_NAME) > 65_536
    for tier, played in pack.items():
        fault = played.results["stops_reading"].games[0].faults[0]
        assert fault.rule.endswith("The bot did not even read all of the request."), tier


def test_an_impossible_claim_is_on_record_with_the_hand_and_the_rule(pack: dict[str, Played]) -> None:
    for tier, played in pack.items():
        fault = played.results["impossible_claim"].games[0].faults[0]
        hand = msgspec.json.decode(fault.request or "")["hand"]
        cards = msgspec.json.decode(fault.offending or "")["cards"]
        assert cards == [hand[0]] * 2, tier
        assert hand[0] in fault.rule, tier


def test_a_slow_start_is_not_billed(pack: dict[str, Played]) -> None:
    for tier, played in pack.items():
        result = played.results["slow_start"]
        slow = next(said.seconds for said in result.said if said.bot == 0)
        first = next(timing for timing in result.games[0].timings if timing.seat == 0)
        assert slow > 0.8, tier
        assert first.bank == TERMS.bank, tier


@pytest.mark.parametrize("name", ["segfaults", "aborts", "exits_three", "traceback"])
def test_the_code_or_signal_is_the_bots_own_in_every_tier(pack: dict[str, Played], name: str) -> None:
    wanted = {
        "segfaults": (None, "SIGSEGV"),
        "aborts": (None, "SIGABRT"),
        "exits_three": (3, None),
        "traceback": (1, None),
    }
    for tier, played in pack.items():
        fault = played.results[name].games[0].faults[0]
        assert (fault.exit_code, fault.signal) == wanted[name], tier
