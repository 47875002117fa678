"""One part of a tournament, played by itself: every so many-th block of the schedule."""

import re
from typing import Final

import msgspec

from arena.errors import BadInput

MOST: Final = 1000
_FORM: Final = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Part `number` of `of`: the blocks whose numbers are `number` - 1 modulo `of`. It benches nobody.

    What every part plays follows from the schedule alone, so the parts can be played anywhere at any time.
    """

    number: int
    """From 1."""
    of: int
    bench: int
    """What --bench said: after how many blocks with faults running a whole tournament would have benched."""

    @classmethod
    def of_text(cls, text: str, bench: int) -> "Part":
        """The part that I/N stands for. Raises BadInput."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise BadInput(f"--part takes I/N, such as 1/4 for the first of four, and {text!r} is none")
        number, of = int(match[1]), int(match[2])
        if not 1 <= of <= MOST:
            raise BadInput(f"--part {text}: a tournament has 1 to {MOST} parts")
        if not 1 <= number <= of:
            raise BadInput(f"--part {text}: parts of {of} are numbered 1 to {of}")
        return cls(number=number, of=of, bench=bench)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def owns(self, block: int) -> bool:
        """Whether the block of this number is of this part."""
        return block % self.of == self.number - 1

    def share(self, blocks: int) -> int:
        """How many of the first so many blocks are of this part."""
        return len(range(self.number - 1, blocks, self.of))
