"""What ended a tournament, or will, in one line of its summary."""

import dataclasses

import msgspec
import numpy as np
import pytest

from arena.cli.ending import ending_lines, largest_error
from arena.cli.outcome import outcome_of
from arena.ratings import rate, results_of_winners
from arena.tournament.header import ENDLESS, Ended
from arena.tournament.store import Store

SQUARE = np.array([[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]])
GAMES, TIME = Ended(by="games"), Ended(by="time", planned=100)
TOO_FEW = "some differences have no standard error after so few games, and --precision asked for 60 Elo."
STILL = "It ends at a decision point where no difference between two bots has a standard error above "


@pytest.fixture(scope="module")
def early(played):
    """Ten blocks of four bots: too few for standard errors."""
    with Store.open(played[0]) as store:
        return outcome_of(store)


@pytest.fixture(scope="module")
def late(early):
    """The same with the ratings of fifty blocks, won by chance."""
    won = np.random.default_rng(7).integers(0, 4, 200)
    ratings = rate(results_of_winners(4, np.tile(SQUARE, (50, 1)), won, np.arange(200) // 4))
    return dataclasses.replace(early, ratings=ratings)


def line(outcome, ended, **limits):
    header = msgspec.structs.replace(outcome.header, ended=ended, **limits)
    lines = ending_lines(dataclasses.replace(outcome, header=header, complete=ended is not None))
    return "".join(lines)


def test_before_there_are_standard_errors_it_is_said_what_ended_it(early):
    assert largest_error(early) is None
    assert line(early, GAMES) == ""
    assert line(early, GAMES, time=8.0) == "Ended by its 40 games."
    assert line(early, TIME, time=8.0) == "Ended by --time 8s, before its 400 games were played."
    assert line(early, GAMES, precision=60.0) == f"Ended by its 40 games; {TOO_FEW}"
    assert line(early, None, time=90.0, blocks=100) == (
        "It ends after 400 games, or when a run of it has taken 1m30s."
    )


def test_how_well_it_is_known_stands_beside_what_was_asked_for(late):
    error = largest_error(late)
    assert error > 1
    known = f"the largest standard error of a difference is {error:.1f} Elo"
    assert line(late, Ended(by="precision"), precision=500.0) == f"Ended by --precision 500; {known}."
    unmet = f"{known}, and --precision asked for 1."
    assert line(late, GAMES, precision=1.0) == f"Ended by its 40 games; {unmet}"
    assert line(late, TIME, time=8.0, precision=1.0) == (
        f"Ended by --time 8s, before its 400 games were played; {unmet}"
    )
    assert line(late, None, precision=1.0, blocks=ENDLESS) == (
        f"{STILL}1 Elo (now {error:.1f}), but for those of ratings that only the prior bounds."
    )


def test_benched_bots_and_those_left_out_are_none_whose_differences_count(late):
    deviation = late.ratings.scales[0].deviation + np.diag([np.inf] * 4)
    of_two = float(deviation.min())
    two = tuple(sorted(int(bot) for bot in np.unravel_index(deviation.argmin(), deviation.shape)))
    others = tuple(bot for bot in range(4) if bot not in two)
    assert of_two < largest_error(late)
    assert largest_error(dataclasses.replace(late, in_play=two)) == pytest.approx(of_two)
    assert largest_error(dataclasses.replace(late, without=others)) == pytest.approx(of_two)
    assert largest_error(dataclasses.replace(late, in_play=two[:1])) is None
