"""`arena play` with real bots: a person at a terminal or in a script, bots alone, series, what is kept."""

import json
import os
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from cli_command import BOTS, QUICK, arena, environment, inside, processes_with, refused
from cli_player import CARD, TO_CALL, TO_PLAY, AtTerminal
from replay_stories import random_result

from arena.cheat.cards import ONE_DECK
from arena.cheat.game import Game, Phase
from arena.cheat.rules import Rules
from arena.cli.awaited import Awaited
from arena.referee.sent import lines_to_seat
from arena.tournament.store import Store

SEED = "5" * 32
HONEST, CLOSER, PLANNER = (str(BOTS / f"{name}.py") for name in ("honest", "closer", "planner"))
TABLE = (HONEST, "human", CLOSER)
WORDS = ("--seed", SEED, *QUICK)


def records(file):
    """What a file keeps of its games, without what the clock has said."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        return store.execute(
            "SELECT id, block, seats, places, faults, log FROM games ORDER BY block"
        ).fetchall()


def verified(file):
    done = inside("verify", file)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A whole game of a person between two bots: the folder with e.db, the terminal, and what was typed."""
    folder = tmp_path_factory.mktemp("evening")
    terminal = AtTerminal("play", *TABLE, *WORDS, "--out", "e.db", cwd=folder)
    typed = terminal.play()
    assert terminal.end() == 0
    return folder, terminal, typed


def test_a_person_plays_a_whole_game_in_a_terminal(evening):
    _, terminal, typed = evening
    assert len(typed) > 10
    start = "One game, rules classic. You are on seat 1 of 3, with seat 0 and seat 2; seat 0 leads."
    assert start in " ".join(terminal.text.split())
    # Once: the places stand below it, each with who sat there.
    assert re.search(r"^The game is over: (you win|seat \d wins)\n  1\. ", terminal.text, re.MULTILINE)
    for name, seat in (("honest", 0), ("you", 1), ("closer", 2)):
        assert len(re.findall(rf"^  \d\. {name} +seat {seat}$", terminal.text, re.MULTILINE)) == 1
    assert terminal.text.endswith("arena: 1 game is kept in e.db: arena replay e.db 0.0\n")
    assert "\x1b[31m" in terminal.raw
    assert max(map(len, terminal.text.splitlines())) <= 80
    assert "in the bank" not in terminal.text


def test_what_a_person_has_played_is_kept_verified_and_shown(evening):
    folder, _, typed = evening
    verified(folder / "e.db")
    with Store.open(folder / "e.db") as store:
        _, (game,) = store.block(0)
        assert (store.complete, store.header.person) == (True, 1)
    asked = [timing for timing in game.timings if timing.seat == 1]
    assert len(asked) == len(typed)
    assert game.faults == ()
    told = inside("replay", folder / "e.db", "0.0", "--seat", 1)
    assert (told.returncode, told.stderr) == (0, "")


def test_a_person_is_shown_what_a_bot_in_that_seat_would_be_sent_and_no_more(evening):
    folder, terminal, _ = evening
    with Store.open(folder / "e.db") as store:
        block, games = store.block(0)
        names = [bot.name for bot in store.bots]
        sent = lines_to_seat(store.header.terms, block, games, names, 0, 1)
    lines = b"".join(one.data for one in sent).decode()
    shown = {
        ("T" if rank == "10" else rank) + "CDHS"["♣♦♥♠".index(suit)]
        for rank, suit in CARD.findall(terminal.text)
    }
    assert shown <= {card for card in ONE_DECK if f'"{card}"' in lines}
    # Who sits where is told after the game, as nothing told it before.
    before = terminal.text[: terminal.text.index("The game is over")]
    assert "honest" not in before
    assert "closer" not in before


def test_a_game_with_a_person_is_not_rerun_and_the_message_says_why(evening):
    folder, _, _ = evening
    said = refused("rerun", "e.db", "0.0", cwd=folder)
    assert "a person sat at the table of e.db, who cannot be made to answer again" in said
    assert "arena replay e.db 0.0 shows it" in said
    assert "arena play begins another" in refused("run", "--resume", "e.db", cwd=folder)


def test_a_bot_is_fed_with_what_the_person_was_sent(evening):
    folder, _, typed = evening
    done = arena("replay", "e.db", "0.0", "--seat", 1, "--feed", HONEST, *QUICK, cwd=folder)
    assert done.returncode in (0, 3), done.stderr
    assert len(re.findall(r"^Turn \d+", done.stdout, re.MULTILINE)) <= len(typed)


def test_wrong_entries_cost_nothing_and_ctrl_d_leaves(tmp_path):
    terminal = AtTerminal("play", "human", HONEST, *WORDS, "--out", "e.db", cwd=tmp_path, NO_COLOR="1")
    terminal.until(TO_PLAY)
    for text, words in (
        ("", "Lay at least one card"),
        ("?", "two 7s of your hand, whichever"),
        ("5x9", "You hold"),
        ("zz", '"zz" is no card'),
        (
            "as = 2",
            "2s may not be claimed now: claims go up turn by turn",
        ),
    ):
        terminal.type(text)
        assert words in " ".join(terminal.until(TO_PLAY).split())
    assert terminal.leave("\x04") == 0
    assert "arena: you have left the table; no game was over, so no file is left" in terminal.text
    assert "\x1b" not in terminal.raw
    assert list(tmp_path.iterdir()) == []


def test_in_a_series_it_is_told_at_the_end_who_sat_where_and_each_time_that_seats_have_moved(tmp_path):
    words = ("play", HONEST, "human", CLOSER, "--games", 2, *WORDS, "--out", "e.db")
    terminal = AtTerminal(*words, cwd=tmp_path)
    terminal.play()
    assert terminal.end() == 0
    first, second = " ".join(terminal.text.split()).split("Game 2 of 2, ")
    assert re.search(
        r"the game is over.* \d\. you on seat 1.* You have won [01] of 1 game\.$", first.strip(), re.I
    )
    assert "honest" not in first + second[: second.index("The game is over")]
    assert "The seats have moved: they are counted from the player who leads. You were on seat 1;" in second
    assert second.startswith("rules classic. You are on seat 0 of 3,")
    assert "Who sat where: game 1: seat 0 honest, seat 1 you, seat 2 closer game 2: seat 0 you, " in second
    assert re.search(r"Won, of 2 games: (honest|you|closer) [12], ", second)
    assert "human" not in terminal.text


def test_who_is_waited_for_is_said_on_a_terminal_and_what_a_fault_was_after_the_game(tmp_path):
    slow = (BOTS / "hello.py").read_text().replace(
        "    ask = json.loads(line)\n",
        "    ask = json.loads(line)\n"
        "    if ask['type'] == 'hello' or ask['type'] == 'play' and ask['turn'] > 3:\n"
        "        import time; time.sleep(2.3)\n"
        "        if ask['type'] == 'play': sys.exit(7)\n",
    )  # fmt: skip
    assert "sys.exit(7)" in slow
    (tmp_path / "slow.py").write_text(slow)
    terminal = AtTerminal("play", HONEST, "human", "slow.py", *WORDS, "--out", "e.db", cwd=tmp_path)
    terminal.play()
    assert terminal.end() == 0
    start, game = terminal.text.split("One game,")
    assert start == "arena: players go by their seats; --names tells all of them who sits where\n" + (
        "  waiting for the bots to start ...\n\n"
    )
    assert "  waiting for seat 2 ...\n  seat 2 leaves by a fault" in game
    assert game.count("waiting for") == 1
    assert "  3. slow    seat 2  crash\n" in game
    assert "  slow made a fault on turn 6, crash: The process ended with exit code 7.\n" in game
    assert game.endswith("arena: what the faults were: arena faults e.db\n")


@pytest.mark.parametrize("faults", [0.0, 0.05])
def test_whom_a_game_waits_for_follows_from_its_events(faults):
    for seats in range(2, 7):
        result = random_result(seats, seats, Rules(play_on=True, passing=True), faults=faults)
        game = Game(result.record.rules, result.events[0].hands)
        awaited = Awaited()
        awaited.hear(game.opening())
        for action in result.record.actions:
            for event in game.apply(action):
                awaited.hear(event)
            over = game.phase is Phase.OVER
            due = () if over else game.asked if game.phase is Phase.WINDOW else (game.seat_to_play,)
            assert (awaited.seats, awaited.active) == (due, () if over else game.active)


def test_ctrl_c_leaves_with_what_was_finished_and_no_bot_stays(tmp_path):
    shutil.copy(HONEST, tmp_path / "marked_honest.py")
    words = ("play", "human", "marked_honest.py", "--games", 3, *WORDS, "--out", "e.db")
    terminal = AtTerminal(*words, cwd=tmp_path)
    while "Game 2 of 3" not in terminal.text:
        terminal.play(turns=1)
    terminal.until(TO_PLAY, TO_CALL)
    assert terminal.leave("\x03") == 130
    said = " ".join(terminal.text.split())
    assert "interrupted; the game that was broken off is not kept; 1 game is kept in e.db" in said
    verified(tmp_path / "e.db")
    with Store.open(tmp_path / "e.db") as store:
        assert (store.complete, store.header.blocks, store.header.ended.by) == (True, 1, "left")
        assert store.header.ended.planned == 3
    assert "Left, before its 3 games were played." in inside("standings", tmp_path / "e.db").stdout
    assert processes_with("marked_honest.py") == []


def test_a_script_plays_too_and_the_end_of_its_lines_leaves(tmp_path):
    moves = tmp_path / "moves"
    moves.write_text("c\nzz\n\n")
    with moves.open() as stdin:
        done = arena("play", HONEST, "human", *WORDS, "--out", "e.db", cwd=tmp_path, stdin=stdin, LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert f"{TO_CALL}c\n  you call: " in done.stdout
    assert f"{TO_PLAY}zz\n" in done.stdout
    assert done.stdout.isascii()
    assert not (tmp_path / "e.db").exists()


def test_a_line_that_is_too_long_is_one_and_it_is_asked_again(tmp_path):
    moves = tmp_path / "moves"
    # Were it cut in pieces, the last would be a call, and what is cut off blanks would be Enter.
    moves.write_text(" " * (1 << 17) + "\nc" + " " * (1 << 16) + "\nc\nzz\n")
    with moves.open() as stdin:
        done = arena("play", HONEST, "human", *WORDS, "--out", "e.db", cwd=tmp_path, stdin=stdin)
    assert done.returncode == 0, done.stderr
    for size in ("131,072", "65,537"):
        says = f"{TO_CALL}({size} bytes)\n  A line has at most 65,536 bytes, and this one has {size}.\n"
        assert says in done.stdout
    assert done.stdout.count(TO_CALL) == 3
    assert f"{TO_CALL}c\n  you call: " in done.stdout


def test_nobody_is_sent_to_go_on_with_what_nothing_goes_on_with(series, tmp_path):
    again = ("--out", series[0])
    for words in (("play", HONEST, CLOSER), ("run", "--bots", HONEST, CLOSER, "--games", 2)):
        assert refused(*words, *again, cwd=tmp_path).endswith("give a name that is free")


def test_the_clock_of_a_person_who_wants_one_is_shown_and_runs_out(tmp_path):
    words = ("--clock", "--move-time", "1s", "--bank", "1500ms", "--out", "e.db")
    terminal = AtTerminal("play", "human", HONEST, CLOSER, *WORDS, *words, cwd=tmp_path)
    start = " ".join(terminal.until(TO_PLAY).split())
    assert "You have 1s for each answer, and 1.5s in the bank for what goes beyond it" in start
    assert "You have 1s, and 1.5s in the bank. Lay" in start
    # Shown while the prompt stands there, and before anybody else is told of it.
    assert terminal.end() == 0
    text = terminal.text
    assert text.index("Your time is up, and you leave the game.") < text.index("you leave by a fault")
    verified(tmp_path / "e.db")
    with Store.open(tmp_path / "e.db") as store:
        (fault,) = store.block(0)[1][0].faults
    assert (fault.bot, fault.code) == ("human", "timeout")


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    """Five games of four bots in which losers lead: the results file, and the object that was printed."""
    file = tmp_path_factory.mktemp("series") / "s.db"
    words = (HONEST, CLOSER, PLANNER, HONEST, "--rules", "cheat", "--games", 5, *WORDS)
    done = arena("play", *words, "--out", file, "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    return file, json.loads(done.stdout)


def games_in(file):
    with Store.open(file) as store:
        return [store.block(number)[1][0] for number in range(store.last_block + 1)]


def test_bots_alone_play_a_series_that_is_kept_and_can_be_rerun(series):
    file, found = series
    assert (found["complete"], found["person"], found["file"]) == (True, None, str(file))
    assert found["players"] == ["honest", "closer", "planner", "honest-2"]
    for said, game in zip(found["games"], games_in(file), strict=True):
        assert said["id"] == game.id
        assert said["seats"] == [found["players"][player] for player in game.seating]
        assert tuple(said["places"]) == game.record.places
        assert said["seats"][game.record.winner] == said["winner"]
    verified(file)
    assert arena("rerun", file, "2.0", *QUICK).stdout.startswith("identical")


def test_where_losers_lead_who_holds_most_cards_leads_the_next_game(series):
    games = games_in(series[0])
    # One went out and nobody made a fault: the last place is that of most cards, of equal ones the first.
    losers = [game.seating[game.record.places.index(max(game.record.places))] for game in games]
    assert [game.seating[0] for game in games[1:]] == losers[:-1]
    assert len({game.seating[0] for game in games}) > 1


def test_a_series_led_by_somebody_else_is_found_out(series, tmp_path):
    file = shutil.copy(series[0], tmp_path / "s.db")
    led = list(games_in(file)[1].seating)
    other = [*led[1:], led[0]]
    with closing(sqlite3.connect(file)) as store, store:
        store.execute("UPDATE blocks SET seatings = ? WHERE number = 1", (json.dumps([other]),))
    done = inside("verify", file)
    assert done.returncode == 3
    found = f"block 1: seatings: recorded [{json.dumps(other)}], re-judged [{json.dumps(led)}]"
    assert found.replace(" ", "") in done.stdout.replace(" ", "")


def test_watching_changes_nothing_that_is_kept_and_the_lead_goes_round(tmp_path):
    words = ("play", HONEST, CLOSER, PLANNER, "--games", 2, *WORDS, "--quiet")
    plain = arena(*words, "--out", "a.db", cwd=tmp_path)
    watched = arena(*words, "--out", "b.db", "--watch", "--pace", 0, cwd=tmp_path)
    assert [(done.returncode, done.stderr) for done in (plain, watched)] == [(0, "")] * 2
    assert records(tmp_path / "a.db") == records(tmp_path / "b.db")
    verified(tmp_path / "b.db")
    games = games_in(tmp_path / "b.db")
    assert [game.seating for game in games] == [(0, 1, 2), (1, 2, 0)]
    turns = re.findall(r"^Turn (\d+): (\w+) claims ", watched.stdout, re.MULTILINE)
    assert [int(turn) for turn, _ in turns] == [
        turn for game in games for turn in range(1, game.record.turns + 1)
    ]
    assert plain.stdout.splitlines()[-1] == watched.stdout.splitlines()[-1]
    assert plain.stdout.splitlines()[-1].startswith("Won, of 2 games: ")


def test_a_watcher_who_leaves_keeps_the_game_that_was_played(tmp_path):
    terminal = AtTerminal(
        "play",
        HONEST,
        PLANNER,
        *WORDS,
        "--watch",
        "--pace",
        "1h",
        "--games",
        2,
        "--out",
        "w.db",
        cwd=tmp_path,
    )
    terminal.until("♠\n", "♥\n", "♦\n", "♣\n")
    while not (tmp_path / "w.db").exists() or not records(tmp_path / "w.db"):
        time.sleep(0.02)
    terminal.type("\x03", end="")
    assert terminal.end() == 130
    said = " ".join(terminal.text.split())
    assert "arena: interrupted; 1 game is kept in w.db" in said
    verified(tmp_path / "w.db")


def test_a_stopped_terminal_keeps_nobody_from_ending_it(tmp_path):
    words = ("--watch", "--pace", "10ms", "--games", 100, "--out", "w.db")
    terminal = AtTerminal("play", HONEST, PLANNER, *WORDS, *words, cwd=tmp_path)
    terminal.until("♠\n", "♥\n", "♦\n", "♣\n")
    terminal.type("\x13", end="")
    # Nothing more comes once what was on its way has been read.
    while select.select([terminal.ours], [], [], 0.5)[0]:
        os.read(terminal.ours, 65_536)
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(60) == 130


def test_a_full_disk_ends_a_series_with_what_is_kept_of_it(tmp_path):
    words = [sys.executable, "-m", "arena", "play", HONEST, CLOSER, "--games", "10000", *WORDS, "--quiet"]
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 150; exec {' '.join(words)} --out full.db"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 74
    with Store.open(tmp_path / "full.db") as store:
        games = store.last_block + 1
    assert re.fullmatch(rf"arena: full\.db: [^\n]+; {games} games are kept in full\.db\n", done.stderr)
    verified(tmp_path / "full.db")


def test_a_bot_that_fails_is_named_with_its_fault(tmp_path, crasher):
    done = arena("play", HONEST, crasher, CLOSER, *WORDS, "--out", "f.db", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "crasher made a fault on turn 0, crash: The process ended with exit code 3." in done.stdout
    verified(tmp_path / "f.db")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "classic is for 2 to 10 players, and 0 seats would be taken; name bots, and human for yourself"),
        (("human",), "1 seat would be taken"),
        (("human", HONEST, "human"), "human was given 2 times, and one terminal has one person"),
        ((HONEST, "human", "--watch"), "--watch is for a table of bots"),
        ((HONEST, CLOSER, "--pace", "1s"), "--pace is the pace of --watch"),
        ((HONEST, CLOSER, "--clock"), "--clock is for a person"),
        ((HONEST, "human", "--games", 0), "--games takes 1 to 10000"),
        ((HONEST, "human", "--rules", "bsx"), "bsx"),
        (("nobody.py", "human"), "nobody.py does not exist"),
        ((HONEST, "human", "--out", "."), "is a folder"),
    ],
)
def test_what_no_table_can_be_laid_for_is_refused(words, message, tmp_path):
    assert message in refused("play", *words, cwd=tmp_path)
