"""Whether a file without a #! line is a program this machine can start; only the first bytes are read."""

import os
import struct
import sys
from pathlib import Path
from typing import Final, NamedTuple

from arena.roster.words import shown

_ELF: Final = b"\x7fELF"
_MACH_O: Final = frozenset(
    (b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
)
_MACHINES: Final = {3: "x86", 40: "ARM", 62: "x86-64", 183: "ARM64", 243: "RISC-V"}
_ALSO: Final = {62: (3,), 183: (40,)}
"""The older machine that a machine also runs (ELF gABI e_machine numbers)."""
_INTERP: Final = 3
"""PT_INTERP: the program header that names the loader (ELF gABI)."""


class _Layout(NamedTuple):
    """Where an ELF file keeps what is read here: offsets in its header, then in a program header."""

    number: str
    table: int
    size_and_count: int
    offset: int
    length: int


_LAYOUTS: Final = {False: _Layout("I", 28, 42, 4, 16), True: _Layout("Q", 32, 54, 8, 32)}
"""By whether the file is of the 64-bit class."""
_EMULATORS: Final = "/proc/sys/fs/binfmt_misc"


def is_binary(head: bytes) -> bool:
    """Whether the bytes begin a compiled program, of this machine or another."""
    return head.startswith((_ELF, b"MZ")) or head[:4] in _MACH_O


def why_not(path: Path) -> str | None:
    """Why this machine cannot start the file, or None if nothing speaks against it. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(64)
    if not is_binary(head):
        return "is neither a compiled program nor a script with a #! line"
    if head.startswith(b"MZ"):
        return "is a program for Windows"
    if sys.platform == "linux":
        return _why_not_elf(path) if head.startswith(_ELF) else "is a program for macOS"
    return "is a program for Linux" if head.startswith(_ELF) else None


def _why_not_elf(path: Path) -> str | None:
    own = _machine(Path("/proc/self/exe"))
    try:
        machine, loader = _machine(path), _loader(path)
    except (struct.error, ValueError, OSError):
        return "is cut short: the file's own table of contents lies beyond its end"
    if machine != own and machine not in _ALSO.get(own, ()) and not _emulated():
        return f"is built for {_named(machine)}, and this machine is {_named(own)}"
    if loader is not None and not os.path.exists(loader):
        return f"needs the loader {shown(loader)}, which this machine lacks (built for another C library?)"
    return None


def _machine(path: Path) -> int:
    with path.open("rb") as file:
        head = file.read(20)
    return int(struct.unpack_from(_order(head) + "H", head, 18)[0])


def _loader(path: Path) -> str | None:
    """The dynamic loader that the program asks for, if it asks for one."""
    with path.open("rb") as file:
        head = file.read(64)
        order, layout = _order(head), _LAYOUTS[head[4] == 2]

        def number(data: bytes, at: int) -> int:
            return int(struct.unpack_from(order + layout.number, data, at)[0])

        size, count = struct.unpack_from(order + "HH", head, layout.size_and_count)
        file.seek(min(number(head, layout.table), sys.maxsize))
        headers = file.read(size * count)
        for start in range(0, size * count, size or 1):
            if struct.unpack_from(order + "I", headers, start)[0] == _INTERP:
                file.seek(min(number(headers, start + layout.offset), sys.maxsize))
                length = number(headers, start + layout.length)
                return os.fsdecode(file.read(min(length, 4096)).rstrip(b"\0"))
    return None


def _order(head: bytes) -> str:
    if len(head) < 20:
        raise ValueError("no ELF header")
    return ">" if head[5] == 2 else "<"


def _named(machine: int) -> str:
    return _MACHINES.get(machine, f"another machine (number {machine})")


def _emulated() -> bool:
    """Whether the system runs programs of other machines through an emulator."""
    try:
        return any(name.startswith("qemu-") for name in os.listdir(_EMULATORS))
    except OSError:
        return False
