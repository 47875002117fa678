"""Every bot of the pack, as a real process in a real block with decent bots beside it, in every tier."""

import os
import resource
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
import trio

from arena.cheat.presets import preset
from arena.errors import BadInput
from arena.protocol.faults import FaultRecord
from arena.referee import tree
from arena.referee.bare import Bare
from arena.referee.block import Block, BlockResult, Contestant, GameResult, Terms
from arena.referee.launch import Tier, tool
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from arena.referee.tiers import ORDER, choose_tier
from arena.roster.cache import open_cache, run_folder

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
SHORT = {"no_hello", "crashes_at_start", "slow_start"}
"""What is played with a short start limit."""
BY_TIME = {"dribbles", "hangs", "ignores_sigterm", "late_reply", "no_hello", "shell_wrapper", "stops_itself"}


TERMS = Terms(preset("classic"), 4, b"the pack's seed.", start_time=10.0, move_time=0.5, bank=0.2)
SHORT_START = msgspec.structs.replace(TERMS, start_time=1.5)
TWO_GAMES = Block(0, ((0, 1, 2, 3), (1, 0, 3, 2)))
"""Bot 0 sits in seat 0 and then in seat 1."""
AT_ONCE = 3
"""Blocks that are played at the same time: those that wait for a deadline cost next to nothing."""
SYSTEM_PYTHON = "/usr/bin/python3"
LEAVES_AT = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), {at})\n"


@dataclass
class Played:
    """What the pack did in one tier."""

    results: dict[str, BlockResult] = field(default_factory=dict)
    leavers: dict[int, BlockResult] = field(default_factory=dict)
    """By the request at which a bot left in bot 0's place; NEVER_STARTED: at its start."""
    grown: int = 0
    """KiB by which the referee grew while every bot of the pack played."""
    left: tuple[object, ...] = ()
    """Children, descriptors and files that were not there before."""


NEVER_STARTED = -1


def _tier(name: str) -> tuple[Tier, str] | None:
    """The tier, and a Python that bots reach in it."""
    try:
        return trio.run(choose_tier, name).tier, sys.executable
    except BadInput:
        if name == "bare" and os.geteuid() == 0 and os.path.exists(SYSTEM_PYTHON):
            return Bare(tool("setpriv"), as_nobody=True), SYSTEM_PYTHON
        assert os.environ.get("CI") != "true", f"the tier {name} is not to be had here"
        return None


class Stage:
    """The pack, staged where every user may read it."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.python = python

    def bot(self, name: str, source: str | None = None) -> Contestant:
        """A bot of the pack, or one made of this source."""
        place = self.folder / name
        if not place.exists():
            place.mkdir()
            shutil.copy(PACK / "decent.py", place)
            (place / "bot.py").write_text(source or (PACK / f"{name}.py").read_text())
            for file in place.iterdir():
                file.chmod(0o444)
            place.chmod(0o555)
        return Contestant(name, (self.python, "bot.py"), str(place), "0" * 64)

    def table(self, first: Contestant) -> dict[int, Contestant]:
        """A table at which this bot is number 0."""
        return {0: first, 1: self.bot("honest"), 2: self.bot("honest"), 3: self.bot("adapts")}


async def _play_pack(tier: Tier, stage: Stage) -> Played:
    played = Played()
    limit = trio.CapacityLimiter(AT_ONCE)
    async with open_machine(tier=tier) as machine, trio.open_nursery() as blocks:

        async def one(name: str) -> None:
            terms = SHORT_START if name in SHORT else TERMS
            async with limit:
                result = await play_block(
                    TWO_GAMES, stage.table(stage.bot(name)), terms, machine, stands=True
                )
            played.results[name] = result
            if VERDICTS[name] is not FINE and (at := left_at(result, name)) not in played.leavers:
                source = "raise SystemExit" if at == NEVER_STARTED else LEAVES_AT.format(at=at)
                table = stage.table(stage.bot(f"leaves-at-{at}", source))
                terms = SHORT_START if at == NEVER_STARTED else TERMS
                played.leavers[at] = await play_block(TWO_GAMES, table, terms, machine, stands=True)

        for name in sorted(VERDICTS):
            blocks.start_soon(one, name)
    return played


def left_at(result: BlockResult, name: str) -> int:
    """The request of the first game at which a bot must leave to be out where this one was."""
    if name in AT_START:
        return NEVER_STARTED
    (fault,) = (fault for fault in result.games[0].faults if fault.effective)
    # A fault that met a request before it was sent has no timing: the leaver leaves when that one comes.
    return sum(timing.seat == 0 for timing in result.games[0].timings) + (fault.phase == "idle")


@pytest.fixture(scope="module")
def pack() -> dict[str, Played]:
    """The whole pack, played once in every tier of this machine."""
    found = {}
    for name in ORDER:
        tier = _tier(name)
        if tier is None:
            continue
        with run_folder(open_cache()) as folder, pytest.MonkeyPatch.context() as patch:
            stage = Stage(folder, tier[1])
            # A folder for temporary files of this test's own: others may run on this machine meanwhile.
            (folder / "tmp").mkdir(mode=0o755)
            patch.setattr(tempfile, "tempdir", str(folder / "tmp"))
            before, memory = _held(), _peak()
            found[name] = trio.run(_play_pack, tier[0], stage)
            found[name].grown = _peak() - memory
            found[name].left = tuple(now - then for now, then in zip(_held(), before, strict=True))
    return found


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _held() -> tuple[set[object], ...]:
    descriptors = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            descriptors.add(f"{number} {os.readlink(f'/proc/self/fd/{number}')}")
        except OSError:
            continue
    runs = set(Path(tempfile.gettempdir()).glob("arena-run-*"))
    return set(tree.descendants_of(os.getpid())), descriptors, runs


def test_the_list_of_verdicts_and_the_pack_are_the_same() -> None:
    assert set(VERDICTS) == {file.stem for file in PACK.glob("*.py")} - {"decent"}


@pytest.mark.parametrize("tier", ORDER)
def test_after_the_pack_nothing_is_left_and_the_referee_has_not_grown(
    pack: dict[str, Played], tier: str
) -> None:
    for played in _in(pack, tier):
        processes, descriptors, folders = played.left
        assert processes == set()
        assert descriptors == set()
        assert folders == set()
        assert played.grown < 16 * 1024, f"the referee grew by {played.grown} KiB"


def _in(pack: dict[str, Played], tier: str) -> list[Played]:
    """The tier's games; none where this machine, which is no test machine, has no such tier."""
    return [pack[tier]] if tier in pack else []


@pytest.mark.parametrize("tier", ORDER)
@pytest.mark.parametrize("name", sorted(VERDICTS))
def test_the_verdict_is_right_and_in_time(pack: dict[str, Played], name: str, tier: str) -> None:
    for played in _in(pack, tier):
        result = played.results[name]
        verdict = VERDICTS[name]
        assert result.tier == tier
        longest = SHORT_START.start_time if name in AT_START else 2 * (TERMS.move_time + TERMS.bank)
        playing = result.seconds - result.spawn_seconds
        assert playing < (longest if name in BY_TIME else 0) + 1 + AT_ONCE
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


@pytest.mark.parametrize("tier", ORDER)
@pytest.mark.parametrize("name", sorted(name for name, verdict in VERDICTS.items() if verdict is not FINE))
def test_the_others_play_and_see_what_they_would_had_it_left_at_that_request(
    pack: dict[str, Played], name: str, tier: str
) -> None:
    for played in _in(pack, tier):
        result = played.results[name]
        game, left = result.games[0], played.leavers[left_at(result, name)].games[0]
        assert game.record.actions == left.record.actions
        assert game.record.places == left.record.places
        assert seen_by_others(game, 0) == seen_by_others(left, 0)
        assert seen_by_others(game, 0)


def seen_by_others(game: GameResult, seat: int) -> list[tuple[int, int, str]]:
    """What the other bots say they have received, turn by turn: digests of all lines apart from seconds."""
    return [(said.turn, said.seat, said.text) for said in game.debug if said.seat != seat]


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
