"""`arena faults`: every fault with its game, request, answer, clock and last words; safe for a terminal."""

import json
import re

import pytest
from cli_command import BOTS, QUICK, arena, inside

LOUD = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    if ask["type"] == "hello":
        said = {"id": ask["id"], "name": "sly\\x9b2J\\u202e\\x7f"}
        print(json.dumps(said), flush=True)
    else:
        sys.stderr.write("\\x1b[31mred\\x1b[0m and out\\nlast line \\x9b31m \\u202e \\u2066\\n")
        sys.stderr.flush()
        print("\\x1b[2Jno JSON at all", flush=True)
"""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "loud.py").write_text(LOUD)
    bots = [folder / "loud.py", *(BOTS / name for name in ("honest.py", "closer.py", "planner.py"))]
    file = folder / "faulty.db"
    done = arena("run", "--bots", *bots, "--games", 4, "--quiet", "--out", file, *QUICK)
    assert done.returncode == 0, done.stderr
    return file


def test_it_tells_all_of_a_fault_and_nothing_a_bot_said_reaches_the_terminal_raw(faulty):
    done = arena("faults", faulty)
    assert done.returncode == 0
    assert done.stdout.count("loud: bad-json, game ") == 1
    assert "\n  also     2 times more, in 0.1 0.2; --all shows each\n" in done.stdout
    for part in ('"type":"', "no JSON at all", "s used of", "last line", "protocol.md#bad-json", "3 faults."):
        assert part in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--jsonl"),
        ("export", "--csv"),
        ("faults",),
        ("faults", "--json"),
        ("standings",),
        ("standings", "--json"),
        ("standings", "--csv"),
        ("replay", "0.0"),
        ("verify",),
        ("verify", "--json"),
    ],
)
def test_no_form_of_a_file_shows_what_a_terminal_obeys(faulty, words):
    command, *rest = words
    done = arena(command, faulty, *rest)
    assert done.returncode == 0
    assert [letter for letter in done.stdout if letter not in "\n\r" and not letter.isprintable()] == []


def test_escaped_json_is_the_data_that_the_bot_sent(faulty):
    lines = [json.loads(line) for line in arena("export", faulty, "--jsonl").stdout.splitlines()]
    assert lines[1]["said"] == "sly\x9b2J\u202e\x7f"


def test_it_lists_those_of_one_bot_and_names_the_near_match_of_a_wrong_one(faulty):
    every = arena("faults", faulty).stdout
    assert arena("faults", faulty, "loud").stdout == every.replace("3 faults.", "3 faults of loud.")
    assert arena("faults", faulty, "honest").stdout == f"{faulty}: 0 faults of honest.\n"
    wrong = arena("faults", faulty, "lowd")
    assert wrong.returncode == 2
    assert "loud" in wrong.stderr


def test_a_summary_by_bot_and_fault_stands_at_the_end_and_games_are_named_as_commands_take_them(faulty):
    done = inside("faults", faulty, "--all")
    assert re.findall(r"^loud: bad-json, game [0-9a-f]{16} \((0\.\d)\), seat", done.stdout, re.MULTILINE) == [
        "0.0",
        "0.1",
        "0.2",
    ]
    assert "also " not in done.stdout
    head, _, row = done.stdout.split(f"{faulty}: 3 faults.\n\n")[1].splitlines()
    assert head.split("  ")[0] == "Bot"
    assert row.split() == ["loud", "bad-json", "3", "0.0", "0.1", "0.2"]


def test_as_json_each_fault_is_an_object_on_a_line(faulty):
    lines = [json.loads(line) for line in arena("faults", faulty, "--json").stdout.splitlines()]
    assert [line["code"] for line in lines] == ["bad-json"] * 3
    assert [(line["block"], line["index"]) for line in lines] == [(0, 0), (0, 1), (0, 2)]
    assert {"block", "index", "game", "seat", "turn", "rule", "request", "limit", "used", "stderr"} <= lines[
        0
    ].keys()


def test_the_run_itself_reports_what_the_referee_cost(tmp_path):
    bots = [BOTS / name for name in ("honest.py", "closer.py", "planner.py", "hello.py")]
    done = arena(
        "run", "--bots", *bots, "--games", 4, "--quiet", "--json", "--out", tmp_path / "a.db", *QUICK
    )
    referee = json.loads(done.stdout)["referee"]
    assert 0 < referee["overhead_p50"] <= referee["overhead_p99"] < 10
    assert referee["lag_p99"] >= 0
