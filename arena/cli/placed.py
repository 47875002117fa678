"""What came of the games of a series: who sat where, the places, the faults, and who has won most."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena.cli.shown import counted, safe
from arena.referee.block import GameResult


def as_object(names: Sequence[str], number: int, game: GameResult) -> dict[str, Any]:
    """A game for a JSON object. `names`: of the players by number; `seats` has them by seat."""
    record = game.record
    seats = [names[player] for player in game.seating]
    return {
        "game": f"{number}.{game.game}",
        "id": game.id,
        "seats": seats,
        "places": list(record.places),
        "winner": None if record.winner is None else seats[record.winner],
        "reason": record.reason,
        "turns": record.turns,
        "faults": [
            {
                "player": fault.bot,
                "seat": fault.seat,
                "turn": fault.turn,
                "code": fault.code,
                "rule": fault.rule,
                "effective": fault.effective,
            }
            for fault in game.faults
        ],
    }


def placed_lines(game: dict[str, Any]) -> list[str]:
    """The places of such a game, each with its seat, and every fault."""
    seats, places = [safe(name) for name in game["seats"]], game["places"]
    width = max(map(len, seats))
    order = sorted(range(len(seats)), key=places.__getitem__)
    lines = [f"  {places[seat]}. {seats[seat]:<{width}}  seat {seat}" for seat in order]
    for fault in game["faults"]:
        without = "" if fault["effective"] else ", without effect"
        what = f"{fault['code']}{without}: {safe(fault['rule'], 300)}"
        lines.append(f"  {safe(fault['player'])} made a fault on turn {fault['turn']}, {what}")
    return lines


def ended_line(title: str, game: dict[str, Any]) -> str:
    """How such a game ended, for who has not seen it."""
    won = "nobody wins" if game["winner"] is None else f"{safe(game['winner'])} wins"
    capped = ", at the turn limit" if game["reason"] == "capped" else ""
    return f"{title} ({game['id']}): {won} after {counted(game['turns'], 'turn')}{capped}"


def won_line(names: Sequence[str], games: Sequence[dict[str, Any]]) -> str:
    """Who has won how many of these games, the best first."""
    won = Counter(game["winner"] for game in games)
    shares = ", ".join(f"{safe(name)} {won[name]}" for name in sorted(names, key=lambda name: -won[name]))
    return f"Won, of {counted(len(games), 'game')}: {shares}"
