"""Runs the bots of tests/sandbox in one tier, as the user who runs this, and writes down what came of it.

A program, because what is to be kept from bots must really be there: an environment, a parent, files, a user.
    python tier_harness.py TIER STAGE OUT COUNT
"""

import itertools
import json
import os
import random
import shutil
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from arena.cheat.presets import preset
from arena.errors import BadInput
from arena.referee import tree
from arena.referee.bare import Bare
from arena.referee.block import Block, Contestant, Terms
from arena.referee.launch import NOBODY, Tier, tool
from arena.referee.machine import Machine, open_machine
from arena.referee.namespace import Namespaces, Tools
from arena.referee.places import closed_to
from arena.referee.play import play_block
from arena.referee.spawn import Process
from arena.referee.tiers import choose_tier

MEMORY = 64 * 1024 * 1024
QUIET = 15.2
"""Seconds. Threads of trio's that have nothing to do end after ten, and what they started with them."""
PATIENCE = 60.0
ENDS = {
    "nothing": "exit 0",
    "three": "exit 3",
    "most": "exit 255",
    "segmentation": "kill -SEGV $$",
    "abort": "kill -ABRT $$",
    "killed": "kill -KILL $$",
    "terminated": "kill -TERM $$",
}


class Harness:
    """One tier's trials."""

    def __init__(self, machine: Machine, tier: Tier, python: str, stage: Path, count: int) -> None:
        self.machine = machine
        self.tier = tier
        self.python = python
        self.stage = stage
        self.count = count
        self.found: dict[str, Any] = {"python": python}

    async def run(self) -> dict[str, Any]:
        """Everything, side by side where nothing is measured."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._note, "quiet", self._quiet)
            nursery.start_soon(self._note, "spy", self._spy)
            nursery.start_soon(self._note, "ends", self._ends)
            nursery.start_soon(self._note, "links", self._links)
            nursery.start_soon(self._note, "languages", self._languages)
            nursery.start_soon(self._note, "cannot", self._cannot)
            nursery.start_soon(self._note, "memory", self._memory)
            nursery.start_soon(self._note, "handed_on", self._handed_on)
            if self.tier.contained:
                nursery.start_soon(self._note, "kills_all", self._kills_all)
                nursery.start_soon(self._note, "told_late", self._told_late)
        await self._note("forks", self._forks)
        await self._note("survivors", self._killed_early)
        return self.found

    async def _note(self, name: str, trial: Any) -> None:
        self.found[name] = await trial()

    def _bot(self, name: str, *words: str) -> Contestant:
        return Contestant(name, (self.python, f"{name}.py", *words), str(self.stage / "bots" / name), "")

    async def _until(
        self, process: Process, *, line: bool = False
    ) -> tuple[str, str, tuple[int | None, str | None] | None]:
        """What it prints until its end (or one line of it), its stderr, its exit code and signal."""
        said = b""
        with trio.fail_after(PATIENCE):
            while not (line and said.endswith(b"\n")):
                await trio.lowlevel.wait_readable(process.stdout)
                piece = os.read(process.stdout, 65536)
                if not piece:
                    while process.exit_status() is None:
                        await trio.sleep(0.002)
                    break
                said += piece
        try:
            stderr = os.read(process.stderr, 65536).decode(errors="replace")
        except BlockingIOError:
            stderr = ""
        return said.decode(errors="replace"), stderr, process.exit_status()

    async def _end(self, process: Process) -> None:
        await self.machine.end(process)
        process.close_pipes()

    async def _whole(self, bot: Contestant, memory: int | None = None) -> dict[str, Any]:
        process = await self.machine.start(bot, memory)
        said, stderr, status = await self._until(process)
        found = {"said": said, "stderr": stderr, "status": status, "memory": process.out_of_memory()}
        await self._end(process)
        return found

    async def _quiet(self) -> dict[str, Any]:
        process = await self.machine.start(self._bot("quiet"))
        await self._until(process, line=True)
        host = [sorted(tree.users_of(pid)) for pid in (process.pid, *tree.descendants_of(process.pid))]
        await trio.sleep(QUIET)
        alive = process.exit_status() is None
        os.close(process.stdin)
        process.stdin = os.open("/dev/null", os.O_WRONLY)
        said, _, status = await self._until(process)
        await self._end(process)
        return {"alive": alive, "said": said, "status": status, "users": host[-1]}

    async def _spy(self) -> dict[str, Any]:
        listener = socket.create_server(("127.0.0.1", 0))
        local = socket.socket(socket.AF_UNIX)
        abstract = f"arena-{os.getpid()}-{self.tier.name}"
        local.bind("\0" + abstract)
        local.listen()
        rival = await self.machine.start(self._bot("quiet"))
        asked = {
            "files": [
                *(str(self.stage / "organisers.txt"), str(self.stage / "bots" / "quiet" / "quiet.py")),
                *(
                    "/etc/shadow",
                    os.path.expanduser("~/diary.txt"),
                    str(self.machine.scratch / "processes"),
                    sys.argv[0],
                ),
            ],
            "folders": [str(self.stage), str(self.stage / "bots" / "quiet"), str(self.machine.scratch)],
            "pids": [os.getpid(), rival.pid],
            "port": listener.getsockname()[1],
            "abstract": abstract,
        }
        process = await self.machine.start(self._bot("spy", json.dumps(asked)))
        said, stderr, status = await self._until(process, line=True)
        for one in (process, rival):
            await self._end(one)
        listener.close()
        local.close()
        return {**json.loads(said), "stderr": stderr} if said else {"stderr": stderr, "status": status}

    async def _ends(self) -> dict[str, Any]:
        found = {}
        for name, script in ENDS.items():
            bot = Contestant(name, ("/bin/sh", "-c", script), str(self.stage / "bots" / "quiet"), "")
            found[name] = await self._whole(bot)
        return found

    async def _links(self) -> dict[str, Any]:
        kept = self.stage / "kept"
        before = len(list(self.machine.scratch.iterdir()))
        process = await self.machine.start(self._bot("leaves_links", str(kept)))
        said, stderr, _ = await self._until(process)
        traces = process.command.traces
        await self._end(process)
        return {
            "home": said.strip(),
            "stderr": stderr,
            "kept": sorted(path.name for path in kept.iterdir()),
            "left": [str(trace) for trace in traces if os.path.lexists(trace)],
            "before": before,
        }

    async def _kills_all(self) -> dict[str, Any]:
        process = await self.machine.start(self._bot("kills_all"))
        said, stderr, _ = await self._until(process, line=True)
        await self._end(process)
        return {"said": said, "stderr": stderr}

    async def _forks(self) -> dict[str, Any]:
        process = await self.machine.start(self._bot("forks"))
        said, stderr, _ = await self._until(process, line=True)
        counted = process.group is not None and process.group.tasks is not None
        began = time.perf_counter()
        await self._end(process)
        took = time.perf_counter() - began
        left = [pid for pid in tree.all_pids() if tree.holds_token(pid, process.token)]
        return {"forks": int(said or -1), "stderr": stderr, "counted": counted, "took": took, "left": left}

    async def _memory(self) -> dict[str, Any]:
        alone = await self._whole(self._bot("eats"), MEMORY)
        eater = self._bot("eats_in_game")
        eater = Contestant("eater", eater.argv, eater.folder, "", MEMORY)
        decent = self._bot("honest")
        faults = await self._play([decent, eater, decent, decent])
        return {"alone": alone, "faults": faults, "free": await self._whole(self._bot("eats_some"))}

    async def _languages(self) -> list[Any]:
        stage = self.stage / "bots"
        python = str(self.stage / ("venv" if self.python == sys.executable else "other-venv") / "bin/python")
        argv = {
            "in_venv": (python, "in_venv.py"),
            "hello_js": (os.path.realpath(tool("node") or "/no/node"), "hello_js.js"),
            "liar": (self._installed("perl"), "liar.pl"),
            "compiled": (str(stage / "compiled" / "bot"),),
        }
        return await self._play(
            [Contestant(name, words, str(stage / name), "") for name, words in argv.items()]
        )

    def _installed(self, word: str) -> str:
        """A program somewhere in a home, in a folder that only its owner can enter."""
        prefix = Path.home() / "closed" / word
        (prefix / "bin").mkdir(parents=True)
        (prefix / "lib").mkdir()
        if self.tier.contained or os.geteuid() != 0:
            prefix.parent.chmod(0o700)
        shutil.copy(tool(word) or f"/no/{word}", prefix / "bin")
        return str(prefix / "bin" / word)

    async def _cannot(self) -> dict[str, Any]:
        """Programs that the kernel cannot execute, and a sandbox that cannot be set up."""
        folder = self.stage / "bots" / "cannot"
        found: dict[str, Any] = {}
        for name in ("bad-shebang", "garbage"):
            bot = Contestant(name, (str(folder / name),), str(folder), "")
            found[name] = await self._play([bot, *[self._bot("honest")] * 3])
        if isinstance(self.tier, Namespaces):
            broken = Namespaces(Tools(self.tier.tools.unshare, self.tier.tools.setpriv, "/bin/false"), True)
            process = await self.machine.start(self._bot("quiet"), tier=broken)
            await self._until(process)
            found["broken"] = process.never_ran()
            await self._end(process)
        return found

    async def _handed_on(self) -> list[Any]:
        """Faults of a bot whose pipes pass from process to process while it is looked for who has them."""
        return await self._play([self._bot("hands_on"), *[self._bot("honest")] * 3])

    async def _play(self, bots: Sequence[Contestant]) -> list[Any]:
        """Faults of one game, as code, seat, rule and exit."""
        terms = Terms(preset("classic"), 4, b"sixteen bytes ok", PATIENCE, PATIENCE, PATIENCE)
        result = await play_block(
            Block(0, ((0, 1, 2, 3),)), dict(enumerate(bots)), terms, self.machine, stands=True
        )
        assert result.tier == self.tier.name
        faults = [fault for game in result.games for fault in game.faults]
        return [[f.code, f.seat, f.rule, f.exit_code, f.signal, f.stderr] for f in faults]

    async def _told_late(self) -> dict[str, Any]:
        """What is known of a bot that has ended while what stands between is kept from saying so."""
        process = await self.machine.start(self._bot("quiet"))
        await self._until(process, line=True)
        before = process.bot_has_ended()
        os.kill(process.pid, signal.SIGSTOP)
        tree.kill(tree.descendants_of(process.pid)[-1])
        with trio.move_on_after(PATIENCE):
            while not process.bot_has_ended():
                await trio.sleep(0.002)
        told = process.exit_status()
        os.kill(process.pid, signal.SIGCONT)
        _, _, status = await self._until(process)
        await self._end(process)
        return {"before": before, "told": told, "status": status}

    async def _killed_early(self) -> dict[str, Any]:
        """Processes that live although their bot was ended within 12 ms of its start."""
        chance = random.Random(self.count)
        tokens = []
        for _ in range(self.count):
            process = await self.machine.start(self._bot("quiet"))
            tokens.append(process.token)
            await trio.sleep(chance.random() * 0.012)
            await self._end(process)
        left = [
            pid for pid, token in itertools.product(tree.all_pids(), tokens) if tree.holds_token(pid, token)
        ]
        return {"tried": len(tokens), "left": left, "unkillable": self.machine.unkillable}


async def tier_for(name: str) -> tuple[Tier | None, str, str]:
    """A tier, the Python that its bots run on, and why it is not to be had for arena's own Python."""
    try:
        return (await choose_tier(name)).tier, sys.executable, ""
    except BadInput as error:
        reason = str(error)
    # Root's own Python may be closed to nobody; the tier itself is tried with one that is not.
    other = "/usr/bin/python3"
    setpriv = tool("setpriv")
    if name == "bare" and os.geteuid() == 0 and setpriv and not closed_to(other, NOBODY):
        return Bare(setpriv, as_nobody=True), other, reason
    return None, "", reason


async def main(name: str, stage: Path, count: int) -> dict[str, Any]:
    """One tier's trials."""
    began = time.perf_counter()
    auto = (await choose_tier("auto")).tier.name
    choosing = time.perf_counter() - began
    tier, python, reason = await tier_for(name)
    found: dict[str, Any] = {"auto": auto, "choosing": choosing, "user": os.geteuid(), "reason": reason}
    if tier is None:
        return found
    async with open_machine(tier=tier) as machine:
        found["trials"] = await Harness(machine, tier, python, stage, count).run()
        scratch = machine.scratch
    found["left"] = [str(scratch)] if scratch.exists() else []
    found["children"] = list(tree.children_of(os.getpid()))
    return found


if __name__ == "__main__":
    result = trio.run(main, sys.argv[1], Path(sys.argv[2]), int(sys.argv[4]))
    Path(sys.argv[3]).write_text(json.dumps(result))
