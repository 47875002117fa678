"""The command as a whole: help, version, its own errors, and ends that are nobody's fault."""

import importlib.metadata
import json
import os
import re
import resource
import subprocess
import sys
import tomllib

import pytest
from cli_command import ROOT, arena, environment, inside, refused

from arena.cli.main import main

COMMANDS = ("run", "standings", "rules", "schema", "doctor", "completion")


def test_version_is_the_package_s_own():
    result = arena("--version")
    assert (result.returncode, result.stdout, result.stderr) == (0, "arena 0.1.0\n", "")


def test_help_names_every_command_and_each_command_helps():
    overview = arena("--help")
    assert overview.returncode == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", overview.stdout, re.MULTILINE)
        own = arena(command, "--help")
        assert own.returncode == 0
        assert own.stdout.startswith(f"Usage: arena {command}")
        assert own.stderr == ""


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("run", "[OPTIONS]"),
        ("faults", "[OPTIONS] FILE [BOT]"),
        ("replay", "[OPTIONS] FILE GAME"),
        ("merge", "[OPTIONS] FILES..."),
        ("rules", "[NAME]"),
        ("import", "[OPTIONS] JSONL"),
        ("schema", ""),
        ("completion", "SHELL"),
    ],
)
def test_the_line_of_usage_names_every_argument(command, usage):
    first = arena(command, "--help").stdout.splitlines()[0]
    assert first == f"Usage: arena {command} {usage}".rstrip()


def test_without_a_command_it_helps():
    assert arena().stdout == arena("help").stdout == arena("--help").stdout
    assert inside("help", "run").stdout == inside("run", "--help").stdout


def test_help_keeps_to_the_width_of_the_screen():
    for columns in ("60", "80", "200"):
        text = arena("run", "--help", COLUMNS=columns).stdout
        assert max(map(len, text.splitlines())) <= min(100, int(columns))


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"], ["completion", "bash"]])
def test_what_a_shell_asks_often_is_answered_at_once(words):
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        arena(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.3


def test_nothing_heavy_is_imported_for_help():
    probe = "import sys; from arena.cli.main import main; main(['run', '--help']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=environment()
    ).stdout.split()
    assert not {"numpy", "scipy", "trio", "sqlite3"} & set(loaded)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["rin"], ["no command 'rin'", "did you mean run?"]),
        (["tournament"], ["no command 'tournament'", "standings"]),
        (["--bots", "x.py"], ["--bots", "before any command"]),
        (["run", "--seets", "4"], ["no option --seets", "did you mean --seats?"]),
        (["run", "--xyzzy"], ["no option --xyzzy", "arena run --help"]),
        (["run", "--seats"], ["--seats needs a value"]),
        (["run", "--seats", "four"], ["--seats", "whole number", "'four'"]),
        (["run", "--seats", "3.5"], ["--seats", "whole number", "'3.5'"]),
        (["run", "--games", "0"], ["--games", "takes 1 to 1000000000"]),
        (["run", "--deals", "-1"], ["--deals", "takes 1 to 1000000"]),
        (["run", "--seats", "4", "--seats", "3"], ["--seats", "twice"]),
        (["run", "a.py", "b.py"], ["'a.py' 'b.py'", "--bots a.py"]),
        (["run", "--quiet=maybe"], ["--quiet", "switch"]),
        (["run", "--move-time", "soon"], ["--move-time", "'soon'", "500ms"]),
        (["run", "--move-time", "0"], ["--move-time", "more than 0"]),
        (["run", "--start-time", "2d"], ["--start-time", "'2d'"]),
        (["run", "--memory", "lots"], ["--memory", "'lots'", "256M"]),
        (["standings"], ["needs FILE"]),
        (["standings", "a.db", "b.db"], ["'b.db'"]),
        (["rules", "clasic"], ["'clasic'", "did you mean classic?"]),
        (["rules", "no/such.toml"], ["no/such.toml"]),
        (["completion", "bsh"], ["'bsh'", "did you mean bash?"]),
    ],
)
def test_a_mistake_on_the_command_line_is_one_message(words, parts):
    message = refused(*words)
    for part in parts:
        assert part in message


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_options(shell):
    script = arena("completion", shell).stdout
    for word in ("standings", "--games-per-block", "games-per-block")[: 2 if shell != "fish" else 1]:
        assert word in script


def test_zsh_is_told_to_offer_files_where_the_script_has_nothing():
    assert "\n  esac || _files\n}\n" in arena("completion", "zsh").stdout


def test_bash_accepts_the_completion_script():
    script = arena("completion", "bash").stdout
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_has_seen_enough_ends_it_quietly():
    reader = f"{sys.executable} -m arena schema | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", reader], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.split() == ["{", "0"]
    assert done.stderr == ""


def test_a_full_disk_under_stdout_is_said_without_a_traceback(tmp_path):
    command = f"ulimit -f 0; exec {sys.executable} -m arena rules > {tmp_path}/out"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 74
    assert re.fullmatch(r"arena: [^\n]*File too large[^\n]*\n", done.stderr)


@pytest.mark.parametrize("words", ["rules", "schema", "doctor --json", "--version", "--help"])
def test_a_closed_stdout_is_said(words):
    command = f"{sys.executable} -m arena {words} >&-"
    done = subprocess.run(
        ["sh", "-c", command], env=environment(), stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 74
    assert re.fullmatch(r"arena: [^\n]*stdout is closed[^\n]*\n", done.stderr)


def test_other_closed_streams_are_no_error():
    command = f"{sys.executable} -m arena rules <&- 2>&-"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, check=False)
    assert done.returncode == 0
    assert b"classic" in done.stdout
    assert subprocess.run([*command.split()[:4], "nosuch"], env=environment(), check=False).returncode == 2


def test_a_terminal_without_unicode_still_shows_every_table():
    result = arena("rules", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "classic" in result.stdout


def test_rules_lists_every_preset_in_a_sentence_each():
    from arena.cheat.presets import PRESETS

    lines = arena("rules").stdout.splitlines()
    for name in PRESETS:
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        assert line.endswith(".")
        assert len(line.split()) > 4


def test_rules_shows_every_knob_of_a_preset_and_of_a_file(tmp_path):
    from arena.cheat.rulesfile import MEANINGS

    file = tmp_path / "house.toml"
    file.write_text('preset = "two-decks"\nmax_cards = 6\n')
    for name, wanted in (("two-decks", ("decks", "2")), (file, ("max_cards", "6"))):
        lines = [line.split() for line in arena("rules", name).stdout.splitlines()]
        assert [line[0] for line in lines] == list(MEANINGS)
        assert list(wanted) in [line[:2] for line in lines]


def test_a_rules_file_that_asks_too_much_is_named_with_its_knob(tmp_path):
    file = tmp_path / "house.toml"
    file.write_text("decks = 9\n")
    message = refused("rules", file)
    assert "house.toml" in message
    assert "decks" in message
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused("rules", file)


def test_schema_is_a_json_schema_of_both_directions():
    import jsonschema

    schema = json.loads(arena("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert {"to_bot", "from_bot"} <= set(schema["$defs"])


def test_doctor_says_what_this_machine_offers():
    facts = json.loads(arena("doctor", "--json").stdout)
    assert facts["cores"] >= 1
    assert facts["python"].startswith("3.")
    assert [tier["tier"] for tier in facts["sandbox"]] == ["bwrap", "ns", "bare"]
    assert any(tier["works"] for tier in facts["sandbox"])
    assert all(tier["works"] or tier["reason"] for tier in facts["sandbox"])
    assert "Python" in {entry["language"] for entry in facts["interpreters"] if entry["found"]}
    text = arena("doctor").stdout
    for word in ("cores", "file limit", "user", "bare", "Python"):
        assert word in text


def test_doctor_lists_the_compilers_with_their_versions_and_says_which_are_missing(tmp_path):
    for name, text in (("cc", "echo 'cc (Made Up 4) 12.3.0'"), ("go", '[ "$1" = version ] && echo go1.22.1')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    facts = json.loads(arena("doctor", "--json", PATH=str(tmp_path)).stdout)
    found = {entry["program"]: (entry["found"], entry["version"]) for entry in facts["compilers"]}
    assert list(found) == ["cc", "c++", "rustc", "cargo", "go", "javac", "tsc"]
    assert found["cc"] == (str(tmp_path / "cc"), "12.3.0")
    assert found["go"] == (str(tmp_path / "go"), "1.22.1")
    assert found["tsc"] == (None, None)
    text = arena("doctor", PATH=str(tmp_path)).stdout
    assert re.search(rf"^  cc +{re.escape(str(tmp_path))}/cc \(12\.3\.0\)$", text, re.MULTILINE)
    assert re.search(r"^  tsc +not found$", text, re.MULTILINE)


def test_the_installed_script_is_the_same_command(monkeypatch, capsys):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    script = importlib.metadata.EntryPoint("arena", project["scripts"]["arena"], "console_scripts").load()
    monkeypatch.setattr(sys, "argv", ["arena", "rules"])
    assert script() == 0
    said = capsys.readouterr().out
    assert main(["rules"]) == 0
    assert capsys.readouterr().out == said != ""


OFFERED = (
    ("arena ru", "rules run"),
    ("arena run --rules up", "up-or-down"),
    ("arena rules brit", "british-pass"),
    ("arena run --sandbox b", "bare bwrap"),
    ("arena run --format ''", "gauntlet round-robin swiss"),
    ("arena new pyt", "python"),
    ("arena completion ''", "bash fish zsh"),
    ("arena standings cup.db --table-format git", "github"),
    ("arena check mi", ""),
)
ASK = """
eval "$(arena completion bash)"
offered() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _arena arena "${@: -1}" "${@: -2:1}"
    printf '%s\\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -s -d ' ' -
}
"""


def test_bash_offers_commands_options_and_what_options_take_and_files_where_there_is_nothing_else(tmp_path):
    script = tmp_path / "arena"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m arena "$@"\n')
    script.chmod(0o755)
    there = environment(PATH=f"{tmp_path}:{os.environ['PATH']}")
    asked = ASK + "".join(f"offered {line}\n" for line, _ in OFFERED) + "complete -p arena\n"
    said = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, env=there, check=True)
    *offered, how = said.stdout.splitlines()
    assert offered == [words for _, words in OFFERED]
    # Where nothing is offered, files are.
    assert "-o default" in how
