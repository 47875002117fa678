"""What a bot at one seat of made-up games is told, and what is wrong with its answers."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from shipped_bots import made_up_game

from arena.cheat.actions import Pass, Play
from arena.cheat.game import Game, Phase
from arena.cheat.presets import PRESETS
from arena.cheat.rules import Rules
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.lines import GOODBYE, challenge_line, event_lines, hello_line, play_line, start_line
from arena.protocol.messages import Kind, PlayReply

SEEDS = (1, 2)


def tables() -> list[tuple[str, int]]:
    """Every preset, with all table sizes coming up in turn; the default at four sizes."""
    sizes = [
        (name, rules.min_players + turn % (rules.max_players + 1 - rules.min_players))
        for turn, (name, rules) in enumerate(PRESETS.items())
    ]
    return [*sizes, ("classic", 4), ("classic", 7), ("classic", 10)]


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


def run(command: Sequence[str], lines: Sequence[bytes], folder: Path | str | None = None) -> list[bytes]:
    """What a bot prints if it is sent these lines, all at once; `folder`: where it runs."""
    done = subprocess.run(command, cwd=folder, input=b"".join(lines), capture_output=True, timeout=60)
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
