"""What may be done, and why not: each check gives one sentence for people, or None where nothing is wrong."""

from collections.abc import Collection, Sequence

from arena.cheat.actions import Answers, Fault, Play
from arena.cheat.cards import Rank, is_card
from arena.cheat.events import Hand
from arena.cheat.rules import Rules


def why_not_play(
    play: Play, rules: Rules, hand: Hand, legal_ranks: tuple[Rank, ...], in_play: int
) -> str | None:
    """What is wrong with a play of the seat to play.

    `hand` is what it holds, `in_play` the number of cards in all hands and the pile: no count beyond
    it can be claimed.
    """
    laid = len(play.cards)
    if laid == 0:
        other = "or pass" if rules.passing else "there is no passing"
        return f"a play lays at least one card ({other})"
    if rules.max_cards is not None and laid > rules.max_cards:
        return f"a play lays at most {_cards(rules.max_cards)}, not {laid}"
    if (wrong := _why_not_held(play.cards, hand)) is not None:
        return wrong
    if play.rank not in legal_ranks:
        return f"rank {play.rank!r} may not be claimed on this turn: legal is {' '.join(legal_ranks)}"
    if rules.wrong_count:
        return _why_not_count(play.count, rules.max_cards, in_play)
    if play.count != laid:
        return f"the count claimed must be the number of cards laid: {laid}, not {play.count}"
    return None


def _why_not_held(cards: Sequence[str], hand: Hand) -> str | None:
    for card in cards:
        # counting is only needed for a card named twice: of two decks both may be held
        if card in hand and (cards.count(card) == 1 or cards.count(card) <= hand.count(card)):
            continue
        if not is_card(card):
            return f"{card!r} is not a card: rank then suit, such as AS or TD"
        return f"{card} is laid {_times(cards.count(card))} and held {_times(hand.count(card))}"
    return None


def _why_not_count(count: int, cap: int | None, in_play: int) -> str | None:
    highest = in_play if cap is None else min(cap, in_play)
    if 1 <= count <= highest:
        return None
    return f"the count claimed must be from 1 to {highest}, not {count}"


def why_not_pass(rules: Rules) -> str | None:
    """What is wrong with a pass of the seat to play."""
    return None if rules.passing else f"there is no passing in {rules.name}: lay at least one card"


def why_not_answers(answers: Answers, asked: Collection[int]) -> str | None:
    """What is wrong with the answers of a window in which these seats were asked."""
    answered = answers.callers + answers.faulted
    for seat in answered:
        if seat not in asked:
            return f"seat {seat} was not asked in this window"
        if answered.count(seat) > 1:
            return f"seat {seat} has answered more than once"
    return None


def why_not_fault(fault: Fault, active: Collection[int], seat_to_play: int, opening: bool) -> str | None:
    """What is wrong with seats leaving outside a window; `opening`: nothing at all has happened yet."""
    if not fault.seats:
        return "a fault names at least one seat"
    for seat in fault.seats:
        if seat not in active:
            return f"seat {seat} is not in the game"
        if fault.seats.count(seat) > 1:
            return f"seat {seat} is named more than once"
    if not opening and fault.seats != (seat_to_play,):
        return f"once a game has begun only the seat to play, {seat_to_play}, leaves outside a window"
    return None


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _times(number: int) -> str:
    return ("not at all", "once", "twice")[number] if number < 3 else f"{number} times"
