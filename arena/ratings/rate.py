"""From results to ratings: groups, fit, bars and counts, put together."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from arena.errors import BadInput
from arena.ratings.choices import choices_of
from arena.ratings.counts import Counts
from arena.ratings.groupfit import Evidence, Options, scale_of
from arena.ratings.groups import Links, link
from arena.ratings.results import Bools, Floats, Ints, Results
from arena.ratings.scale import ELO, Difference, Scale
from arena.ratings.shares import expected_shares

PRIOR = 0.5
"""Wins, and as many losses, of every bot and every seat against a ghost of strength 0."""
PROVISIONAL_BLOCKS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Every bot's rating and counts; arrays are (bots,) and without nan or inf whatever was played."""

    seats: int
    full_order: bool
    prior: float
    total_games: int
    total_no_result: int
    """Games that nobody has won."""
    group: Ints
    """Which of `scales` each bot is on."""
    scales: tuple[Scale, ...]
    """Largest group first; a bot without a rated game is a group of its own, at 0 with the prior's bar."""
    elo: Floats
    error: Floats
    """Elo: half of the 95 % interval."""
    expected: Floats
    """Share of games the bot would win at random tables of its group, all seats equal."""
    games: Ints
    """Games played, with or without a winner."""
    rated: Ints
    """Games that say something about strength."""
    blocks: Ints
    """Blocks with a rated game."""
    wins: Ints
    no_result: Ints
    """Games that nobody has won."""
    provisional: Bools
    """Under 20 blocks."""
    prior_bounded: Bools
    """The games alone would leave the rating unbounded: it, or its like, beat or lost to all others."""
    no_upper: Bools
    no_lower: Bools

    @property
    def bots(self) -> int:
        """How many bots there are."""
        return len(self.elo)

    @property
    def win_share(self) -> Floats:
        """Games won of games played, 0 without games."""
        return self.wins / np.maximum(self.games, 1)

    @property
    def no_result_share(self) -> Floats:
        """Games that nobody has won of games played, 0 without games."""
        return self.no_result / np.maximum(self.games, 1)

    @property
    def order(self) -> Ints:
        """Bot numbers in table order: group by group, the strongest first."""
        ranked = [scale.bots[scale.order] for scale in self.scales]
        return np.concatenate(ranked) if ranked else np.zeros(0, dtype=np.int64)

    def difference(self, one: int, other: int) -> Difference | None:
        """Between two bots by number; None where no chain of games links them. Raises BadInput for none."""
        for bot in (one, other):
            _insist_on_bot("difference", bot, self.bots)
        if self.group[one] != self.group[other]:
            return None
        scale = self.scales[int(self.group[one])]
        first, second = np.searchsorted(scale.bots, [one, other]).tolist()
        return scale.difference(first, second)


def rate(
    results: Results,
    *,
    prior: float = PRIOR,
    seat_effects: bool = True,
    anchor: int | None = None,
) -> Ratings:
    """Rate every bot of `results`.

    `prior` is the number of wins, and of losses, of each bot and each seat against the ghost; 0 leaves it
    out, and then `BadInput` is raised unless a chain of results leads from each bot to each other both ways.
    Seat effects are fitted where the seatings tell them apart from the bots. `anchor` is the bot that stands
    at 0 in its group (a group without it has mean 0). Raises `NotConverged` if no maximum is found.
    """
    if anchor is not None:
        _insist_on_bot("the anchor", anchor, results.bots)
    if not isinstance(prior, Real) or not 0.0 <= prior < np.inf:
        raise BadInput(f"prior is {prior!r}; it is 0 (none) or more, usually {PRIOR}")
    choices = choices_of(results)
    links = link(results.bots, choices)
    if not prior:
        _insist_on_bounds(links)
    counts = Counts.of(results)
    evidence, options = Evidence(choices, links, counts), Options(prior, seat_effects, anchor)
    groups = int(links.group.max(initial=-1)) + 1
    scales = tuple(scale_of(results, evidence, number, options) for number in range(groups))
    elo, error, expected = np.zeros(results.bots), np.zeros(results.bots), np.zeros(results.bots)
    for scale in scales:
        elo[scale.bots], error[scale.bots] = scale.elo, scale.errors
        expected[scale.bots] = expected_shares(scale.elo / ELO, max(results.seats, 1))
    return Ratings(
        seats=results.seats,
        full_order=results.full_order,
        prior=prior,
        total_games=results.games,
        total_no_result=int((results.winner < 0).sum()),
        group=links.group,
        scales=scales,
        elo=elo,
        error=error,
        expected=expected,
        games=counts.games,
        rated=counts.rated,
        blocks=counts.blocks,
        wins=counts.wins,
        no_result=counts.no_result,
        provisional=counts.blocks < PROVISIONAL_BLOCKS,
        prior_bounded=links.prior_bounded,
        no_upper=links.no_upper,
        no_lower=links.no_lower,
    )


def _insist_on_bot(what: str, bot: int, bots: int) -> None:
    if not isinstance(bot, Integral) or not 0 <= bot < bots:
        raise BadInput(f"{what} is of bot {bot!r}; with {bots} bots numbers run from 0 to {bots - 1}")


def _insist_on_bounds(links: Links) -> None:
    alone = np.bincount(links.group)[links.group] == 1 if len(links.group) else links.prior_bounded
    loose = np.flatnonzero(links.prior_bounded | alone)
    if len(loose):
        raise BadInput(
            f"without a prior bot {loose[0]} has no finite rating: no chain of results leads both ways "
            "between it and the others; rate with a prior, or leave it out"
        )
