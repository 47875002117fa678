"""A helper for bots in Python: typed requests, counting, the ranks to come, and the talk with the referee.

One file that needs nothing but the standard library (Python 3.8 or later), so that it can be copied beside a
bot. A bot is two functions that `run` is given, or a subclass of `Bot`.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import combinations
from math import comb

TYPE_CHECKING = False  # what the module typing has, which takes longer to import than all the rest
if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, TextIO, TypeAlias

RANKS = "A23456789TJQK"
SUITS = "CDHS"
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
    _random: random.Random | None = None

    @property
    def random(self) -> random.Random:
        """The bot's own dice, from `seed`: a game that is played again has the same throws."""
        if self._random is None:
            import random

            self._random = random.Random(self.seed)
        return self._random


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
    picked_up: Sequence[str] = ()
    """For the taker alone: the cards it took."""


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
        self.cards, self.rank, self.count = list(cards), rank, count

    def __repr__(self) -> str:
        return f"Lay({self.cards}, {self.rank!r}, {self.count})"


class Pass:
    """The answer that lays nothing, where the rules have passing."""


PASS = Pass()
Answer: TypeAlias = "Lay | Pass | Sequence[str]"
"""To play: cards, a Lay of them where more is to be said, or PASS."""


# Hands and legal plays.


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
    """Every play, true or a lie, whose count is the number of cards; those of fewest cards first.

    There may be very many. Where a hand has a card twice, so do some plays come twice.
    """
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
    in_play = sum(size or 0 for size in ask.hand_sizes) + ask.pile
    if not 1 <= count <= min(rules.max_cards or in_play, in_play):
        return f"a count of {count} is not possible"
    return None


# The ranks that are due.


def due(order: str, turn: int) -> str | None:
    """The rank of a turn (from 1) where the order alone decides it; None in the other orders."""
    return FORCED[order][(turn - 1) % 13] if order in FORCED else None


def coming_turns(ask: Ask, number: int) -> list[int]:
    """The next turns that this seat will play on if nobody leaves, after the one that is asked about."""
    seats, around = ask.active, len(ask.active)
    first = around
    if isinstance(ask, Challenge):
        first = (seats.index(ask.seat) - seats.index(ask.claimant)) % around
    return [ask.turn + first + lap * around for lap in range(number)]


def coming_ranks(ask: Ask, number: int) -> list[str]:
    """What will be due on these turns; nothing in the orders that leave a choice."""
    ranks = (due(ask.rules.order, turn) for turn in coming_turns(ask, number))
    return [rank for rank in ranks if rank is not None]


# Counting.


def unseen(ask: Ask, rank: str) -> int:
    """Cards of a rank that are not in the bot's hand."""
    return 4 * ask.rules.decks - len(held(ask.hand, rank))


def impossible(ask: Challenge) -> bool:
    """Whether the claim cannot be true: the bot itself holds too many of these cards."""
    return ask.count > unseen(ask, ask.rank)


def chance_held(ask: Challenge) -> float:
    """How likely the claimant's hand is to have held what it claims, were all cards the bot does not see
    dealt at random: the upper tail of the hypergeometric distribution. From 0 to 1.
    """
    cards = 52 * ask.rules.decks - len(ask.hand)
    size = min(ask.hand_sizes[ask.claimant] or 0, cards)
    of_rank = unseen(ask, ask.rank)
    ways = sum(
        comb(of_rank, found) * comb(cards - of_rank, size - found)
        for found in range(ask.count, min(of_rank, size) + 1)
    )
    return ways / comb(cards, size)


class Bot:
    """A bot. Override `play` and `challenge`, and what it wants to hear of; then call `run`.

    As it stands it lays what it holds most of, else one card that is a lie, and calls what cannot be true.
    """

    name: str | None = None
    version: str | None = None
    author: str | None = None
    rules: Rules
    limits: Limits
    game: Start
    """The game that is being played."""

    def play(self, ask: Play) -> Answer:
        """The cards to lay; without a rank (see Lay) it is the one most of them are of."""
        return next(true_plays(ask), None) or ask.hand[:1]

    def challenge(self, ask: Challenge) -> bool:
        """Whether to call the claim a lie."""
        return impossible(ask)

    def on_start(self, event: Start) -> None:
        """A game begins."""

    def on_outcome(self, event: Outcome) -> None:
        """All answers to a play are in."""

    def on_passed(self, event: Passed) -> None:
        """A seat passed."""

    def on_out(self, event: Out) -> None:
        """A seat left the game."""

    def on_end(self, event: End) -> None:
        """The game is over."""

    def run(self) -> None:
        """Answer the referee until it says goodbye. Whatever prints meanwhile prints to stderr."""
        answers = _stdout_for_answers()
        for line in sys.stdin.buffer:
            if (reply := self.reply_to(line)) is not None:
                answers.write(reply + "\n")
                answers.flush()

    def reply_to(self, line: str | bytes) -> str | None:
        """The reply to one line of the referee; None to an event, which its method is called with."""
        fields = json.loads(line)
        kind = fields.pop("type")
        reply: dict[str, Any] = {"id": fields.get("id")}
        if kind == "hello":
            self.rules, self.limits = Rules(fields["rules"]), Limits(fields["limits"])
            about = {"name": self.name, "version": self.version, "author": self.author}
            reply.update((key, value) for key, value in about.items() if value is not None)
        elif kind in ("play", "challenge"):
            ask = (Play if kind == "play" else Challenge)(fields)
            ask.rules, ask.start = self.rules, self.game
            if isinstance(ask, Play):
                reply.update(_laid(ask, self.play(ask)))
            elif isinstance(ask, Challenge):
                reply["challenge"] = bool(self.challenge(ask))
            if ask.debug is not None:
                # Half of a surrogate pair would be a fault.
                reply["debug"] = str(ask.debug)[:1024].encode(errors="replace").decode()
        else:
            self._hear(kind, fields)
        return json.dumps(reply) if reply["id"] is not None else None

    def _hear(self, kind: str, fields: Mapping[str, Any]) -> None:
        if kind == "start":
            self.game = Start(fields)
            self.on_start(self.game)
        elif kind == "outcome":
            self.on_outcome(Outcome(fields))
        elif kind == "passed":
            self.on_passed(Passed(fields))
        elif kind == "out":
            self.on_out(Out(fields))
        elif kind == "end":
            self.on_end(End(fields))


def run(
    play: Callable[[Play], Answer] | None = None, challenge: Callable[[Challenge], bool] | None = None
) -> None:
    """Play with these functions until the referee says goodbye; one that is left out is that of `Bot`."""
    bot = Bot()
    given = {"play": play, "challenge": challenge}
    vars(bot).update((name, function) for name, function in given.items() if function is not None)
    bot.run()


def _laid(ask: Play, answer: Answer) -> dict[str, Any]:
    """The fields of an answer to play. Raises ValueError, naming the rule, for what would be a fault."""
    if isinstance(answer, Pass):
        if not ask.rules.passing:
            raise ValueError("there is no passing in these rules")
        return {"pass": True}
    lay = answer if isinstance(answer, Lay) else Lay(answer)
    rank = lay.rank or max(ask.ranks, key=lambda rank: len(held(lay.cards, rank)))
    reason = why_illegal(ask, Lay(lay.cards, rank, lay.count))
    if reason is not None:
        raise ValueError(f"{lay} cannot be played: {reason}")
    said: dict[str, Any] = {"rank": rank, "cards": lay.cards}
    return said if lay.count is None else {**said, "count": lay.count}


def _stdout_for_answers() -> TextIO:
    """The stdout that the referee reads. What the bot prints, and printed before, goes to stderr instead."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return answers
