"""What the harness of the tiers is run on: bots staged where every user can reach them, and another user."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from arena.referee.launch import NOBODY
from arena.referee.places import closed_to

TESTS = Path(__file__).parent.parent
PROJECT = TESTS.parent
ORDINARY = 54321
"""A user and group that nobody has: an ordinary user without an account."""


def make_stage() -> Path:
    """A folder below the temporary one that all users can enter, with every bot of tests/sandbox staged."""
    stage = Path(tempfile.mkdtemp(prefix="arena-tiers-", dir=_open_folder()))
    stage.chmod(0o755)
    for source in (TESTS / "sandbox").glob("*.py"):
        _stage(stage, source)
    for source in (
        TESTS / "pack" / "honest.py",
        PROJECT / "bots" / "hello_js.js",
        PROJECT / "bots" / "liar.pl",
    ):
        _stage(stage, source)
    compiled = stage / "bots" / "compiled"
    compiled.mkdir()
    subprocess.run(
        ["cc", "-O1", "-o", compiled / "bot", PROJECT / "bots" / "honest_random" / "bot.c"], check=True
    )
    cannot = stage / "bots" / "cannot"
    cannot.mkdir()
    for name, text in (("bad-shebang", b"#!/no/such/interpreter\n"), ("garbage", b"\x7fELF\x00\x01\x02")):
        (cannot / name).write_bytes(text)
        (cannot / name).chmod(0o755)
    pythons = {"venv": sys.executable}
    if os.geteuid() == 0 and closed_to(sys.base_prefix, NOBODY):
        pythons["other-venv"] = "/usr/bin/python3"
    for name, python in pythons.items():
        subprocess.run([python, "-m", "venv", "--without-pip", stage / name], check=True)
        (packages,) = (stage / name / "lib").glob("python*/site-packages")
        (packages / "only_here.py").write_text("nothing = None\n")
    (stage / "organisers.txt").write_text("who is to win\n")
    (stage / "kept").mkdir()
    (stage / "kept" / "precious").touch()
    for folder, _, files in os.walk(stage / "bots"):
        os.chmod(folder, 0o555)
        for name in files:
            path = os.path.join(folder, name)
            os.chmod(path, 0o555 if os.stat(path).st_mode & stat.S_IXUSR else 0o444)
    return stage


def remove_stage(stage: Path) -> None:
    """Remove it with its read-only folders."""
    for folder, _, _ in os.walk(stage):
        os.chmod(folder, 0o755)
    shutil.rmtree(stage)


def _open_folder() -> str:
    """A temporary folder that nobody can enter."""
    return next(
        folder for folder in (tempfile.gettempdir(), "/tmp", "/var/tmp") if not closed_to(folder, NOBODY)
    )


def _stage(stage: Path, source: Path) -> None:
    folder = stage / "bots" / source.stem
    folder.mkdir(parents=True)
    shutil.copy(source, folder)
    shutil.copy(TESTS / "pack" / "decent.py", folder)


def as_ordinary_user(command: list[str]) -> list[str]:
    """The command as a user with no rights at all, who can reach the project and its Python all the same.

    Needs root. What is closed to others is covered by an empty folder in which only these places are.
    """
    hidden: dict[str, list[str]] = {}
    for place in {str(PROJECT), sys.prefix, sys.base_prefix}:
        if closed := closed_to(place, ORDINARY):
            hidden.setdefault(closed, []).append(place)
    steps = ["set -e"]
    for closed, shown in hidden.items():
        held = [*range(3, 3 + len(shown))]
        steps += [f"exec {number}<{shlex.quote(place)}" for number, place in zip(held, shown, strict=True)]
        steps.append(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(closed)}")
        for number, place in zip(held, shown, strict=True):
            steps.append(f"mkdir -p {shlex.quote(place)}")
            steps.append(f"mount -c --bind /proc/self/fd/{number} {shlex.quote(place)}")
        steps += [f"exec {number}<&-" for number in held]
    steps.append('exec "$@"')
    user = ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups", "--inh-caps=-all"]
    return ["unshare", "--mount", "--", "sh", "-c", "; ".join(steps), "sh", *user, "--", *command]
