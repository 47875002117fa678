"""What came of the games of a series: who sat where, the places, the faults, and who has won most."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from arena.cli.shown import counted, safe
from arena.referee.block import GameResult

_NAMED: Final = 10
"""Games of one order of the seats that are named."""


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


def placed_lines(game: dict[str, Any], called: Sequence[str], *, named: bool = True) -> list[str]:
    """The places of such a game, each with its seat, and every fault.

    `called`: the players by seat, as they are to be called; `named`: with their names, which are no seats.
    """
    seats, places = [safe(name) for name in called], game["places"]
    width = max(map(len, seats)) if named else 0
    order = sorted(range(len(seats)), key=places.__getitem__)
    codes = {fault["seat"]: fault["code"] for fault in game["faults"] if fault["effective"]}
    lines = []
    for seat in order:
        number = f"  seat {seat}" if named else "" if seats[seat] == f"seat {seat}" else f" on seat {seat}"
        left = f"  {codes[seat]}" if seat in codes else ""
        lines.append(f"  {places[seat]}. {seats[seat]:<{width}}{number}{left}")
    for fault in game["faults"]:
        without = "" if fault["effective"] else ", without effect"
        what = f"{fault['code']}{without}: {safe(fault['rule'], 300)}"
        lines.append(f"  {seats[fault['seat']]} made a fault on turn {fault['turn']}, {what}")
    return lines


def sat_lines(games: Sequence[dict[str, Any]], called: Callable[[str], str]) -> list[str]:
    """Who sat where in these games, a line for each order of the seats, with the numbers of its games."""
    numbers: dict[tuple[str, ...], list[int]] = {}
    for number, game in enumerate(games, 1):
        numbers.setdefault(tuple(game["seats"]), []).append(number)
    lines = ["Who sat where:"]
    for seats, of in numbers.items():
        all_seats = ", ".join(f"seat {seat} {safe(called(name))}" for seat, name in enumerate(seats))
        more = f" and {len(of) - _NAMED} more" if len(of) > _NAMED else ""
        lines.append(
            f"  game{'' if len(of) == 1 else 's'} {', '.join(map(str, of[:_NAMED]))}{more}: {all_seats}"
        )
    return lines


def ended_line(title: str, game: dict[str, Any]) -> str:
    """How such a game ended, for who has not seen it."""
    won = "nobody wins" if game["winner"] is None else f"{safe(game['winner'])} wins"
    capped = ", at the turn limit" if game["reason"] == "capped" else ""
    return f"{title} ({game['id']}): {won} after {counted(game['turns'], 'turn')}{capped}"


def won_line(
    names: Sequence[str], games: Sequence[dict[str, Any]], called: Callable[[str], str] = str
) -> str:
    """Who has won how many of these games, the best first."""
    won = Counter(game["winner"] for game in games)
    best = sorted(names, key=lambda name: -won[name])
    shares = ", ".join(f"{safe(called(name))} {won[name]}" for name in best)
    return f"Won, of {counted(len(games), 'game')}: {shares}"


def own_line(name: str, games: Sequence[dict[str, Any]]) -> str:
    """The same for one who is not to learn yet who the others are."""
    return f"You have won {sum(game['winner'] == name for game in games)} of {counted(len(games), 'game')}."
