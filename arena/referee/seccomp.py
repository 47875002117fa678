"""The system calls a bot has no use for, closed by a filter that the kernel runs before each call.

It closes what no namespace covers: sockets to the host of a virtual machine, keyrings that all processes of
a user share, and parts of the kernel that are young or seldom used. The filter is compiled by libseccomp,
which knows the numbers of system calls on every architecture.
"""

import contextlib
import ctypes
import errno
import os
import sys
from collections.abc import Iterator
from typing import Final

_LIBRARY: Final = "libseccomp.so.2"
_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000
_EQUAL: Final = 4
_AT_LEAST: Final = 5

_MISSING: Final = (
    *("add_key", "request_key", "keyctl"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("bpf", "userfaultfd", "perf_event_open"),
)
"""These look as if the kernel did not have them, which programs are prepared for."""
_FAMILIES: Final = (1, 2, 10, 16)
"""The families of sockets that remain: local ones, IPv4, IPv6, netlink. A namespace covers all four."""


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("_unused", ctypes.c_uint64),
    )


def compiled_filter() -> bytes | None:
    """The filter as the kernel and bubblewrap take it; None where libseccomp is not installed."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL(_LIBRARY)
        library.seccomp_init.restype = ctypes.c_void_p
        library.seccomp_rule_add_array.argtypes = (
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_int,
            ctypes.c_uint,
            ctypes.POINTER(_Comparison),
        )
        library.seccomp_export_bpf.argtypes = (ctypes.c_void_p, ctypes.c_int)
        library.seccomp_release.argtypes = (ctypes.c_void_p,)
    except (OSError, AttributeError):
        return None
    rules = library.seccomp_init(_ALLOW)
    if not rules:
        return None
    try:
        return _exported(library, rules)
    finally:
        library.seccomp_release(rules)


def _exported(library: ctypes.CDLL, rules: int) -> bytes | None:
    for name, error, comparison in _rules():
        number = library.seccomp_syscall_resolve_name(name.encode())
        # An old library may not know a new call; a kernel of its time has none.
        if number < 0:
            continue
        count, wanted = (0, None) if comparison is None else (1, ctypes.pointer(comparison))
        if library.seccomp_rule_add_array(rules, _FAIL | error, number, count, wanted):
            return None
    with contextlib.closing(os.fdopen(os.memfd_create("filter"), "rb")) as file:
        if library.seccomp_export_bpf(rules, file.fileno()):
            return None
        file.seek(0)
        return file.read()


def _rules() -> Iterator[tuple[str, int, _Comparison | None]]:
    for name in _MISSING:
        yield name, errno.ENOSYS, None
    highest = max(_FAMILIES)
    for family in set(range(highest)) - set(_FAMILIES):
        yield "socket", errno.EAFNOSUPPORT, _Comparison(0, _EQUAL, family, 0)
    yield "socket", errno.EAFNOSUPPORT, _Comparison(0, _AT_LEAST, highest + 1, 0)
