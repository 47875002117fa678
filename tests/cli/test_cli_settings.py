"""arena.toml: each key is an option of `arena run`, the command line stands above it, mistakes are named."""

import json
import os
import re
from pathlib import Path

import pytest
from cli_command import BOTS, QUICK, ROOT, TRIO, arena, inside, refused

from arena.cli.main import build
from arena.cli.options import RunOptions
from arena.cli.settings import FILE_NAME, keys, read_settings
from arena.errors import BadInput


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text, path=FILE_NAME):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def asked(*words):
    """The options that `arena run` with these words comes to."""
    _, bound, _ = build().parse_args(["run", *words], print_error=False, exit_on_error=False)
    return bound.args[0] if bound.args else RunOptions()


WHOLE = """
bots = ["bots/*", "more/last.py"]
bot = ["a=python3 a.py", "b=perl b.pl"]
seats = 3
rules = "bicycle"
format = "round-robin"
names = true
games = 60
games-per-block = 12
part = "1/2"
resume = ""
changed = true
dry-run = true
seed = "winter"
jobs = 2
move-time = "250ms"
bank = 0
start-time = 2.5
sandbox = "bare"
allow-root-bots = true
memory = "256M"
fresh = true
bench = 0
forfeit = 1
out = "cup.db"
json = true
quiet = true
"""


def test_every_option_of_run_can_stand_in_the_file(folder):
    write(WHOLE)
    assert asked() == RunOptions(
        bots=("bots/*", "more/last.py"),
        bot=("a=python3 a.py", "b=perl b.pl"),
        seats=3,
        rules="bicycle",
        format="round-robin",
        names=True,
        games=60,
        games_per_block=12,
        part="1/2",
        resume="",
        changed=True,
        dry_run=True,
        seed="winter",
        jobs=2,
        move_time=0.25,
        bank=0.0,
        start_time=2.5,
        sandbox="bare",
        allow_root_bots=True,
        memory=256 * 2**20,
        fresh=True,
        bench=0,
        forfeit=1,
        out="cup.db",
        json=True,
        quiet=True,
    )


def test_without_a_file_and_with_an_empty_one_the_options_are_the_usual_ones(folder):
    assert asked() == RunOptions()
    write("")
    assert asked() == RunOptions()


def test_the_command_line_stands_above_the_file(folder):
    write(WHOLE)
    options = asked(
        *(
            "--bots",
            "x.py",
            "--seats",
            "2",
            "--names=false",
            "--move-time",
            "1s",
            "--seed",
            "7",
            "--out",
            "b.db",
        )
    )
    assert options.bots == ("x.py",)
    assert (options.seats, options.names, options.move_time) == (2, False, 1.0)
    assert (options.seed, options.out) == ("7", "b.db")
    assert (options.games, options.rules) == (60, "bicycle")


def test_another_length_on_the_command_line_replaces_that_of_the_file(folder):
    write("games = 60\n")
    assert asked("--deals", "3") == RunOptions(deals=3)
    write("deals = 2\n")
    assert asked("--games", "8") == RunOptions(games=8)
    write("games = 60\ndeals = 2\n")
    assert asked() == RunOptions(games=60, deals=2)


def test_numbers_may_stand_for_a_seed_a_size_and_a_time(folder):
    write("seed = 42\nmemory = 1048576\nmove-time = 2\nbots = 'one.py'\n")
    assert asked() == RunOptions(seed="42", memory=2**20, move_time=2.0, bots=("one.py",))


def test_commands_may_stand_in_a_table_by_their_names(folder):
    write('[bot]\ncareful = "python3 bot.py --slow"\nbold = "python3 bot.py"\n')
    assert asked().bot == ("careful=python3 bot.py --slow", "bold=python3 bot.py")


def test_rules_may_stand_in_the_file_itself(folder):
    from arena.cli.rules import chosen_rules

    write('seats = 3\n[rules]\npreset = "two-decks"\nmax_cards = 6\nname = "club"\n')
    rules = chosen_rules(asked().rules)
    assert (rules.name, rules.decks, rules.max_cards) == ("club", 2, 6)
    assert ["max_cards", "6"] in [line.split()[:2] for line in arena("rules", FILE_NAME).stdout.splitlines()]
    write("[rules]\nmax_crads = 6\n")
    with pytest.raises(BadInput, match=r"arena\.toml: rules: .*'max_crads': did you mean max_cards\?"):
        chosen_rules(asked().rules)


@pytest.mark.parametrize(
    ("text", "name", "decks"),
    [
        ("", "classic", "auto"),
        ("bots = ['x.py']\n", "classic", "auto"),
        ("bots = ['x.py']\nrules = 'two-decks'\n", "two-decks", "2"),
        ("rules = 'house.toml'\n", "house", "3"),
        ("seats = 3\n[rules]\ndecks = 4\n", "arena", "4"),
    ],
)
def test_the_rules_of_a_tournament_file_are_shown_wherever_they_stand_in_it(folder, text, name, decks):
    write("decks = 3\n", "cups/house.toml")
    write(text, f"cups/{FILE_NAME}")
    lines = [line.split()[:2] for line in inside("rules", f"cups/{FILE_NAME}").stdout.splitlines()]
    assert (["name", name] in lines, ["decks", decks] in lines) == (True, True)


def test_a_file_of_rules_is_none_of_a_tournament_and_rules_that_go_in_a_circle_are_refused(folder):
    write("preset = 'cheat'\nseats = 4\n", "house.toml")
    assert "house.toml: the rules have no knob 'seats'" in refused("rules", "house.toml")
    write("rules = 'arena.toml'\n")
    assert "arena.toml: its rules lead back to itself" in refused("rules", FILE_NAME)


def test_paths_in_a_file_elsewhere_are_relative_to_it(folder):
    for name in ("bot.py", "data.txt", "house.toml"):
        write("", f"cups/spring/{name}")
    write(
        'bots = ["bots/*.py", "/abs/x.py", "~/y.py"]\nout = "cup.db"\nrules = "house.toml"\n'
        'bot = ["a=python3 bot.py data.txt --deep other.txt"]\n',
        "cups/spring/arena.toml",
    )
    for word in ("cups/spring/arena.toml", "cups/spring"):
        options = asked("--config", word)
        assert options.bots == ("cups/spring/bots/*.py", "/abs/x.py", "~/y.py")
        assert options.out == "cups/spring/cup.db"
        assert options.rules == "cups/spring/house.toml"
        assert options.bot == ("a=python3 cups/spring/bot.py cups/spring/data.txt --deep other.txt",)
    assert asked("--config", str(folder / "cups/spring")).out == str(folder / "cups/spring/cup.db")
    # A path on the command line is the user's own.
    assert asked("--config", "cups/spring", "--out", "b.db").out == "b.db"
    write('rules = "bicycle"\nbot = ["a=\'"]\n', "cups/spring/arena.toml")
    assert asked("--config", "cups/spring") == RunOptions(rules="bicycle", bot=("a='",), config="cups/spring")


def test_a_folder_whose_name_is_a_pattern_is_still_that_folder(folder):
    write('bots = ["*.py"]\n', "cup[1]/arena.toml")
    write("", "cup[1]/one.py")
    from arena.roster.paths import expand

    assert list(expand(asked("--config", "cup[1]").bots)) == ["cup[1]/one.py"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seets = 4", "arena.toml: there is no key 'seets'; did you mean seats?"),
        (
            "games_per_block = 4",
            "arena.toml: there is no key 'games_per_block'; did you mean games-per-block?",
        ),
        ("xyzzy = 4", "arena.toml: there is no key 'xyzzy'; the keys are bots, bot, seats, "),
        ("config = 'other.toml'", "arena.toml: there is no key 'config'"),
        ("[run]\nseats = 4", "arena.toml: there is no key 'run'"),
        ("seats = '4'", "arena.toml: seats takes a whole number, not text ('4')"),
        ("seats = 4.0", "arena.toml: seats takes a whole number, not a number (4.0)"),
        ("seats = true", "arena.toml: seats takes a whole number, not true"),
        ("seats = [4]", "arena.toml: seats takes a whole number, not a list"),
        ("seats = 1", "arena.toml: seats takes at least 2; '1' is outside that"),
        ("jobs = 5000", "arena.toml: jobs takes 1 to 1024; '5000' is outside that"),
        ("bench = -1", "arena.toml: bench takes at least 0; '-1' is outside that"),
        ("names = 1", "arena.toml: names takes true or false, not a whole number (1)"),
        ("names = 'yes'", "arena.toml: names takes true or false, not text ('yes')"),
        ("bots = 4", "arena.toml: bots takes a list of texts, not a whole number (4)"),
        ("bots = ['a', 4]", "arena.toml: bots takes a list of texts, and a whole number (4) in it is none"),
        ("bot = 4", "arena.toml: bot takes NAME=COMMAND, a list of such, or a table of names and commands"),
        ("bot.a = 4", "arena.toml: bot.a takes a command as text, not a whole number (4)"),
        ("rules = 4", "arena.toml: rules takes the name of a preset, a file, or a table of knobs"),
        ("seed = 4.5", "arena.toml: seed takes text, or a whole number, not a number (4.5)"),
        ("seed = 2026-01-01", "arena.toml: seed takes text, or a whole number, not a date or time"),
        ("format = 4", "arena.toml: format takes text, not a whole number (4)"),
        (
            "move-time = 'soon'",
            "arena.toml: move-time takes a time of more than 0 to 24h, and 'soon' is none; write",
        ),
        ("move-time = -1", "arena.toml: move-time takes a time of more than 0 to 24h, and '-1' is none"),
        ("move-time = 0", "arena.toml: move-time '0' leaves a bot no time at all"),
        ("bank = nan", "arena.toml: bank takes a time of 0 to 24h, and 'nan' is none"),
        (
            "move-time = true",
            'arena.toml: move-time takes a time such as "500ms" or "2m", or seconds, not true',
        ),
        ("memory = 1.5", 'arena.toml: memory takes a size such as "512M", or bytes, not a number (1.5)'),
        ("memory = 1", "arena.toml: memory takes 1M to 1024T"),
        (f"seats = '{'x' * 99}'", "arena.toml: seats takes a whole number, not text ('xxxxx"),
        ("seats = ", "arena.toml is not a TOML file: Invalid value (at end of document)"),
        ("seats = 4\nseats = 5", "arena.toml is not a TOML file: Cannot overwrite a value"),
        ("a = " + "[" * 100_000, "arena.toml is not a TOML file: "),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_key(folder, text, message):
    write(text)
    with pytest.raises(BadInput) as caught:
        asked()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_file_that_cannot_be_read_is_named(folder):
    Path(FILE_NAME).write_bytes(b"\xff\xfe")
    assert refused("run", cwd=folder).startswith("arena: arena.toml is not UTF-8 text (byte ")
    Path(FILE_NAME).unlink()
    Path(FILE_NAME).mkdir()
    assert refused("run", cwd=folder) == "arena: arena.toml is a folder; name a file"
    assert "--config nowhere.toml: there is no file nowhere.toml" in refused(
        "run", "--config", "nowhere.toml", cwd=folder
    )
    with pytest.raises(BadInput, match=r"there is no file absent\.toml"):
        read_settings(Path("absent.toml"))
    (folder / "empty").mkdir()
    assert "--config empty: there is no file empty/arena.toml" in refused(
        "run", "--config", "empty", cwd=folder
    )


def test_an_error_says_which_of_its_options_come_from_the_file(folder):
    write(f"bots = {json.dumps(TRIO)}\nseats = 7\ngames = 12\nsandbox = 'bare'\n")
    assert refused("run", cwd=folder).endswith("table that fits (arena.toml sets bots and seats)")
    assert refused("run", "--seats", "7", cwd=folder).endswith("(arena.toml sets bots)")
    write(f"bots = {json.dumps(TRIO)}\ngames = 12\ndeals = 1\n", "cup/arena.toml")
    for words in (("--config", "cup"), ("--config=cup/arena.toml",)):
        message = refused("run", *words, cwd=folder)
        assert message.endswith("give one of them (cup/arena.toml sets games and deals)")
    # The file's mistake is the message; there is nothing to add to it.
    write("seats = 1\n")
    assert refused("run", cwd=folder) == "arena: arena.toml: seats takes at least 2; '1' is outside that"


def test_what_is_typed_with_a_short_option_does_not_come_from_the_file(folder):
    write("out = 'a.db'\n")
    Path("b.db").touch()
    assert asked("-o", "b.db").out == "b.db"
    assert refused("run", "-o", "b.db").endswith("give a name that is free")


def test_a_run_in_its_folder_needs_no_option_and_standings_no_file(folder):
    (folder / "bots").mkdir()
    for bot in TRIO:
        (folder / "bots" / os.path.basename(bot)).write_bytes(Path(bot).read_bytes())
    write("bots = ['bots/*']\ngames = 6\nseats = 3\nseed = 1\nout = 'cup.db'\nquiet = true\n")
    result = arena("run", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "Results: cup.db, complete" in result.stdout
    shown = arena("standings", "--json", cwd=folder)
    assert json.loads(shown.stdout)["file"] == "cup.db"
    assert refused("run", cwd=folder).endswith("(arena.toml sets out)")
    # A dry run makes no file.
    plan = arena("run", "--dry-run", "--json", *QUICK, cwd=folder)
    assert (plan.returncode, json.loads(plan.stdout)["games"]) == (0, 6)
    # What is asked by name is not looked up in the file, even where that is broken.
    write("seets = 1\n")
    assert arena("standings", "cup.db", cwd=folder).returncode == 0
    assert "arena.toml: there is no key 'seets'" in refused("standings", cwd=folder)
    assert arena("doctor", "--json", cwd=folder).returncode == 0
    assert arena("run", "--help", cwd=folder).returncode == 0
    write("seats = 3\n")
    assert "needs FILE" in refused("standings", cwd=folder)


def test_the_document_tells_of_every_key():
    document = (ROOT / "docs" / "configuration.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \|", document, re.MULTILINE)
    assert rows == list(keys())


def test_the_example_of_the_document_is_a_tournament(folder):
    document = (ROOT / "docs" / "configuration.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    os.symlink(BOTS, folder / "bots")
    write(example)
    options = asked()
    assert options.bots
    from arena.cli.prepare import prepare

    assert len(prepare(options).roster.entrants) > 2
