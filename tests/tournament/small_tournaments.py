"""What the tests of tournaments share: pack bots, a header, a results file in a temporary folder."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from arena.cheat.presets import preset
from arena.referee.block import Contestant
from arena.referee.machine import open_machine
from arena.referee.play import play_block
from arena.tournament.header import BotRow, Header
from arena.tournament.judging import judge_of
from arena.tournament.rows import COLUMNS, MODULUS, digest_of
from arena.tournament.run import Plan, Play, Progress, run_tournament
from arena.tournament.store import Store

PACK = Path(__file__).parent.parent / "pack"


@pytest.fixture
def contestant(tmp_path: Path) -> Callable[..., Contestant]:
    """A bot of the pack under a name of its own, or one made from source."""

    def make(name: str, bot: str = "honest", source: str | None = None) -> Contestant:
        folder = tmp_path / f"bot-{name}"
        folder.mkdir()
        shutil.copy(PACK / "decent.py", folder)
        (folder / "bot.py").write_text(source or (PACK / f"{bot}.py").read_text())
        return Contestant(name, (sys.executable, "bot.py"), str(folder), "0" * 64)

    return make


def header_for(**changes: object) -> Header:
    usual: dict[str, object] = {
        "arena": "0",
        "created": "2026-01-01 00:00:00",
        "seed": "000102030405060708090a0b0c0d0e0f",
        "rules": preset("classic"),
        "seats": 4,
        "start_time": 20.0,
        "move_time": 5.0,
        "bank": 5.0,
        "forfeit": 3,
        "fresh": False,
        "names": False,
        "tier": "bare",
        "bench": 5,
        "blocks": 6,
        "games_per_block": 4,
    }
    return Header(**(usual | changes))  # type: ignore[arg-type]


def play(path: Path, bots: Sequence[Contestant], jobs: int = 2, **changes: object) -> tuple[Store, Progress]:
    """Play a whole tournament into a new file; the file is left open."""
    rows = [BotRow(name=bot.name, digest=bot.digest, command=" ".join(bot.argv)) for bot in bots]
    store = Store.create(path, header_for(**changes), rows)
    progress = run_in(store, bots, jobs)
    assert progress is not None
    return store, progress


def run_in(
    store: Store,
    bots: Sequence[Contestant],
    jobs: int,
    *,
    play: Play = play_block,
    until: Callable[[Progress], bool] = lambda progress: False,
    header: Header | None = None,
) -> Progress | None:
    """Run the file's tournament, or that of another header; None if `until` has said to break it off."""
    told = header or store.header
    plan = Plan(
        *(told.terms, bots, told.blocks, jobs, told.bench, told.games_per_block),
        pairing=told.pairing,
        judge=judge_of(told),
        seconds=told.time,
    )

    async def main() -> Progress | None:
        with trio.CancelScope() as scope:

            def follow(progress: Progress) -> None:
                if until(progress):
                    scope.cancel()

            async with open_machine() as machine:
                return await run_tournament(plan, store, machine, follow, play=play)
        return None

    return trio.run(main)


def comparable(store: Store) -> list[tuple[object, ...]]:
    """Every game as two runs are compared: apart from seconds."""
    return [
        (
            block,
            game.game,
            game.id,
            game.seating,
            game.record,
            game.events,
            [(f.code, f.seat, f.turn, f.phase, f.rule, f.request_id) for f in game.faults if f.effective],
            game.forfeited,
            game.debug,
            [(timing.turn, timing.seat) for timing in game.timings],
        )
        for block, game in store.games()
    ]


def damage(store: Store) -> list[str]:
    """The tables with a row that is not what its digest was made of, and the whole if its sum is another."""
    total = 0
    damaged = []
    for table in COLUMNS:
        for values, digest in store.rows(table):
            if digest != digest_of(values):
                damaged.append(table)
            total += int(digest_of(values), 16)
    return damaged if f"{total % MODULUS:064x}" == store.digest else [*damaged, "whole"]
