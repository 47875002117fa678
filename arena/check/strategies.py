"""How opponents play: three as the shipped bots of that name do, the others so that positions come up."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.cheat.rules import Rules
from arena.protocol.messages import ChallengeRequest, PlayReply, PlayRequest

Plays: TypeAlias = Callable[[PlayRequest, Rules, random.Random], PlayReply]
Judges: TypeAlias = Callable[[ChallengeRequest, Rules, random.Random], bool]
_CALLED: Final = 0.1
_PASSED: Final = 0.3
_MISCOUNTED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Strategy:
    """What an opponent plays and what it calls. Rules are those told in hello: `decks` is a number."""

    name: str
    plays: Plays
    judges: Judges


def _plays_what_is_due(ask: PlayRequest, rules: Rules, rng: random.Random) -> PlayReply:
    ranks = [card[0] for card in ask.hand]
    rank = max(ask.ranks, key=lambda rank: (ranks.count(rank), rng.random()))
    due = tuple(card for card in ask.hand if card[0] == rank)[: rules.max_cards]
    if not due and rules.passing:
        return PlayReply(passing=True)
    return PlayReply(due or (rng.choice(ask.hand),), rank)


def _plays_anything(ask: PlayRequest, rules: Rules, rng: random.Random) -> PlayReply:
    most = min(4, len(ask.hand), rules.max_cards or 4)
    cards = rng.sample(ask.hand, rng.randint(1, most))
    return PlayReply(tuple(cards), rng.choice(ask.ranks))


def _plays_one(ask: PlayRequest, rules: Rules, rng: random.Random) -> PlayReply:
    return PlayReply(ask.hand[:1], ask.ranks[0])


def _plays_many(ask: PlayRequest, rules: Rules, rng: random.Random) -> PlayReply:
    """As many as there are cards of one rank in a deck: nobody who holds one of it can believe that."""
    return PlayReply(ask.hand[: min(rules.max_cards or 4, 4)], ask.ranks[0])


def _plays_by_every_rule(ask: PlayRequest, rules: Rules, rng: random.Random) -> PlayReply:
    """Passes, and claims another count, where the rules have that."""
    if rules.passing and rng.random() < _PASSED:
        return PlayReply(passing=True)
    reply = _plays_anything(ask, rules, rng)
    if rules.wrong_count and rng.random() < _MISCOUNTED:
        return PlayReply(reply.cards, reply.rank, 1)
    return reply


def _calls_what_cannot_be(ask: ChallengeRequest, rules: Rules, rng: random.Random) -> bool:
    own = sum(card[0] == ask.rank for card in ask.hand)
    return own + ask.count > 4 * (rules.decks or 1)


def _calls_the_last_cards(ask: ChallengeRequest, rules: Rules, rng: random.Random) -> bool:
    left = ask.hand_sizes[ask.claimant] or 0
    return _calls_what_cannot_be(ask, rules, rng) or ask.count >= left


def _calls_some(ask: ChallengeRequest, rules: Rules, rng: random.Random) -> bool:
    return rng.random() < _CALLED


def _calls_all(ask: ChallengeRequest, rules: Rules, rng: random.Random) -> bool:
    return True


def _calls_none(ask: ChallengeRequest, rules: Rules, rng: random.Random) -> bool:
    return False


HONEST: Final = Strategy("honest", _plays_what_is_due, _calls_what_cannot_be)
CLOSER: Final = Strategy("closer", _plays_what_is_due, _calls_the_last_cards)
CHANCER: Final = Strategy("chancer", _plays_anything, _calls_some)
QUIET: Final = Strategy("lays one card and calls nobody", _plays_one, _calls_none)
BOLD: Final = Strategy("lays many cards and calls nobody", _plays_many, _calls_none)
SUSPICIOUS: Final = Strategy("lays one card and calls everybody", _plays_one, _calls_all)
VARIED: Final = Strategy("does all that the rules allow", _plays_by_every_rule, _calls_some)
