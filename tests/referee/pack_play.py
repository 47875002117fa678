"""What the bots of the pack are played with: a stage that all can read, a table, every tier, the leavers."""

import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
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
from arena.referee.machine import Machine
from arena.referee.play import play_block
from arena.referee.tiers import ORDER, choose_tier
from arena.roster.cache import open_cache, run_folder

PACK = Path(__file__).parent.parent / "pack"
TERMS = Terms(preset("classic"), 4, b"the pack's seed.", start_time=10.0, move_time=0.5, bank=0.2)
TWO_GAMES = Block(0, ((0, 1, 2, 3), (1, 0, 3, 2)))
"""Bot 0 sits in seat 0 and then in seat 1."""
AT_ONCE = 3
"""Blocks that are played at the same time: those that wait for a deadline cost next to nothing."""
LONG_NAME = "a name as long as this and longer " * 2000
"""More than a pipe holds, for terms under which seats are told each other's names."""
NEVER_STARTED = -1
_SYSTEM_PYTHON = "/usr/bin/python3"
_LEAVES_AT = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), {at})\n"


@dataclass
class Played:
    """What was played in one tier."""

    results: dict[str, BlockResult] = field(default_factory=dict)
    leavers: dict[tuple[Terms, int], BlockResult] = field(default_factory=dict)
    """By the request at which a bot left in bot 0's place; NEVER_STARTED: at its start."""
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each was played, the starts apart; of those that took too long beside others, when alone."""
    begun: set[tuple[Terms, int]] = field(default_factory=set)
    """Those of them that somebody has seen to."""
    grown: int = 0
    """KiB by which the referee grew while all this was played."""
    left: tuple[set[object], ...] = ()
    """Children, descriptors and files that were not there before."""
    scratch: frozenset[str] = frozenset()
    """What was left in the run's folder when its last block was over."""

    def leaver(self, name: str, terms: Terms) -> BlockResult:
        """The block in which a bot left where this one was put out."""
        at = left_at(self.results[name])
        assert at is not None, f"{name} did nothing wrong"
        return self.leavers[terms, at]


class Stage:
    """Bots of the pack, staged where every user may read them."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.python = python

    def bot(
        self, name: str, *words: str, source: str | None = None, command: tuple[str, ...] | None = None
    ) -> Contestant:
        """A bot of the pack, or one made of this source; started by Python with these words, or so."""
        place = self.folder / name
        if not place.exists():
            place.mkdir()
            shutil.copy(PACK / "decent.py", place)
            text = source or (PACK / f"{name}.py").read_text()
            (place / "bot.py").write_text(text)
            for file in place.iterdir():
                file.chmod(0o444)
            if text.startswith("#!"):
                (place / "bot.py").chmod(0o555)
            place.chmod(0o555)
        argv = command or (self.python, "bot.py", *words)
        argv = tuple(word.format(folder=place) if command else word for word in argv)
        return Contestant(name, argv, str(place), "0" * 64)

    def table(self, first: Contestant, terms: Terms = TERMS) -> dict[int, Contestant]:
        """A table at which this bot is number 0."""
        honest = self.bot("honest")
        named = msgspec.structs.replace(honest, name=LONG_NAME) if terms.names else honest
        return {0: first, 1: named, 2: honest, 3: self.bot("adapts")}


async def play_beside(
    machine: Machine, stage: Stage, played: Played, bot: Contestant, terms: Terms, block: Block = TWO_GAMES
) -> None:
    """Play the bot beside decent ones; if it is put out, play one besides that leaves at that request."""
    result = await play_block(block, stage.table(bot, terms), terms, machine, stands=True)
    played.results[bot.name] = result
    played.seconds[bot.name] = result.seconds - result.spawn_seconds
    at = left_at(result)
    if at is not None and (terms, at) not in played.begun:
        played.begun.add((terms, at))
        source = "raise SystemExit" if at == NEVER_STARTED else _LEAVES_AT.format(at=at)
        # Under the same name, which its neighbours may be told.
        leaver = msgspec.structs.replace(stage.bot(f"leaves-at-{at}", source=source), name=bot.name)
        table = stage.table(leaver, terms)
        played.leavers[terms, at] = await play_block(block, table, terms, machine, stands=True)


async def play_alone_if_late(
    machine: Machine, stage: Stage, played: Played, bot: Contestant, terms: Terms, limit: float
) -> None:
    """The best of three: beside others, these among them, a block takes as long as they let it."""
    for _ in range(2):
        if played.seconds[bot.name] < limit:
            return
        result = await play_block(TWO_GAMES, stage.table(bot, terms), terms, machine, stands=True)
        alone = result.seconds - result.spawn_seconds
        played.seconds[bot.name] = min(played.seconds[bot.name], alone)


def left_at(result: BlockResult) -> int | None:
    """The request of the first game at which a bot must leave to be out where bot 0 was; None: it was not."""
    game = result.games[0]
    seat = game.seating.index(0)
    faults = [fault for fault in game.faults if fault.effective and fault.seat == seat]
    if not faults:
        return None
    if faults[0].phase in ("start", "hello"):
        return NEVER_STARTED
    # A fault that met a request before it was sent has no timing: the leaver leaves when that one comes.
    return sum(timing.seat == seat for timing in game.timings) + (faults[0].phase == "idle")


def in_every_tier(play: Callable[[Tier, Stage], Awaitable[Played]]) -> dict[str, Played]:
    """What is played in every tier of this machine, with what it left behind."""
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
            found[name] = trio.run(play, tier[0], stage)
            found[name].grown = _peak() - memory
            found[name].left = tuple(now - then for now, then in zip(_held(), before, strict=True))
    return found


def _tier(name: str) -> tuple[Tier, str] | None:
    """The tier, and a Python that bots reach in it."""
    try:
        return trio.run(choose_tier, name).tier, sys.executable
    except BadInput:
        if name == "bare" and os.geteuid() == 0 and os.path.exists(_SYSTEM_PYTHON):
            return Bare(tool("setpriv"), as_nobody=True), _SYSTEM_PYTHON
        assert os.environ.get("CI") != "true", f"the tier {name} is not to be had here"
        return None


def played_in(pack: dict[str, Played], tier: str) -> list[Played]:
    """The tier's games; none where this machine, which is no test machine, has no such tier."""
    return [pack[tier]] if tier in pack else []


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


def in_scratch(machine: Machine) -> frozenset[str]:
    """What the run's folder holds besides its register and the trees that its sandboxes share."""
    names = (path.name for path in machine.scratch.iterdir())
    return frozenset(name for name in names if name != "processes" and not name.startswith("root-"))


def check_nothing_is_left(played: Played) -> None:
    """Children, zombies, descriptors, files and memory are back where they were."""
    processes, descriptors, folders = played.left
    assert processes == set()
    assert descriptors == set()
    assert folders == set()
    assert played.scratch == frozenset()
    assert played.grown < 16 * 1024, f"the referee grew by {played.grown} KiB"


def complete(fault: FaultRecord) -> None:
    """A fault record says everything there is to say of its kind."""
    assert fault.rule.endswith(".")
    assert fault.bot
    if fault.phase in ("start", "idle"):
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


def check_same_for_others(game: GameResult, other: GameResult) -> None:
    """Two games with bot 0 in the same seat are one, as far as the game and the other seats know."""
    seat = game.seating.index(0)
    assert game.seating == other.seating
    assert game.record == other.record
    assert game.events == other.events
    assert seen_by_others(game, seat) == seen_by_others(other, seat)
    assert seen_by_others(game, seat)


def seen_by_others(game: GameResult, seat: int) -> list[tuple[int, int, str]]:
    """What the other bots say they have received, turn by turn: digests of all lines apart from seconds."""
    return [(said.turn, said.seat, said.text) for said in game.debug if said.seat != seat]
