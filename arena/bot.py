"""A helper for bots in Python: typed requests, counting, the ranks to come, and the talk with the referee.

One file for Python 3.8 or later that needs the standard library alone, so that it can be copied beside a bot.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cached_property
from itertools import combinations
from math import comb

TYPE_CHECKING = False  # what the module typing has, which takes longer to import than all the rest
if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

RANKS, SUITS = "A23456789TJQK", "CDHS"
FORCED = {"up": RANKS, "down_from_ace": "A" + RANKS[:0:-1], "down_from_king": RANKS[::-1]}
"""Orders in which the turn alone decides the rank: the ranks of turns 1 to 13, then the same again."""


class Line:
    """One line of the referee: each of its fields is an attribute, those of later versions too."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"


class Rules(Line):
    """The rules at this table: `decks` and `turn_cap` are those of its number of seats."""

    name: str
    min_players: int
    max_players: int
    decks: int
    second_deck_from: int | None
    deal: str
    first_player: str
    next_game: str
    order: str
    max_cards: int | None
    passing: bool
    wrong_count: bool
    callers: str
    play_on: bool
    turn_cap: int


class Limits(Line):
    """Seconds: to answer hello, to answer a request, and in the bank of each game."""

    start: float
    move: float
    bank: float


class Start(Line):
    """A game begins."""

    game: str
    seat: int
    seats: int
    hand: list[str]
    hand_sizes: list[int]
    first: int
    seed: int
    names: list[str] | None = None

    @cached_property
    def random(self) -> random.Random:
        """The bot's own dice, from `seed`: a game that is played again has the same throws."""
        import random

        return random.Random(self.seed)


class Ask(Line):
    """What both kinds of request have. A text in `debug` goes out with the answer, for the replay."""

    id: str
    turn: int
    seat: int
    active: list[int]
    hand: list[str]
    hand_sizes: list[int | None]
    pile: int
    seconds: float
    bank: float
    rules: Rules
    start: Start
    debug: str | None = None


class Play(Ask):
    """It is this seat's turn; `ranks` may be claimed."""

    ranks: list[str]

    @property
    def most(self) -> int:
        """Cards that may be laid at once."""
        return min(len(self.hand), self.rules.max_cards or len(self.hand))


class Challenge(Ask):
    """The claimant says it has laid `count` cards of `rank`. Hand sizes and pile are from before that."""

    claimant: int
    rank: str
    count: int


class Outcome(Line):
    """All answers to a play are in. `shown` is empty and what follows is None where nobody called."""

    turn: int
    claimant: int
    rank: str
    count: int
    callers: list[int]
    challenger: int | None
    shown: list[str]
    true: bool | None
    taker: int | None
    taken: int
    picked_up: Sequence[str] = ()  # for the taker alone: the cards it took


class Passed(Line):
    """A seat passed."""

    turn: int
    seat: int


class Out(Line):
    """A seat left the game: it went out, or made a fault and `removed` cards left with it."""

    turn: int
    seat: int
    place: int | None
    fault: bool
    removed: int


class End(Line):
    """The game is over; `places` by seat."""

    turn: int
    places: list[int]
    winner: int | None
    reason: str


class Lay:
    """Cards to lay; the rank claimed, and the count, where it is not the number of cards."""

    def __init__(self, cards: Sequence[str], rank: str | None = None, count: int | None = None) -> None:
        if isinstance(cards, str) or not hasattr(cards, "__iter__"):
            raise TypeError(f"Lay takes a list of cards, such as ['AS'], not {cards!r}")
        self.cards, self.rank, self.count = list(cards), rank, count

    def __repr__(self) -> str:
        said = [value for value in (self.rank, self.count) if value is not None]
        return f"Lay({', '.join(map(repr, [self.cards, *said]))})"


class Pass:
    """The answer that lays nothing, where the rules have passing."""


PASS = Pass()
_EVENTS = {"start": Start, "outcome": Outcome, "passed": Passed, "out": Out, "end": End}
Answer: TypeAlias = "Lay | Pass | Sequence[str]"
"""To play: cards, a Lay of them where more is to be said, or PASS."""


def held(hand: Sequence[str], rank: str) -> list[str]:
    """The cards of a rank in a hand."""
    return [card for card in hand if card[0] == rank]


def by_rank(hand: Sequence[str]) -> dict[str, list[str]]:
    """The cards of a hand by their ranks, from the ace up; ranks it does not hold are left out."""
    return {rank: cards for rank in RANKS if (cards := held(hand, rank))}


def true_plays(ask: Play) -> Iterator[Lay]:
    """Every play that is no lie, those of most cards first; of equal cards it takes any."""
    plays = [(number, rank) for rank in ask.ranks for number in range(1, len(held(ask.hand, rank)) + 1)]
    for number, rank in sorted(plays, reverse=True, key=lambda play: play[0]):
        if number <= ask.most:
            yield Lay(held(ask.hand, rank)[:number], rank)


def legal_plays(ask: Play) -> Iterator[Lay]:
    """Every play, true or a lie, whose count is right, the smallest first: very many; equal cards, twice."""
    for number in range(1, ask.most + 1):
        for cards in combinations(ask.hand, number):
            for rank in ask.ranks:
                yield Lay(cards, rank)


def why_illegal(ask: Play, lay: Lay) -> str | None:
    """The rule that a play breaks, None if it is legal."""
    cards, rules = lay.cards, ask.rules
    if not cards or len(cards) > ask.most:
        return f"1 to {ask.most} cards may be laid, not {len(cards)}"
    for card in cards:
        if cards.count(card) > ask.hand.count(card):
            return f"{card} is held {ask.hand.count(card)} times and laid {cards.count(card)} times"
    if lay.rank not in ask.ranks and (lay.rank is not None or len(ask.ranks) > 1):
        return f"{lay.rank} may not be claimed now, but {' '.join(ask.ranks)}"
    count = len(cards) if lay.count is None else lay.count
    if not rules.wrong_count and count != len(cards):
        return f"the count claimed, {count}, is not the number of cards, {len(cards)}"
    top = min(rules.max_cards or 52 * rules.decks, sum(size or 0 for size in ask.hand_sizes) + ask.pile)
    if isinstance(count, bool) or not hasattr(count, "__index__") or not 1 <= count <= top:
        return f"a count of {count} is not possible, but a whole number from 1 to {top}"
    return None


def due(order: str, turn: int) -> str | None:
    """The rank of a turn (from 1) where the order alone decides it; None in the other orders."""
    return FORCED[order][(turn - 1) % 13] if order in FORCED else None


def coming_turns(ask: Ask, number: int) -> list[int]:
    """The next turns that this seat will play on if nobody leaves, after the one that is asked about."""
    seats, around = ask.active, len(ask.active)
    playing = ask.claimant if isinstance(ask, Challenge) else ask.seat
    first = (seats.index(ask.seat) - seats.index(playing)) % around or around
    return [ask.turn + first + lap * around for lap in range(number)]


def coming_ranks(ask: Ask, number: int) -> list[str]:
    """What will be due on these turns; nothing in the orders that leave a choice."""
    return [rank for turn in coming_turns(ask, number) if (rank := due(ask.rules.order, turn)) is not None]


def unseen(ask: Ask, rank: str) -> int:
    """Cards of a rank that are not in the bot's hand."""
    return 4 * ask.rules.decks - len(held(ask.hand, rank))


def impossible(ask: Challenge) -> bool:
    """Whether the claim cannot be true: the bot itself holds too many of these cards."""
    return ask.count > unseen(ask, ask.rank)


def chance_held(ask: Challenge) -> float:
    """How likely the claimant's hand is to have held what it claims, 0 to 1, were all cards the bot does not
    see dealt at random: the upper tail of the hypergeometric distribution."""
    cards = 52 * ask.rules.decks - len(ask.hand)
    size = min(ask.hand_sizes[ask.claimant] or 0, cards)
    of_rank = unseen(ask, ask.rank)
    enough = range(ask.count, min(of_rank, size) + 1)
    return sum(comb(of_rank, had) * comb(cards - of_rank, size - had) for had in enough) / comb(cards, size)


class Mistake(ValueError):
    """A mistake of the bot's author, told in one sentence."""


class Bot:
    """A bot: override `play` or `challenge` or both, and what it wants to hear of; then call `run`. As it
    stands it lays what it holds most of, else one card that is a lie, and calls what cannot be true."""

    name: str | None = None
    version: str | None = None
    author: str | None = None
    rules: Rules
    limits: Limits
    game: Start  # the one that is being played

    def play(self, ask: Play) -> Answer:
        """The cards to lay; without a rank (see Lay) it is the one most of them are of."""
        return next(true_plays(ask), None) or ask.hand[:1]

    def challenge(self, ask: Challenge) -> bool:
        """Whether to call the claim a lie."""
        return impossible(ask)

    def on_start(self, event: Start) -> None: ...  # noqa: D102
    def on_outcome(self, event: Outcome) -> None: ...  # noqa: D102
    def on_passed(self, event: Passed) -> None: ...  # noqa: D102
    def on_out(self, event: Out) -> None: ...  # noqa: D102
    def on_end(self, event: End) -> None: ...  # noqa: D102

    def run(self) -> None:
        """Answer the referee until it says goodbye; end with one sentence on stderr at a Mistake."""
        answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)  # what the bot prints, and printed before, goes to stderr instead
        sys.stdout.flush()
        sys.stdout = sys.stderr
        try:
            _check_names(self)
            for line in sys.stdin.buffer:
                if (reply := self.reply_to(line)) is not None:
                    print(reply, file=answers, flush=True)
        except Mistake as mistake:
            raise SystemExit(str(mistake)) from None
        except Exception as error:
            frames, found = error.__traceback__, []
            while frames:  # those of this file tell the bot's author nothing
                found += [frames] if frames.tb_frame.f_code.co_filename != __file__ else []
                frames = frames.tb_next
            for frame, after in zip(found, [*found[1:], None]):  # noqa: B905
                frame.tb_next = after
            raise error.with_traceback(found[0] if found else error.__traceback__)  # noqa: B904

    def reply_to(self, line: str | bytes) -> str | None:
        """The reply to a line of the referee; None to an event, which its method hears. Raises Mistake."""
        fields = json.loads(line)
        kind = fields.pop("type")
        reply: dict[str, Any] = {"id": fields.get("id")}
        if kind == "hello":
            self.rules, self.limits = Rules(fields["rules"]), Limits(fields["limits"])
            for key in [key for key in ("name", "version", "author") if getattr(self, key) is not None]:
                if not isinstance(value := getattr(self, key), str):
                    raise Mistake(f"{key} of {type(self).__name__} is {value!r}; it must be a text")
                reply[key] = value
        elif kind in ("play", "challenge"):
            ask = (Play if kind == "play" else Challenge)(fields)
            ask.rules, ask.start = self.rules, self.game
            if isinstance(ask, Play):  # judged by lists of its own, for play may change those it gets
                kept = Play({**json.loads(line), "rules": self.rules})
                reply.update(_laid(kept, self.play(ask), self.play))
            elif isinstance(ask, Challenge):
                called = self.challenge(ask)
                if hasattr(called, "__len__") or called not in (0, 1):  # numpy's bools are equal to one
                    raise Mistake(f"{_returned(self.challenge, called)}; it must return True or False")
                reply["challenge"] = bool(called)
            if ask.debug is not None:  # half of a surrogate pair in it would be a fault
                reply["debug"] = str(ask.debug)[:1024].encode(errors="replace").decode()
        elif kind in _EVENTS:  # a later version may have others
            event = _EVENTS[kind](fields)
            if isinstance(event, Start):
                self.game = event
            getattr(self, f"on_{kind}")(event)
        return json.dumps(reply, default=int) if reply["id"] is not None else None


def run(
    play: Callable[[Play], Answer] | None = None, challenge: Callable[[Challenge], bool] | None = None
) -> None:
    """Play with these functions until the referee says goodbye; one that is left out is that of `Bot`."""
    bot = Bot()
    vars(bot).update((name, do) for name, do in (("play", play), ("challenge", challenge)) if do is not None)
    bot.run()


def _laid(ask: Play, answer: Any, play: Callable[[Play], Answer]) -> dict[str, Any]:
    """The fields of an answer to play. Raises Mistake, naming the rule, for what would be a fault."""
    said: dict[str, Any] = {"pass": True}
    lay = Lay(answer) if hasattr(answer, "__iter__") and not isinstance(answer, str) else answer
    if isinstance(answer, Pass):
        why = None if ask.rules.passing else "there is no passing in these rules"
    elif isinstance(lay, Lay) and all(isinstance(card, str) for card in lay.cards):
        rank = lay.rank or max(ask.ranks, key=lambda rank: [card[:1] for card in lay.cards].count(rank))
        full = Lay(lay.cards, rank, lay.count)
        why = why_illegal(ask, full)
        said = {key: value for key, value in vars(full).items() if value is not None}
    else:
        raise Mistake(f"{_returned(play, answer)}; it must return a list of cards, Lay(...) or PASS")
    if why is not None:
        raise Mistake(f"{_returned(play, answer)}, which cannot be played: {why}")
    return said


def _returned(function: Callable[..., object], answer: object) -> str:
    """The beginning of a sentence: which function of the author's, where it stands, what it returned."""
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    place = f" of {os.path.basename(code.co_filename)}, line {code.co_firstlineno}," if code else ""
    shown = "PASS" if isinstance(answer, Pass) else " ".join(repr(answer).split())
    shown = shown if len(shown) < 70 else f"{shown[:66]} ..."
    return f"{code.co_name if code else function}{place} returned {shown}"


def _check_names(bot: Bot) -> None:
    """Tell of methods that nothing calls. Raises Mistake for a subclass that leaves both decisions to Bot."""
    from difflib import get_close_matches  # here, for it is slow to import

    kind, hooks = type(bot), ["play", "challenge", *(f"on_{event}" for event in _EVENTS)]
    own = [name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name, None))]
    own = [name for name in own if getattr(kind, name) is not getattr(Bot, name, None)]
    left = [name for name in hooks if name not in own and name not in vars(bot)]
    near = [(name, get_close_matches(name.lower(), left, 1, 0.74)) for name in own if name not in hooks]
    notes = [f"{name} is no method of Bot: is {meant[0]} meant?" for name, meant in near if meant]
    if kind is not Bot and left[:2] == hooks[:2]:
        words = f"{kind.__name__} has neither play nor challenge, but {', '.join(own) or 'no method'}"
        raise Mistake("; ".join([words, *notes]))
    sys.stderr.writelines(f"{kind.__name__}: {note}\n" for note in notes)
