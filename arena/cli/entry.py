"""What a person types at the table: an answer as a bot gives it, a wish, or a sentence that says why not."""

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final

from arena.cheat.actions import Play
from arena.cheat.cards import RANKS, Card, Rank, in_order
from arena.cheat.legality import why_not_pass, why_not_play
from arena.cheat.rules import Rules
from arena.cli.cardwords import Look, claim_words, rank_shown, rank_word
from arena.protocol.escape import quoted
from arena.protocol.messages import ChallengeReply, PlayReply, PlayRequest


class Wish(Enum):
    """What a person may type instead of an answer."""

    HELP = "help"
    LEAVE = "leave"


LONGEST: Final = 1000
"""Characters of an entry: more than every card of four decks needs."""
HELP_TO_PLAY: Final = (
    "  2 7s          two 7s of your hand, whichever (also 7 7, 2x7, and kings, aces)",
    "  7h 9d         these very cards: rank, then suit c d h s (also 7h9d, 10s, ts)",
    "  7h 9d = 8     lay them and claim that they are 8s; left out where one rank is due",
)
HELP_TO_CALL: Final = (
    "  c             call it a lie (also !)",
    "  Enter         let it go (also n)",
)
HELP_ALWAYS: Final = ("  quit          leave (also Ctrl-D); games that are over are kept",)
_PASSING: Final = "  p             pass"
_FALSE_COUNT: Final = "  7h = 3 8s     claim another number than you lay"
_WISHES: Final = MappingProxyType({"?": Wish.HELP, "help": Wish.HELP, "quit": Wish.LEAVE, "exit": Wish.LEAVE})
_CALLS: Final = ("c", "!", "call", "cheat", "bs", "lie", "y", "yes")
_LETS_GO: Final = ("", "n", "no", "ok", "-", "let it go")
_RANK_OF: Final = MappingProxyType(
    {
        **{rank.lower(): rank for rank in RANKS},
        "10": "T",
        "ace": "A",
        "ten": "T",
        "jack": "J",
        "queen": "Q",
        "king": "K",
    }
)
_SUIT_OF: Final = MappingProxyType(dict(zip("cdhs♣♦♥♠", "CDHSCDHS", strict=True)))
_RANK: Final = "10|[2-9atjqk]"
_NAMED: Final = f"{_RANK}|ace|ten|jack|queen|king"
_CARDS: Final = re.compile(rf"(?:(?:{_RANK})[cdhs♣♦♥♠])+")
_CARD: Final = re.compile(rf"({_RANK})([cdhs♣♦♥♠])")
_SUIT_FIRST: Final = re.compile(rf"([cdhs♣♦♥♠])({_RANK})")
_ONE_RANK: Final = re.compile(rf"({_NAMED})(s?)")
_SAME_RANKS: Final = re.compile(r"([2-9atjqk])\1+")
_TIMES: Final = re.compile(rf"(\d{{1,3}})x({_NAMED})s?", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,3}", re.ASCII)
_CLAIM: Final = re.compile(rf"(?:(\d{{1,3}})(?:\s+|\s*x\s*))?({_NAMED})s?", re.ASCII)
_UP, _DOWN = "go up turn by turn", "go down turn by turn"
_ORDERS: Final = MappingProxyType({"up": _UP, "down_from_ace": _DOWN, "down_from_king": _DOWN})


class _Wrong(Exception):
    """The sentence to answer with."""


def help_lines(rules: Rules, *, to_play: bool) -> tuple[str, ...]:
    """What may be typed, a line each."""
    if not to_play:
        return (*HELP_TO_CALL, *HELP_ALWAYS)
    more = [_FALSE_COUNT] if rules.wrong_count else []
    return (*HELP_TO_PLAY, *more, *([_PASSING] if rules.passing else []), *HELP_ALWAYS)


def read_call(text: str) -> ChallengeReply | Wish | str:
    """An entry where somebody else's claim may be called. Never raises."""
    word = " ".join(text.lower().split())
    if (wish := _WISHES.get(word)) is not None:
        return wish
    if word in _CALLS or word in _LETS_GO:
        return ChallengeReply(word in _CALLS)
    return f"{quoted(text)} is no answer here: c calls it a lie, Enter lets it go"


def read_play(text: str, request: PlayRequest, rules: Rules, look: Look) -> PlayReply | Wish | str:
    """An entry where cards are to be laid: a play that is legal in this position, or why it is none.

    Never raises, whatever the text.
    """
    plain = " ".join(text.lower().replace("\ufe0f", "").split())
    if (wish := _WISHES.get(plain)) is not None:
        return wish
    if plain in ("p", "pass"):
        wrong = why_not_pass(rules)
        return f"you cannot pass: {wrong}" if wrong else PlayReply(passing=True)
    if plain in _CALLS:
        return "there is nothing to call: it is your turn to lay cards"
    if len(plain) > LONGEST:
        return f"an entry has at most {LONGEST} characters"
    try:
        laid, equals, claim = plain.partition("=")
        cards = _laid(laid, request.hand, look)
        rank, count = _claimed(claim.strip(), cards, request, rules) if equals else (None, None)
        if rules.max_cards is not None and len(cards) > rules.max_cards:
            raise _Wrong(f"a play lays at most {rules.max_cards} cards, and these are {len(cards)}")
        rank = rank or _by_itself(cards, request)
    except _Wrong as wrong:
        return str(wrong)
    play = Play(request.seat, tuple(in_order(cards)), rank, len(cards) if count is None else count)
    in_play = request.pile + sum(size for size in request.hand_sizes if size is not None)
    illegal = why_not_play(play, rules, request.hand, request.ranks, in_play)
    return illegal or PlayReply(play.cards, play.rank, play.count)


# The cards.


def _laid(text: str, hand: Sequence[Card], look: Look) -> list[Card]:
    words = [word for word in re.split(r"[\s,;+]+", text) if word]
    if not words:
        raise _Wrong("lay at least one card, such as 2 7s or 7h 9d; ? says more")
    held = Counter(card[0] for card in hand)
    if (pair := _count_or_two(words, held)) is not None:
        words = pair
    named: list[Card] = []
    wanted: Counter[Rank] = Counter()
    place = 0
    while place < len(words):
        word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
        place += 1
        if (counted := _counted(word, following)) is not None:
            wanted[counted[1]] += counted[0]
            place += 1
        else:
            _one(word, named, wanted)
    if not named and not sum(wanted.values()):
        raise _Wrong("lay at least one card, such as 2 7s or 7h 9d; ? says more")
    return [*_held_by_name(named, hand, look), *_held_by_rank(wanted, named, hand)]


def _count_or_two(words: list[str], held: Counter[Rank]) -> list[str] | None:
    """`2 7` is two 7s or a 2 and a 7: the words as they must be meant, where they can be meant in one way."""
    if len(words) != 2 or not _NUMBER.fullmatch(words[0]) or words[0] not in _RANK_OF:
        return None
    first, second = _RANK_OF[words[0]], _RANK_OF.get(words[1])
    number = int(words[0])
    if second is None or second == first or held[second] < number:
        return None
    if held[first]:
        raise _Wrong(
            f"is that {claim_words(number, second)} ({words[0]} {words[1]}s), or {claim_words(1, first)} and "
            f"{claim_words(1, second)}? For the latter name the suits"
        )
    return [words[0], f"{words[1]}s"]


def _counted(word: str, following: str) -> tuple[int, Rank] | None:
    """A number of a rank, in two words: `2 7s`, `1 king`; `1 7`, for there is no rank 1."""
    one = _ONE_RANK.fullmatch(following)
    if not _NUMBER.fullmatch(word) or one is None:
        return None
    if word in _RANK_OF and not one[2] and len(one[1]) == 1:
        return None
    return int(word), _RANK_OF[one[1]]


def _one(word: str, named: list[Card], wanted: Counter[Rank]) -> None:
    """What one word adds to the cards named, or to those of which only the rank is."""
    if (times := _TIMES.fullmatch(word)) is not None:
        wanted[_RANK_OF[times[2]]] += int(times[1])
    elif _CARDS.fullmatch(word):
        named += [_RANK_OF[rank] + _SUIT_OF[suit] for rank, suit in _CARD.findall(word)]
    elif (one := _ONE_RANK.fullmatch(word)) is not None:
        wanted[_RANK_OF[one[1]]] += 1
    elif _SAME_RANKS.fullmatch(word):
        wanted[_RANK_OF[word[0]]] += len(word)
    elif _NUMBER.fullmatch(word):
        raise _Wrong(f"{word} of what? {word} is no rank; two 7s are 2 7s")
    elif (turned := _SUIT_FIRST.fullmatch(word)) is not None:
        raise _Wrong(f"{quoted(word)}: the rank stands first, {turned[2]}{turned[1]}")
    else:
        raise _Wrong(
            f"{quoted(word)} is no card: a card is its rank and its suit, such as 7h or 10s; ? says more"
        )


def _held_by_name(named: list[Card], hand: Sequence[Card], look: Look) -> list[Card]:
    for card, times in Counter(named).items():
        there = hand.count(card)
        if times <= there:
            continue
        if there:
            raise _Wrong(f"you name {look.card(card)} {_times(times)} and hold it {_times(there)}")
        same = sum(other[0] == card[0] for other in hand)
        have = f"; {rank_shown(card[0]).lower()} lays any of your {rank_word(card[0], 2)}" if same else ""
        raise _Wrong(f"you do not hold {look.card(card)}{have}")
    return named


def _held_by_rank(wanted: Counter[Rank], named: list[Card], hand: Sequence[Card]) -> list[Card]:
    left = list(hand)
    for card in named:
        left.remove(card)
    found: list[Card] = []
    for rank, number in wanted.items():
        own = [card for card in left if card[0] == rank]
        if len(own) < number:
            more = " more" if any(card[0] == rank for card in named) else ""
            short = f", not {claim_words(number, rank).split()[0]}" if own else ""
            raise _Wrong(f"you hold {claim_words(len(own), rank)}{more}{short}")
        found += own[:number]
    return found


# The claim.


def _claimed(text: str, cards: Sequence[Card], request: PlayRequest, rules: Rules) -> tuple[Rank, int | None]:
    claim = _CLAIM.fullmatch(text)
    if claim is None:
        what = quoted(text) if text else "nothing"
        raise _Wrong(f"behind = stands the rank that you claim, such as = 8; there is {what}")
    rank = _RANK_OF[claim[2]]
    if rank not in request.ranks:
        why = why_these_ranks(request, rules)
        raise _Wrong(f"{rank_word(rank, 2)} may not be claimed now: {why}")
    count = None if claim[1] is None else int(claim[1])
    if count is not None and count != len(cards) and not rules.wrong_count:
        raise _Wrong(
            f"you would lay {len(cards)} and claim {count}: the number claimed must be true in {rules.name}"
        )
    return rank, count


def why_these_ranks(request: PlayRequest, rules: Rules) -> str:
    """Which ranks may be claimed on this turn, and by which rule."""
    ranks = [rank_word(rank, 2) for rank in request.ranks]
    if rules.order in _ORDERS:
        return f"claims {_ORDERS[rules.order]}, and turn {request.turn} is for {ranks[0]}"
    if rules.order == "free":
        return "any rank may be claimed, on every turn"
    if len(ranks) == 1:
        return f"the first claim is of {ranks[0]}"
    either = f"{', '.join(ranks[:-1])} or {ranks[-1]}"
    same = "the rank of the last claim, or " if rules.order == "same_up_down" else ""
    return f"it is {same}the rank above or below the last claim: {either}"


def _by_itself(cards: Sequence[Card], request: PlayRequest) -> Rank:
    """The rank that is claimed where none was typed: the only one, or the one that is true."""
    if len(request.ranks) == 1:
        return request.ranks[0]
    ranks = {card[0] for card in cards}
    if len(ranks) == 1 and (rank := next(iter(ranks))) in request.ranks:
        return rank
    ends = f"= {rank_shown(request.ranks[0]).lower()}"
    may = " ".join(map(rank_shown, request.ranks))
    raise _Wrong(f"as what do you lay them? Add the rank that you claim, such as {ends} (one of {may})")


def _times(number: int) -> str:
    return ("never", "once", "twice")[number] if number < 3 else f"{number} times"
