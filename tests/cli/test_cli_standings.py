"""`arena standings`: the same numbers in every form."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest
from cli_command import OF_A_RUN, arena, environment, inside, refused
from cli_terminal import on_terminal


def test_the_object_is_that_of_the_run(played):
    file, of_run = played
    found = json.loads(inside("standings", file, "--json").stdout)
    of_run = {key: value for key, value in of_run.items() if key not in OF_A_RUN}
    assert found == of_run


def test_every_form_has_the_same_numbers(played):
    file, found = played
    rows = list(csv.DictReader(io.StringIO(inside("standings", file, "--csv").stdout)))
    text = inside("standings", file, "--table-format", "tsv").stdout.splitlines()
    for row, of_csv, line in zip(found["standings"], rows, text[1:], strict=False):
        assert of_csv["bot"] == row["bot"]
        cells = [cell.strip() for cell in line.split("\t")]
        assert cells[1] == row["bot"]
        for key, cell in (("elo", 2), ("error", 3)):
            assert float(of_csv[key]) == row[key] == float(cells[cell])
        assert int(of_csv["faults"]) == row["faults"]


def test_the_heads_of_the_columns_shown_are_explained_below_the_table_and_nowhere_else(played):
    text = inside("standings", played[0]).stdout
    (legend,) = re.findall(r"^Columns: .*", text, re.MULTILINE)
    for part in ("Rank = ranks", "Elo = strength", "+/- = half of the 95 % interval", "LOS % = chance of"):
        assert part in legend
    for form in ("--json", "--csv", "--table-format=github"):
        assert "Columns: " not in inside("standings", played[0], form).stdout
    _, narrow = on_terminal("standings", played[0], columns=60)
    legend = narrow[narrow.index("Columns: ") : narrow.index("Scale: ")]
    assert "Elo = " in " ".join(legend.split())
    assert "LOS % = " not in legend
    assert max(map(len, legend.splitlines())) <= 60


@pytest.mark.parametrize("form", ["github", "grid", "html", "latex", "rounded_outline", "plain"])
def test_any_format_of_tabulate_is_taken(played, form):
    done = inside("standings", played[0], "--table-format", form)
    assert done.returncode == 0
    for bot in ("hello", "honest", "chancer", "closer"):
        assert bot in done.stdout


def test_what_is_for_a_program_or_a_page_is_the_table_alone(played):
    lines = inside("standings", played[0], "--table-format", "tsv").stdout.splitlines()
    assert len(lines) == 1 + 4
    # Flags stand last, and tabulate leaves no blanks at the end of a line.
    assert {line.count("\t") - lines[0].count("\t") for line in lines} <= {0, 1, -1}
    text = inside("standings", played[0], "--crosstable", "--table-format", "html").stdout.strip()
    assert text.startswith("<table>")
    assert text.endswith("</table>")


def test_top_shows_the_first_and_says_so(played):
    file, found = played
    first = [row["bot"] for row in found["standings"][:2]]
    text = inside("standings", file, "--top", 2).stdout
    assert "The first 2 of 4 bots are shown." in text
    assert [
        row["bot"] for row in json.loads(inside("standings", file, "--top", 2, "--json").stdout)["standings"]
    ] == first
    table = text.split("\n\n")[0]
    assert [bot for bot in ("hello", "honest", "chancer", "closer") if bot in table] == [
        bot for bot in ("hello", "honest", "chancer", "closer") if bot in first
    ]


def test_bots_asked_for_are_shown_with_their_neighbours_by_their_ranks_among_all(played):
    file, found = played
    order = [row["bot"] for row in found["standings"]]
    text = inside("standings", file, "--bot", order[0]).stdout
    assert "3 of 4 bots are shown: those asked for, and 2 on either side." in text
    shown = json.loads(inside("standings", file, "--bot", order[3], "--json").stdout)["standings"]
    assert shown == found["standings"][1:]
    assert "--bot hones is none of the 4 bots; did you mean honest?" in refused(
        "standings", file, "--bot", "hones"
    )


def test_without_a_bot_the_others_are_rated_as_if_its_games_had_not_been(played):
    file, found = played
    done = inside("standings", file, "--without", "chancer", "--json")
    assert done.returncode == 0
    shown = json.loads(done.stdout)
    assert shown["without"] == ["chancer"]
    assert sorted(row["bot"] for row in shown["standings"]) == ["closer", "hello", "honest"]
    # All tables were of all four.
    assert {row["games"] for row in shown["standings"]} == {0}
    assert shown["games"] == found["games"]
    text = inside("standings", file, "--without", "chancer").stdout
    assert f"Left out: chancer, and {found['games']} games in which they took part; the mean is " in text
    message = refused("standings", file, "--without", "chancer", "hello", "closer")
    assert message == "arena: --without leaves fewer than two bots to be rated"


def test_seat_effects_are_a_table_in_every_form(played):
    file, found = played
    shown = json.loads(inside("standings", file, "--seat-effects", "--json").stdout)["seat_effects"]
    assert [row["seat"] for row in shown] == [0, 1, 2, 3]
    assert sum(row["wins"] for row in shown) == sum(row["wins"] for row in found["standings"])
    rows = list(csv.DictReader(io.StringIO(inside("standings", file, "--seat-effects", "--csv").stdout)))
    assert [float(row["elo"]) for row in rows] == [row["elo"] for row in shown]
    assert inside("standings", file, "--seat-effects").stdout.lstrip().startswith("Seat")
    assert "give one of them" in refused("standings", file, "--seat-effects", "--crosstable")


def test_a_crosstable_of_some_has_their_rows_and_columns_alone(played):
    file, found = played
    two = [row["bot"] for row in found["standings"][:2]]
    pairs = json.loads(inside("standings", file, "--crosstable", "--top", 2, "--json").stdout)["crosstable"]
    assert [(pair["bot"], pair["against"]) for pair in pairs] == [tuple(two), tuple(reversed(two))]


def test_the_crosstable_has_every_pair_both_ways(played):
    file, _ = played
    pairs = json.loads(inside("standings", file, "--crosstable", "--json").stdout)["crosstable"]
    by_pair = {(pair["bot"], pair["against"]): pair for pair in pairs}
    assert len(by_pair) == 12
    for (one, other), pair in by_pair.items():
        back = by_pair[other, one]
        assert pair["meetings"] == back["meetings"] == 40
        assert pair["elo"] == -back["elo"]
        assert pair["decided"] == back["decided"] == pair["ahead"] + back["ahead"] <= 40
        share = round(100 * pair["ahead"] / pair["decided"], 1) if pair["decided"] else None
        assert pair["ahead_percent"] == share
    text = inside("standings", file, "--crosstable").stdout
    assert "Each cell is row against column" in text
    assert "of the games that one of the two won (one that a third bot won decides nothing" in text
    assert f"{pairs[0]['decided']} of 40" in text
    lines = inside("standings", file, "--crosstable", "--csv").stdout.splitlines()
    assert len(lines) == 1 + 12
    assert lines[0].startswith("bot,against,meetings,decided,ahead,ahead_percent,")
    top = inside("standings", file, "--crosstable", "--csv", "--top", 2).stdout.splitlines()
    assert len(top) == 1 + 2


def test_a_narrow_terminal_drops_columns_and_says_which(played):
    status, wide = on_terminal("standings", played[0], columns=160)
    assert status == 0
    assert "LOS %" in wide.splitlines()[0]
    _, narrow = on_terminal("standings", played[0], columns=60)
    table = narrow.split("\n\n")[0].splitlines()
    assert max(map(len, table)) <= 60
    for heading in ("Rank", "Bot", "Elo", "+/-"):
        assert heading in table[0]
    assert re.search(r"Left out to fit 60 columns: .*LOS %", " ".join(narrow.split()))


def test_a_crosstable_that_a_narrow_terminal_has_no_room_for_stands_in_parts(played):
    _, text = on_terminal("standings", played[0], "--crosstable", columns=42)
    square = text.split("Each cell is")[0]
    assert max(map(len, square.splitlines())) <= 42
    assert len(re.findall(r" # +Bot ", square)) > 1
    heads = [head for line in square.splitlines() if " Bot " in line for head in line.split()[2:]]
    assert heads == ["1", "2", "3", "4"]


def test_a_line_is_spoken_of_only_where_one_can_stand(played):
    for form in ("github", "html", "grid"):
        assert "A line stands" not in inside("standings", played[0], "--table-format", form).stdout


def test_a_file_or_a_pipe_gets_every_column(played):
    assert "LOS %" in arena("standings", played[0], COLUMNS="40").stdout.splitlines()[0]


def test_reading_standings_ends_quietly_with_its_reader(played):
    command = f"{sys.executable} -m arena standings {played[0]} --table-format html"
    reader = f"{command} | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", reader], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout == "<0\n"
    assert done.stderr == ""


def test_a_damaged_file_is_said_to_be_damaged(tmp_path, played):
    file = tmp_path / "damaged.db"
    whole = bytearray(played[0].read_bytes())
    middle = len(whole) // 2
    whole[4096:middle] = b"\xff" * (middle - 4096)
    file.write_bytes(whole)
    done = arena("standings", file)
    assert done.returncode == 74
    assert re.fullmatch(r"arena: [^\n]*damaged\.db[^\n]*\n", done.stderr)
