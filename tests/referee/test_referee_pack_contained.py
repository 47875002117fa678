"""What a tier contains is no fault: bots that try it play on, and their games are those of decent bots.

Each says in a reply's `debug` what came of its attempt, so that none of these can pass without one.
"""

import os

import pytest
from pack_contained import (
    CONTAINED,
    FINE,
    NOT_IN_BARE,
    PRECIOUS,
    ROOMY,
    Trials,
    contained_in,
    controllers,
    play_contained,
    play_quiet,
)
from pack_play import check_nothing_is_left, check_same_for_others, complete, in_every_tier, played_in

from arena.referee.tiers import ORDER

SANDBOXES = tuple(tier for tier in ORDER if tier != "bare")
ALL = [(tier, name) for tier in ORDER for name in contained_in(tier)]


@pytest.fixture(scope="module")
def trials() -> dict[str, Trials]:
    """All of them, played once in every tier of this machine."""
    return in_every_tier(play_contained)


@pytest.mark.parametrize("tier", ORDER)
def test_all_but_the_quiet_one_have_been_played_and_in_bare_not_the_one_that_kills(
    trials: dict[str, Trials], tier: str
) -> None:
    """Without walls it would end its rivals, and whatever else the user of bots has running: a promise of
    the sandboxes alone."""
    missing = {"lives_quietly"} | (NOT_IN_BARE if tier == "bare" else set())
    for played in played_in(trials, tier):
        assert set(played.results) == set(CONTAINED) - missing | {"honest"}
        assert {result.tier for result in played.results.values()} == {tier}


@pytest.mark.parametrize("tier", ORDER)
def test_nothing_is_left_of_what_they_forked_opened_filled_and_linked(
    trials: dict[str, Trials], tier: str
) -> None:
    for played in played_in(trials, tier):
        check_nothing_is_left(played)


@pytest.mark.parametrize(("tier", "name"), [pair for pair in ALL if CONTAINED[pair[1]] is FINE])
def test_it_is_no_fault_and_the_games_are_those_of_a_decent_bot(
    trials: dict[str, Trials], tier: str, name: str
) -> None:
    for played in played_in(trials, tier):
        check_as_decent(played, name)


def check_as_decent(played: Trials, name: str) -> None:
    result, honest = played.results[name], played.results["honest"]
    for game, decent in zip(result.games, honest.games, strict=True):
        assert [fault for fault in game.faults if fault.effective] == []
        check_same_for_others(game, decent)


@pytest.mark.parametrize("tier", ORDER)
def test_what_comes_after_the_last_answer_is_on_record_and_changes_nothing(
    trials: dict[str, Trials], tier: str
) -> None:
    for played in played_in(trials, tier):
        first, last = played.results["exits_after_the_last"].games
        (fault,) = last.faults
        assert played.last > 0
        assert first.faults == ()
        assert (fault.code, fault.phase, fault.effective) == ("exit", "idle", False)
        assert last.seating[fault.seat] == 0
        complete(fault)


@pytest.mark.parametrize("tier", ORDER)
def test_too_much_memory_puts_it_out_alone(trials: dict[str, Trials], tier: str) -> None:
    code = "memory" if "memory" in controllers() else "crash"
    for played in played_in(trials, tier):
        result = played.results["eats_memory"]
        for game in result.games:
            (fault,) = game.faults
            assert (fault.code, game.seating[fault.seat]) == (code, 0), fault
            complete(fault)
        check_same_for_others(result.games[0], played.leaver("eats_memory", ROOMY).games[0])


@pytest.mark.parametrize("tier", SANDBOXES)
def test_in_a_sandbox_sigkill_to_everybody_reaches_nobody(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        # There was nobody to kill.
        assert played.report("kills_everything") == {"killed": "ESRCH"}


@pytest.mark.parametrize("tier", ORDER)
def test_eight_spinners_have_kept_the_cores_busy_beside_honest_bots(
    trials: dict[str, Trials], tier: str
) -> None:
    for played in played_in(trials, tier):
        spent = played.report("spins")["spent"]
        assert len(spent) == 8
        assert min(spent) > 0


@pytest.mark.parametrize("tier", ORDER)
def test_a_fork_bomb_is_stopped_where_processes_are_counted(trials: dict[str, Trials], tier: str) -> None:
    # Nothing but a control group counts the processes of one bot outside a user namespace of its own.
    counted = "pids" in controllers() or (tier != "bare" and os.geteuid() != 0)
    for played in played_in(trials, tier):
        told = played.report("fork_bomb")
        assert told["children"] > 32
        if counted:
            assert told["children"] < told["most"]
            assert told["stopped"] == "Resource temporarily unavailable"


@pytest.mark.parametrize("tier", ORDER)
def test_a_home_is_private_and_small_in_a_sandbox(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        told = played.report("fills_home")
        assert told["same"], "HOME is not TMPDIR"
        if tier == "bare":
            # Nothing stops it there but the size of each file. That all of it is gone is tested above.
            assert (told["size"], told["stopped"]) == (40 << 20, "nothing")
        else:
            assert 15 << 20 <= told["size"] <= 16 << 20
            assert told["stopped"] == "No space left on device"


@pytest.mark.parametrize("tier", ORDER)
def test_in_a_sandbox_nothing_of_others_can_be_read(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        told = played.report("pries")
        files = told["files"]
        assert set(files) == {"results", "rival", "environment", "command", "root"}
        if tier == "bare":
            # No secrecy is promised there, which shows that the attempt is a real one.
            assert {files[name] for name in ("results", "rival", "command")} == {"done"}
            assert told["others"] > 0
        else:
            assert set(files.values()) == {"ENOENT"}
            assert told["others"] == 0


@pytest.mark.parametrize("tier", ORDER)
def test_in_a_sandbox_no_port_of_this_machine_is_reached(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        told = played.report("connects")["connected"]
        if tier == "bare":
            assert (told, played.reached) == ("done", 1)
        else:
            assert told in ("ECONNREFUSED", "ENETUNREACH")
            assert played.reached == 0


@pytest.mark.parametrize("tier", ORDER)
def test_a_link_left_in_the_home_is_not_followed_when_the_home_is_removed(
    trials: dict[str, Trials], tier: str
) -> None:
    for played in played_in(trials, tier):
        folder, file = played.report("leaves_link")["links"]
        assert (os.path.basename(folder), file) == ("kept", f"{folder}/precious")
        assert played.kept == {"precious": PRECIOUS}


@pytest.mark.parametrize("tier", ORDER)
def test_a_hundred_thousand_files_end_at_the_limit(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        told = played.report("opens_many")
        assert 200 < told["files"] <= 256
        assert told["stopped"] == "Too many open files"


@pytest.mark.parametrize("tier", ORDER)
def test_escapes_in_a_name_are_kept_as_they_were_sent(trials: dict[str, Trials], tier: str) -> None:
    for played in played_in(trials, tier):
        names = {said.bot: said.name for said in played.results["escapes_in_name"].said}
        assert names[0] == "\x1b[2J\x1b[31mred\x1b]0;title\x07\x9b1m\r\n\u202e"
        assert names[1] == "decent"


@pytest.mark.soak
def test_one_that_lives_quietly_for_fifteen_seconds_answers_and_is_fine() -> None:
    quiet = in_every_tier(play_quiet)
    assert quiet
    for played in quiet.values():
        assert played.report("lives_quietly")["waited"] > 15
        check_as_decent(played, "lives_quietly")
        check_nothing_is_left(played)
