"""Whether a file is a program this machine can start (Linux: the ELF header, its machine and its loader)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.roster.binary import is_binary, why_not
from arena.roster.discovery import find_bots

OWN = Path(os.path.realpath(shutil.which("sh")))


@pytest.fixture
def altered(tmp_path):
    """This machine's shell, cut short or with some bytes changed."""

    def make(*changes, size=None):
        content = bytearray(OWN.read_bytes()[:size])
        for at, piece in changes:
            content[at : at + len(piece)] = piece
        place = tmp_path / "program"
        place.write_bytes(content)
        place.chmod(0o755)
        return place

    return make


def test_a_program_of_this_machine_has_nothing_against_it_and_starts(altered):
    place = altered()
    assert why_not(place) is None
    assert subprocess.run([place, "-c", "exit 7"]).returncode == 7


def test_a_program_whose_loader_is_not_there_is_named_before_the_system_says_no_such_file(altered):
    at = OWN.read_bytes().index(b"/ld-")
    place = altered((at, b"/xx-"))
    assert "this machine lacks" in why_not(place)
    assert "/xx-" in why_not(place)
    with pytest.raises(FileNotFoundError):
        subprocess.run([place])


@pytest.mark.parametrize(("machine", "name"), [(243, "RISC-V"), (22, "another machine (number 22)")])
def test_a_program_for_another_machine_is_named(altered, machine, name):
    assert why_not(altered((18, machine.to_bytes(2, "little")))).startswith(f"is built for {name}, and this")


@pytest.mark.parametrize("size", [4, 19, 21, 63])
def test_a_program_cut_short_in_its_header_is_named(altered, size):
    assert why_not(altered(size=size)).startswith("is cut short")


def test_any_damage_to_the_header_is_a_reason_or_none_and_never_an_exception(altered):
    answers = {
        why_not(altered((at, bytes([byte])), size=4096)) for at in range(4, 64) for byte in (0x00, 0x01, 0xFF)
    }
    assert all(
        answer is None or answer.startswith(("is built for", "is cut short", "needs")) for answer in answers
    )


@pytest.mark.parametrize(
    ("head", "binary"),
    [(b"\x7fELF\x02", True), (b"\xcf\xfa\xed\xfe", True), (b"MZ", True), (b"#!/bin/sh", False), (b"", False)],
)
def test_compiled_programs_are_known_by_their_first_bytes(head, binary):
    assert is_binary(head) is binary


def test_a_program_that_cannot_start_is_an_error_before_any_game(here, write):
    write("bot", b"\xcf\xfa\xed\xfe" + bytes(100), 0o755)
    with pytest.raises(
        BadInput, match="bot has the execute bit and cannot run: it is a program for macOS; mend"
    ):
        find_bots(["bot"])


def test_a_compiled_program_without_the_execute_bit_is_passed_over_with_the_mend(here, write):
    write("a.py")
    write("bot", OWN.read_bytes(), 0o644)
    (note,) = find_bots(["a.py", "bot"]).notes
    assert "a compiled program without the execute bit; chmod +x" in note
