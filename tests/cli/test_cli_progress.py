"""Progress: what a line says, when a plain one comes, and the live one on a terminal."""

from dataclasses import dataclass

from cli_command import FOUR, QUICK
from cli_terminal import on_terminal

from arena.cli.progress import Plain, line


@dataclass
class State:
    games_done: int = 0
    games_planned: int | None = 1000
    faults: int = 0
    seconds: float = 0.0
    games_found: int = 0
    ends_after: float | None = None
    known: str = ""
    games_expected: float | None = None


def test_a_line_of_a_tournament_without_a_set_length_says_what_is_known():
    assert line(State(250, None, 0, 10.0)) == "250 games, 25 a second, 0 faults"
    assert line(State(250, None, 0, 10.0, ends_after=70.0)) == "250 games, 25 a second, 1 min left, 0 faults"
    # Whatever ends it first.
    assert "20 s left" in line(State(250, 750, 0, 10.0, ends_after=70.0))
    assert "5 s left" in line(State(250, 750, 0, 10.0, ends_after=15.0))
    close = State(250, None, 0, 10.0, known="largest standard error 21 of 15 Elo", games_expected=500.0)
    assert line(close) == "250 games, 25 a second, 10 s left, largest standard error 21 of 15 Elo, 0 faults"


def test_a_line_says_how_far_how_fast_how_long_and_who():
    text = line(State(250, 1000, 3, 10.0), ["ann 60 %", "bob 30 %"])
    assert text == "250 of 1,000 games, 25 a second, 30 s left, 3 faults, ahead: ann 60 %, bob 30 %"
    assert line(State(2, 1000, 1, 60.0)) == "2 of 1,000 games, 2 a minute, 8 h 19 min left, 1 fault"
    assert line(State()) == "0 of 1,000 games, 0 faults"
    assert "left" not in line(State(1000, 1000, 0, 10.0))


def test_plain_lines_wait_for_time_and_for_games(capsys):
    slow = Plain(seconds=3600, share=0)
    slow.update(State(500, 1000), [])
    assert capsys.readouterr().err == ""
    few = Plain(seconds=0, share=0.1)
    for games in range(0, 1001, 20):
        few.update(State(games, 1000), [])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert all(text.startswith("arena: ") for text in lines)
    # What is soon over is told of as often.
    soon = Plain(seconds=0, share=0.1)
    for games in range(0, 201, 5):
        soon.update(State(games, 1000, games_expected=200.0), [])
    assert len(capsys.readouterr().err.splitlines()) == 10


def test_a_terminal_shows_one_live_line_that_is_gone_at_the_end(tmp_path):
    status, text = on_terminal("run", "--bots", *FOUR, "--games", 40, *QUICK, columns=90, cwd=tmp_path)
    assert status == 0
    assert "0 of 40 games" in text
    before, _, after = text.rpartition("\x1b[?25h")  # the cursor is shown again
    assert "of 40 games" in before
    assert "ahead: " in before
    assert "of 40 games" not in after
    assert "Rank" in after
    live = [piece for piece in before.split("\x1b[2K") if "of 40 games" in piece]
    assert len(live) > 1
    assert max(len(piece.rstrip("\r\n")) for piece in live) <= 90
