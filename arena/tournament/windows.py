"""Who was asked about which claims and challenged them, noted when a game is stored.

A window is eight hexadecimal digits: one for the seat whose claim it was, one for the kind of claim (8 for
a lie, 4 where as many cards were claimed as the claimant held, and the count claimed less one, 3 for all
above), three for the seats that were asked (bit s for seat s) and three for those of them that challenged.
The kind is there so that like is compared with like: honest bots of one style call other kinds than those
of another.
"""

from collections.abc import Iterator, Sequence
from struct import pack
from typing import Final

import numpy as np

from arena.cheat.events import Dealt, Event, Out, Played, Resolved
from arena.cheat.game import is_true
from arena.ratings import Challenges, Results
from arena.ratings.results import Ints

DIGITS: Final = 8
KINDS: Final = 16
LIE: Final = 8
LAST: Final = 4
LARGEST: Final = 4
"""Counts from here on are of one kind."""
_MASK: Final = 0xFFF
WINDOWS_AT_A_TIME: Final = 1 << 18


def windows_of(events: Sequence[Event]) -> str:
    """The windows of one whole game, in their order."""
    words: list[int] = []
    held: list[int] = []
    active = kind = 0
    for event in events:
        # The two that nearly all events are come first: this is done for every game that is stored.
        if isinstance(event, Resolved):
            claimant, called = event.claimant, 0
            for seat in event.callers:
                called |= 1 << seat
            asked = active & ~(1 << claimant)
            words.append(claimant << 28 | kind << 24 | asked << 12 | called)
            if event.taker is not None:
                held[event.taker] += len(event.taken)
        elif isinstance(event, Played):
            count, seat = event.count, event.seat
            kind = (count if count < LARGEST else LARGEST) - 1
            if count >= held[seat]:
                kind += LAST
            if not is_true(event):
                kind += LIE
            held[seat] -= len(event.cards)
        elif isinstance(event, Out):
            active &= ~(1 << event.seat)
        elif isinstance(event, Dealt):
            held = [len(hand) for hand in event.hands]
            active = (1 << len(held)) - 1
    return pack(f">{len(words)}I", *words).hex()


def challenges_of(results: Results, windows: Sequence[str]) -> Challenges:
    """The windows of the games of `results`, in their order, counted by block, bots and kind.

    Raises ValueError for text that is no windows of these tables.
    """
    if any(len(part) % DIGITS for part in windows):
        raise ValueError(f"a window is not {DIGITS} digits long")
    words = np.frombuffer(bytes.fromhex("".join(windows)), dtype=">u4")
    ends = np.cumsum([0, *(len(part) // DIGITS for part in windows)])
    if len(words) != ends[-1]:
        raise ValueError("between the digits of windows stands something else")
    parts = [np.zeros((6, 0), dtype=np.int64)]
    for first, last in _stretches(results.block, ends):
        game = np.repeat(np.arange(first, last), np.diff(ends[first : last + 1]))
        parts.append(_counted(results, game, words[ends[first] : ends[last]].astype(np.int64)))
    return Challenges(results.bots, *np.concatenate(parts, axis=1))


def _stretches(block: Ints, ends: Ints) -> Iterator[tuple[int, int]]:
    """Games from each first to before the last, of whole blocks and with about so many windows."""
    borders = [*np.flatnonzero(np.diff(block, prepend=-1)).tolist(), len(block)]
    first = 0
    for border in borders[1:]:
        if border == len(block) or ends[border] - ends[first] >= WINDOWS_AT_A_TIME:
            yield first, border
            first = border


def _counted(results: Results, game: Ints, words: Ints) -> Ints:
    """(6, rows): block, challenger, claimant, kind, asked, called; sorted."""
    seats, bots = results.seats, results.bots
    claimant, asked, called = words >> 28, words >> 12 & _MASK, words & _MASK
    if (claimant >= seats).any() or (asked >> seats).any() or (called & ~asked).any():
        raise ValueError("a window names a seat that there is not, or that was not asked")
    names, block = np.unique(results.block[game], return_inverse=True)
    # Block, challenger, claimant, kind and whether it called in one number: one sort counts them all.
    whose, who = 2 * KINDS, 2 * KINDS * bots
    window = block * who * bots + results.seating[game, claimant] * whose + (words >> 24 & 0xF) * 2
    keys = []
    for seat in range(seats):
        rows = np.flatnonzero(asked >> seat & 1)
        keys.append(window[rows] + results.seating[game[rows], seat] * who + (called[rows] >> seat & 1))
    key = np.sort(np.concatenate(keys))
    row = key >> 1
    first = np.flatnonzero(np.diff(row, prepend=-1))
    row = row[first]
    count = np.diff(first, append=len(key))
    calls = np.add.reduceat(key & 1, first) if len(first) else count
    way = row // KINDS
    return np.stack([names[way // bots**2], way // bots % bots, way % bots, row % KINDS, count, calls])
