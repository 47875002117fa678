"""Results files of real games with everything in them, and what a verification of one comes to."""

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from small_tournaments import contestant, play

from arena.cheat.presets import preset
from arena.referee.block import Block, BlockResult, Contestant, Terms
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from arena.tournament.schedule import Course
from arena.tournament.store import Store
from arena.tournament.verify import Verified, verify

SHORT = dataclasses.replace(preset("classic"), turn_cap=40)
FAULTS_SOON = "import sys\nfrom decent import serve\nserve(lambda line, reply: sys.exit(0), 2)\n"
ILLEGAL = "from decent import say, serve\nserve(lambda l, r: say(r | {'cards': [], 'challenge': 1}), 3)\n"


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files of real games: of four seats with faults and forfeits, and of two with a bot that is benched."""
    folder = tmp_path_factory.mktemp("files")
    make = contestant.__wrapped__(folder)  # type: ignore[attr-defined]
    four = [
        make("honest"),
        make("adapts", "adapts"),
        make("quits", source=FAULTS_SOON),
        make("illegal", source=ILLEGAL),
        make("chatters", "reply_and_junk"),
        make("crashes", "crashes_at_start"),
    ]
    table, _ = play(folder / "table.db", four, blocks=4, rules=SHORT, names=True)
    table.close()
    two = [*four[:2], make("more"), four[2]]
    benched, progress = play(
        folder / "benched.db", two, blocks=20, rules=SHORT, seats=2, games_per_block=2, bench=3
    )
    with benched:
        assert progress.benched == {3: 16}
        # A block that had run ahead of the point: what was given up is kept, and judged like all else.
        course = Course(bytes.fromhex(benched.header.seed), 4, 2, 2)
        ahead = [course.next() for _ in range(18)][17]
        benched.add(trio.run(played, ahead, two, benched.header.terms))
    return {"table": folder / "table.db", "benched": folder / "benched.db"}


async def played(block: Block, bots: list[Contestant], terms: Terms) -> BlockResult:
    async with open_machine() as machine:
        return await play_block(block, dict(enumerate(bots)), terms, machine, stands=True)


@pytest.fixture
def copy(files: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        return Path(shutil.copy(files[name], tmp_path / f"{name}.db"))

    return make


def verified(path: Path) -> Verified:
    with Store.open(path) as store:
        return verify(store)
