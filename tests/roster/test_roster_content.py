"""The digest of a bot, and read-only copies of it."""

import os
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.roster import copies
from arena.roster.content import digest, scan
from arena.roster.discovery import find_bots


def digests(*paths):
    return [bot.digest for bot in find_bots(paths).entrants]


@pytest.fixture
def folder_bot(here, write):
    def make(name):
        write(f"{name}/bot.toml", 'run = "bot.py"\n')
        write(f"{name}/bot.py", "print(1)\n")
        write(f"{name}/lib/data.bin", bytes(range(256)))
        os.symlink("data.bin", f"{name}/lib/link")
        return name

    return make


def test_the_same_bytes_give_the_same_digest_whatever_their_path_and_age(here, write, folder_bot):
    write("one/a.py", "print(1)")
    write("two/b.py", "print(1)")
    os.utime("two/b.py", (1, 1))
    a, b = digests("one/a.py", "two/b.py")
    assert a == b
    folder_bot("x")
    shutil.copytree("x", "y", symlinks=True)
    os.utime("y/bot.py", (1, 1))
    x, y = digests("x", "y")
    assert x == y


def test_every_kind_of_change_changes_the_digest(here, write, folder_bot):
    seen = set(digests(folder_bot("x")))
    for change in (
        lambda: write("x/bot.py", "print(2)\n"),
        lambda: os.chmod("x/bot.py", 0o755),
        lambda: write("x/more.txt", ""),
        lambda: os.rename("x/more.txt", "x/less.txt"),
        lambda: os.mkdir("x/empty"),
        lambda: (os.unlink("x/lib/link"), os.symlink("../bot.py", "x/lib/link")),
    ):
        change()
        (new,) = digests("x")
        assert new not in seen
        seen.add(new)


def test_the_extension_and_the_execute_bit_of_a_file_count(here, write):
    for name, mode in (("a.sh", 0o644), ("a.bash", 0o644), ("b.sh", 0o755)):
        write(name, "cat\n", mode)
    assert len(set(digests("a.sh", "a.bash", "b.sh"))) == 3


def test_version_control_and_caches_are_no_part_of_a_bot(here, write, folder_bot):
    (before,) = digests(folder_bot("x"))
    write("x/.git/HEAD", "ref")
    write("x/lib/__pycache__/a.pyc", "x")
    write("x/.hg/store", "x")
    assert digests("x") == [before]


def test_a_digest_depends_on_where_one_word_ends_and_the_next_begins(here):
    assert digest("command", ("ab", "c"), ()) != digest("command", ("a", "bc"), ())
    assert digest("command", ("a b",), ()) != digest("command", ("a", "b"), ())


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.binary(max_size=8), st.booleans()), max_size=5))
def test_a_copy_has_the_digest_of_its_original(tmp_path_factory, files):
    place = tmp_path_factory.mktemp("content")
    (place / "original").mkdir()
    for name, data, executable in files:
        (place / "original" / name).write_bytes(data)
        (place / "original" / name).chmod(0o700 if executable else 0o600)
    entries = scan(place / "original", "x")
    for writable in (True, False):
        copied = copies.copy(entries, place / f"copy-{writable}", writable=writable)
        assert digest("x", (), copied) == digest("x", (), entries)
        again = scan(place / f"copy-{writable}", "x")
        assert digest("x", (), again) == digest("x", (), entries)
        modes = {os.stat(entry.source).st_mode & 0o222 for entry in again}
        assert modes <= {0o200 if writable else 0}
    copies.remove(place)
    assert not place.exists()


def test_a_link_that_leaves_the_folder_is_refused_and_one_that_stays_is_kept(here, folder_bot):
    folder_bot("x")
    os.symlink("../../outside", "x/lib/out")
    with pytest.raises(BadInput, match=r"x: lib/out is a link to ../../outside, outside the folder; copy"):
        find_bots(["x"])
    os.unlink("x/lib/out")
    os.symlink(here / "x" / "bot.py", "x/lib/absolute")
    os.symlink("../lib", "x/lib/round")
    copies.copy(scan(here / "x", "x"), here / "copy", writable=False)
    assert os.readlink("copy/lib/absolute") == "../bot.py"
    assert os.readlink("copy/lib/round") == "../lib"


def test_a_link_to_a_neighbour_whose_name_begins_alike_leaves_the_folder(here, folder_bot, write):
    folder_bot("x")
    write("x-secret/key", "k")
    os.symlink("../x-secret/key", "x/key")
    with pytest.raises(BadInput, match="outside the folder"):
        find_bots(["x"])


def test_a_folder_over_the_limit_is_refused_naming_the_largest_file(here, folder_bot):
    folder_bot("x")
    with open("x/lib/model.bin", "wb") as file:
        file.truncate(300 * 1024 * 1024)
    with pytest.raises(BadInput) as error:
        find_bots(["x"])
    assert "x has 300 MiB and a bot may have 256" in str(error.value)
    assert "lib/model.bin with 300 MiB" in str(error.value)


def test_copies_are_read_only_for_everybody_whatever_the_umask(here, folder_bot, write):
    folder_bot("x")
    write("x/tool", "#!/bin/sh\n", 0o700)
    before = os.umask(0o077)
    try:
        copies.copy(scan(here / "x", "x"), here / "copy", writable=False)
    finally:
        os.umask(before)
    modes = {
        os.path.relpath(place, here / "copy"): os.stat(place).st_mode & 0o7777
        for folder, _, files in os.walk(here / "copy")
        for place in [folder, *(os.path.join(folder, file) for file in files)]
    }
    assert modes == {
        ".": 0o555,
        "bot.toml": 0o444,
        "bot.py": 0o444,
        "tool": 0o555,
        "lib": 0o555,
        "lib/data.bin": 0o444,
        "lib/link": 0o444,
    }


def test_removing_leaves_nothing_and_follows_no_link(here, folder_bot, write):
    folder_bot("x")
    write("precious/keep.txt", "x")
    copies.copy(scan(here / "x", "x"), here / "copy", writable=False)
    os.chmod("copy", 0o755)
    os.symlink(here / "precious", "copy/away")
    os.mkdir("copy/closed")
    os.chmod("copy/closed", 0)
    os.chmod("copy", 0o555)
    copies.remove(here / "copy")
    assert not os.path.lexists("copy")
    assert os.path.exists("precious/keep.txt")
    os.symlink("precious", "link")
    os.chmod("precious", 0o755)
    copies.remove(here / "link")
    assert os.path.exists("precious/keep.txt")
    assert os.stat("precious").st_mode & 0o777 == 0o755
    copies.remove(here / "nothing")
