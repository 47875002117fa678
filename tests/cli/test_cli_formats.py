"""`--format`: gauntlet and Swiss, played, resumed, shown, and refused where they make no sense."""

import json

import pytest
from cli_command import BOTS, QUICK, arena, inside, refused

NAMES = ("hello", "honest", "closer", "careful", "chancer", "tracker")
ALL = ("--bots", *(BOTS / f"{name}.py" for name in NAMES))


def tables_of(file):
    """The names at each table, in the order of the blocks."""
    lines = [json.loads(line) for line in arena("export", file, "--jsonl").stdout.splitlines()]
    names = {line["number"]: line["name"] for line in lines if line["type"] == "bot"}
    blocks = [line["seatings"][0] for line in lines if line["type"] == "block"]
    return [{names[bot] for bot in table} for table in blocks]


def test_a_gauntlet_has_one_challenger_at_every_table_and_goes_on_as_one(tmp_path):
    words = ("run", *ALL, "--format", "gauntlet", "--challenger", "careful", "closer", "--seats", 3)
    done = arena(*words, "--games", 48, "--out", "cup.db", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Gauntlet: at every table sits one of" in done.stdout
    file = tmp_path / "cup.db"
    assert all(len(table & {"careful", "closer"}) == 1 for table in tables_of(file))
    found = json.loads(inside("standings", file, "--json").stdout)
    assert (found["format"], sorted(found["challengers"])) == ("gauntlet", ["careful", "closer"])
    assert inside("verify", file).returncode == 0
    assert arena("run", "--resume", file, "--games", 96, "--quiet", *QUICK).returncode == 0
    assert len(tables_of(file)) == 16
    assert all(len(table & {"careful", "closer"}) == 1 for table in tables_of(file))
    other = ("run", "--resume", file, "--games", 200, "--challenger", "hello")
    assert "--challenger careful, closer -> hello" in refused(*other)


def test_one_challenger_alone_sits_at_every_table_and_deals_count_those(tmp_path):
    words = ("run", *ALL, "--format", "gauntlet", "--challenger", "hello", "--seats", 2, "--deals", 1)
    done = arena(*words, "--out", "cup.db", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Gauntlet: at every table sits hello." in done.stdout
    assert sorted(map(sorted, tables_of(tmp_path / "cup.db"))) == sorted(
        sorted(("hello", name)) for name in NAMES[1:]
    )
    plan = json.loads(arena(*words, "--dry-run", "--json", *QUICK).stdout)
    assert (plan["tables"], plan["blocks"]) == (5, 5)


def test_a_swiss_has_like_meet_like(tmp_path):
    words = ("run", *ALL, "--format", "swiss", "--seats", 2, "--seed", "a")
    done = arena(*words, "--games", 120, "--out", "cup.db", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Swiss: bots meet those that have won about as many of their games." in done.stdout
    file = tmp_path / "cup.db"
    tables = tables_of(file)
    assert all(len(set().union(*tables[round : round + 3])) == 6 for round in range(0, 60, 3))
    ranks = [row["bot"] for row in json.loads(inside("standings", file, "--json").stdout)["standings"]]
    apart = [abs(ranks.index(one) - ranks.index(other)) for one, other in map(tuple, tables[-30:])]
    # By chance two of six ranks are 2.3 apart.
    assert sum(apart) / len(apart) < 2.0
    assert inside("verify", file).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--format", "gauntlet"),
            "a gauntlet needs a challenger, the bot at every table; add --challenger NAME",
        ),
        (
            ("--format", "gauntlet", "--challenger", "hono"),
            "--challenger hono is none of the bots; they are called",
        ),
        (("--format", "gauntlet", "--challenger", "honset"), "did you mean honest?"),
        (
            ("--challenger", "honest"),
            "--challenger names the bots that run a gauntlet; add --format gauntlet",
        ),
        (
            ("--format", "gauntlet", "--seats", "4", "--challenger", *NAMES[:4]),
            "--seats 4 needs 3 bots beside a challenger, and the field has 2 bots",
        ),
        (("--format", "gauntlet", "--challenger", *NAMES), "a gauntlet needs a field they play against"),
        (("--format", "swiss", "--deals", "2"), "--deals counts the tables there can be"),
        (("--format", "swiss", "--part", "1/2", "--seed", "a"), "--format swiss pairs by all games so far"),
        (("--format", "knockout"), "there are round-robin, gauntlet, swiss"),
    ],
)
def test_a_format_that_makes_no_sense_is_refused(words, said):
    assert said in refused("run", *ALL, *words)


def test_the_parts_of_a_gauntlet_make_the_whole(tmp_path):
    words = ("run", *ALL, "--format", "gauntlet", "--challenger", "careful", "--seats", "3", "--games", 48)
    seed = ("--seed", "000102030405060708090a0b0c0d0e0f", "--quiet", *QUICK)
    for part in (1, 2):
        done = arena(*words, *seed, "--part", f"{part}/2", "--out", f"{part}.db", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert arena("merge", "1.db", "2.db", "-o", "both.db", cwd=tmp_path).returncode == 0
    assert arena(*words, *seed, "--bench", 0, "--out", "one.db", cwd=tmp_path).returncode == 0
    assert tables_of(tmp_path / "both.db") == tables_of(tmp_path / "one.db")
    assert inside("verify", tmp_path / "both.db").returncode == 0
