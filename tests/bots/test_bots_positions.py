"""Every shipped bot, as a real process, answers made-up positions of every preset legally and repeatably."""

import json
import shutil
import subprocess

import pytest
from positions import SEEDS, asked, run, tables, told, wrong
from shipped_bots import RUNNERS, build_command, made_up_game, programs, runs_here

from arena.cheat.presets import PRESETS
from arena.protocol.decode import decode_reply
from arena.protocol.messages import HelloReply


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
