"""Too little memory is said before anything is made; a file made for nothing is not left."""

import errno
import json
import re
import subprocess
import sys

import pytest
from cli_command import QUICK, TRIO, environment, inside

from arena.cli.memory import LEAST, lack_of_memory

RUN = ("run", "--bots", *TRIO[:2], "--games", "2", "--quiet", "--json", "--out", "it.db", *QUICK)


def limited(what, *words, cwd=None):
    """The command under a limit of the shell, such as `-v 300000`."""
    line = f"ulimit {what}; exec {' '.join([sys.executable, '-m', 'arena', *map(str, words)])}"
    return subprocess.run(
        ["bash", "-c", line], cwd=cwd, env=environment(), capture_output=True, text=True, timeout=240,
        check=False,
    )  # fmt: skip


def test_a_limit_that_is_too_low_is_named_with_one_that_will_do(tmp_path, played):
    for words in (RUN, ("standings", played[0]), ("verify", played[0]), ("merge", played[0], "-o", "it.db")):
        done = limited("-v 300000", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(r"arena: the limit on memory is 300000 KiB[^\n]* ulimit -v \d+\n", done.stderr)
        assert list(tmp_path.iterdir()) == []
    done = limited(f"-v {LEAST // 1024}", *RUN, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["complete"]


def test_what_needs_no_numbers_is_not_refused():
    assert limited("-v 300000", "rules").returncode == 0


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("/x/y.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        ExceptionGroup("all of it", [ValueError(), MemoryError()]),
    ],
)
def test_every_form_of_a_lack_of_memory_is_one_message(error):
    assert "not enough memory" in lack_of_memory(error)
    wrapped = ValueError("later")
    wrapped.__cause__ = error
    assert "not enough memory" in lack_of_memory(wrapped)


@pytest.mark.parametrize("error", [ImportError("no module named x"), RuntimeError("x"), OSError(2, "x")])
def test_other_errors_are_none(error):
    assert lack_of_memory(error) is None


@pytest.mark.parametrize(("limit", "says"), [(8, ""), (60, "no block was over, so no file is left")])
def test_a_file_in_which_no_block_had_room_is_not_left(tmp_path, limit, says):
    done = limited(f"-f {limit}", *RUN, cwd=tmp_path)
    assert done.returncode == 74, done.stderr
    assert done.stdout == ""
    assert re.fullmatch(rf"arena: it\.db: [^\n]*{says}\n", done.stderr)
    assert list(tmp_path.iterdir()) == []


def test_where_some_blocks_had_room_they_are_kept_and_no_lock_is(tmp_path):
    done = limited("-f 400", *RUN[:4], "--games", "100000", *RUN[6:], cwd=tmp_path)
    assert done.returncode == 74, done.stderr
    left = {path.name for path in tmp_path.iterdir()}
    assert left in ({"it.db"}, {"it.db", "it.db-wal", "it.db-shm"})
    assert ("it.db-wal" in done.stderr) == (len(left) > 1)
    kept = json.loads(inside("standings", tmp_path / "it.db", "--json").stdout)
    assert kept["blocks"] > 0
    assert not kept["complete"]
