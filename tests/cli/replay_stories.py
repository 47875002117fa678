"""Games for the tests of the replay, played here without processes, with words and faults of their bots."""

import random

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.deal import deal
from arena.cheat.game import Game, Phase
from arena.cheat.rules import Rules
from arena.cli.cardwords import Look
from arena.cli.gamewords import Sitters, Words
from arena.cli.spans import plain
from arena.cli.stage import draw
from arena.protocol.faults import FaultRecord
from arena.referee.block import Debug, GameResult
from arena.referee.story import story_of

HOSTILE = "a\x1b[2J\x07\u202etxt\u200b\x9b31m\r\n\x00" + "w\u0301\u0301\u0301\u0301" + "\u6f22\u5b57" * 30


def fault_of(seat, turn, phase="play", **more):
    """A fault record, as the referee keeps one."""
    return FaultRecord(
        code="illegal", seat=seat, bot=f"bot{seat}", phase=phase, turn=turn,
        rule=f"Rank '3' may not be claimed by seat {seat}.", offending='{"id": "x", "rank": "3"}', **more,
    )  # fmt: skip


def result_of(game, events, debug=(), faults=(), forfeited=()):
    """What the referee would keep of this finished game."""
    return GameResult(
        game=0, id="0" * 16, seating=tuple(range(game.seats)), record=game.record(), events=tuple(events),
        faults=tuple(faults), forfeited=tuple(forfeited), debug=tuple(debug), timings=(), seconds=0.1,
    )  # fmt: skip


def random_result(seats=4, seed=1, rules=None, faults=0.0, calls=0.15, text="thought {turn} of {seat}"):
    """A game of bots that say something with every answer."""
    rules, rng = rules or Rules(turn_cap=60), random.Random(seed)
    game = Game(rules, deal(rules, seats, rng.randbytes(32)))
    events, debug, wrong = [game.opening()], [], []

    def says(seat):
        debug.append(Debug(game.turn, seat, text.format(turn=game.turn, seat=seat)))

    while game.phase is not Phase.OVER:
        if game.phase is Phase.PLAY:
            seat, hand = game.seat_to_play, game.hands[game.seat_to_play]
            says(seat)
            if rng.random() < faults:
                wrong.append(fault_of(seat, game.turn))
                events += game.apply(Fault((seat,)))
            elif rules.passing and rng.random() < 0.1:
                events += game.apply(Pass(seat))
            else:
                cards = rng.sample(hand, rng.randint(1, min(len(hand), rules.max_cards or 4, 4)))
                rank = rng.choice(game.legal_ranks)
                events += game.apply(Play(seat, tuple(cards), rank, len(cards)))
            continue
        faulted = tuple(seat for seat in game.asked if rng.random() < faults)
        wrong += [fault_of(seat, game.turn, "challenge") for seat in faulted]
        rest = [seat for seat in game.asked if seat not in faulted]
        for seat in rest:
            says(seat)
        events += game.apply(Answers(tuple(seat for seat in rest if rng.random() < calls), faulted))
    return result_of(game, events, debug, wrong)


def random_story(*args, **more):
    """The story of such a game."""
    return story_of(random_result(*args, **more))


def sitters_of(story, names=None, named=True):
    """Who sits there: bot0, bot1 ..., or these."""
    return Sitters(tuple(names or (f"bot{seat}" for seat in range(story.seats))), named)


def screen(reel, stand, width=80, height=24, names=None, named=True):
    """The lines that are drawn."""
    story = reel.story
    words = Words(story, sitters_of(story, names, named), stand.view, Look(symbols=True))
    return draw(reel.past(stand), "Game 0.0", words, stand, width, height)


def text_of(lines):
    """The same as text."""
    return "\n".join(map(plain, lines))
