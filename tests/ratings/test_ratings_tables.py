"""Tables: the same rounded numbers everywhere, lines only between the separated, what was assumed below."""

import csv
import dataclasses
import io
import json
import re
from itertools import pairwise

import numpy as np
import pytest
from ratings_worlds import williams_blocks
from tabulate import tabulate_formats
from wcwidth import wcswidth

from arena.errors import BadInput
from arena.ratings import (
    Cell,
    Column,
    Extra,
    Rank,
    Results,
    Row,
    Table,
    crosstable_table,
    meetings_of,
    pairs_table,
    rate,
    results_of_winners,
    seat_effects_table,
    standings_table,
    verdict,
)
from arena.ratings.formats import LINED

NAMES = ["ann", "bob", "cid", "dot", "eve", "fay", "gus", "hal"]


@pytest.fixture(scope="module")
def results():
    return williams_blocks(np.random.default_rng(11), 250)


@pytest.fixture(scope="module")
def ratings(results):
    return rate(results)


@pytest.fixture(scope="module")
def standings(ratings):
    faults = Extra(Column("faults", "Faults", "int"), [0, 0, 3, 0, 0, 0, 0, 1])
    return standings_table(ratings, NAMES, extras=[faults], flags={5: ["benched"]}, notes=["Seed: 7."])


def test_text_json_and_csv_carry_the_same_numbers(standings):
    lines = [line for line in standings.to_text("plain", notes=False).splitlines()[1:] if line.strip()]
    rows = list(csv.DictReader(io.StringIO(standings.to_csv())))
    for line, plain, row in zip(lines, standings.to_json_rows(), rows, strict=True):
        for column in standings.columns:
            if column.kind in ("int", "number", "elo", "percent") and plain[column.key] is not None:
                assert float(row[column.key]) == plain[column.key]
                digits = f"{plain[column.key]:+.{column.digits}f}".lstrip("+" if column.kind != "elo" else "")
                assert digits in line.split(), (column.key, line)


def test_json_holds_what_scripts_rely_on(standings):
    rows = json.loads(json.dumps(standings.to_json_rows(), allow_nan=False))
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    for row in rows:
        assert {
            "rank",
            "rank_low",
            "rank_high",
            "bot",
            "elo",
            "error",
            "games",
            "blocks",
            "wins",
            "faults",
        } <= set(row)
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        assert isinstance(row["games"], int)
    assert rows[0]["bot"] == "hal"
    assert rows[0]["faults"] == 1
    assert [row["flags"] for row in rows if row["bot"] == "fay"] == [["benched"]]
    assert rows[-1]["los_percent"] is None


def test_numbers_are_those_of_the_ratings(standings, ratings, results):
    for row in standings.to_json_rows():
        bot = NAMES.index(row["bot"])
        assert row["elo"] == round(float(ratings.elo[bot]), 1)
        assert row["error"] == round(float(ratings.error[bot]), 1)
        assert row["games"] == int((results.seating == bot).sum())
        assert row["wins"] == int((results.seating[np.arange(results.games), results.winner] == bot).sum())
        assert row["win_percent"] == round(100 * row["wins"] / row["games"], 1)


def test_a_line_stands_only_between_neighbours_that_are_separated(standings, ratings):
    bots = [NAMES.index(name) for name in standings.values("bot")]
    apart = [ratings.difference(one, other).separated for one, other in pairwise(bots)]
    assert any(apart)
    assert not all(apart)
    assert [row.separated for row in standings.rows] == [*apart, False]
    lines = standings.to_text("simple", notes=False).splitlines()[2:]
    drawn = [number for number, line in enumerate(lines) if set(line) <= {"-", " "}]
    assert len(drawn) == sum(apart)
    for format_without_lines in ("github", "html", "tsv"):
        text = standings.to_text(format_without_lines, notes=False)
        assert len(re.findall(r"ann|bob|cid|dot|eve|fay|gus|hal", text)) == 8


def test_where_no_lines_can_stand_a_row_ahead_of_the_next_is_marked_and_no_line_is_spoken_of(standings):
    for table_format in tabulate_formats:
        text = standings.to_text(table_format)
        lined = "A line stands between neighbours" in text
        assert lined == (table_format in LINED)
        marks = text.count("separated") - text.count("separated:") - lined
        assert marks == (0 if lined else sum(row.separated for row in standings.rows))
        assert lined or "separated: ahead of the next row at 95 %" in text
    # The last row that is shown has no next one.
    first = [row.separated for row in standings.rows].index(True)
    top = dataclasses.replace(standings, rows=standings.rows[: first + 1])
    for table_format in ("simple", "github"):
        assert "separated" not in top.to_text(table_format)


def test_only_remarks_of_rows_that_are_shown_are_explained():
    results = results_of_winners(3, [[0, 1, 2], [1, 2, 0], [2, 0, 1]] * 40, [0, 2, 1] * 39 + [1, 0, 2])
    table = standings_table(rate(results), NAMES[:3])
    assert ["prior-bounded" in str(row.values[-1]) for row in table.rows] == [False, False, True]
    assert "prior-bounded: " in table.to_text()
    assert "prior-bounded: " in " ".join(table.remarks())
    top = dataclasses.replace(table, rows=table.rows[:2])
    assert "prior-bounded" not in top.to_text()
    assert "prior-bounded" not in " ".join(top.remarks())


def test_ranks_are_intervals_that_leave_out_only_the_separated(ratings):
    scale = ratings.scales[0]
    for bot in range(8):
        above = sum(
            bool(scale.separated[bot, other]) and scale.elo[other] > scale.elo[bot] for other in range(8)
        )
        below = sum(
            bool(scale.separated[bot, other]) and scale.elo[other] < scale.elo[bot] for other in range(8)
        )
        assert (scale.rank_low[bot], scale.rank_high[bot]) == (1 + above, 8 - below)
    assert str(Rank(2, 1, 3)) == "1-3"
    assert str(Rank(2, 2, 2)) == "2"


def test_the_footnotes_say_what_was_assumed(standings, results):
    text = standings.to_text()
    for words in (
        "mean 0",
        "Plackett-Luce",
        "tables of 4",
        "0.5 won",
        "1000",
        "250 blocks",
        "Seat effects",
        "sandwich",
    ):
        assert words in text
    assert text.endswith("Seed: 7.")
    assert "Seed: 7." not in standings.to_text(notes=False)
    anchored = standings_table(rate(results, anchor=2), NAMES).to_text()
    assert "cid at 0" in anchored


def test_narrow_terminals_lose_columns_from_the_least_needed_and_are_told(standings):
    wide, narrow = standings.to_text(), standings.to_text(width=80)
    assert max(map(len, narrow.split("\n\n")[0].splitlines())) <= 80 < max(map(len, wide.splitlines()))
    heads = narrow.splitlines()[0].split()
    assert heads[:4] == ["Rank", "Bot", "Elo", "+/-"]
    assert "Faults" in heads
    assert "Wins" not in heads
    assert "Left out to fit 80 columns: Wins" in narrow
    tiny = standings.to_text(width=10, notes=False).splitlines()[0].split()
    assert tiny == ["Rank", "Bot", "Elo", "+/-", "Win", "%", "Faults"]


@pytest.mark.parametrize("table_format", tabulate_formats)
def test_every_format_of_tabulate_shows_every_bot(standings, table_format):
    text = standings.to_text(table_format)
    assert all(name in text for name in NAMES)


def test_an_unknown_format_is_refused_with_the_near_match(standings):
    with pytest.raises(BadInput, match="no table format 'gihub'; did you mean github"):
        standings.to_text("gihub")


def test_names_cannot_break_a_table():
    table = Table("t", (Column("bot", "Bot", "text"), Column("n", "N", "int")), (Row(("a|b\n\x1b[31mc", 1)),))
    assert "\x1b" not in table.to_text()
    assert len(table.to_text("github").splitlines()) == 3
    assert "a\\|b" in table.to_text("github")
    assert "&lt;" in Table("t", (Column("bot", "Bot", "text"),), (Row(("<b>",)),)).to_text("html")
    assert next(csv.reader(io.StringIO(table.to_csv().split("\r\n", 1)[1])))[0] == "a|b\n\x1b[31mc"


def test_numbers_are_rounded_when_a_table_is_made():
    columns = (Column("a", "A", "elo", 1), Column("b", "B", "number", 0), Column("c", "C", "int"))
    table = Table("t", columns, (Row((np.float64(-0.04), 2.6, np.int64(3))),))
    assert [str(value) for value in table.rows[0].values] == ["0.0", "3", "3"]
    assert [type(value) for value in table.rows[0].values] == [float, int, int]
    assert table.to_text("plain").splitlines()[1].split() == ["0.0", "3", "3"]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_table_takes_no_nan_and_no_inf(value):
    with pytest.raises(ValueError, match="finite"):
        Table("t", (Column("a", "A", "number", 1),), (Row((value,)),))


def test_columns_and_names_must_fit_the_bots(ratings):
    with pytest.raises(BadInput, match="names: 1 given for 8 bots"):
        standings_table(ratings, ["ann"])
    with pytest.raises(BadInput, match="column faults: 2 given for 8 bots"):
        standings_table(ratings, NAMES, extras=[Extra(Column("faults", "Faults", "int"), [0, 0])])


def test_groups_get_tables_of_their_own_and_one_list_in_json():
    results = results_of_winners(5, [[0, 1], [1, 0], [2, 3], [3, 2]] * 9, [0, 0, 1, 0] * 9)
    table = standings_table(rate(results), NAMES[:5])
    assert [row["group"] for row in table.to_json_rows()] == [1, 1, 2, 2, 0]
    text = table.to_text()
    assert "Group 1\n" in text
    assert "Group 2\n" in text
    assert "Without a rated game\n" in text
    assert "cannot be compared" in text
    assert table.to_json_rows()[-1]["flags"] == ["unrated"]


@pytest.mark.parametrize(
    ("blocks", "sentence"),
    [
        (
            [0, 0, 1, 1, 2, 2] * 1,
            "No two bots can be told apart yet: one has played 18 blocks only, and it takes",
        ),
        ([0, 1, 2] * 16, "No two bots can be told apart: they are close"),
        ([2] * 60 + [1] * 20 + [0] * 5, "cid leads."),
        ([2] * 60 + [1] * 60 + [0] * 5, "bob and cid lead, too close to separate."),
    ],
)
def test_the_verdict_follows_the_table(blocks, sentence):
    seating = [[0, 1, 2], [1, 2, 0], [2, 0, 1]] * len(blocks)
    winner = [seats.index(bot) for seats, bot in zip(seating, np.repeat(blocks, 3).tolist(), strict=True)]
    # Each winner takes a whole rotation of seats, so that seats have no effect.
    assert verdict(rate(results_of_winners(3, seating, winner)), NAMES[:3]).startswith(sentence)


def test_seats_are_shown_with_wins_and_effect(ratings, results):
    rows = seat_effects_table(ratings).to_json_rows()
    assert [row["seat"] for row in rows] == [0, 1, 2, 3]
    assert [row["wins"] for row in rows] == np.bincount(results.winner, minlength=4).tolist()
    assert sum(row["elo"] for row in rows) == pytest.approx(0.0, abs=0.21)
    assert rows[0]["elo"] > rows[3]["elo"]


def test_the_crosstable_counts_meetings_and_who_was_ahead():
    results = results_of_winners(3, [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2]], [0, 0, 0, -1])
    meetings = meetings_of(results)
    assert meetings.met.tolist() == [[0, 4, 4], [4, 0, 4], [4, 4, 0]]
    assert meetings.ahead.tolist() == [[0, 2, 2], [0, 0, 0], [1, 1, 0]]
    table = crosstable_table(rate(results), meetings, ["ann", "bob", "cid"])
    assert table.values("bot") == ("ann", "cid", "bob")
    first = table.rows[0].values
    assert first[2] is None
    # Of four games one had no winner, and none of the others bob; cid won one of the three, ann two.
    assert first[3] == Cell(4, 66.7, first[3].elo, first[3].error, first[3].los, decided=3, led=2.0)
    assert table.rows[1].values[2].elo == -first[3].elo
    assert json.dumps(table.to_json_rows(), allow_nan=False)
    assert table.rows[2].values[2].ahead == 0.0


def test_in_full_order_a_shared_place_is_half_for_each():
    results = Results(3, [[0, 1, 2]], [[1, 2, 2]], [0], [0], full_order=True)
    assert meetings_of(results).ahead.tolist() == [[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]


def test_pairs_and_crosstable_hold_the_same_numbers(ratings, results):
    meetings = meetings_of(results)
    square, long = crosstable_table(ratings, meetings, NAMES), pairs_table(ratings, meetings, NAMES)
    order = square.values("bot")
    cells = {
        (row["bot"], order[int(key) - 1]): cell
        for row in square.to_json_rows()
        for key, cell in row.items()
        if isinstance(cell, dict)
    }
    for row in long.to_json_rows():
        cell = cells[row["bot"], row["against"]]
        for key in ("meetings", "decided", "ahead", "ahead_percent", "elo", "los_percent"):
            assert row[key] == cell[key]
    assert len(long.rows) == 56


@pytest.mark.parametrize("table_format", ["simple", "github", "grid"])
def test_a_wide_crosstable_stands_in_parts_that_fit(ratings, results, table_format):
    table = crosstable_table(ratings, meetings_of(results), NAMES)
    wide, narrow = (table.to_text(table_format, width, notes=False) for width in (None, 70))
    parts = narrow.split("\n\n")
    assert len(parts) > 1
    assert max(map(len, narrow.splitlines())) <= 70 < max(map(len, wide.splitlines()))
    assert all(part.count(name) == 1 for part in parts for name in NAMES)
    for cell in (cell for row in table.rows for cell in row.values if isinstance(cell, Cell)):
        assert narrow.count(cell.lines()[0]) == wide.count(cell.lines()[0])


@pytest.mark.parametrize(("full_order", "words"), [(False, "a third bot won"), (True, "the better place")])
def test_the_crosstable_says_which_games_are_decided_between_two(full_order, words):
    results = Results(
        3, [[0, 1, 2], [2, 0, 1]], [[1, 2, 3], [1, 2, 3]], [0, 0], [0, 1], full_order=full_order
    )
    table = crosstable_table(rate(results), meetings_of(results), NAMES[:3])
    assert words in " ".join(table.notes)
    # Of ann and cid each won a game; bob won none, and has places only where these count.
    cells = {row["bot"]: row for row in table.to_json_rows()}
    bob = next(cell for key, cell in cells["bob"].items() if isinstance(cell, dict))
    assert (bob["meetings"], bob["decided"]) == (2, 2 if full_order else 1)


@pytest.mark.parametrize(("table_format", "height"), [("simple", 5), ("github", 1)])
def test_a_cell_of_the_crosstable_is_tall_only_where_the_format_allows(
    ratings, results, table_format, height
):
    text = crosstable_table(ratings, meetings_of(results), NAMES).to_text(table_format, notes=False)
    assert len(text.splitlines()) == 2 + 8 * height


@pytest.mark.parametrize(
    "table_format", ["asciidoc", "github", "jira", "orgtbl", "pipe", "textile", "youtrack"]
)
def test_a_bar_in_a_name_ends_no_cell(table_format):
    columns = (Column("bot", "Bot", "text"), Column("games", "Games", "int"))
    odd, plain = (Table("T", columns, (Row((name, 3)),)).to_text(table_format) for name in ("a|b", "a-b"))
    bars = [re.sub(r"\\\\\||\\\|", "", text).count("|") for text in (odd, plain)]
    assert bars[0] == bars[1]


def test_names_in_wide_letters_stand_in_their_column_and_count_for_the_width():
    columns = (Column("bot", "Bot", "text"), Column("games", "Games", "int"), Column("x", "X", "int", 0, 1))
    table = Table("T", columns, (Row(("\u65e5\u672c\u8a9e\u306e\u540d", 3, 4)), Row(("plain", 5, 6))))
    lines = table.to_text().splitlines()
    assert {wcswidth(line) for line in lines} == {wcswidth(lines[0])}
    narrow = table.to_text(width=wcswidth(lines[0]) - 1, notes=False)
    assert "X" not in narrow
