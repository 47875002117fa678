"""`arena compare`: its answers and exit codes, going on with one, and what it refuses."""

import json
import shutil
import signal

import pytest
from cli_command import BOTS, QUICK, arena, ended_by, inside, refused

DUEL = ("--seats", 2, "--seed", "000102030405060708090a0b0c0d0e0f", "--out", "cup.db", *QUICK)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Bots, and a second version of one that only a comment tells from the first."""
    place = tmp_path_factory.mktemp("compare")
    for name in ("honest.py", "chancer.py", "hello.py", "closer.py"):
        shutil.copy(BOTS / name, place)
    (place / "closer2.py").write_text((place / "closer.py").read_text() + "# the second version\n")
    (place / "copy.py").write_bytes((place / "closer.py").read_bytes())
    return place


def test_the_better_bot_is_called_better_and_the_evidence_is_told(folder, tmp_path):
    words = ("compare", folder / "honest.py", folder / "chancer.py", "--field", folder / "*.py")
    done = arena(*words, *DUEL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Better: honest beats chancer, ")
    assert "from 30 pairs of blocks of at most 30" not in done.stdout
    assert "Test: 5 more games won of 100, or none? The log-likelihood ratio is +" in done.stdout
    notes = [line for line in done.stderr.splitlines() if "is one of the two compared" in line]
    assert len(notes) == 2
    file = tmp_path / "cup.db"
    assert inside("verify", file).returncode == 0
    shown = inside("standings", file)
    assert "Comparison: Better: honest beats chancer, " in shown.stdout
    found = json.loads(inside("standings", file, "--json").stdout)
    assert found["format"] == "paired"
    assert found["comparison"]["answer"] == "better"
    assert found["comparison"]["pairs"] * 2 == found["blocks_planned"]
    new, old = (found["comparison"][f"{which}_percent"] for which in ("new", "old"))
    assert found["comparison"]["difference"] == pytest.approx(new - old, abs=0.002)
    assert arena("rerun", file, "7.1", "--allow-root-bots").returncode == 0


def test_the_worse_bot_is_not_better_and_scripts_see_it_by_exit_code_3(folder, tmp_path):
    words = ("compare", folder / "chancer.py", folder / "honest.py", "--field", folder / "hello.py")
    done = arena(*words, *DUEL, "--json", "--quiet", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["complete"]
    assert found["comparison"]["answer"] == "not better"
    assert found["comparison"]["ratio"] <= found["comparison"]["lower"]


def test_the_same_content_is_identical_at_once_and_nothing_is_played(folder, tmp_path):
    words = ("compare", folder / "copy.py", folder / "closer.py", "--field", folder / "hello.py")
    done = inside(*words, "--out", tmp_path / "cup.db")
    assert (done.returncode, done.stderr) == (3, "arena: nothing was played\n")
    assert done.stdout.startswith("Identical: ")
    assert json.loads(inside(*words, "--json").stdout)["answer"] == "identical"
    assert list(tmp_path.iterdir()) == []


def test_a_version_that_plays_alike_ends_with_no_difference_seen(folder, tmp_path):
    words = ("compare", folder / "closer2.py", folder / "closer.py", "--field", folder / "honest.py")
    done = arena(*words, *DUEL, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("No difference seen: closer2 and closer have as many games won")
    # Of two games each: so many would hardly end alike if 5 in 100 ended otherwise.
    assert "from 54 pairs of blocks of at most 1,000" in done.stdout
    assert "would play 108 games so alike with a chance of 0.39 %" in done.stdout


def test_one_that_was_broken_off_goes_on_to_the_answer_of_an_unbroken_one(folder, tmp_path):
    words = ("compare", folder / "honest.py", folder / "chancer.py", "--field", folder / "hello.py", *DUEL)
    said, code = ended_by(signal.SIGINT, *words, cwd=tmp_path)
    assert code == 130
    assert "to go on: arena run --resume cup.db" in said
    assert inside("standings", tmp_path / "cup.db").stdout.count("Comparison: Undecided so far: ") == 1
    done = arena("run", "--resume", "cup.db", "--quiet", cwd=tmp_path)
    assert done.returncode == 0
    other = tmp_path / "other"
    other.mkdir()
    unbroken = arena(*words, "--quiet", cwd=other)
    assert [line for line in done.stdout.splitlines() if "Referee" not in line] == [
        line for line in unbroken.stdout.splitlines() if "Referee" not in line
    ]


def test_undecided_at_the_end_of_the_budget_tells_how_to_go_on(folder, tmp_path):
    words = ("compare", folder / "honest.py", folder / "chancer.py", "--field", folder / "hello.py")
    done = arena(*words, *DUEL, "--games", 6, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("Undecided at the end of the budget: honest against chancer, ")
    assert "--games 6 is rounded up to 8" in done.stderr
    assert "No answer is given from fewer than 30 pairs of blocks." in done.stdout
    assert "To go on: arena run --resume cup.db --games 120" in done.stdout
    longer = arena("run", "--resume", "cup.db", "--games", 400, "--quiet", cwd=tmp_path)
    assert longer.stdout.startswith("Better: ")
    message = refused("run", "--resume", "cup.db", "--games", 4000, cwd=tmp_path)
    assert "has its answer" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "there is nobody to play against; name the opponents with --field"),
        (("--field", "honest.py", "closer.py"), "--field names only the bots compared"),
        (("--field", "nobody.py"), "nobody.py does not exist"),
        (
            ("--field", "hello.py", "--seats", 4),
            "--seats 4 needs 4 bots for a table, and there are 2; add bots to --field",
        ),
        (
            ("--field", "hello.py", "--gain", "0"),
            "--gain takes so many in a hundred, 0.1 to 75, and '0' is none",
        ),
        (("--field", "hello.py", "--alpha", "60"), "--alpha takes so many in a hundred, 0.1 to 49"),
        (("--field", "hello.py", "--games", "many"), "--games"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_mend(folder, words, message):
    assert message in refused("compare", "honest.py", "closer.py", *words, cwd=folder)


def test_a_bot_that_is_not_there_or_more_than_one_is_refused(folder):
    assert "nobody.py does not exist" in refused("compare", "nobody.py", "closer.py", cwd=folder)
    assert "NEW is one bot, and *.py is 6; name one" in refused("compare", "*.py", "hello.py", cwd=folder)
