"""Numbers that nobody here made: printed in textbooks, or in the tests of other programs."""

import numpy as np
import pytest

from arena.ratings import rate, results_of_winners
from arena.ratings.elo import duel, duel_of_pairs, elo_of_score, score_of_elo
from arena.ratings.scale import ELO
from arena.ratings.sprt import ratio_of_counts

# American League East 1987 (Agresti, Categorical Data Analysis): row at home against column, won-lost.
TEAMS = ["MIL", "DET", "TOR", "NY", "BOS", "CLE", "BAL"]
AT_HOME = {
    "MIL": "DET 4-3 TOR 4-2 NY 4-3 BOS 6-1 CLE 4-2 BAL 6-0",
    "DET": "MIL 3-3 TOR 4-2 NY 4-3 BOS 6-0 CLE 6-1 BAL 4-3",
    "TOR": "MIL 2-5 DET 4-3 NY 2-4 BOS 4-3 CLE 4-2 BAL 6-0",
    "NY": "MIL 3-3 DET 5-1 TOR 2-5 BOS 4-3 CLE 4-2 BAL 6-1",
    "BOS": "MIL 5-1 DET 2-5 TOR 3-3 NY 4-2 CLE 5-2 BAL 6-0",
    "CLE": "MIL 2-5 DET 3-3 TOR 3-4 NY 4-3 BOS 4-2 BAL 2-4",
    "BAL": "MIL 2-5 DET 1-5 TOR 1-6 NY 2-4 BOS 1-6 CLE 3-4",
}


def baseball():
    """Seat 0 is at home."""
    seating, winner = [], []
    for home, line in AT_HOME.items():
        words = line.split()
        for away, score in zip(words[::2], words[1::2], strict=True):
            won, lost = map(int, score.split("-"))
            seating += [[TEAMS.index(home), TEAMS.index(away)]] * (won + lost)
            winner += [0] * won + [1] * lost
    return results_of_winners(len(TEAMS), seating, winner)


def test_baseball_without_the_home_term_gives_the_printed_strengths():
    ratings = rate(baseball(), prior=0.0, seat_effects=False, anchor=TEAMS.index("BAL"))
    strength = dict(zip(TEAMS, (ratings.elo / ELO).round(2).tolist(), strict=True))
    assert strength == {
        "BAL": 0.0,
        "CLE": 0.68,
        "BOS": 1.11,
        "NY": 1.25,
        "TOR": 1.29,
        "DET": 1.44,
        "MIL": 1.58,
    }
    errors = np.delete(ratings.scales[0].standard_errors / ELO, TEAMS.index("BAL"))
    assert np.all(np.abs(errors - 0.3) < 0.06)


def test_baseball_with_the_home_term_gives_the_printed_shares():
    ratings = rate(baseball(), prior=0.0)
    home, away = ratings.scales[0].seats / ELO
    assert round(home - away, 3) == 0.302
    weight = np.exp(ratings.elo / ELO)
    shares = dict(zip(TEAMS, (weight / weight.sum()).round(3).tolist(), strict=True))
    assert shares == {
        "BAL": 0.044, "CLE": 0.088, "BOS": 0.137, "NY": 0.157, "TOR": 0.164, "DET": 0.190, "MIL": 0.220,
    }  # fmt: skip


@pytest.mark.parametrize(("wins", "apart"), [(1, 262.77), (10, 580.51), (100, 942.72)])
def test_an_unbeaten_bot_stands_as_far_ahead_as_the_ghost_prior_allows(wins, apart):
    ratings = rate(results_of_winners(2, [[0, 1]] * wins, [0] * wins))
    assert round(ratings.elo[0] - ratings.elo[1], 2) == apart
    seated_both_ways = rate(results_of_winners(2, [[0, 1], [1, 0]] * wins, [0, 1] * wins), prior=1.0)
    assert round(seated_both_ways.elo[0] - seated_both_ways.elo[1], 2) == apart


@pytest.mark.parametrize(
    ("match", "elo", "error", "digits"),
    [
        (duel(136, 96, 111), 40.70, 30.43, 2),
        (duel_of_pairs([34, 54, 63, 64, 75]), 55.58, 27.65, 2),
        (duel(509, 396, 1058), 20.0, 10.4, 1),
        (duel(3365, 3151, 4454), 6.78, 5.01, 2),
    ],
)
def test_matches_of_two_bots_give_the_elo_and_error_other_programs_print(match, elo, error, digits):
    assert (round(match.elo, digits), round(match.error, digits)) == (elo, error)
    assert not match.bounded


def test_a_match_of_two_bots_gives_the_likelihood_of_superiority_other_programs_print():
    assert round(100 * duel(136, 96, 111).los, 2) == 99.60


@pytest.mark.parametrize(
    ("counts", "ratio"),
    [([57030, 106593, 57433], -2.59), ([871, 26175, 55983, 26678, 821], -4.98)],
)
def test_the_sequential_test_gives_the_log_likelihood_ratios_other_programs_print(counts, ratio):
    assert round(ratio_of_counts(counts, 0.0, 2.0), 2) == ratio


def test_400_elo_are_odds_of_ten_to_one():
    assert score_of_elo(400.0) == pytest.approx(10 / 11)
    assert elo_of_score(10 / 11) == pytest.approx(400.0)
