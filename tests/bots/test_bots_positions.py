"""Every shipped bot, as a real process, answers made-up positions of every preset legally and repeatably."""

import json
import shutil
import subprocess

import pytest
from shipped_bots import RUNNERS, build_command, made_up_game, programs, runs_here

from arena.cheat.actions import Pass, Play
from arena.cheat.game import Game, Phase
from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.lines import GOODBYE, challenge_line, event_lines, hello_line, play_line, start_line
from arena.protocol.messages import HelloReply, Kind, PlayReply

SEEDS = (1, 2)


@pytest.fixture(scope="session")
def commands(tmp_path_factory) -> dict[str, list[str]]:
    """How to start each bot that runs here, each alone in a folder."""
    found = {}
    for bot in filter(runs_here, programs()):
        folder = tmp_path_factory.mktemp(bot.stem)
        if bot.is_dir():
            shutil.copytree(bot, folder, dirs_exist_ok=True)
            subprocess.run(build_command(bot), shell=True, cwd=folder, check=True)
            found[bot.stem] = [str(folder / "bot")]
        else:
            found[bot.stem] = [RUNNERS[bot.suffix], shutil.copy(bot, folder)]
    return found


def tables() -> list[tuple[str, int]]:
    """Every preset, with all table sizes coming up in turn; the default at four sizes."""
    sizes = [
        (name, rules.min_players + turn % (rules.max_players + 1 - rules.min_players))
        for turn, (name, rules) in enumerate(PRESETS.items())
    ]
    return [*sizes, ("classic", 4), ("classic", 7), ("classic", 10)]


@pytest.mark.parametrize(("name", "seats"), tables())
def test_every_bot_answers_every_request_of_made_up_games_legally(name, seats, commands):
    rules = PRESETS[name]
    for number, (bot, command) in enumerate(commands.items()):
        seat = number % seats
        heard = run(command, told(rules, seats, seat))
        assert isinstance(decode_reply(heard.pop(0), "hello", "hello", ()), HelloReply)
        judged = 0
        for seed in SEEDS:
            for game, _ in made_up_game(rules, seats, seed):
                kind = asked(game, seat)
                if kind is not None:
                    assert wrong(game, seat, kind, heard.pop(0)) is None, (bot, seed, game.turn)
                    judged += 1
        assert heard == []
        assert judged > 0


def test_the_same_seeds_give_the_same_answers(commands):
    rules = PRESETS["classic"]
    for command in commands.values():
        assert run(command, told(rules, 4, 1)) == run(command, told(rules, 4, 1))


def test_a_bot_reads_json_and_not_one_way_to_write_it(commands):
    rules = PRESETS["same-up-down"]
    for command in commands.values():
        lines = told(rules, 4, 1)
        spaced = [json.dumps(dict(reversed(json.loads(line).items()))).encode() + b"\n" for line in lines]
        assert run(command, spaced) == run(command, lines)


def asked(game: Game, seat: int) -> Kind | None:
    """What this seat is asked in this position."""
    if game.phase is Phase.PLAY and game.seat_to_play == seat:
        return "play"
    return "challenge" if seat in game.asked else None


def told(rules: Rules, seats: int, seat: int) -> list[bytes]:
    """Everything this seat is told in the made-up games."""
    lines = [hello_line("hello", rules, seats, 10, 1, 5)]
    for seed in SEEDS:
        for game, events in made_up_game(rules, seats, seed):
            if not events:
                lines.append(start_line(game, seat, f"{seed}", seed))
            for event in events:
                lines += filter(None, [event_lines(event, seats)[seat]])
            if kind := asked(game, seat):
                make = play_line if kind == "play" else challenge_line
                lines.append(make(game, seat, f"{kind} {game.turn}", 1, 5))
    return [*lines, GOODBYE]


def run(command: list[str], lines: list[bytes]) -> list[bytes]:
    """What a bot prints if it is sent these lines, all at once."""
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.splitlines()


def wrong(game: Game, seat: int, kind: Kind, line: bytes) -> str | None:
    """What is wrong with this answer in this position, if anything."""
    reply = decode_reply(line, kind, f"{kind} {game.turn}", ())
    if isinstance(reply, Violation):
        return reply.rule
    if not isinstance(reply, PlayReply):
        return None
    if reply.passing:
        return game.why_illegal(Pass(seat))
    if reply.rank is None:
        return None if len(game.legal_ranks) == 1 else "no rank where several are legal"
    count = len(reply.cards) if reply.count is None else reply.count
    return game.why_illegal(Play(seat, reply.cards, reply.rank, count))
