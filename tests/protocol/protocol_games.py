"""Whole games for the tests of the protocol: all the lines the real game gives, and answers to them."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from arena.cheat.actions import Action, Answers, Fault, Pass, Play
from arena.cheat.deal import deal
from arena.cheat.events import Event
from arena.cheat.game import Game, Phase
from arena.cheat.rules import Rules
from arena.protocol.lines import GOODBYE, challenge_line, event_lines, hello_line, play_line, start_line
from arena.protocol.messages import Kind

BANK = 5.0
MOVE = 1.0
START = 10.0


@dataclass
class Request:
    """A request as it was sent, and the answer that came."""

    seat: int
    kind: Kind
    id: str
    line: bytes
    answer: bytes = b""


@dataclass
class Played:
    """Everything that was said in one game."""

    rules: Rules
    seats: int
    told: list[list[bytes]]
    """By seat, every line to it, in order."""
    requests: list[Request] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    winner: int | None = None


class Scene:
    """One game that gives the lines a referee would write, at the places where it would write them."""

    def __init__(
        self,
        rules: Rules,
        seats: int,
        key: bytes,
        *,
        game: str = "0123456789abcdef",
        seeds: tuple[int, ...] = (2**53 - 1,) * 10,
        names: tuple[str, ...] | None = None,
    ) -> None:
        self.game = Game(rules, deal(rules, seats, key))
        self.played = Played(rules, seats, [[] for _ in range(seats)])
        self.played.events.append(self.game.opening())
        self._ids = 0
        for seat in range(seats):
            id = self._id()
            self._sent(seat, "hello", id, hello_line(id, rules, seats, START, MOVE, BANK))
            self.played.told[seat].append(start_line(self.game, seat, game, seeds[seat], names))

    def ask_play(self) -> Request:
        seat, id = self.game.seat_to_play, self._id()
        return self._sent(
            seat, "play", id, play_line(self.game, seat, id, MOVE, BANK - self._ids % 400 / 320)
        )

    def ask_challenge(self, seat: int) -> Request:
        id = self._id()
        return self._sent(
            seat, "challenge", id, challenge_line(self.game, seat, id, MOVE, BANK - self._ids % 400 / 320)
        )

    def apply(self, action: Action) -> None:
        for event in self.game.apply(action):
            self.played.events.append(event)
            for seat, line in enumerate(event_lines(event, self.game.seats)):
                if line is not None:
                    self.played.told[seat].append(line)

    def end(self) -> Played:
        for told in self.played.told:
            told.append(GOODBYE)
        self.played.winner = self.game.winner
        return self.played

    def _id(self) -> str:
        self._ids += 1
        return f"{self._ids * 0x9E3779B97F4A7C15 % 2**48:012x}"

    def _sent(self, seat: int, kind: Kind, id: str, line: bytes) -> Request:
        request = Request(seat, kind, id, line)
        self.played.told[seat].append(line)
        self.played.requests.append(request)
        return request


def random_game(
    rules: Rules,
    seats: int,
    rng: random.Random,
    *,
    calls: float = 0.25,
    faults: float = 0.002,
    names: tuple[str, ...] | None = None,
    answer: Callable[[Request, dict[str, object], random.Random], bytes] | None = None,
) -> Played:
    """A game of random bots that mostly tell the truth, from its first line to goodbye."""
    spoken = answer or (lambda request, said, _: json.dumps({"id": request.id, **said}).encode())
    scene = Scene(rules, seats, rng.randbytes(32), names=names)
    for request in scene.played.requests:
        request.answer = spoken(request, {"name": "random"}, rng)
    game = scene.game
    if seats > 2 and rng.random() < faults * 20:
        scene.apply(Fault(tuple(sorted(rng.sample(range(seats), rng.randint(1, seats - 1))))))
    while game.phase is not Phase.OVER:
        if game.phase is Phase.PLAY:
            request = scene.ask_play()
            if rng.random() < faults:
                scene.apply(Fault((game.seat_to_play,)))
                continue
            action = random_play(game, rng)
            request.answer = spoken(request, said_of(action, game, rng), rng)
            scene.apply(action)
            continue
        callers: list[int] = []
        faulted: list[int] = []
        for seat in game.asked:
            request = scene.ask_challenge(seat)
            roll = rng.random()
            if roll < faults:
                faulted.append(seat)
                continue
            if roll < faults + calls / len(game.asked):
                callers.append(seat)
            request.answer = spoken(request, {"challenge": seat in callers}, rng)
        rng.shuffle(callers)
        scene.apply(Answers(tuple(callers), tuple(sorted(faulted))))
    return scene.end()


def random_play(game: Game, rng: random.Random) -> Play | Pass:
    """A legal play: the truth where there is one, mostly; else up to four cards at random."""
    seat, hand = game.seat_to_play, game.hands[game.seat_to_play]
    rules = game.rules
    if rules.passing and rng.random() < 0.1:
        return Pass(seat)
    rank = rng.choice(game.legal_ranks)
    cap = rules.max_cards or len(hand)
    true = [card for card in hand if card[0] == rank][:cap]
    if true and rng.random() < 0.8:
        return Play(seat, tuple(true), rank, len(true))
    cards = tuple(rng.sample(hand, rng.randint(1, min(cap, len(hand), 4))))
    count = len(cards)
    if rules.wrong_count and rng.random() < 0.5:
        in_play = sum(size or 0 for size in game.hand_sizes) + game.pile_size
        count = rng.randint(1, min(rules.max_cards or 6, in_play))
    return Play(seat, cards, rank, count)


def said_of(action: Play | Pass, game: Game, rng: random.Random) -> dict[str, object]:
    """The answer that means this action, with what may be left out sometimes left out."""
    if isinstance(action, Pass):
        return {"pass": True}
    said: dict[str, object] = {"cards": list(action.cards)}
    if len(game.legal_ranks) > 1 or rng.random() < 0.5:
        said["rank"] = action.rank
    if action.count != len(action.cards) or rng.random() < 0.5:
        said["count"] = action.count
    if rng.random() < 0.1:
        said["pass"] = False
    return said


def tables(presets: dict[str, Rules]) -> Iterator[tuple[Rules, int]]:
    """Every preset with every number of seats that it takes."""
    for rules in presets.values():
        for seats in range(rules.min_players, rules.max_players + 1):
            yield rules, seats
