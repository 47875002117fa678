"""Too little memory: how it shows itself, and what is said then."""

import errno
import os
import resource
from typing import Final

from arena.errors import BadInput

LEAST: Final = 512 * 2**20
"""Bytes of addresses that a run needs with its numbers' library on one thread: 390 MiB were measured."""

_IN_WORDS: Final = (
    "failed to map segment",
    "cannot allocate memory",
    "can't start new thread",
    "out of memory",
)
"""What the system's loader and Python's threads say: neither raises a MemoryError."""


def fit_the_limit() -> None:
    """Get by with what the limit on memory leaves, where there is one.

    To be called before numbers are loaded: with too little memory their library does not fail, it tries again
    for ever, and takes more of it for each thread. Raises BadInput where it cannot be enough.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    if limit < LEAST:
        raise BadInput(
            f"the limit on memory is {limit // 1024} KiB, and arena needs {LEAST // 1024} KiB; "
            f"raise it: ulimit -v {LEAST // 1024}"
        )
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def lack_of_memory(error: BaseException) -> str | None:
    """One message for people, if this error, or one it came from or is made of, is a lack of memory."""
    if not _is_lack(error):
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return "there is not enough memory; end other programs, or play with fewer --jobs"
    # The shell counts in KiB.
    return f"there is not enough memory under the limit of {limit // 1024} KiB (ulimit -v); raise the limit"


def _is_lack(error: BaseException | None) -> bool:
    if error is None:
        return False
    if isinstance(error, BaseExceptionGroup):
        return any(map(_is_lack, error.exceptions))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, ImportError | RuntimeError) and any(
        words in str(error).lower() for words in _IN_WORDS
    ):
        return True
    return _is_lack(error.__cause__ or error.__context__)
