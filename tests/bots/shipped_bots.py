"""The shipped bots as programs on disk, how each is started, and games made up for them to answer."""

import random
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.deal import deal
from arena.cheat.events import Event
from arena.cheat.game import Game, Phase
from arena.cheat.rules import Rules

BOTS = Path(__file__).parent.parent.parent / "bots"
RUNNERS = {".py": sys.executable, ".js": "node", ".mjs": "node", ".pl": "perl", ".rb": "ruby", ".lua": "lua"}
STRATEGIES = ["chancer", "liar", "honest_random", "tracker", "honest", "closer"]
STRATEGIES += ["planner", "scheduler", "dumper", "careful", "reckoner"]
HELLOS = ["hello", "hello_js", "hello_rb", "hello_lua", "hello_pl"]


def sources() -> list[Path]:
    """Every program text in bots/."""
    return sorted(
        path for path in BOTS.rglob("*") if path.is_file() and path.suffix in {*RUNNERS, ".c", ".toml"}
    )


def programs() -> list[Path]:
    """Every bot: a file or a folder with bot.toml."""
    return sorted(path for path in BOTS.iterdir() if path.suffix in RUNNERS or (path / "bot.toml").is_file())


def build_command(bot: Path) -> str:
    """What bot.toml says builds the bot in this folder."""
    return str(tomllib.loads((bot / "bot.toml").read_text())["build"])


def runs_here(bot: Path) -> bool:
    """Whether this machine has the interpreter or compiler; a bot without it sits a tournament out."""
    program = build_command(bot).split()[0] if bot.is_dir() else RUNNERS[bot.suffix]
    return shutil.which(program) is not None


def made_up_game(rules: Rules, seats: int, seed: int) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """A game of random legal moves, calls, passes and faults: each position, and what led to it.

    The same arguments give the same game, whatever is done between two positions.
    """
    rng = random.Random(seed)
    game = Game(rules, deal(rules, seats, seed.to_bytes(32, "big")))
    # some games with hands that pile up, some that run to their end
    calling = rng.choice((0.02, 0.1, 0.3))
    events: tuple[Event, ...] = ()
    for _ in range(150):
        yield game, events
        if game.phase is Phase.OVER:
            return
        if game.phase is Phase.WINDOW:
            events = game.apply(Answers(tuple(seat for seat in game.asked if rng.random() < calling)))
        elif rng.random() < 0.01:
            events = game.apply(Fault((game.seat_to_play,)))
        else:
            events = game.apply(_random_move(game, rng))


def _random_move(game: Game, rng: random.Random) -> Play | Pass:
    rules, seat = game.rules, game.seat_to_play
    if rules.passing and rng.random() < 0.2:
        return Pass(seat)
    hand = game.hands[seat]
    most = min(len(hand), rules.max_cards or 6)
    cards = rng.sample(hand, rng.randint(1, most))
    count = rng.randint(1, most) if rules.wrong_count else len(cards)
    return Play(seat, tuple(cards), rng.choice(game.legal_ranks), count)
