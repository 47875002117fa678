"""careful: a planner that weighs every claim against what it has seen, and calls when a lie is nearly sure."""

import json
import random
import sys
from collections import Counter
from math import comb

RANKS = "A23456789TJQK"
rules, rng, seat, laid = {}, random.Random(0), 0, []
own_pile = Counter()  # own cards in the pile, by rank
known = {}  # by seat, by rank: cards that it picked up for all to see and has not claimed since
lies = {}  # by seat: how many of its lies had so many cards, and a guess to start from


def turns_until_due(rank, ask):
    """Own turns until this rank falls due here: one rank a turn, so `active` ranks between two own turns."""
    gap = RANKS.index(rank) - RANKS.index(ask["ranks"][0])
    if len(ask["ranks"]) > 1:  # the table may choose: count the steps round the circle of ranks
        return min(gap % 13, -gap % 13)
    if rules["order"].startswith("down"):
        gap = -gap
    return next(turn for turn in range(13) if (turn * len(ask["active"]) - gap) % 13 == 0)


def play(ask):
    """All cards of the legal rank it holds most of; without one, the card that is of use last."""
    hand = ask["hand"]
    ranks = [card[0] for card in hand]
    rank = max(ask["ranks"], key=lambda rank: (ranks.count(rank), rng.random()))
    due = [card for card in hand if card[0] == rank][: rules["max_cards"]]
    if not due and rules["passing"] and len(hand) == 1:
        return {"pass": True}
    return {"rank": rank, "cards": due or [max(hand, key=lambda card: turns_until_due(card[0], ask))]}


def doubt(ask):
    """Bayes: a player lays all it has of the rank, or has none and lies with as many cards as is its habit.
    Last cards are always in doubt: unchallenged they win."""
    who, rank, count, sizes = ask["claimant"], ask["rank"], ask["count"], ask["hand_sizes"]
    seen = Counter(card[0] for card in ask["hand"]) + own_pile
    if seen[rank] + count > 4 * rules["decks"] or count >= sizes[who]:
        return 1.0
    for other in known:
        if known[other].total() > (sizes[other] or 0):
            known[other].clear()  # it lied with some of them
        seen += known[other]
    if known[who][rank]:
        return 0.0
    drawn = sizes[who] - known[who].total()
    copies = max(4 * rules["decks"] - seen[rank], 0)
    others = max(52 * rules["decks"] - seen.total() - copies, drawn)
    lie = comb(others, drawn) * lies[who][count] / lies[who].total()
    truth = comb(copies, count) * comb(others, max(drawn - count, 0))
    return lie / (lie + truth) if lie else 0.0


def note(outcome):
    """Keeps the books after a window: who holds what, who lied with how many, which own cards the pile has."""
    who, taker = outcome["claimant"], outcome["taker"]
    known[who] -= Counter({outcome["rank"]: outcome["count"]})
    own_pile.update(laid if who == seat else [])
    lies[who][outcome["count"]] += outcome["true"] is False
    if taker is not None:
        known[taker] += own_pile + Counter(card[0] for card in outcome["shown"] if who != seat)
        known[seat].clear()  # that is the own hand
        own_pile.clear()


for line in sys.stdin:
    ask = json.loads(line)
    answer = {"name": "careful"}
    if ask["type"] == "hello":
        rules = ask["rules"]
    elif ask["type"] == "start":
        seat, rng = ask["seat"], random.Random(ask["seed"])
        own_pile.clear()
        known = {other: Counter() for other in range(ask["seats"])}
        lies = {other: Counter({1: 2, 2: 0.5, 3: 0.1, 4: 0.1}) for other in range(ask["seats"])}
    elif ask["type"] == "play":
        answer = play(ask)
        laid = [card[0] for card in answer.get("cards", [])]
    elif ask["type"] == "challenge":
        answer = {"challenge": doubt(ask) > 0.95}
    elif ask["type"] == "outcome":
        note(ask)
    if "id" in ask:
        print(json.dumps({"id": ask["id"], **answer}), flush=True)
