"""Findings below the table and in JSON: two real bots that spare each other, and nobody where none do."""

import json
import sys

from cli_command import QUICK, arena, inside
from cli_terminal import on_terminal

FRIEND = """\
import json
import random
import sys

# Calls three claims in ten, whoever makes them, but none of the bot that it is given the name of.
friend = sys.argv[1] if len(sys.argv) > 1 else None
rng, names = random.Random(0), []
for line in sys.stdin:
    ask = json.loads(line)
    say = {"id": ask.get("id")}
    if ask["type"] == "start":
        rng, names = random.Random(ask["seed"]), ask["names"]
    if ask["type"] == "play":
        say["rank"] = ask["ranks"][0]
        say["cards"] = [card for card in ask["hand"] if card[0] == say["rank"]][:4] or ask["hand"][:1]
    if ask["type"] == "challenge":
        say["challenge"] = rng.random() < 0.3 and names[ask["claimant"]] != friend
    if "id" in ask:
        print(json.dumps(say), flush=True)
"""
SHORT = 'preset = "classic"\nturn_cap = 8\n'
"""Nobody wins so soon; who calls whom is seen all the same."""


def test_two_bots_that_never_call_each_other_are_named_with_the_evidence(tmp_path):
    (tmp_path / "friend.py").write_text(FRIEND)
    (tmp_path / "short.toml").write_text(SHORT)
    command = f"{sys.executable} -S friend.py"
    bots = {"ann": "bob", "bob": "ann", "cid": "", "dot": "", "eve": ""}
    words = [
        word for name, friend in bots.items() for word in ("--bot", f"{name}={command} {friend}".rstrip())
    ]
    terms = ("--names", "--seats", 4, "--games", 112, "--rules", "short.toml", "--seed", "3".zfill(32))
    done = arena("run", *words, *terms, "--json", "--quiet", "--out", "cup.db", *QUICK, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (help,) = json.loads(done.stdout)["findings"]
    assert (help["kind"], help["bots"]) == ("help", ["ann", "bob"])
    assert help["called"] == [0, 0]
    assert min(help["expected"]) > 20
    assert help["games"] == 4 * help["blocks"]
    assert help["chance"] < 0.05
    file = tmp_path / "cup.db"
    assert json.loads(inside("standings", file, "--json").stdout)["findings"] == [help]
    for form in ("simple", "github"):
        _, section, _ = inside("standings", file, "--table-format", form).stdout.rsplit("\n\n", 2)
        head, line = section.splitlines()
        assert head.startswith("Findings (p is corrected for all that was looked at")
        assert line == f"- {help['sentence']}"
    assert "Findings" not in inside("standings", file, "--csv").stdout
    _, narrow = on_terminal("standings", file, columns=60)
    section = narrow[narrow.index("Findings (") :].split("\n\n")[0]
    assert max(map(len, section.splitlines())) <= 60
    assert f"- {help['sentence']}" in " ".join(section.split())
    assert inside("verify", file).returncode == 0


def test_where_nothing_is_found_nothing_is_said(played):
    file, of_run = played
    assert of_run["findings"] == []
    assert "Findings" not in inside("standings", file).stdout
