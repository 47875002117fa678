"""The opponents of a check that bear the name of a shipped bot play as that bot does."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from arena.cheat.actions import Answers, Play
from arena.cheat.deal import deal
from arena.cheat.game import Game, Phase
from arena.cheat.presets import PRESETS
from arena.check.strategies import CHANCER, CLOSER, HONEST, Strategy
from arena.protocol.lines import challenge_line, hello_line, play_line, start_line
from arena.protocol.messages import ChallengeRequest, PlayRequest

SEED = 7654321
BOTS = Path(__file__).parents[2] / "bots"


@pytest.mark.parametrize("strategy", [HONEST, CLOSER, CHANCER], ids=lambda one: one.name)
@pytest.mark.parametrize("preset", ["classic", "same-up-down"])
def test_an_opponent_answers_as_the_shipped_bot_of_its_name(strategy: Strategy, preset: str):
    rules = PRESETS[preset]
    sent, expected = _game(strategy, rules)
    bot = [sys.executable, str(BOTS / f"{strategy.name}.py")]
    said = subprocess.run(bot, input=b"".join(sent), capture_output=True, check=True).stdout.splitlines()
    answers = [json.loads(line) for line in said]
    for answer in answers:
        del answer["id"]
    assert answers[1:] == expected
    assert len(expected) > 10


def _game(strategy: Strategy, rules):
    """The lines that seat 0 is sent in a game of four of this strategy, and its answers."""
    game = Game(rules, deal(rules, 4, b"a deal"))
    dice = [random.Random(SEED + seat) for seat in range(4)]
    told = replace(rules, decks=1)
    sent, answers = [hello_line("h", rules, 4, 10, 1, 5), start_line(game, 0, "0" * 16, SEED)], []
    while game.phase is not Phase.OVER and game.turn < 60:
        if game.phase is Phase.PLAY:
            seat = game.seat_to_play
            line = play_line(game, seat, "p", 1, 5)
            play = strategy.plays(msgspec.json.decode(line, type=PlayRequest), told, dice[seat])
            game.apply(Play(seat, play.cards, play.rank or "", len(play.cards)))
            if seat == 0:
                sent.append(line)
                answers.append({"rank": play.rank, "cards": list(play.cards)})
            continue
        calls = {}
        for seat in game.asked:
            line = challenge_line(game, seat, "c", 1, 5)
            calls[seat] = strategy.judges(msgspec.json.decode(line, type=ChallengeRequest), told, dice[seat])
            if seat == 0:
                sent.append(line)
                answers.append({"challenge": calls[seat]})
        game.apply(Answers(tuple(seat for seat, called in calls.items() if called)))
    return sent, answers
