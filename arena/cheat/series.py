"""Who leads each game of a series between the same players; seats are numbered from the one who leads."""

from collections.abc import Iterable, Sequence

from arena.cheat.deal import derived, number_below, random_words
from arena.cheat.events import Dealt, Event, Out, Played, Resolved
from arena.cheat.rules import Rules


def first_leader(rules: Rules, players: int, seed: bytes) -> int:
    """The player (0 to players - 1, clockwise) who leads the first game.

    `dealer_left`: player 0, as if the last player dealt. `random`: drawn from the words of the key
    HMAC-SHA256(seed, "leader"), so that the seed gives the whole series.
    """
    if rules.first_player == "random":
        return number_below(players, random_words(derived(seed, "leader")))
    return 0


def next_leader(rules: Rules, leader: int, hand_sizes: Sequence[int | None]) -> int:
    """The player who leads after a game that `leader` led and that ended with these hands, by seat.

    `deal_moves`: the next player clockwise. `loser_starts`: the player with most cards, of several the
    first clockwise from the last leader; if nobody holds a card, the deal moves.
    """
    players = len(hand_sizes)
    held = [size or 0 for size in hand_sizes]
    if rules.next_game == "loser_starts" and any(held):
        return (leader + held.index(max(held))) % players
    return (leader + 1) % players


def seating(leader: int, players: int) -> tuple[int, ...]:
    """The player in each seat of a game that `leader` leads."""
    return tuple((leader + seat) % players for seat in range(players))


def hands_left(events: Iterable[Event]) -> tuple[int | None, ...]:
    """Cards in each hand, by seat, after these events of a game from its deal; None for who is out."""
    sizes: list[int | None] = []

    def move(seat: int, cards: int) -> None:
        held = sizes[seat]
        sizes[seat] = None if held is None else held + cards

    for event in events:
        if isinstance(event, Dealt):
            sizes = [len(hand) for hand in event.hands]
        elif isinstance(event, Played):
            move(event.seat, -len(event.cards))
        elif isinstance(event, Resolved) and event.taker is not None:
            move(event.taker, len(event.taken))
        elif isinstance(event, Out):
            sizes[event.seat] = None
    return tuple(sizes)
