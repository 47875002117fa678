"""Looking for all that a table of ratings does not show, and telling only what passes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arena.errors import BadInput
from arena.ratings.challenges import Challenges
from arena.ratings.choices import choices_of
from arena.ratings.correction import ERROR_RATE, KINDS, corrected
from arena.ratings.cycles import cycles_among
from arena.ratings.duels import Duels, duels_joined, duels_of
from arena.ratings.findings import Cycle, Finding, Help, Moved, Seats, Step, Unexplained
from arena.ratings.fit import NotConverged
from arena.ratings.fitted import Fitted, fitted, refitted
from arena.ratings.groups import link
from arena.ratings.helping import sparing
from arena.ratings.rate import Ratings
from arena.ratings.results import Floats, Results
from arena.ratings.scale import ELO
from arena.ratings.seating import chance_of_seats

MOST_TABLES = 5
"""Pairs of one kind for which the table is made again without their games."""


def find(ratings: Ratings, results: Results, challenges: Challenges | None = None) -> tuple[Finding, ...]:
    """All that passes, the surest of each kind first. `ratings` must have been made of `results`.

    Without `challenges` help is not looked for. `BadInput` if the three are not of the same number of bots.
    """
    for what, bots in (("results", results.bots), ("challenges", challenges and challenges.bots)):
        if bots is not None and bots != ratings.bots:
            raise BadInput(f"{what} of {bots} bots given with ratings of {ratings.bots}")
    bases = tuple(fitted(ratings, results))
    helping = () if challenges is None else tuple(_helping(bases, results, challenges))
    duels = duels_joined([duels_of(base, results) for base in bases])
    cycles = tuple(_cycles(ratings, duels))
    return (*helping, *cycles, *_unexplained(bases, results, duels, cycles), *_seats(ratings))


def _passing(chances: Floats) -> Iterator[tuple[int, float]]:
    """Position and corrected chance of those that pass, the surest first."""
    worth = corrected(chances)
    for at in np.lexsort((np.arange(len(worth)), chances)).tolist():
        if worth[at] <= ERROR_RATE:
            yield at, float(worth[at])


def _helping(bases: Sequence[Fitted], results: Results, challenges: Challenges) -> Iterator[Help]:
    looks, pairs = sparing(challenges)
    chances = np.ones(looks)
    chances[: len(pairs)] = [pair.chance for pair in pairs]
    for told, (at, chance) in enumerate(_passing(chances)):
        pair = pairs[at]
        shared = np.isin(results.seating, pair.bots).sum(axis=1) == 2
        yield Help(
            bots=pair.bots,
            asked=pair.asked,
            called=pair.called,
            expected=pair.expected,
            games=int(shared.sum()),
            blocks=pair.blocks,
            chance=chance,
            without=_without(bases, results, pair.bots) if told < MOST_TABLES else (),
        )


def _without(bases: Sequence[Fitted], results: Results, pair: tuple[int, int]) -> tuple[Moved, ...]:
    """How the table changes without the games of the two; nothing if they leave bots no longer comparable."""
    base = next((base for base in bases if set(pair) <= set(base.scale.bots.tolist())), None)
    rest = _rest(results, pair)
    again = None if base is None else _again(base, rest)
    if base is None or again is None:
        return ()
    bots = base.scale.bots
    if len(np.unique(link(results.bots, choices_of(rest)).group[bots])) > 1:
        return ()
    after = ELO * again.found.at[: len(bots)]
    after -= after.mean() if base.scale.anchor is None else after[base.scale.anchor]
    ranks = np.empty((2, len(bots)), dtype=np.int64)
    for number, order in enumerate((base.scale.order, replace(base.scale, elo=after).order)):
        ranks[number, order] = np.arange(1, len(bots) + 1)
    two = np.searchsorted(bots, pair).tolist()
    others = [at for at in base.scale.order.tolist() if ranks[0, at] != ranks[1, at] and at not in two]
    return tuple(
        Moved(
            int(bots[at]), int(ranks[0, at]), float(base.scale.elo[at]), int(ranks[1, at]), float(after[at])
        )
        for at in (*two, *others)
    )


def _rest(results: Results, pair: tuple[int, int]) -> Results:
    """The games in which not both sat."""
    left = np.flatnonzero(np.isin(results.seating, pair).sum(axis=1) < 2)
    return Results(
        results.bots,
        results.seating[left],
        results.places[left],
        results.winner[left],
        results.block[left],
        results.full_order,
    )


def _again(base: Fitted, rest: Results) -> Fitted | None:
    try:
        return refitted(base, rest)
    except NotConverged:
        return None


def _cycles(ratings: Ratings, duels: Duels) -> Iterator[Cycle]:
    """Three steps each of which passes; a cycle is as sure as its least sure step."""
    passing = dict(_passing(duels.apart))
    beats = np.zeros((ratings.bots, ratings.bots), dtype=bool)
    place: dict[tuple[int, int], int] = {}
    for at in passing:
        pair = (int(duels.one[at]), int(duels.other[at]))
        ahead = pair if duels.ahead[at] > duels.even[at] else pair[::-1]
        beats[ahead] = True
        place[ahead] = at
    found = []
    for bots in cycles_among(beats, ratings.elo):
        turns = [place[bots[0], bots[1]], place[bots[1], bots[2]], place[bots[2], bots[0]]]
        led = [
            int(duels.ahead[at] if duels.one[at] == bot else duels.decided[at] - duels.ahead[at])
            for at, bot in zip(turns, bots, strict=True)
        ]
        first, second, third = (
            Step(ahead, int(duels.decided[at])) for at, ahead in zip(turns, led, strict=True)
        )
        found.append(Cycle(bots, (first, second, third), max(passing[at] for at in turns)))
    yield from sorted(found, key=lambda cycle: cycle.chance)


def _unexplained(
    bases: Sequence[Fitted], results: Results, duels: Duels, cycles: tuple[Cycle, ...]
) -> list[Unexplained]:
    """Pairs of which no cycle has told, and that are not odd only because of another that is told.

    One pair puts the ratings of its two bots out, and with them what is expected of these against everybody.
    So the others must pass again without the games of each pair before them, `MOST_TABLES` times at most.
    """
    known = {frozenset(step) for a, b, c in (one.bots for one in cycles) for step in ((a, b), (b, c), (c, a))}
    odd = [found for found in _odd(duels) if frozenset(found.bots) not in known]
    told: list[Unexplained] = []
    for base in bases:
        left = [found for found in odd if found.bots[0] in base.scale.bots]
        rest, again = results, base
        for number in range(1, MOST_TABLES + 1):
            told += left[:1]
            left = left[1:]
            if not left:
                break
            rest = _rest(rest, told[-1].bots)
            fit = _again(again, rest)
            if fit is None:
                break
            again = fit
            few = duels_of(again, rest, [_ascending(found.bots) for found in left])
            level = ERROR_RATE / KINDS / (len(duels.one) - number)
            still = {
                (int(one), int(other))
                for one, other, chance in zip(few.one, few.other, few.unexplained, strict=True)
                if chance <= level
            }
            left = [found for found in left if _ascending(found.bots) in still]
        told += left
    return sorted(told, key=lambda found: found.chance)


def _ascending(bots: tuple[int, int]) -> tuple[int, int]:
    return min(bots), max(bots)


def _odd(duels: Duels) -> Iterator[Unexplained]:
    for at, chance in _passing(duels.unexplained):
        one, other, decided = int(duels.one[at]), int(duels.other[at]), int(duels.decided[at])
        ahead, expected = int(duels.ahead[at]), float(duels.expected[at])
        if ahead < expected:
            one, other, ahead, expected = other, one, decided - ahead, decided - expected
        yield Unexplained((one, other), ahead, decided, expected, int(duels.blocks[at]), chance)


def _seats(ratings: Ratings) -> Iterator[Seats]:
    linked = [scale for scale in ratings.scales if len(scale.bots) > 1]
    looks = [(number, scale, chance_of_seats(scale)) for number, scale in enumerate(linked, 1)]
    tested = [(number, scale, chance) for number, scale, chance in looks if chance is not None]
    for at, worth in _passing(np.array([chance for _, _, chance in tested], dtype=np.float64)):
        number, scale, _ = tested[at]
        best, worst = int(scale.seats.argmax()), int(scale.seats.argmin())
        yield Seats(
            group=number,
            groups=len(linked),
            best=best,
            worst=worst,
            best_elo=float(scale.seats[best]),
            worst_elo=float(scale.seats[worst]),
            games=scale.games,
            blocks=scale.all_blocks,
            chance=worth,
        )
